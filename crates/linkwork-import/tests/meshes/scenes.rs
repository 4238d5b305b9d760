//! Nodes of COLLADA and glTF scenes: transformations, references, units.

use crate::support::{load, loaded, tells};
use crate::{shapes, writers};
use linkwork::math::Vec3;
use linkwork_import::mesh::{InertiaMode, Mesh};

const TETRAHEDRON: &str = r##"<geometry id="part"><mesh>
  <source id="p"><float_array>0 0 0 9  1 0 0 9  0 1 0 9  0 0 1 9</float_array><technique_common>
    <accessor source="#a" count="4" stride="4"/></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>FACES</mesh></geometry>"##;

const TRIANGLES: &str = r##"<triangles><input semantic="VERTEX" source="#v" offset="0"/>
  <p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>"##;

fn scene(asset: &str, nodes: &str) -> Mesh {
    let geometry = TETRAHEDRON.replace("FACES", TRIANGLES);
    loaded("scene.dae", writers::dae_scene(asset, &geometry, nodes))
}

fn centre(mesh: &Mesh) -> (f64, Vec3) {
    let (place, mut notices) = crate::support::aside();
    let mass = mesh.mass(InertiaMode::Exact, &place, &mut notices).unwrap();
    assert!(notices.all().is_empty(), "{notices:?}");
    (mass.volume, mass.centre)
}

fn near(found: (f64, Vec3), volume: f64, centre: [f64; 3]) {
    let off = (found.1 - Vec3::from(centre)).norm();
    assert!(
        (found.0 / volume - 1.0).abs() < 1e-6 && off < 1e-6,
        "{found:?}"
    );
}

#[test]
fn units_and_nested_nodes_multiply() {
    let nodes = r##"<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate>
        <node><matrix>2 0 0 4  0 2 0 0  0 0 2 0  0 0 0 1</matrix>
        <instance_geometry url="#part"/></node></node>"##;
    // Centre 0.25 of each, doubled, moved by 4 along x, turned to y, moved by 10, all in centimetres.
    let mesh = scene(r#"<unit meter="0.01"/><up_axis>Z_UP</up_axis>"#, nodes);
    near(centre(&mesh), 8e-6 / 6.0, [0.095, 0.045, 0.005]);
}

#[test]
fn mirrored_nodes_keep_looking_outwards() {
    let nodes = r##"<node><scale>-1 3 1</scale><instance_geometry url="#part"/></node>"##;
    near(centre(&scene("", nodes)), 0.5, [-0.25, 0.75, 0.25]);
}

#[test]
fn nodes_of_the_library_are_placed_by_reference() {
    let nodes = r##"<node id="twice"><instance_node url="#kept"/>
        <node><translate>0 0 5</translate><instance_node url="#kept"/></node></node>
        <node><instance_geometry url="#part"/></node>"##;
    let text = writers::dae_scene("", &TETRAHEDRON.replace("FACES", TRIANGLES), nodes);
    let library = r##"<library_nodes><node id="kept"><translate>7 0 0</translate>
        <instance_geometry url="#part"/></node></library_nodes><library_visual_scenes>"##;
    let mesh = loaded(
        "scene.dae",
        text.replace("<library_visual_scenes>", library),
    );
    assert_eq!(mesh.triangles.len(), 12);
    near(centre(&mesh), 0.5, [14.75 / 3.0, 0.25, 5.75 / 3.0]);
}

#[test]
fn every_kind_of_face_is_read() {
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    let kinds = [
        format!(
            "<polylist>{input}<vcount>3 3 3 3</vcount><p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist>"
        ),
        format!("<polygons>{input}<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>"),
        format!("<trifans>{input}<p>0 2 1 3 2</p><p>1 2 3</p></trifans>"),
        format!("<tristrips>{input}<p>0 2 1 3 0 2</p></tristrips><lines>{input}<p>0 1</p></lines>"),
    ];
    for faces in kinds {
        let node = r##"<node><instance_geometry url="#part"/></node>"##;
        let text = writers::dae_scene("", &TETRAHEDRON.replace("FACES", &faces), node);
        let (mesh, notices) = load("faces.dae", text);
        near(centre(&mesh.unwrap()), 1.0 / 6.0, [0.25; 3]);
        assert_eq!(tells(&notices, "list of lines"), faces.contains("lines"));
    }
}

#[test]
fn the_up_axis_is_told_and_not_applied() {
    let node = r##"<node><instance_geometry url="#part"/></node>"##;
    let geometry = TETRAHEDRON.replace("FACES", TRIANGLES);
    let text = writers::dae_scene("<up_axis>Y_UP</up_axis>", &geometry, node);
    let (mesh, notices) = load("up.dae", text);
    near(centre(&mesh.unwrap()), 1.0 / 6.0, [0.25; 3]);
    assert!(tells(&notices, "Y_UP"));
}

#[test]
fn gltf_nodes_are_placed() {
    let mesh = shapes::tetrahedron();
    let nodes = r#"{"children": [1], "translation": [10, 0, 0],
        "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476]},
        {"mesh": 0, "scale": [2, 2, -2], "translation": [4, 0, 0], "children": [2]},
        {"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,-3,1]}"#;
    let json = writers::gltf_document(&mesh, "", nodes);
    let bytes = writers::glb_of(&json, &writers::gltf_buffer(&mesh));
    let (found, notices) = load("scene.glb", bytes);
    // Both as large; the second 3 before the first in its frame, so 6 higher up.
    near(centre(&found.unwrap()), 16.0 / 6.0, [9.5, 4.5, 2.5]);
    assert!(tells(&notices, "y axis of glTF"));
}

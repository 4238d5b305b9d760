//! What each format gives.

use crate::support::{Folder, load, load_from, loaded, refused, tells};
use crate::{shapes, writers};
use linkwork::math::Vec3;
use linkwork_import::Fault;
use linkwork_import::mesh::Mesh;

/// The triangles as positions, each from its least corner on, in order.
fn sorted(mesh: &Mesh) -> Vec<[[f64; 3]; 3]> {
    let mut list: Vec<[[f64; 3]; 3]> = mesh
        .triangles
        .iter()
        .map(|t| {
            let mut corners = t.map(|i| <[f64; 3]>::from(mesh.vertices[i as usize]));
            let order = |a: &[f64; 3], b: &[f64; 3]| a.partial_cmp(b).unwrap();
            let least = (0..3)
                .min_by(|i, j| order(&corners[*i], &corners[*j]))
                .unwrap();
            corners.rotate_left(least);
            corners
        })
        .collect();
    list.sort_by(|a, b| a.partial_cmp(b).unwrap());
    list
}

#[test]
fn every_format_gives_the_same_mesh() {
    for (shape, mesh) in shapes::all() {
        for (name, bytes) in writers::all(&mesh) {
            let found = loaded(name, bytes);
            assert_eq!(found.vertices.len(), mesh.vertices.len(), "{shape} {name}");
            assert_eq!(sorted(&found), sorted(&mesh), "{shape} {name}");
            assert!(found.closed(), "{shape} {name}");
        }
    }
}

#[test]
fn an_unknown_extension_is_refused_with_the_list_of_formats() {
    let error = refused("part.step", "ISO-10303-21;");
    assert_eq!(error.fault, Fault::Unsupported);
    assert!(
        error.remedy.contains("stl, obj, dae, gltf, glb, ply, msh"),
        "{error}"
    );
    assert_eq!(refused("part", "").fault, Fault::Unsupported);
}

#[test]
fn polygons_become_triangles_that_do_not_overlap() {
    // A pyramid over a quadrilateral whose shorter diagonal is that from the second corner.
    let pyramid = "v 0 0 0\nv 1 0.2 0\nv 2 2 0\nv 0.2 1 0\nv 0 0 3\n\
                   f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
    let (mesh, notices) = load("pyramid.obj", pyramid);
    let mesh = mesh.unwrap();
    assert!(mesh.closed());
    assert_eq!(mesh.triangles.len(), 6);
    assert!(notices.all().is_empty());
    // Both triangles of the base have the shorter diagonal as a side.
    let across = |t: &&[u32; 3]| {
        let at = |p: [f64; 3]| {
            t.iter()
                .any(|i| mesh.vertices[*i as usize] == Vec3::from(p))
        };
        at([1.0, 0.2, 0.0]) && at([0.2, 1.0, 0.0]) && !at([0.0, 0.0, 3.0])
    };
    assert_eq!(mesh.triangles.iter().filter(across).count(), 2);

    // A prism of height 2 over a star of 214 corners, every second at 0.4: two faces with all of them.
    for (corners, cut) in [(214usize, true), (502, false)] {
        let (mesh, notices) = load("star.obj", star(corners));
        let mesh = mesh.unwrap();
        let sides = corners as f64;
        let area = 0.5 * sides * 0.4 * (std::f64::consts::TAU / sides).sin();
        assert!((mesh.volume() - 2.0 * area).abs() < 1e-6, "{corners}");
        assert_eq!(tells(&notices, "cut into triangles that overlap"), !cut);
        // Triangles that overlap have more surface than the polygon.
        let surface = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| mesh.vertices[i as usize]);
            let flat = a.z == b.z && b.z == c.z;
            if flat {
                0.5 * (b - a).cross(&(c - a)).norm()
            } else {
                0.0
            }
        };
        let caps: f64 = mesh.triangles.iter().map(surface).sum();
        assert_eq!((caps - 2.0 * area).abs() < 1e-6, cut, "{corners}: {caps}");
    }
}

/// A prism of height 2 over a star, as an OBJ file in two groups.
fn star(corners: usize) -> String {
    let mut text = String::new();
    for z in [0, 2] {
        for i in 0..corners {
            let r = if i.is_multiple_of(2) { 1.0 } else { 0.4 };
            let angle = std::f64::consts::TAU * i as f64 / corners as f64;
            text += &format!("v {} {} {z}\n", r * angle.cos(), r * angle.sin());
        }
    }
    let number = |i: usize| i.to_string();
    let top: Vec<_> = (corners + 1..=2 * corners).map(number).collect();
    let bottom: Vec<_> = (1..=corners).rev().map(number).collect();
    text += &format!(
        "g caps\nf {}\nf {}\ng sides\n",
        top.join(" "),
        bottom.join(" ")
    );
    for i in 0..corners {
        let j = (i + 1) % corners;
        text += &format!(
            "f {} {} {} {}\n",
            i + 1,
            j + 1,
            corners + j + 1,
            corners + i + 1
        );
    }
    text
}

#[test]
fn groups_of_an_obj_file_make_one_mesh_which_is_told() {
    let one = writers::obj(&shapes::tetrahedron(), true);
    let two = format!("{one}o empty\ng other\n{}", one.replace("v 1 ", "v 2 "));
    let (mesh, notices) = load("two.obj", two);
    assert_eq!(mesh.unwrap().triangles.len(), 8);
    assert!(tells(&notices, "2 groups or objects"));
    assert!(load("one.obj", one).1.all().is_empty());
}

#[test]
fn vertices_without_faces_are_their_hull() {
    let cube =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nv .5 .5 .5\n";
    let (mesh, notices) = load("points.obj", cube);
    let mesh = mesh.unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12));
    assert!((mesh.volume() - 1.0).abs() < 1e-15);
    assert!(tells(&notices, "convex hull of its vertices"));
}

#[test]
fn what_is_degenerate_is_left_out_and_told() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv -0 0 0\nv 9 9 9\nv 2 0 0\n\
                f 1 3 2\nf 5 2 4\nf 1 4 3\nf 2 3 4\nf 1 5 2\nf 1 2 7\nl 1 2\n";
    let (mesh, notices) = load("odd.obj", text);
    let mesh = mesh.unwrap();
    assert!(mesh.closed());
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (4, 4));
    assert!(tells(&notices, "2 of 6 triangles have no area"));
    assert!(tells(&notices, "2 vertices belong to no triangle"));
    assert!(tells(&notices, "neither vertex nor face, first 'l'"));
}

#[test]
fn text_beginning_with_solid_is_read_by_its_size() {
    let mesh = shapes::tetrahedron();
    let mut bytes = writers::stl_binary(&mesh);
    bytes.extend(b"made by a program");
    let (found, notices) = load("tail.stl", &bytes);
    assert_eq!(found.unwrap().triangles.len(), 4);
    assert!(tells(&notices, "17 bytes after the last triangle"));
}

#[test]
fn a_gltf_buffer_beside_the_file_is_read() {
    let mesh = shapes::torus();
    let folder = Folder::new();
    let uri = r#", "uri": "the%20data.bin""#;
    folder.write(
        "part.gltf",
        writers::gltf_document(&mesh, uri, r#"{"mesh": 0}"#),
    );
    folder.write("the data.bin", writers::gltf_buffer(&mesh));
    assert_eq!(
        sorted(&load_from(&folder, "part.gltf").0.unwrap()),
        sorted(&mesh)
    );
}

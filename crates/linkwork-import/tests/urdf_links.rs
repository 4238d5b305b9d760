//! Links of a URDF: masses, shapes and collisions.

mod common;

use common::urdf::{joint, link, read, robot};
use common::{import, told};
use linkwork::math::Vec3;
use linkwork::model::{Geometry, Mapping, Pattern};
use linkwork_import::{Options, load};

#[test]
fn fixed_links_are_lumped_and_massless_ends_are_fixed() {
    let text = robot(
        &(link("a")
            + &link("b")
            + &link("c")
            + r#"<link name="tip"/><link name="end"/>"#
            + &joint("j", "continuous", "a", "b", "")
            + &joint("f", "fixed", "b", "c", r#"<origin xyz="2 0 0"/>"#)
            + &joint("t", "continuous", "c", "tip", r#"<origin xyz="1 0 0"/>"#)
            + &joint("e", "fixed", "tip", "end", "")),
    );
    let read = read(&text);
    let m = &read.model;
    assert_eq!(m.bodies().len(), 1);
    let body = &m.bodies()[0];
    assert_eq!((body.mass, body.com), (2.0, Vec3::new(1.0, 0.0, 0.0)));
    // Two units of mass, each 1 m from the common centre: Steiner adds 2 about y and z.
    let exact = Vec3::new(0.2, 2.2, 2.2);
    assert!((body.inertia.diagonal() - exact).norm() < 1e-14);
    assert!(told(&read, "joint 't' is fixed"));
    let state = m.initial_state();
    let tip = m.link_named("end").unwrap().frame.pose(&state);
    assert!((tip.position - Vec3::new(3.0, 0.0, 0.0)).norm() < 1e-15);
    assert_eq!(m.actuators().len(), 1);
}

#[test]
fn inertias_are_turned_into_the_link_frame_about_the_centre_of_mass() {
    let inertial = r#"<link name="b"><inertial><origin xyz="0 0 2" rpy="1.5707963267948966 0 0"/>
        <mass value="3"/><inertia ixx="0.3" iyy="0.4" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial></link>"#;
    let text = robot(&(link("a") + inertial + &joint("j", "continuous", "a", "b", "")));
    let read = read(&text);
    let body = &read.model.bodies()[0];
    assert_eq!((body.mass, body.com), (3.0, Vec3::new(0.0, 0.0, 2.0)));
    // The quarter turn about x exchanges the moments about y and z.
    let exact = Vec3::new(0.3, 0.5, 0.4);
    assert!((body.inertia.diagonal() - exact).norm() < 1e-15);
    assert_eq!(read.counts.mass, 4.0);
}

#[test]
fn shapes_have_half_the_lengths_of_the_file() {
    let shapes = r#"<link name="b"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><origin xyz="0 0 1"/><geometry><box size="2 4 6"/></geometry></collision>
        <collision><geometry><cylinder radius="0.5" length="3"/></geometry></collision>
        <collision><geometry><capsule radius="0.5" length="3"/></geometry></collision>
        <visual><geometry><sphere radius="0.7"/></geometry><material name="red"/></visual></link>"#;
    let text = robot(&(link("a") + shapes + &joint("j", "continuous", "a", "b", "")));
    let all = read(&text);
    let forms: Vec<&Geometry> = all.model.shapes().iter().map(|s| &s.geometry).collect();
    let half_extents = Vec3::new(1.0, 2.0, 3.0);
    assert_eq!(*forms[0], Geometry::Box { half_extents });
    let (radius, half_length) = (0.5, 1.5);
    assert_eq!(
        *forms[1],
        Geometry::Cylinder {
            radius,
            half_length
        }
    );
    assert_eq!(
        *forms[2],
        Geometry::Capsule {
            radius,
            half_length
        }
    );
    assert_eq!(*forms[3], Geometry::Sphere { radius: 0.7 });
    let seen = &all.model.shapes()[3];
    assert!(!seen.group.touches_any());
    let options = Options::with(|s| s.visuals = false);
    let bare = import("r.urdf", &text, &options).unwrap();
    assert_eq!(bare.model.shapes().len(), 3);
}

#[test]
fn links_of_a_mechanism_that_touch_from_the_start_never_do() {
    let ball = |name: &str| {
        let shape = r#"<collision><geometry><sphere radius="0.3"/></geometry></collision></link>"#;
        link(name).replace("</link>", shape)
    };
    let at = |x: f64| format!(r#"<origin xyz="{x} 0 0"/>"#);
    // Balls of radius 0.3 at 0 (base), 0.2, 0.4, 2 and a loose one at 0.5.
    let links = ["base", "a", "b", "c", "loose"].map(ball).concat();
    let joints = joint("1", "continuous", "base", "a", &at(0.2))
        + &joint("2", "continuous", "a", "b", &at(0.2))
        + &joint("3", "continuous", "b", "c", &at(1.6))
        + &joint("4", "floating", "base", "loose", &at(0.5));
    let read = read(&robot(&(links + &joints)));
    // Only base and b: neighbours are never asked, c is far away, the loose ball is no part of the arm.
    assert!(told(&read, "touch from the start never do (1)"));
    let shapes = read.model.shapes();
    let on = |body: &str| {
        let id = read.model.body_named(body);
        shapes.iter().find(|s| s.body == id).unwrap()
    };
    let base = shapes.iter().find(|s| s.body.is_none()).unwrap();
    for (body, meets) in [("a", false), ("b", false), ("c", true), ("loose", true)] {
        assert_eq!(base.group.meets(&on(body).group), meets, "{body}");
    }
    assert!(on("b").group.meets(&on("loose").group));
}

/// Colours are given with the shape or once for the robot.
#[test]
fn shapes_have_the_colours_of_their_materials() {
    let visual = |material: &str| {
        format!(r#"<visual><geometry><sphere radius="0.1"/></geometry>{material}</visual>"#)
    };
    let shapes = visual(r#"<material name="grey"/>"#)
        + &visual(r#"<material name="own"><color rgba="1 0 0 1"/></material>"#)
        + &visual(r#"<material name="own"/>"#)
        + &visual("");
    let text = robot(&format!(
        r#"<material name="grey"><color rgba="0.5 0.5 0.5 1"/></material><link name="a">{shapes}</link>"#
    ));
    let read = read(&text);
    let colours: Vec<_> = read.model.shapes().iter().map(|s| s.colour).collect();
    let (grey, red) = ([0.5, 0.5, 0.5, 1.0], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(colours, [Some(grey), Some(red), Some(red), None]);
}

/// A mesh without a material of the robot has the appearance of its own file; the robot's material takes precedence.
#[test]
fn meshes_look_as_their_files_say() {
    let folder = common::Folder::new();
    let mut png = Vec::new();
    let mut writer = png::Encoder::new(&mut png, 1, 1).write_header().unwrap();
    writer.write_image_data(&[7]).unwrap();
    drop(writer);
    folder.write("skin.png", &png);
    folder.write(
        "m.mtl",
        "newmtl other\nKd 1 1 1\nnewmtl skin\nKd 0.1 0.2 0.3\nd 0.5\nmap_Kd skin.png\n",
    );
    folder.write(
        "m.obj",
        "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl skin\nf 1/1 2/2 3/3\n",
    );
    let mesh = |material: &str| {
        format!(
            r#"<visual><geometry><mesh filename="m.obj" scale="1 -1 1"/></geometry>{material}</visual>"#
        )
    };
    let shapes = mesh("") + &mesh(r#"<material name="m"><color rgba="1 0 0 1"/></material>"#);
    let text = robot(&format!(r#"<link name="a">{shapes}</link>"#));
    let read = load(&folder.write("r.urdf", text), &Options::default());
    let read = read.unwrap_or_else(|e| panic!("{e}"));
    let shapes = read.model.shapes();
    // With an image the colour is ignored, since it is often black.
    assert_eq!(shapes[0].colour, Some([1.0, 1.0, 1.0, 0.5]));
    let mapping = shapes[0].texture.as_ref().map(|t| &t.mapping);
    let Some(Mapping::Corners { coordinates }) = mapping else {
        panic!("it has texture coordinates");
    };
    let Geometry::TriangleMesh {
        vertices,
        triangles,
    } = &shapes[0].geometry
    else {
        panic!("what is only seen is exact");
    };
    // The mirror image has its corners turned round, and their coordinates with them.
    for (i, [u, v]) in triangles[0].iter().zip(&coordinates[0]) {
        let at = vertices[*i as usize];
        assert_eq!([f64::from(*u), f64::from(*v)], [at.x, -at.y]);
    }
    let Pattern::Image { image } = &read.model.textures()[0].pattern else {
        panic!("an image");
    };
    assert_eq!(image.file(), png);
    assert_eq!(shapes[1].colour, Some([1.0, 0.0, 0.0, 1.0]));
    assert_eq!(shapes[1].texture, None);
}

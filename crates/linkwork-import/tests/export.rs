//! What is written as MJCF or URDF is the same mechanism when it is read again.

mod common;

use common::Folder;
use linkwork::joints;
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::mobility::mobility;
use linkwork::model::{
    Body, BodyDef, Geometry, Joint, JointDef, Model, ModelBuilder, Shape, ShapeDef,
};
use linkwork::{Run, Settings, Simulator};
use linkwork_import::export::{Exported, to_mjcf, to_urdf};
use linkwork_import::{Options, load};
use linkwork_scenes::scene;
use std::path::Path;
use std::sync::Arc;

/// Writes MJCF and reads it again; also returns what was omitted.
fn through(name: &str, model: &Model) -> (Arc<Model>, Vec<String>) {
    read(&format!("{name}.xml"), "", to_mjcf(model).unwrap())
}

/// The same for URDF and its second file.
fn through_urdf(name: &str, model: &Model) -> (Arc<Model>, Vec<String>) {
    let meshes = format!("{name}_meshes");
    let exported = to_urdf(model, &meshes);
    read(&format!("{name}.urdf"), &meshes, exported)
}

fn read(name: &str, meshes: &str, exported: Exported) -> (Arc<Model>, Vec<String>) {
    let folder = Folder::new();
    for (mesh, text) in &exported.meshes {
        folder.write(&format!("{meshes}/{mesh}"), text);
    }
    let file = folder.write(name, &exported.text);
    if let Some(loops) = &exported.beside {
        std::fs::write(file.with_extension("loops.yaml"), loops).unwrap();
    }
    let again = load(&file, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    (again.model, exported.left_out)
}

fn of_scene(name: &str) -> Arc<Model> {
    scene(name, &[]).unwrap().model.named(name, None)
}

/// Whether a body is welded to the world, of which it is part in other formats.
fn is_welded(model: &Model, body: &Body) -> bool {
    let weld = |j: &&Joint| j.base.is_none() && j.kind.name() == "fixed";
    let mut welds = model.joints().iter().filter(weld);
    welds.any(|j| model.body(j.follower).name == body.name)
}

/// Masses, inertias and places of all bodies, and how the mechanism can move.
fn assert_same(a: &Model, b: &Model, what: &str) {
    let (a, b) = (&a, &b);
    let moving = || a.bodies().iter().filter(|body| !is_welded(a, body));
    assert_eq!(moving().count(), b.bodies().len(), "{what}");
    assert!((a.gravity() - b.gravity()).amax() < 1e-12, "{what}");
    for x in moving() {
        let y = b.body(
            b.body_named(&x.name)
                .unwrap_or_else(|| panic!("{what}: {}", x.name)),
        );
        let place = format!("{what}: {}", x.name);
        assert!((x.mass - y.mass).abs() <= 1e-12 * x.mass, "{place}");
        assert!((x.pose.position - y.pose.position).amax() < 1e-9, "{place}");
        // Body axes may differ; the inertia in the world does not.
        let world = |body: &Body| {
            let r = body.pose.rotation.to_rotation_matrix();
            r * body.inertia * r.transpose()
        };
        let off = (world(x) - world(y)).amax();
        assert!(off <= 1e-9 * x.inertia.amax(), "{place}: {off}");
    }
    let freedom = |m: &Model| mobility(m, &m.initial_state()).degrees_of_freedom;
    assert_eq!(freedom(a), freedom(b), "{what}");
}

/// Positions of all bodies after some steps without anything driving.
fn places(model: &Arc<Model>, steps: usize) -> Vec<(String, linkwork::math::Vec3)> {
    let simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let mut run = Run::new(simulator, None);
    for _ in 0..steps {
        run.step().unwrap();
    }
    let bodies = model.bodies().iter();
    let places = bodies.zip(&run.simulator().state().poses);
    let places = places.filter(|(b, _)| !is_welded(model, b));
    let mut places: Vec<_> = places.map(|(b, p)| (b.name.clone(), p.position)).collect();
    places.sort_by(|a, b| a.0.cmp(&b.0));
    places
}

#[test]
fn loops_gears_and_robots_come_back() {
    for name in [
        "fourbar_fixed",
        "fourbar_free",
        "coupled_fourbars",
        "gear_train",
        "nunchuk",
        "arm7",
        "quadruped",
        "biped14",
    ] {
        let original = of_scene(name);
        let (again, _) = through(name, &original);
        assert_same(&original, &again, name);
        let shapes = |m: &Model| m.shapes().len();
        assert_eq!(shapes(&original), shapes(&again), "{name}");
    }
}

#[test]
fn mechanisms_without_drives_move_the_same() {
    for name in ["fourbar_fixed", "slider_crank", "gear_train", "nunchuk"] {
        let original = of_scene(name);
        let (again, left_out) = through(&format!("{name}-moves"), &original);
        if left_out
            .iter()
            .any(|l| l.contains("velocities") || l.contains("drive"))
        {
            continue;
        }
        for ((body, p), (_, q)) in places(&original, 50).iter().zip(&places(&again, 50)) {
            assert!((p - q).amax() < 1e-8, "{name} {body}: {p} {q}");
        }
    }
}

#[test]
fn the_example_keeps_its_actuator_sensors_and_stored_state() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let file = folder.join("fourbar_slider.linkwork.toml");
    let original = load(&file, &Options::default()).unwrap().model;
    let (again, left_out) = through("example", &original);
    assert_same(&original, &again, "example");
    assert_eq!(original.timestep(), again.timestep());
    assert_eq!(again.actuators()[0].bias, original.actuators()[0].bias);
    assert_eq!(again.actuators()[0].control_range, Some([-6.0, 6.0]));
    let readings: Vec<_> = again.sensors().iter().map(|s| s.name.as_str()).collect();
    assert_eq!(readings, ["stroke", "tool_position"]);
    assert_eq!(again.keyframes()[0].controls, [3.0]);
    let told = left_out.join("\n");
    assert!(
        told.contains("'rocker_pin': a hinge that closes a loop"),
        "{told}"
    );
    assert!(told.contains("velocities of stored states"), "{told}");
}

#[test]
fn urdf_keeps_the_tree_and_the_loops_beside_it() {
    for name in [
        "fourbar_fixed",
        "fourbar_free",
        "slider_crank",
        "arm7",
        "quadruped",
        "biped14",
    ] {
        let original = of_scene(name);
        let (again, _) = through_urdf(name, &original);
        assert_same(&original, &again, name);
    }
}

#[test]
fn urdf_keeps_capsules_and_meshes() {
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new(
        "body",
        MassProperties::solid_box(1.0, Vec3::repeat(0.1)),
    ));
    let corners = [
        [0.0, 0.0, 0.0],
        [0.3, 0.0, 0.1],
        [0.0, 0.2, 0.0],
        [0.1, 0.1, 0.4],
    ];
    let points = Arc::new(corners.map(Vec3::from).to_vec());
    let place = Pose::at(0.1, -0.2, 0.3).rotated(Vec3::new(0.3, -0.2, 0.9));
    let capsule = Geometry::Capsule {
        radius: 0.05,
        half_length: 0.2,
    };
    for (name, geometry) in [
        ("rod", capsule),
        (
            "wedge / 1",
            Geometry::ConvexHull {
                points: points.clone(),
            },
        ),
    ] {
        b.add_shape(Some(body), ShapeDef::new(geometry).name(name).pose(place));
    }
    let ground = Geometry::TriangleMesh {
        vertices: points.clone(),
        triangles: Arc::new(vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]),
    };
    b.add_shape(None, ShapeDef::new(ground).name("rock").pose(place));
    let original = b.build().unwrap().named("shapes", None);
    let (again, left_out) = through_urdf("shapes", &original);
    assert!(
        !left_out.iter().any(|l| l.contains("no such form")),
        "{left_out:?}"
    );
    let model = &again;
    let shape = |name: &str| {
        let found = model.shapes().iter().find(|s| s.name.contains(name));
        found.unwrap_or_else(|| panic!("{name}: {:?}", model.shapes()))
    };
    let at = |s: &Shape, p: Vec3| s.local.transform_point(&p);
    // Ends of the capsule, and corners of the meshes, from the centre of mass.
    for (name, z) in [("rod/top", 0.2), ("rod/bottom", -0.2)] {
        let end = place.transform_point(&Vec3::new(0.0, 0.0, z));
        assert!((shape(name).local.position - end).amax() < 1e-12, "{name}");
    }
    let Geometry::ConvexHull { points: found } = &shape("wedge").geometry else {
        panic!("{:?}", shape("wedge"));
    };
    let Geometry::TriangleMesh {
        vertices,
        triangles,
    } = &shape("rock").geometry
    else {
        panic!("{:?}", shape("rock"));
    };
    assert_eq!((found.len(), vertices.len(), triangles.len()), (4, 4, 4));
    for p in points.iter() {
        let place = place.transform_point(p);
        let is_there =
            |s: &Shape, all: &[Vec3]| all.iter().any(|q| (at(s, *q) - place).amax() < 1e-12);
        assert!(is_there(shape("wedge"), found) && is_there(shape("rock"), vertices));
    }
}

#[test]
fn what_a_format_cannot_say_is_told() {
    let told = to_mjcf(&of_scene("slider_crank"))
        .unwrap()
        .left_out
        .join("\n");
    assert!(
        told.contains("a prismatic joint that closes a loop"),
        "{told}"
    );
    let told = to_urdf(&of_scene("gear_train"), "").left_out.join("\n");
    assert!(told.contains("URDF has q = a·r + b only"), "{told}");
}

/// A joint type that an exporter does not support is reported, as part of the tree and where it closes a loop.
#[test]
fn every_joint_type_is_written_or_told_of() {
    for kind in joints::all() {
        let name = kind.name();
        let mut b = ModelBuilder::new();
        let solid = MassProperties::solid_box(1.0, Vec3::new(0.1, 0.1, 0.1));
        let first = b.add_body(BodyDef::new("first", solid));
        let second = b.add_body(BodyDef::new("second", solid));
        b.add_joint(JointDef::of("carrying", kind.clone(), None, first));
        b.add_joint(JointDef::spherical("ball", None, second));
        b.add_joint(JointDef::of("closing", kind.clone(), first, second));
        let model = b.build().unwrap();
        let mjcf = to_mjcf(&model).unwrap();
        let urdf = to_urdf(&model, "");
        let beside = urdf.beside.clone().unwrap_or_default();
        for joint in ["carrying", "closing"] {
            let told = |left_out: &[String]| left_out.iter().any(|l| l.contains(joint));
            // A free or fixed joint of the tree is the attachment of the body in the file.
            let plain = joint == "carrying" && matches!(name, "free" | "fixed");
            let in_mjcf = mjcf.text.contains(joint) || told(&mjcf.left_out) || plain;
            assert!(in_mjcf, "MJCF says nothing of a {name} joint '{joint}'");
            let text = urdf.text.contains(joint) || beside.contains(joint);
            let in_urdf = text || told(&urdf.left_out);
            assert!(in_urdf, "URDF says nothing of a {name} joint '{joint}'");
        }
    }
}

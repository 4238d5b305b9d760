//! A floor of flush solids bears like one solid: what slides over it keeps its speed and does not turn or hop.

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Geometry, Material, Model, ModelBuilder, ShapeDef};
use linkwork::{Control, Settings, Simulator};
use linkwork_solve::Status;
use std::sync::Arc;

/// A box with these half extents (m), as the corners of a hull.
fn hull(h: Vec3) -> Geometry {
    let sign = |k: usize, bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
    let points = (0..8)
        .map(|k| Vec3::new(h.x * sign(k, 0), h.y * sign(k, 1), h.z * sign(k, 2)))
        .collect();
    Geometry::ConvexHull {
        points: Arc::new(points),
    }
}

fn cuboid(half_extents: Vec3) -> Geometry {
    Geometry::Box { half_extents }
}

/// A floor 20 m by 2 m of `nx` by `ny` tiles, and a slider on it at 3 m/s.
fn model(
    tile: fn(Vec3) -> Geometry,
    [nx, ny]: [usize; 2],
    slider: &Geometry,
    height: f64,
    yaw: f64,
) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let smooth = Material::with_friction(0.0);
    let half = Vec3::new(10.0 / nx as f64, 1.0 / ny as f64, 0.1);
    for i in 0..nx {
        for j in 0..ny {
            let x = -5.0 + half.x * (2 * i + 1) as f64;
            let y = -1.0 + half.y * (2 * j + 1) as f64;
            let tile = ShapeDef::new(tile(half)).pose(Pose::at(x, y, -0.1));
            b.add_shape(None, tile.material(smooth));
        }
    }
    let mass = MassProperties::solid_box(1.0, Vec3::repeat(0.05));
    let pose = Pose::at(0.0, 0.013, height).rotated(Vec3::z() * yaw);
    let body = BodyDef::new("slider", mass)
        .pose(pose)
        .twist(Vec3::new(3.0, 0.1, 0.0), Vec3::zeros());
    let body = b.add_body(body);
    b.add_shape(body, ShapeDef::new(slider.clone()).material(smooth));
    b.build().unwrap()
}

/// Slide for a second over tiles and over one box.
fn check(
    what: &str,
    tile: fn(Vec3) -> Geometry,
    tiles: [usize; 2],
    slider: &Geometry,
    height: f64,
    yaw: f64,
) {
    let run = |tile, tiles| {
        let model = model(tile, tiles, slider, height, yaw);
        let mut sim = Simulator::new(model.clone(), Settings::default()).unwrap();
        let control = Control::new(&model);
        let (mut hop, mut spin) = (0.0_f64, 0.0_f64);
        for _ in 0..1000 {
            let report = sim.step(&control).unwrap();
            assert_eq!(report.status, Status::Converged, "{what}");
            hop = hop.max((sim.state().poses[0].position.z - height).abs());
            spin = spin.max(sim.state().twists[0].angular.norm());
        }
        (
            sim.state().poses[0].position,
            sim.state().twists[0].linear,
            hop,
            spin,
        )
    };
    let (whole, tiled) = (run(cuboid, [1, 1]), run(tile, tiles));
    println!("{what}: one box {whole:?}, tiles {tiled:?}");
    assert!(
        (whole.0 - Vec3::new(3.0, 0.113, height)).norm() < 1e-6,
        "{what}: {whole:?}"
    );
    assert!(
        (tiled.0 - whole.0).norm() < 1e-7,
        "{what}: {tiled:?} {whole:?}"
    );
    assert!(
        (tiled.1 - whole.1).norm() < 1e-7,
        "{what}: {tiled:?} {whole:?}"
    );
    assert!(tiled.2 < 1e-7 && tiled.3 < 1e-6, "{what}: {tiled:?}");
}

#[test]
fn sliding_over_flush_tiles_is_sliding_over_one_box() {
    let r = 0.05;
    let cube = cuboid(Vec3::repeat(r));
    let cylinder = Geometry::Cylinder {
        radius: r,
        half_length: r,
    };
    let sphere = Geometry::Sphere { radius: r };
    let sliders = [
        ("box", &cube, 0.0),
        ("turned box", &cube, 0.1),
        ("hull", &hull(Vec3::repeat(r)), 0.3),
        ("cylinder", &cylinder, 0.0),
        ("sphere", &sphere, 0.0),
    ];
    for (name, slider, yaw) in sliders {
        check(&format!("{name} on boxes"), cuboid, [20, 1], slider, r, yaw);
        check(
            &format!("{name} on a grid of boxes"),
            cuboid,
            [40, 9],
            slider,
            r,
            yaw,
        );
        check(&format!("{name} on hulls"), hull, [20, 3], slider, r, yaw);
    }
}

/// What is not flush is not passed over: a wall on the floor, and a step up.
#[test]
fn a_wall_on_the_floor_and_a_step_stop_what_slides() {
    for (what, centre, half) in [
        ("wall", Vec3::new(1.1, 0.0, 0.2), Vec3::new(0.1, 1.0, 0.2)),
        ("step", Vec3::new(2.0, 0.0, -0.02), Vec3::new(1.0, 1.0, 0.1)),
    ] {
        let mut b = ModelBuilder::new();
        let smooth = Material::with_friction(0.0);
        for (centre, half) in [
            (Vec3::new(-1.5, 0.0, -0.1), Vec3::new(2.5, 1.0, 0.1)),
            (centre, half),
        ] {
            let tile = ShapeDef::new(cuboid(half)).pose(Pose::new(centre, Default::default()));
            b.add_shape(None, tile.material(smooth));
        }
        let mass = MassProperties::solid_box(1.0, Vec3::repeat(0.05));
        let body = BodyDef::new("slider", mass)
            .pose(Pose::at(0.0, 0.0, 0.05))
            .twist(Vec3::new(3.0, 0.0, 0.0), Vec3::zeros());
        let body = b.add_body(body);
        b.add_shape(
            body,
            ShapeDef::new(cuboid(Vec3::repeat(0.05))).material(smooth),
        );
        let model = b.build().unwrap();
        let mut sim = Simulator::new(model.clone(), Settings::default()).unwrap();
        let control = Control::new(&model);
        for _ in 0..400 {
            sim.step(&control).unwrap();
            let x = sim.state().poses[0].position.x;
            assert!(x < 0.95 + 1e-6, "{what}: {x}");
        }
    }
}

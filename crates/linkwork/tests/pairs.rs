//! Pairs with a surface of their own, priorities and clearances.

use linkwork::math::{MassProperties, Vec3};
use linkwork::model::*;
use linkwork::{Control, Settings, Simulator};
use linkwork_solve::Status;
use std::sync::Arc;

const G: f64 = 9.81;
const HALF: Vec3 = Vec3::new(0.2, 0.15, 0.1);

fn surface(friction: f64, clearance: f64) -> PairMaterial {
    PairMaterial {
        friction,
        torsional_friction: 0.0,
        rolling_friction: 0.0,
        restitution: 0.0,
        compliance: Compliance::Rigid,
        clearance,
    }
}

/// A box at `height` above a floor, with a change to both materials and the builder.
fn on_floor(
    height: f64,
    change: impl Fn(&mut Material, &mut Material),
    more: impl Fn(&mut ModelBuilder, [ShapeId; 2]),
) -> Arc<Model> {
    let (mut below, mut above) = (Material::default(), Material::default());
    change(&mut below, &mut above);
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::new(3.0, 0.0, -G));
    let floor = b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(below));
    let mass = MassProperties::solid_box(2.0, HALF);
    let body = b.add_body(BodyDef::new("box", mass).at(0.0, 0.0, HALF.z + height));
    let shape = ShapeDef::new(Geometry::Box { half_extents: HALF }).material(above);
    let shape = b.add_shape(body, shape);
    more(&mut b, [floor, shape]);
    b.build().unwrap()
}

/// Where the box is after a second, and how fast.
fn run(model: &Arc<Model>) -> (Vec3, Vec3) {
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(model);
    for _ in 0..(1.0 / simulator.settings().dt).round() as usize {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged);
    }
    let state = simulator.state();
    (state.poses[0].position, state.twists[0].linear)
}

/// Speed after sliding for a second with this friction under 3 m/s² along the floor.
fn speed(friction: f64) -> f64 {
    (3.0 - friction * G).max(0.0)
}

#[test]
fn a_pair_slides_with_its_own_friction() {
    for friction in [0.0, 0.1, 0.2] {
        let model = on_floor(
            0.0,
            |_, _| {},
            |b, [floor, shape]| {
                b.pair(shape, floor, surface(friction, 0.0));
            },
        );
        let v = run(&model).1.x;
        assert!((v - speed(friction)).abs() < 0.01, "{friction}: {v}");
    }
}

#[test]
fn the_surface_with_the_greater_priority_decides() {
    for (below, above, wanted) in [(1, 0, 0.1), (0, 2, 0.25), (-3, -4, 0.1), (5, 5, 0.175)] {
        let model = on_floor(
            0.0,
            |f, b| {
                (f.friction, f.priority) = (0.1, below);
                (b.friction, b.priority) = (0.25, above);
            },
            |_, _| {},
        );
        let v = run(&model).1.x;
        assert!((v - speed(wanted)).abs() < 0.01, "{below} {above}: {v}");
    }
}

#[test]
fn a_clearance_holds_shapes_apart() {
    // Of each surface; they add up. Dropped from above and started within.
    for start in [0.05, 0.01] {
        let model = on_floor(
            start,
            |f, b| (f.clearance, b.clearance) = (0.012, 0.008),
            |_, _| {},
        );
        let z = run(&model).0.z - HALF.z;
        assert!((z - 0.02).abs() < 1e-6, "{z}");
    }
    // Of a pair, instead of theirs.
    let model = on_floor(
        0.1,
        |f, _| f.clearance = 0.3,
        |b, [floor, shape]| {
            b.pair(floor, shape, surface(0.5, 0.04));
        },
    );
    let z = run(&model).0.z - HALF.z;
    assert!((z - 0.04).abs() < 1e-6, "{z}");
}

/// Two balls that are jointed, or in groups that do not meet, or only seen.
#[test]
fn a_pair_touches_whatever_groups_and_exclusions_say() {
    let count = |group: CollisionGroup, paired: bool| {
        let mut b = ModelBuilder::new();
        let ball = MassProperties::solid_sphere(1.0, 0.1);
        let bodies = [0.0, 0.15].map(|x| {
            let name = format!("at {x}");
            b.add_body(BodyDef::new(name, ball).at(x, 0.0, 0.0))
        });
        b.add_joint(JointDef::new(
            "j",
            linkwork::joints::Free,
            bodies[0],
            bodies[1],
        ));
        let shape = ShapeDef::new(Geometry::Sphere { radius: 0.1 }).group(group);
        let shapes = bodies.map(|body| b.add_shape(body, shape.clone()));
        if paired {
            b.pair(shapes[0], shapes[1], surface(0.5, 0.0));
        }
        let model = b.build().unwrap();
        let mut simulator = Simulator::new(model, Settings::default()).unwrap();
        simulator.detect_contacts().len()
    };
    for group in [CollisionGroup::default(), CollisionGroup::NONE] {
        assert_eq!(count(group, false), 0);
        assert_eq!(count(group, true), 1);
    }
}

#[test]
fn pairs_that_cannot_be_are_refused() {
    let refused = |more: fn(&mut ModelBuilder, [ShapeId; 2]), words: &str| {
        let mut b = ModelBuilder::new();
        let floor = b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).name("floor"));
        let body = b.add_body(BodyDef::new("box", MassProperties::solid_box(2.0, HALF)));
        let ball = ShapeDef::new(Geometry::Sphere { radius: 0.1 }).name("ball");
        let ball = b.add_shape(body, ball);
        more(&mut b, [floor, ball]);
        let error = b.build().err().unwrap().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(
        |b, [floor, _]| {
            b.pair(floor, ShapeId(7), surface(0.5, 0.0));
        },
        "shape number 7",
    );
    refused(
        |b, [_, ball]| {
            b.pair(ball, ball, surface(0.5, 0.0));
        },
        "two different shapes",
    );
    refused(
        |b, [floor, ball]| {
            b.pair(floor, ball, surface(0.5, 0.0));
            b.pair(ball, floor, surface(0.6, 0.0));
        },
        "once",
    );
    refused(
        |b, [floor, ball]| {
            b.pair(floor, ball, surface(-0.5, 0.0));
        },
        "contact pair of 'floor' and 'ball': friction",
    );
    refused(
        |b, [floor, ball]| {
            b.pair(floor, ball, surface(0.5, f64::NAN));
        },
        "clearance",
    );
}

#[test]
fn a_model_with_pairs_survives_as_data() {
    let model = on_floor(
        0.0,
        |f, b| (f.clearance, b.priority) = (0.1, -2),
        |b, [floor, shape]| {
            b.pair(floor, shape, surface(0.3, 0.01));
        },
    );
    let text = serde_json::to_string(model.data()).unwrap();
    let again: ModelData = serde_json::from_str(&text).unwrap();
    let again = again.build().unwrap();
    assert_eq!(model.hash(), again.hash());
    assert_eq!(model.pairs(), again.pairs());
    assert_eq!(run(&model), run(&again));
}

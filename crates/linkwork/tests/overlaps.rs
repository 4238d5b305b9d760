//! Bodies that overlap under the convex relaxation: pushed apart without sinking, and without impulses that grow without bound.

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Geometry, Material, Model, ModelBuilder, ShapeDef};
use linkwork::{Control, Settings, Simulator};
use linkwork_solve::Status;
use std::sync::Arc;

/// Edge of all boxes, m.
const EDGE: f64 = 0.2;

fn cuboid() -> Geometry {
    Geometry::Box {
        half_extents: Vec3::repeat(0.5 * EDGE),
    }
}

/// Boxes (mass in kg, height of the middle in m) above a floor, and walls about the first of them at this distance (m) from its middle.
fn boxes(masses: &[(f64, f64)], walls: Option<f64>) -> Arc<Model> {
    let material = Material::with_friction(1.0);
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(material));
    for (i, &(mass, height)) in masses.iter().enumerate() {
        let properties = MassProperties::solid_box(mass, Vec3::repeat(0.5 * EDGE));
        let body = b.add_body(BodyDef::new(format!("box{i}"), properties).at(0.0, 0.0, height));
        b.add_shape(body, ShapeDef::new(cuboid()).material(material));
    }
    if let Some(distance) = walls {
        for side in [-1.0, 1.0] {
            let middle = side * (distance + 0.5 * EDGE);
            let wall = ShapeDef::new(cuboid()).material(material);
            b.add_shape(None, wall.pose(Pose::at(middle, 0.0, masses[0].1)));
        }
    }
    b.build().unwrap()
}

fn simulator(model: &Arc<Model>) -> Simulator {
    let mut settings = Settings::with(|s| {
        s.dt = 0.01;
        s.solver = "condensed-ccp".to_owned();
    });
    settings.solve.tolerance = 1e-6;
    Simulator::new(model.clone(), settings).unwrap()
}

/// A light box carries one of ten thousand times its mass and overlaps the floor by 1 mm from the start. Whatever the load, the overlap falls from step to
/// step, to the tolerance times the step size, and is gone in the end.
#[test]
fn an_overlap_under_a_heavy_load_is_removed() {
    let model = boxes(&[(1.0, 0.5 * EDGE - 1e-3), (1e4, 1.5 * EDGE - 1e-3)], None);
    let mut simulator = simulator(&model);
    let control = Control::new(&model);
    let mut last = f64::INFINITY;
    for step in 0..300 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "step {step}");
        let overlap = 0.5 * EDGE - simulator.state().poses[0].position.z;
        assert!(overlap <= last + 1e-8, "step {step}: {last} {overlap}");
        last = overlap;
    }
    assert!(last < 1e-6, "{last}");
}

/// A box between two walls that are 2 cm closer than it is wide: it cannot move sideways, both walls push, and the
/// impulses stay below the bound given by the compliance.
#[test]
fn walls_do_not_squeeze_a_wedged_box_without_bound() {
    let model = boxes(&[(1.0, 0.5 * EDGE)], Some(0.5 * EDGE - 0.01));
    let mut simulator = simulator(&model);
    let control = Control::new(&model);
    let weight = 9.81 * simulator.settings().dt;
    for step in 0..500 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "step {step}");
        let most = simulator.each_contact_force().map(|c| c.impulse.norm());
        // Λ is 0.5 m/s of a body of 1 kg, ten times, and its weight; a hundred times that may have been carried before.
        let most = most.fold(0.0, f64::max);
        assert!(most < 101.0 * (10.0 * 0.5 + weight), "step {step}: {most}");
    }
}

/// A box turned by 45 degrees rests on another: they touch along an octagon with contacts at all corners, so that the
/// same points carry it in every step and nothing moves.
#[test]
fn a_turned_box_on_another_comes_to_rest() {
    let model = boxes(&[(1.0, 0.5 * EDGE), (1.0, 1.5 * EDGE)], None);
    let mut simulator = simulator(&model);
    let mut state = model.initial_state();
    state.poses[1] = state.poses[1].rotated(Vec3::z() * std::f64::consts::FRAC_PI_4);
    simulator.set_state(state).unwrap();
    let control = Control::new(&model);
    let mut keys = Vec::new();
    for step in 0..300 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "step {step}");
        let now: Vec<_> = simulator
            .each_contact_force()
            .map(|c| c.contact.key)
            .collect();
        if step > 10 {
            assert_eq!(now, keys, "step {step}");
        }
        keys = now;
    }
    assert_eq!(keys.len(), 4 + 8);
    let speed = simulator
        .state()
        .twists
        .iter()
        .map(|t| t.linear.norm() + t.angular.norm());
    let speed = speed.fold(0.0, f64::max);
    assert!(speed < 1e-5, "{speed}");
}

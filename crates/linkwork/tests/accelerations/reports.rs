//! Omitted elements are listed, contradicting states are reported, bad input is refused.

use crate::of;
use linkwork::assemble::set_joint_coordinates;
use linkwork::dynamics::{DynamicsError, accelerations};
use linkwork::math::{MassProperties, Vec3, exp};
use linkwork::model::{
    BodyDef, Geometry, JointDef, JointId, Model, ModelBuilder, ShapeDef, Tendon, TendonId,
};
use linkwork::rows::RowSource;
use linkwork::{Control, SetupError};
use linkwork_scenes::scene;
use std::sync::Arc;

fn pendulum(act: impl FnOnce(JointDef) -> JointDef) -> ModelBuilder {
    let mut b = ModelBuilder::new();
    let ball = MassProperties::solid_sphere(1.0, 0.1);
    let ball = b.add_body(BodyDef::new("ball", ball).at(0.0, 0.0, -0.5));
    b.add_joint(act(
        JointDef::revolute("hinge", None, ball).axis(0.0, 1.0, 0.0)
    ));
    b.add_shape(ball, ShapeDef::new(Geometry::Sphere { radius: 0.1 }));
    b
}

fn at(model: &Arc<Model>, angle: f64) -> Vec<RowSource> {
    let mut state = model.initial_state();
    set_joint_coordinates(model, &mut state, JointId(0), &[angle]).unwrap();
    of(model, &state).left_out
}

#[test]
fn limits_are_listed_where_they_are_reached() {
    let mut b = pendulum(|j| j.limits(-0.5, 0.7));
    b.add_tendon(Tendon::new("tendon", &[(JointId(0), 0, 2.0)]).limits(-3.0, 1.2));
    let model = b.build().unwrap();
    let limit = |upper| RowSource::Limit {
        joint: JointId(0),
        coordinate: 0,
        upper,
    };
    let tendon = RowSource::TendonLimit {
        tendon: TendonId(0),
        upper: true,
    };
    assert_eq!(at(&model, 0.0), []);
    assert_eq!(at(&model, -0.5), [limit(false)]);
    assert_eq!(at(&model, 0.65), [tendon]);
    assert_eq!(at(&model, 0.8), [limit(true), tendon]);
}

#[test]
fn dry_friction_is_listed_wherever_it_is() {
    let model = pendulum(|j| j.friction(0.1)).build().unwrap();
    let friction = RowSource::Friction {
        joint: JointId(0),
        coordinate: 0,
    };
    assert_eq!(at(&model, 0.3), [friction]);
}

#[test]
fn contacts_are_listed_where_they_touch() {
    let mut b = pendulum(|j| j);
    let floor = linkwork::math::Pose::at(0.0, 0.0, -0.58);
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).pose(floor));
    let model = b.build().unwrap();
    assert!(matches!(at(&model, 0.0)[..], [RowSource::Contact(_)]));
    assert_eq!(at(&model, 1.0), []);
}

#[test]
fn a_dead_point_that_is_passed_in_motion_is_told_by_the_residual() {
    // A parallelogram laid flat: its rows lose rank, and the velocity of one branch is no velocity of the other.
    let mut b = ModelBuilder::new();
    let bar = |half| MassProperties::solid_box(1.0, Vec3::new(half, 0.02, 0.02));
    let crank = b.add_body(BodyDef::new("crank", bar(0.25)).at(0.25, 0.0, 0.0));
    let rocker = b.add_body(BodyDef::new("rocker", bar(0.25)).at(1.25, 0.0, 0.0));
    let coupler = b.add_body(BodyDef::new("coupler", bar(0.5)).at(1.0, 0.0, 0.0));
    let hinge = |j: JointDef, x: f64| j.anchor(x, 0.0, 0.0).axis(0.0, 1.0, 0.0);
    b.add_joint(hinge(JointDef::revolute("A", None, crank), 0.0));
    b.add_joint(hinge(JointDef::revolute("B", crank, coupler), 0.5));
    b.add_joint(hinge(JointDef::revolute("C", rocker, coupler), 1.5));
    b.add_joint(hinge(JointDef::revolute("D", None, rocker), 1.0));
    let model = b.build().unwrap();
    let mut state = model.initial_state();
    let turning = |state: &mut linkwork::State, body: usize, rate: f64, pivot: f64| {
        let arm = state.poses[body].position - Vec3::new(pivot, 0.0, 0.0);
        let spin = Vec3::new(0.0, rate, 0.0);
        state.twists[body] = linkwork::math::Twist::new(spin.cross(&arm), spin);
    };
    let rest = of(&model, &state);
    assert_eq!((rest.rows, rest.rank), (20, 16), "two ways to move here");
    assert!(rest.residual < 1e-12);
    // As a parallelogram it moves on.
    turning(&mut state, 0, 2.0, 0.0);
    turning(&mut state, 1, 2.0, 1.0);
    state.twists[2].linear = state.twists[0].at(&Vec3::new(0.25, 0.0, 0.0));
    let moving = of(&model, &state);
    assert!(moving.velocity_error < 1e-14 && moving.residual < 1e-12);
    // Crank and rocker at different speeds: no path has that velocity.
    turning(&mut state, 1, 1.0, 1.0);
    let spin = Vec3::new(0.0, -0.5, 0.0);
    let pin = Vec3::new(0.0, 0.0, -1.0);
    state.twists[2] = linkwork::math::Twist::new(pin + spin.cross(&Vec3::new(0.5, 0.0, 0.0)), spin);
    let torn = of(&model, &state);
    assert!(torn.velocity_error < 1e-14);
    assert!(torn.residual > 0.1, "{}", torn.residual);
}

#[test]
fn errors_of_the_state_are_measured() {
    let model = scene("slider_crank", &[]).unwrap().model;
    let mut state = model.initial_state();
    state.poses[2].position.y += 1e-3;
    state.twists[2].linear.y += 0.2;
    let found = of(&model, &state);
    assert!((found.position_error - 1e-3).abs() < 1e-9);
    assert!((found.velocity_error - 0.2).abs() < 1e-9);
}

#[test]
fn bad_input_is_refused() {
    let model = pendulum(|j| j).build().unwrap();
    let (state, control) = (model.initial_state(), Control::new(&model));
    let mut short = state.clone();
    short.twists.clear();
    assert!(matches!(
        accelerations(&model, &short, &control),
        Err(DynamicsError::State(SetupError::State {
            what: "twists",
            ..
        }))
    ));
    let mut nowhere = state.clone();
    nowhere.poses[0].position.x = f64::NAN;
    assert!(matches!(
        accelerations(&model, &nowhere, &control),
        Err(DynamicsError::State(SetupError::NotFinite { .. }))
    ));
    let other = Control::new(&scene("slider_crank", &[]).unwrap().model);
    assert!(matches!(
        accelerations(&model, &state, &other),
        Err(DynamicsError::Control(_))
    ));
    let mut wild = control.clone();
    wild.forces[0] = f64::INFINITY;
    let refused = accelerations(&model, &state, &wild).unwrap_err();
    assert!(refused.to_string().contains("joint 'hinge'"), "{refused}");
    let mut lost = state.clone();
    lost.coordinates[0] = f64::NAN;
    assert!(matches!(
        accelerations(&model, &lost, &control),
        Err(DynamicsError::State(SetupError::NotFinite { .. }))
    ));
}

#[test]
fn inertias_that_are_singular_to_round_off_are_refused() {
    let mut refused = 0;
    for i in 0..50 {
        let k = f64::from(i);
        let turn = exp(&Vec3::new(0.3 * k, 1.0, -0.2 * k));
        let needle = MassProperties::principal(1.0, Vec3::new(1e-18, 1.0, 1.0)).rotated(&turn);
        let mut b = ModelBuilder::new();
        b.add_body(BodyDef::new("needle", needle));
        // The builder refuses those whose least moment comes out negative.
        let Ok(model) = b.build() else { continue };
        match accelerations(&model, &model.initial_state(), &Control::new(&model)) {
            Ok(found) => assert_eq!(found.bodies[0].linear, model.gravity()),
            Err(error) => {
                assert!(error.to_string().contains("body 'needle'"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0);
}

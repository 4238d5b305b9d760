//! Derivatives of steps against differences of whole steps, at random smooth points.

mod cases;
mod compare;

use compare::Tally;
use linkwork::gradient::{Activity, GradientError, Parameter};
use linkwork::model::{BodyId, JointId, ShapeId};
use linkwork::{Control, Simulator};
use linkwork_scenes::scene;

/// Agreement at no less than `smooth` of so many points; of all tests together that is a thousand.
fn agrees(name: &str, points: usize, smooth: usize) {
    let mut tally = Tally::default();
    let case = cases::case(name);
    for seed in 0..points {
        tally.add(&case, seed as u64);
    }
    println!("{name}: {tally:?}");
    assert!(tally.worst <= 1e-5, "{name}: {tally:?}");
    assert!(tally.smooth >= smooth, "{name}: {tally:?}");
}

#[test]
fn a_driven_pendulum_agrees_with_differences() {
    agrees("pendulum", 250, 240);
}

#[test]
fn a_four_bar_agrees_with_differences() {
    agrees("four-bar", 230, 220);
}

#[test]
fn a_sliding_box_agrees_with_differences() {
    agrees("box", 250, 220);
}

#[test]
fn a_ball_agrees_with_differences() {
    agrees("ball", 260, 220);
}

#[test]
fn a_leg_on_the_floor_agrees_with_differences() {
    agrees("leg", 260, 150);
}

/// A rigid box that slides and spins on four corners: how these share the load is open, and with it where friction turns the box.
#[test]
fn answers_that_are_not_unique_are_told() {
    let scene = scene("box_on_plane", &[("speed", 1.0)]).unwrap();
    let control = Control::new(&scene.model);
    let unique = |spin: f64| {
        let mut state = scene.model.initial_state();
        state.twists[0].angular.z = spin;
        let mut simulator = Simulator::new(scene.model.clone(), scene.settings.clone()).unwrap();
        simulator.set_state(state).unwrap();
        simulator.step_gradient(&control, &[]).unwrap().unique
    };
    assert!(unique(0.0) && !unique(2.0));
}

#[test]
fn the_active_set_tells_what_contacts_do() {
    let activity = |set: &[(&str, f64)]| {
        let scene = scene("box_on_plane", set).unwrap();
        let mut simulator = Simulator::new(scene.model.clone(), scene.settings).unwrap();
        let found = simulator.step_gradient(&Control::new(&scene.model), &[]);
        let found = found.unwrap();
        assert!(found.margin() > 0.0);
        let mut all: Vec<Activity> = found.active.iter().map(|a| a.activity).collect();
        all.dedup();
        all
    };
    assert_eq!(activity(&[]), [Activity::Holds]);
    assert_eq!(activity(&[("speed", 1.0)]), [Activity::Slides]);
    assert_eq!(activity(&[("height", 1e-4)]), [Activity::Open]);
}

#[test]
fn what_has_no_derivatives_is_refused() {
    let scene = scene("box_on_plane", &[]).unwrap();
    let control = Control::new(&scene.model);
    let refused = |parameter| {
        let mut simulator = Simulator::new(scene.model.clone(), scene.settings.clone()).unwrap();
        simulator.step_gradient(&control, &[parameter]).err()
    };
    let [floor, cube, none] = [0, 1, 2].map(ShapeId);
    for parameter in [
        Parameter::Force(0),
        Parameter::Wrench(BodyId(0), 6),
        Parameter::Wrench(BodyId(1), 0),
        Parameter::Mass(BodyId(1)),
        Parameter::Friction(floor, none),
        Parameter::Compliance(floor, cube),
        Parameter::Anchor {
            joint: JointId(0),
            follower: true,
            axis: 0,
        },
    ] {
        assert_eq!(
            refused(parameter),
            Some(GradientError::NoParameter(parameter))
        );
    }
    let mut settings = scene.settings.clone();
    settings.solver = "admm-ccp".to_owned();
    let mut simulator = Simulator::new(scene.model.clone(), settings).unwrap();
    let relaxed = simulator.step_gradient(&control, &[]);
    assert!(matches!(relaxed, Err(GradientError::Relaxed(_))));
}

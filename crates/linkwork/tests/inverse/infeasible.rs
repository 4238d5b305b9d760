//! Infeasible motions: the residual wrench measures the infeasibility.

use linkwork::inverse::{Actuated, Before, Forces, Inverse, InverseError, InverseSettings};
use linkwork::math::Vec3;
use linkwork::model::Model;
use linkwork::{Settings, State};
use linkwork_scenes::scene;
use std::sync::Arc;

const DT: f64 = 1e-3;

/// The forces of three states, by what moves the first one into each.
fn forces(model: &Arc<Model>, place: impl Fn(&mut State, f64)) -> Forces {
    let settings = Settings::default();
    let mut inverse = Inverse::new(model.clone(), &settings, InverseSettings::default()).unwrap();
    let states = [0.0, 1.0, 2.0].map(|i| {
        let mut state = model.initial_state();
        state.time = DT * i;
        place(&mut state, DT * i);
        state.update_coordinates(model);
        state
    });
    let [before, here, after] = &states;
    inverse.forces(Before::State(before), here, after).unwrap()
}

#[test]
fn a_hovering_body_lacks_its_weight() {
    let model = scene("box_on_plane", &[("mass", 4.0)]).unwrap().model;
    let found = forces(&model, |state, _| state.poses[0].position.z += 1.0);
    let residual = &found.residual[0];
    assert!((residual.force - Vec3::new(0.0, 0.0, 4.0 * 9.81)).norm() < 1e-8);
    assert!(residual.torque.norm() < 1e-8 && !found.is_feasible());
    assert!(
        (found.unexplained - 0.5).abs() < 1e-6,
        "weight against weight"
    );
}

/// A box pulled over the floor at an acceleration that friction cannot provide: the residual is the force beyond the
/// cone. The box accelerates along x from rest at `here`, so that it slides at the end and friction acts against it.
#[test]
fn a_box_that_speeds_up_by_itself_lacks_a_force() {
    let mu = 0.5;
    let model = scene("box_on_plane", &[("friction", mu)]).unwrap().model;
    let a = 3.0;
    let found = forces(&model, |state, t| {
        // At rest up to the second state, then faster: (x₂ − 2 x₁ + x₀)/dt² = a.
        if t > 1.5 * DT {
            state.poses[0].position.x += a * DT * DT;
        }
    });
    // Friction brakes the motion with μ m g; least squares leave the load on the floor where it is only if that is best:
    // the wrench that is missing is the distance from the ray of sliding impulses.
    let (g, norm) = (9.81, (1.0 + mu * mu).sqrt());
    let along = (g - mu * a) / (norm * norm);
    let missing = Vec3::new(a + mu * along, 0.0, g - along);
    let have = found.residual[0].force;
    // Torque is missing too, so that the force may differ: compare the sizes in the metric of M⁻¹.
    let share = found.unexplained * (g + a.hypot(g));
    assert!(share <= missing.norm() * (1.0 + 1e-6), "{share} {missing}");
    assert!(have.x > a && !found.is_feasible(), "{have}");
}

/// A pendulum without an actuator that does not fall: its hinge cannot give the torque of its weight.
#[test]
fn a_passive_joint_lacks_a_torque() {
    let model = scene("pendulum", &[]).unwrap().model;
    let found = forces(&model, |_, _| {});
    assert!(!found.is_feasible());
    // With the actuator it is all explained.
    let options = InverseSettings::with(|s| s.actuated = Actuated::All);
    let mut inverse = Inverse::new(model.clone(), &Settings::default(), options).unwrap();
    let mut states = [0.0, DT, 2.0 * DT].map(|time| {
        let mut state = model.initial_state();
        state.time = time;
        state
    });
    let [before, here, after] = &states;
    let held = inverse.forces(Before::State(before), here, after).unwrap();
    assert!(held.is_feasible());
    let torque = held.efforts[0].drive;
    // The residual of the passive one does the work of that torque on a turn of the hinge.
    let arm = here.poses[0].position - held.reactions[0].point;
    let residual = &found.residual[0];
    let about = residual.torque + arm.cross(&residual.force);
    let axis = model.joints()[0].frame_follower.rotation * Vec3::z();
    let axis = here.poses[0].rotation * axis;
    assert!((about.dot(&axis) - torque).abs() < 1e-8 * torque.abs());
    // States out of order are refused.
    states[2].time = states[1].time;
    let [before, here, after] = &states;
    let refused = inverse.forces(Before::State(before), here, after);
    assert!(matches!(refused, Err(InverseError::Time { .. })));
}

/// Bodies that move into each other violate the contact law by the reported speed, and open joints are reported.
#[test]
fn broken_contacts_and_joints_are_told() {
    let model = scene("box_on_plane", &[]).unwrap().model;
    let found = forces(&model, |state, t| {
        if t > 1.5 * DT {
            state.poses[0].position.z -= 0.02 * DT;
        }
    });
    assert!((found.contact_approach - 0.02).abs() < 1e-9);
    let model = scene("pendulum", &[]).unwrap().model;
    let found = forces(&model, |state, t| state.poses[0].position.y += t);
    assert!((found.joint_error[0] - 2.0 * DT).abs() < 1e-12);
}

#[test]
fn bad_options_are_refused() {
    let model = scene("pendulum", &[]).unwrap().model;
    let make = |actuated, still| {
        let options = InverseSettings::with(|s| (s.actuated, s.still) = (actuated, still));
        Inverse::new(model.clone(), &Settings::default(), options).err()
    };
    let none = InverseError::NoCoordinate { index: 1, have: 1 };
    assert_eq!(make(Actuated::Coordinates(vec![0, 1]), None), Some(none));
    assert_eq!(
        make(Actuated::Drives, Some(-1.0)),
        Some(InverseError::Still(-1.0))
    );
}

//! Closed loops: one drive, several, redundant joints.

use crate::support::{Ran, torque_error};
use linkwork::Scene;
use linkwork::inverse::{Actuated, Before, Inverse, InverseSettings};
use linkwork::model::Model;
use linkwork::{Control, Run, Simulator};
use linkwork_scenes::scene;

/// A planar four-bar in space has three redundant rows; `drives` are applied as forces on its coordinates.
fn driven(drives: &'static [(usize, f64)]) -> Ran {
    let Scene {
        model, settings, ..
    } = scene("fourbar_fixed", &[]).unwrap();
    let simulator = Simulator::new(model, settings).unwrap();
    let mut run = Run::new(
        simulator,
        Some(Box::new(move |_, state, control: &mut Control| {
            for &(coordinate, size) in drives {
                control.forces[coordinate] = size * (1.0 + (9.0 * state.time).sin());
            }
        })),
    );
    Ran::of(&mut run, 400, 13)
}

fn actuated(coordinates: &[usize]) -> InverseSettings {
    InverseSettings::with(|s| s.actuated = Actuated::Coordinates(coordinates.to_vec()))
}

/// What is applied at the time of a configuration.
fn applied(time: f64, size: f64) -> f64 {
    size * (1.0 + (9.0 * time).sin())
}

#[test]
fn the_torque_of_a_driven_loop_is_found_although_its_joints_are_redundant() {
    let ran = driven(&[(0, 0.8)]);
    for (acted, found) in ran.invert(actuated(&[0]), false) {
        let torque = applied(found.time, 0.8);
        let error = (found.efforts[0].drive - torque).abs();
        assert!(error < 1e-6 * torque.max(0.1), "{error:e}");
        assert!(found.determined[0] && found.is_feasible());
        // Out-of-plane loads are distributed as in the simulator; in the plane they are unique.
        assert!(found.reactions_determined.iter().any(|d| !d));
        for (want, have) in acted.reactions.iter().zip(&found.reactions) {
            let error = (want.force - have.force).norm() + (want.torque - have.torque).norm();
            assert!(error < 1e-6 * (1.0 + want.force.norm()), "{error:e}");
        }
    }
}

/// Two drives on one degree of freedom: what each gives is open. Those found do the same as those that acted.
#[test]
fn drives_that_share_a_loop_do_together_what_acted() {
    let Scene {
        model, settings, ..
    } = scene("fourbar_fixed", &[]).unwrap();
    let mut inverse = Inverse::new(model.clone(), &settings, actuated(&[0, 3])).unwrap();
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let mut differ = 0.0_f64;
    for i in 0..200 {
        let control = pair(&model, [0.8, -0.5 + 0.01 * f64::from(i)]);
        simulator.step(&control).unwrap();
        let start = simulator.synchronised(&control).unwrap();
        let mut step = |control: &Control| {
            simulator.set_state(start.clone()).unwrap();
            simulator.step(control).unwrap();
            simulator.state().clone()
        };
        let end = step(&control);
        let found = inverse.forces(Before::Start, &start, &end).unwrap();
        assert!(found.is_feasible() && !found.determined[0] && !found.determined[3]);
        let torques = [found.efforts[0].drive, found.efforts[3].drive];
        let again = step(&pair(&model, torques));
        for (a, b) in end.twists.iter().zip(&again.twists) {
            let error = (a.linear - b.linear).norm() + (a.angular - b.angular).norm();
            assert!(error < 1e-9, "step {i}: {error:e}");
        }
        differ = differ.max((torques[0] - 0.8).abs());
    }
    assert!(differ > 0.1, "they are others: {differ}");
}

fn pair(model: &Model, torques: [f64; 2]) -> Control {
    let mut control = Control::new(model);
    [control.forces[0], control.forces[3]] = torques;
    control
}

/// Six coupled loops with gears and belts: everything that is unique is found.
#[test]
fn couplings_and_drives_of_a_gear_train_are_found() {
    let mut run = Run::of(scene("gear_train", &[]).unwrap()).unwrap();
    let ran = Ran::of(&mut run, 500, 17);
    let largest = ran.largest_torque();
    assert!(largest > 0.0);
    for (acted, found) in ran.invert(InverseSettings::default(), false) {
        assert!(torque_error(acted, &found, true) <= 1e-6 * largest);
        for (a, f) in acted.efforts.iter().zip(&found.efforts) {
            assert!((a.coupling - f.coupling).abs() < 1e-6 * (1.0 + a.coupling.abs()));
        }
    }
}

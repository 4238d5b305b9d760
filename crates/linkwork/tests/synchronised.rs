//! Velocities at the time of the poses, completed from those at mid-step.

mod mechanisms;

use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::{Control, Simulator, State};
use linkwork_scenes::scene;

fn simulator(name: &str, set: &[(&str, f64)], dt: f64) -> Simulator {
    let mut scene = scene(name, set).unwrap();
    scene.settings.dt = dt;
    Simulator::new(scene.model, scene.settings).unwrap()
}

/// Energy of a four-bar over 2 s, as read from the states of `read`: largest error over the largest kinetic
/// energy.
fn energy_error(dt: f64, read: impl Fn(&mut Simulator, &Control) -> State) -> f64 {
    let mut simulator = simulator("fourbar_fixed", &[], dt);
    let model = simulator.model().clone();
    let control = Control::new(&model);
    let energy = |s: &State| kinetic_energy(&model, s) + potential_energy(&model, s);
    let start = energy(simulator.state());
    let (mut error, mut kinetic) = (0.0f64, 0.0f64);
    for _ in 0..(2.0 / dt) as usize {
        simulator.step(&control).unwrap();
        let state = read(&mut simulator, &control);
        error = error.max((energy(&state) - start).abs());
        kinetic = kinetic.max(kinetic_energy(&model, &state));
    }
    error / kinetic
}

#[test]
fn synchronised_energies_show_the_drift_of_the_integrator() {
    let read = |s: &mut Simulator, c: &Control| s.synchronised(c).unwrap();
    let errors = [1e-3, 5e-4].map(|dt| energy_error(dt, read));
    println!("energy errors {errors:?}");
    assert!(errors[0] < 5e-5, "{errors:?}");
    // Second order, while mid-step velocities at the times of the poses are of first order.
    assert!((3.7..4.3).contains(&(errors[0] / errors[1])), "{errors:?}");
    let late = energy_error(1e-3, |s, _| s.state().clone());
    assert!(late > 20.0 * errors[0], "{late}");
}

#[test]
fn synchronised_velocities_do_not_open_the_joints() {
    for name in ["fourbar_free", "slider_crank", "walker31"] {
        let mut simulator = simulator(name, &[], 1e-3);
        let model = simulator.model().clone();
        let control = Control::new(&model);
        for _ in 0..200 {
            simulator.step(&control).unwrap();
        }
        let state = simulator.synchronised(&control).unwrap();
        let late = mechanisms::closure_rate(&model, simulator.state());
        let now = mechanisms::closure_rate(&model, &state);
        println!("{name}: {now:.1e} m/s, at mid-step {late:.1e} m/s");
        assert!(now < 1e-6 && now < late.max(1e-9), "{name}: {now}");
    }
}

#[test]
fn a_box_at_rest_has_no_velocity() {
    let mut simulator = simulator("box_on_plane", &[], 1e-3);
    let control = Control::new(simulator.model());
    for _ in 0..500 {
        simulator.step(&control).unwrap();
    }
    let state = simulator.synchronised(&control).unwrap();
    assert!(
        state.twists[0].linear.norm() < 1e-8,
        "{:?}",
        state.twists[0]
    );
}

#[test]
fn reading_changes_nothing() {
    let runs = [false, true].map(|read| {
        let mut simulator = simulator("fourbar_free", &[], 1e-3);
        let control = Control::new(simulator.model());
        for _ in 0..600 {
            simulator.step(&control).unwrap();
            if read {
                simulator.synchronised(&control).unwrap();
            }
        }
        simulator.state().hash()
    });
    assert_eq!(runs[0], runs[1]);
}

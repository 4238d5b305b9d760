//! Loops stay closed: the residual of every joint after every step, computed from the poses alone.

mod mechanisms;

use linkwork::Simulator;
use linkwork::{Control, State};
use linkwork_scenes::scene;
use mechanisms::residual;

/// Duration of each run, s.
const TIME: f64 = 10.0;

/// Largest joint residual (m or rad) after any step of the passive scene.
fn worst_closure(name: &str, set: &[(&str, f64)], dt: f64) -> f64 {
    let mut scene = scene(name, set).unwrap();
    scene.settings.dt = dt;
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let control = Control::new(&model);
    let start = simulator.state().clone();
    let mut worst = 0.0f64;
    for _ in 0..(TIME / dt).round() as usize {
        simulator.step(&control).unwrap();
        worst = worst.max(residual(&model, simulator.state()));
    }
    assert!(moved(&start, simulator.state()), "{name} does not move");
    println!("{name} at {dt} s: closure {worst:.2e}");
    worst
}

/// Whether any body has another place or orientation: a mechanism at rest is closed trivially.
fn moved(a: &State, b: &State) -> bool {
    a.poses.iter().zip(&b.poses).any(|(a, b)| {
        (a.position - b.position).norm() > 1e-3 || a.rotation.angle_to(&b.rotation) > 1e-3
    })
}

#[test]
fn fourbar_stays_closed_to_1e_9_at_1_ms() {
    assert!(worst_closure("fourbar_fixed", &[], 1e-3) <= 1e-9);
}

#[test]
fn coupled_fourbars_stay_closed_to_1e_9_at_1_ms() {
    assert!(worst_closure("coupled_fourbars", &[("n", 16.0)], 1e-3) <= 1e-9);
}

#[test]
fn slider_crank_stays_closed_to_1e_9_at_1_ms() {
    assert!(worst_closure("slider_crank", &[], 1e-3) <= 1e-9);
}

#[test]
fn fourbar_stays_closed_to_1e_8_at_10_ms() {
    assert!(worst_closure("fourbar_fixed", &[], 1e-2) <= 1e-8);
}

#[test]
fn coupled_fourbars_stay_closed_to_1e_8_at_10_ms() {
    assert!(worst_closure("coupled_fourbars", &[("n", 16.0)], 1e-2) <= 1e-8);
}

#[test]
fn slider_crank_stays_closed_to_1e_8_at_10_ms() {
    assert!(worst_closure("slider_crank", &[], 1e-2) <= 1e-8);
}

/// The softest modes of a long chain are below the resolution of a stiff factorisation.
#[test]
fn a_chain_of_a_hundred_links_converges_every_step() {
    let scene = linkwork_scenes::scene("pendulum", &[("n", 100.0)]).unwrap();
    let mut simulator = linkwork::Simulator::new(scene.model.clone(), scene.settings).unwrap();
    let control = linkwork::Control::new(&scene.model);
    for _ in 0..200 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, linkwork_solve::Status::Converged);
        assert!(report.residuals.meets(1e-9) && report.closure_linear <= 1e-9);
    }
}

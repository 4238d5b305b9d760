//! Free flight without gravity: joints only exchange momentum between bodies.

use linkwork::math::Vec3;
use linkwork::metrics::{angular_momentum, kinetic_energy, linear_momentum};
use linkwork::model::Model;
use linkwork::{Control, Simulator, State};
use linkwork_scenes::scene;

/// Duration of each run, s.
const TIME: f64 = 10.0;
/// Greatest change, relative to the initial magnitude.
const TOLERANCE: f64 = 1e-10;

/// Angular momentum about the common centre of mass, kg m²/s.
fn spin(model: &Model, state: &State) -> Vec3 {
    let mass: f64 = model.bodies().iter().map(|b| b.mass).sum();
    let bodies = model.bodies().iter().zip(&state.poses);
    let centre: Vec3 = bodies.map(|(b, p)| b.mass * p.position).sum::<Vec3>() / mass;
    angular_momentum(model, state) - centre.cross(&linear_momentum(model, state))
}

/// Largest relative change of linear momentum and of angular momentum about the centre of mass.
fn drift(name: &str, dt: f64) -> [f64; 2] {
    let mut scene = scene(name, &[("gravity", 0.0)]).unwrap();
    scene.settings.dt = dt;
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let control = Control::new(&model);
    let momenta = |state: &State| [linear_momentum(&model, state), spin(&model, state)];
    let start = momenta(simulator.state());
    assert!(
        start.iter().all(|p| p.norm() > 1e-3),
        "{name} has no momentum"
    );
    let share = |s: &State| s.twists[0].angular.norm();
    let (mut least, mut most) = (f64::INFINITY, 0.0f64);
    let mut drift = [0.0f64; 2];
    for _ in 0..(TIME / dt).round() as usize {
        simulator.step(&control).unwrap();
        for ((drift, now), start) in drift.iter_mut().zip(momenta(simulator.state())).zip(start) {
            *drift = drift.max((now - start).norm() / start.norm());
        }
        least = least.min(share(simulator.state()));
        most = most.max(share(simulator.state()));
    }
    assert!(most > 1.01 * least, "{name} moves as one rigid body");
    let energy = kinetic_energy(&model, simulator.state());
    println!(
        "{name} at {dt} s: momentum drift {:.2e} and {:.2e}, energy {energy:.4} J",
        drift[0], drift[1]
    );
    drift
}

#[test]
fn fourbar_in_free_flight_keeps_linear_and_angular_momentum() {
    assert!(drift("fourbar_free", 1e-3).iter().all(|d| *d <= TOLERANCE));
}

#[test]
fn nunchuk_in_free_flight_keeps_linear_and_angular_momentum() {
    assert!(drift("nunchuk", 1e-3).iter().all(|d| *d <= TOLERANCE));
}

#[test]
fn fourbar_in_free_flight_keeps_momentum_at_10_ms() {
    assert!(drift("fourbar_free", 1e-2).iter().all(|d| *d <= TOLERANCE));
}

#[test]
fn nunchuk_in_free_flight_keeps_momentum_at_10_ms() {
    assert!(drift("nunchuk", 1e-2).iter().all(|d| *d <= TOLERANCE));
}

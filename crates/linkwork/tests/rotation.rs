//! Gyroscopics: a heavy top and a free body about its unstable middle axis, 60 s at 1 ms.

use linkwork::math::Vec3;
use linkwork::metrics::{EnergyMeter, angular_momentum, kinetic_energy};
use linkwork::{Control, Simulator, State};
use linkwork_scenes::scene;

/// Duration of each run, s.
const TIME: f64 = 60.0;
const DT: f64 = 1e-3;

/// What a run of a scene showed; energies relative to the initial kinetic energy.
struct Seen {
    /// Largest deviation of the energy (metered) from the start.
    energy: f64,
    /// Largest gain of energy (metered).
    gain: f64,
    /// Largest gain of kinetic energy, from the twists as stored.
    kinetic_gain: f64,
    /// Largest relative deviation of the angular momentum component.
    momentum: f64,
    /// Least z component of the body's `axis`.
    lowest: f64,
    /// Greatest z component of it.
    highest: f64,
}

/// Run a scene of one body; `component` picks what of the angular momentum is conserved and `axis`
/// (body frame) is watched.
fn spin(name: &str, set: &[(&str, f64)], component: fn(Vec3) -> Vec3, axis: Vec3) -> Seen {
    let mut scene = scene(name, set).unwrap();
    scene.settings.dt = DT;
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let control = Control::new(&model);
    let momentum = |s: &State| component(angular_momentum(&model, s));
    let (start, start_momentum) = (
        simulator.state().clone(),
        momentum(&simulator.state().clone()),
    );
    let mut meter = EnergyMeter::new(&model, &start);
    let energy = meter.energy();
    let kinetic = kinetic_energy(&model, &start);
    let mut seen = Seen {
        energy: 0.0,
        gain: f64::NEG_INFINITY,
        kinetic_gain: f64::NEG_INFINITY,
        momentum: 0.0,
        lowest: 1.0,
        highest: -1.0,
    };
    for _ in 0..(TIME / DT).round() as usize {
        simulator.step(&control).unwrap();
        let state = simulator.state();
        let change = (meter.update(&model, state) - energy) / kinetic;
        seen.energy = seen.energy.max(change.abs());
        seen.gain = seen.gain.max(change);
        let kinetic_change = (kinetic_energy(&model, state) - kinetic) / kinetic;
        seen.kinetic_gain = seen.kinetic_gain.max(kinetic_change);
        let off = (momentum(state) - start_momentum).norm() / start_momentum.norm();
        seen.momentum = seen.momentum.max(off);
        let height = (state.poses[0].rotation * axis).z;
        seen.lowest = seen.lowest.min(height);
        seen.highest = seen.highest.max(height);
    }
    println!(
        "{name} {set:?}: energy {:.2e}, gain {:.2e}, kinetic gain {:.2e}, momentum {:.2e}, axis {:.6} to {:.6}",
        seen.energy, seen.gain, seen.kinetic_gain, seen.momentum, seen.lowest, seen.highest
    );
    seen
}

/// The tip is on the z axis, so the vertical component about the origin is that about the tip.
fn vertical(l: Vec3) -> Vec3 {
    Vec3::new(0.0, 0.0, l.z)
}

#[test]
fn steadily_precessing_top_keeps_energy_and_vertical_momentum() {
    let seen = spin("spinning_top", &[], vertical, Vec3::z());
    assert!(seen.energy <= 0.01 && seen.momentum <= 1e-8);
    // Steady: the tilt of 0.4 rad does not change.
    let tilt = 0.4f64.cos();
    assert!((seen.lowest - tilt).abs() < 1e-3 && (seen.highest - tilt).abs() < 1e-3);
}

#[test]
fn nutating_top_keeps_energy_and_vertical_momentum() {
    let seen = spin("spinning_top", &[("steady", 0.0)], vertical, Vec3::z());
    assert!(seen.energy <= 0.01 && seen.momentum <= 1e-8);
    assert!(seen.highest - seen.lowest > 1e-4, "it does not nutate");
}

#[test]
fn free_body_keeps_energy_and_momentum_about_its_middle_axis() {
    let seen = spin("free_body", &[], |l| l, Vec3::x());
    assert!(seen.energy <= 0.01 && seen.momentum <= 1e-8);
    // Dzhanibekov: the body does turn over, its x axis leaves the plane and comes to both sides.
    assert!(
        seen.lowest < -0.9 && seen.highest > 0.9,
        "it does not flip over"
    );
}

#[test]
fn gyroscopics_never_add_energy_to_a_free_body() {
    for (spin_rate, disturbance) in [(5.0, 1e-3), (50.0, 0.1), (200.0, 1.0)] {
        let set = [("spin", spin_rate), ("disturbance", disturbance)];
        let seen = spin("free_body", &set, |l| l, Vec3::x());
        assert!(seen.gain <= 1e-9 && seen.kinetic_gain <= 1e-9);
        assert!(seen.momentum <= 1e-8);
    }
}

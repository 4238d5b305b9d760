//! Closed loops, redundant ones: a slider-crank's own equation of motion, energy and steps.

use crate::of;
use crate::power::power_of_joints;
use linkwork::mobility::mobility;
use linkwork::model::Model;
use linkwork::{Control, Settings, Simulator};
use linkwork_scenes::scene;

/// Crank and rod of the scene, m.
const CRANK: f64 = 0.2;
const ROD: f64 = 0.5;

/// ½ m(φ) and V(φ) of the slider-crank: the kinetic energy at φ̇ = 1, and the potential.
fn energies(model: &Model, phi: f64) -> [f64; 2] {
    let psi = (-CRANK * phi.sin() / ROD).asin();
    let psi_rate = -CRANK * phi.cos() / (ROD * psi.cos());
    let pin = [CRANK * phi.cos(), CRANK * phi.sin()];
    let pin_rate = [-pin[1], pin[0]];
    let end_rate = pin_rate[0] - ROD * psi.sin() * psi_rate;
    let rates = [
        [0.5 * pin_rate[0], 0.5 * pin_rate[1], 1.0],
        [0.5 * (pin_rate[0] + end_rate), 0.5 * pin_rate[1], psi_rate],
        [end_rate, 0.0, 0.0],
    ];
    let heights = [0.5 * pin[1], 0.5 * pin[1], 0.0];
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for ((body, [x, z, w]), height) in model.bodies().iter().zip(rates).zip(heights) {
        kinetic += 0.5 * (body.mass * (x * x + z * z) + body.inertia[(1, 1)] * w * w);
        potential -= body.mass * model.gravity().z * height;
    }
    [kinetic, potential]
}

#[test]
fn a_slider_crank_accelerates_as_its_one_equation_says() {
    for (angle, speed) in [(1.0, 12.0), (-2.1, 30.0), (0.3, 0.0)] {
        let scene = scene("slider_crank", &[("angle", angle), ("speed", speed)]).unwrap();
        let model = &scene.model;
        let state = model.initial_state();
        let found = of(model, &state);
        assert_eq!((found.rows, found.rank), (20, 17));
        assert_eq!(mobility(model, &state).rank, found.rank);
        assert!(found.residual < 1e-10, "{}", found.residual);

        // m φ̈ + ½ m′ φ̇² + V′ = 0; the derivatives to round-off by differences of sixth order.
        let at = |k: f64| energies(model, angle + 3e-3 * k);
        let slope = |i: usize| {
            let pair = |k: f64| at(k)[i] - at(-k)[i];
            (45.0 * pair(1.0) - 9.0 * pair(2.0) + pair(3.0)) / (60.0 * 3e-3)
        };
        let mass = 2.0 * at(0.0)[0];
        let expected = -(slope(0) * speed * speed + slope(1)) / mass;
        // The angle of the crank grows against its hinge's axis, y.
        let found_angle = -found.bodies[0].angular.y;
        assert!((found_angle - expected).abs() < 1e-10 * expected.abs());
        assert!((found.coordinates[0].abs() - expected.abs()).abs() < 1e-10 * expected.abs());

        let (left, scale) = power_of_joints(model, &state, &Control::new(model), &found);
        assert!(left.abs() <= 1e-12 * scale);
    }
}

/// Reactions that redundant joints leave open are shared as a step shares them.
#[test]
fn reactions_of_redundant_loops_are_those_of_a_short_step() {
    for name in ["slider_crank", "coupled_fourbars", "fourbar_fixed"] {
        let model = scene(name, &[]).unwrap().model;
        let state = model.initial_state();
        let found = of(&model, &state);
        assert!(found.rank < found.rows && found.residual < 1e-9, "{name}");
        let errors = [1e-4, 5e-5].map(|dt| {
            let settings = Settings::with(|s| s.dt = dt);
            let mut simulator = Simulator::new(model.clone(), settings).unwrap();
            simulator.step(&Control::new(&model)).unwrap();
            let stepped = simulator.joint_reactions();
            assert_eq!(stepped.len(), found.reactions.len());
            let pairs = found.reactions.iter().zip(&stepped);
            let error = pairs.clone().map(|(a, b)| {
                assert_eq!(a.joint, b.joint);
                let force = (a.force - b.force).norm();
                force.max((a.torque - b.torque).norm())
            });
            let scale = pairs.map(|(a, _)| a.force.norm()).fold(0.0, f64::max);
            error.fold(0.0, f64::max) / scale
        });
        assert!(errors[0] < 2e-3, "{name}: {errors:?}");
        // First order, unless they are equal to begin with: one of the scenes starts at rest.
        let halved = errors[1] < 0.6 * errors[0] || errors[1] < 1e-6;
        assert!(halved, "{name}: {errors:?}");
    }
}

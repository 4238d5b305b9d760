//! The four-bar against an independent reference in one minimal coordinate.
//!
//! With crank angle q the constraints give every link's angle and centre as functions of q, so
//! T = ½ I(q) q̇² and E = T + V(q), from which q̈ = −(½ I'(q) q̇² + V'(q)) / I(q). I, I' and V' come
//! from the closed-form positions and their first and second derivatives; the equation is integrated
//! by RK4 with steps so short that halving them changes nothing above 1e-12.

use linkwork::metrics::EnergyMeter;
use linkwork::{Control, FirstKick, Integrator, Settings, Simulator};
use linkwork_scenes::scene;
use nalgebra::Vector2;

type V2 = Vector2<f64>;

const G: f64 = 9.81;
/// Length of the crank, m.
const A: f64 = 0.3;
/// Length of the coupler, m.
const B: f64 = 0.8;
/// Length of the rocker, m.
const C: f64 = 0.6;
/// Length of the ground link, m.
const D: f64 = 0.8;
/// Mass of each link, kg.
const MASS: f64 = 1.0;
/// Half width of a link in the plane, by which it reaches beyond its hinges, m.
const HALF_WIDTH: f64 = 0.025;
/// Initial crank angle, rad.
const START: f64 = 2.0;
/// Position of pivot A in the world's x-z plane, m.
const PIVOT: V2 = V2::new(-0.4, 1.0);

/// Inertia of a link with `length` between its hinges about its centre, in the plane, kg m².
fn inertia(length: f64) -> f64 {
    let half = 0.5 * length + HALF_WIDTH;
    MASS / 3.0 * (half * half + HALF_WIDTH * HALF_WIDTH)
}

/// A function of q with its first two derivatives.
#[derive(Clone, Copy)]
struct Jet<T>(T, T, T);

/// length · (cos θ, sin θ) for θ(q).
fn bar(length: f64, angle: Jet<f64>) -> Jet<V2> {
    let along = length * V2::new(angle.0.cos(), angle.0.sin());
    let across = V2::new(-along.y, along.x);
    Jet(
        along,
        across * angle.1,
        across * angle.2 - along * angle.1 * angle.1,
    )
}

fn sum(a: Jet<V2>, b: Jet<V2>, factor: f64) -> Jet<V2> {
    Jet(a.0 + factor * b.0, a.1 + factor * b.1, a.2 + factor * b.2)
}

/// Angles of crank, coupler (B to C) and rocker (D to C) at crank angle q.
///
/// From A e(q) + B e(β) = D e_x + C e(γ): C is where the circles about B and D meet, left of the way
/// from B to D; the derivatives solve the once and twice differentiated loop equation.
fn angles(q: f64) -> [Jet<f64>; 3] {
    let pin = A * V2::new(q.cos(), q.sin());
    let way = V2::new(D, 0.0) - pin;
    let s = way.norm();
    // Angle between BD and BC by the law of cosines.
    let at_b = ((s * s + B * B - C * C) / (2.0 * s * B)).acos();
    let beta = way.y.atan2(way.x) + at_b;
    let top = pin + B * V2::new(beta.cos(), beta.sin());
    let gamma = top.y.atan2(top.x - D);
    // Project on e(γ) for β', on e(β) for γ': B β' sin(β−γ) = A sin(γ−q), and so on.
    let det = (beta - gamma).sin();
    let b1 = A * (gamma - q).sin() / (B * det);
    let c1 = A * (beta - q).sin() / (C * det);
    // Twice differentiated: A e''(q) + B (β'' e⊥ − β'² e)(β) = C (γ'' e⊥ − γ'² e)(γ).
    let b2 =
        (-A * (gamma - q).cos() - B * b1 * b1 * (beta - gamma).cos() + C * c1 * c1) / (B * det);
    let c2 = (-A * (beta - q).cos() - B * b1 * b1 + C * c1 * c1 * (beta - gamma).cos()) / (C * det);
    [Jet(q, 1.0, 0.0), Jet(beta, b1, b2), Jet(gamma, c1, c2)]
}

/// I(q), I'(q), V(q), V'(q).
fn energies(q: f64) -> [f64; 4] {
    let [crank, coupler, rocker] = angles(q);
    let pin = bar(A, crank);
    let ground = Jet(V2::new(D, 0.0), V2::zeros(), V2::zeros());
    let links = [
        (bar(0.5 * A, crank), crank, inertia(A)),
        (sum(pin, bar(B, coupler), 0.5), coupler, inertia(B)),
        (sum(ground, bar(C, rocker), 0.5), rocker, inertia(C)),
    ];
    let mut e = [0.0; 4];
    for (centre, angle, inertia) in links {
        e[0] += MASS * centre.1.norm_squared() + inertia * angle.1 * angle.1;
        e[1] += 2.0 * (MASS * centre.1.dot(&centre.2) + inertia * angle.1 * angle.2);
        e[2] += MASS * G * centre.0.y;
        e[3] += MASS * G * centre.1.y;
    }
    e
}

fn acceleration(q: f64, w: f64) -> f64 {
    let [i, di, _, dv] = energies(q);
    -(0.5 * di * w * w + dv) / i
}

/// (q, q̇) after `time` from rest at [`START`], in `steps` of RK4.
fn integrate(time: f64, steps: usize) -> (f64, f64) {
    let h = time / steps as f64;
    let (mut q, mut w) = (START, 0.0);
    for _ in 0..steps {
        let (q1, w1) = (w, acceleration(q, w));
        let (q2, w2) = (
            w + 0.5 * h * w1,
            acceleration(q + 0.5 * h * q1, w + 0.5 * h * w1),
        );
        let (q3, w3) = (
            w + 0.5 * h * w2,
            acceleration(q + 0.5 * h * q2, w + 0.5 * h * w2),
        );
        let (q4, w4) = (w + h * w3, acceleration(q + h * q3, w + h * w3));
        q += h / 6.0 * (q1 + 2.0 * q2 + 2.0 * q3 + q4);
        w += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    }
    (q, w)
}

/// Pins B and C in the world's x-z plane at crank angle q.
fn pins(q: f64) -> [V2; 2] {
    let [crank, coupler, _] = angles(q);
    let pin = bar(A, crank);
    [PIVOT + pin.0, PIVOT + sum(pin, bar(B, coupler), 1.0).0]
}

/// Largest error (m) of pins B and C at `time` (s).
fn pin_error(time: f64, dt: f64, first_kick: FirstKick) -> f64 {
    pin_error_with(time, dt, |settings| settings.first_kick = first_kick)
}

fn pin_error_with(time: f64, dt: f64, set: impl Fn(&mut Settings)) -> f64 {
    let mut scene = scene("fourbar_fixed", &[("angle", START)]).unwrap();
    scene.settings.dt = dt;
    set(&mut scene.settings);
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let control = Control::new(&model);
    for _ in 0..(time / dt).round() as usize {
        simulator.step(&control).unwrap();
    }
    let wanted = pins(integrate(time, (1e5 * time) as usize).0);
    let error = ["B", "C"].iter().zip(wanted).map(|(name, wanted)| {
        let joint = model.joint(model.joint_named(name).unwrap());
        let at = simulator.state().placement(joint).anchor;
        (V2::new(at.x, at.z) - wanted).norm()
    });
    let error = error.fold(0.0, f64::max);
    println!("at {time} s, dt {dt} s: pin error {error:.3e} m");
    error
}

/// Slope of log(error) over log(step size) by least squares.
fn order(steps: &[f64], errors: &[f64]) -> f64 {
    let points: Vec<(f64, f64)> = steps
        .iter()
        .zip(errors)
        .map(|(x, y)| (x.ln(), y.ln()))
        .collect();
    let n = points.len() as f64;
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let covariance: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    covariance / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

/// Orders of positions and of the crank's rate over four step sizes.
fn orders(integrator: Integrator) -> [f64; 2] {
    let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
    // Of equal steps: those of schemes that damp would be halved where they are long.
    let set = |settings: &mut Settings| {
        settings.integrator = integrator;
        settings.closure.energy = 0.1;
    };
    let orders = [
        order(&steps, &steps.map(|dt| pin_error_with(1.0, dt, set))),
        order(&steps, &steps.map(|dt| rate_error(dt, set))),
    ];
    println!("{integrator}: orders of positions and rates {orders:.3?}");
    orders
}

#[test]
fn midpoint_schemes_are_second_order() {
    for integrator in [
        Integrator::SemiImplicitEuler,
        Integrator::Moreau,
        Integrator::MIDPOINT,
    ] {
        assert!(orders(integrator).iter().all(|o| *o > 1.9), "{integrator}");
    }
}

#[test]
fn the_other_presets_are_first_order() {
    let skewed = Integrator::Theta {
        theta: 0.6,
        theta_vq: 0.7,
    };
    for integrator in [Integrator::SYMPLECTIC, Integrator::IMPLICIT, skewed] {
        // Errors of rates change their sign on the way.
        let [positions, _] = orders(integrator);
        assert!((0.9..1.2).contains(&positions), "{integrator}: {positions}");
    }
}

#[test]
fn reference_is_consistent_and_accurate_to_1e_12() {
    // I' and V' are the derivatives of I and V.
    for q in [0.3, 1.1, 2.0, 3.4, 5.0] {
        let h = 1e-5;
        let (minus, plus, e) = (energies(q - h), energies(q + h), energies(q));
        for (value, slope) in [(0, 1), (2, 3)] {
            let difference = (plus[value] - minus[value]) / (2.0 * h);
            assert!((difference - e[slope]).abs() < 1e-8 * (1.0 + e[slope].abs()));
        }
    }
    let (q, w) = integrate(1.0, 100_000);
    let (coarse, _) = integrate(1.0, 50_000);
    let error = (q - coarse).abs();
    println!("reference at 1 s: q = {q:.12}, q̇ = {w:.9}, halved steps change it by {error:.1e}");
    assert!(error <= 1e-12);
    let ([i, _, v, _], [_, _, v0, _]) = (energies(q), energies(START));
    assert!((0.5 * i * w * w + v - v0).abs() <= 1e-11);
    assert!(w.abs() > 0.1 && (q - START).abs() > 0.5, "it hardly moved");
    // The scene is the mechanism that the reference describes.
    let scene = scene("fourbar_fixed", &[("angle", START)]).unwrap();
    let state = scene.model.initial_state();
    for (name, wanted) in ["B", "C"].iter().zip(pins(START)) {
        let joint = scene.model.joint(scene.model.joint_named(name).unwrap());
        let at = state.placement(joint).anchor;
        assert!((V2::new(at.x, at.z) - wanted).norm() < 1e-14);
    }
    for (name, length) in [("crank", A), ("coupler", B), ("rocker", C)] {
        let body = scene.model.body(scene.model.body_named(name).unwrap());
        assert!((body.mass - MASS).abs() < 1e-15);
        assert!((body.inertia[(1, 1)] - inertia(length)).abs() < 1e-15);
    }
}

#[test]
fn pins_are_within_1e_3_m_at_1_s_from_rest_at_1_ms() {
    assert!(pin_error(1.0, 1e-3, FirstKick::Full) <= 1e-3);
}

#[test]
fn pins_are_within_1e_5_m_at_1_s_with_the_half_first_kick() {
    assert!(pin_error(1.0, 1e-3, FirstKick::Half) <= 1e-5);
}

#[test]
fn half_first_kick_makes_positions_second_order() {
    let errors = [1e-3, 5e-4, 2.5e-4].map(|dt| pin_error(1.0, dt, FirstKick::Half));
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        println!("error ratio {ratio:.4}");
        assert!((3.8..4.2).contains(&ratio), "{errors:?}");
    }
}

/// After several swings the error of the half first kick is still that of the integrator alone, a small share of that
/// of a whole first kick.
#[test]
fn positions_are_second_order_at_5_s() {
    let errors = [1e-3, 5e-4, 2.5e-4].map(|dt| pin_error(5.0, dt, FirstKick::Half));
    let whole = pin_error(5.0, 1e-3, FirstKick::Full);
    assert!(errors[0] < 6e-5, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((3.9..4.1).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
    assert!(whole > 5.0 * errors[0], "{whole}");
}

/// Error (rad/s) of the crank's rate at 1 s, at the time of the poses.
fn rate_error(dt: f64, set: impl Fn(&mut Settings)) -> f64 {
    let mut scene = scene("fourbar_fixed", &[("angle", START)]).unwrap();
    scene.settings.dt = dt;
    set(&mut scene.settings);
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let control = Control::new(&model);
    for _ in 0..(1.0 / dt).round() as usize {
        simulator.step(&control).unwrap();
    }
    let state = simulator.synchronised(&control).unwrap();
    let crank = model.body_named("crank").unwrap().index();
    // Turning about +y takes x towards −z, against the angles of the reference.
    (-state.twists[crank].angular.y - integrate(1.0, 100_000).1).abs()
}

#[test]
fn synchronised_velocities_are_second_order_by_default() {
    let errors = [1e-3, 5e-4, 2.5e-4].map(|dt| rate_error(dt, |_| {}));
    println!("rate errors {errors:?}");
    assert!(errors[0] < 2e-4);
    for pair in errors.windows(2) {
        assert!((3.7..4.3).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

#[test]
fn energy_stays_within_1e_3_without_trend_over_100_s() {
    let scene = scene("fourbar_fixed", &[]).unwrap();
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let control = Control::new(&model);
    let mut meter = EnergyMeter::new(&model, simulator.state());
    let start = meter.energy();
    let steps = 100_000usize;
    let (mut greatest_kinetic, mut errors) = (0.0f64, Vec::with_capacity(steps));
    for _ in 0..steps {
        simulator.step(&control).unwrap();
        errors.push(meter.update(&model, simulator.state()) - start);
        let kinetic = linkwork::metrics::kinetic_energy(&model, simulator.state());
        greatest_kinetic = greatest_kinetic.max(kinetic);
    }
    // Potential energy has an arbitrary zero: the maximum kinetic energy is the scale.
    errors.iter_mut().for_each(|e| *e /= greatest_kinetic);
    let (low, high) = errors
        .iter()
        .fold((0.0f64, 0.0f64), |(l, h), e| (l.min(*e), h.max(*e)));
    // Least-squares slope over the run, times its length.
    let n = steps as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let (mut cross, mut square) = (0.0, 0.0);
    for (i, e) in errors.iter().enumerate() {
        let t = i as f64 - 0.5 * (n - 1.0);
        cross += t * (e - mean);
        square += t * t;
    }
    let rise = cross / square * n;
    println!(
        "energy of {greatest_kinetic:.3} J: error {low:.3e} to {high:.3e}, trend {rise:.2e} in 100 s"
    );
    assert!(low.abs().max(high) <= 1e-3);
    assert!(rise.abs() <= 0.05 * (high - low));
}

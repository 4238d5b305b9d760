//! Contacts: stick, slide, bounce and a stack that must stand.
//!
//! Velocities are only accurate to the solver's tolerance (1e-8 m/s unless set), so tests that require 1e-9 m/s set it
//! to 1e-10.

use linkwork::Scene;
use linkwork::math::Vec3;
use linkwork::metrics::{EnergyMeter, kinetic_energy, potential_energy};
use linkwork::{Control, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::Status;
use std::sync::Arc;

const G: f64 = 9.81;
/// Friction coefficient of the box on the plane.
const FRICTION: f64 = 0.5;
/// Half the height of the box, m.
const HALF_HEIGHT: f64 = 0.1;

/// A simulator of the scene at dt with the given solver tolerance.
fn start(mut scene: Scene, dt: f64, tolerance: f64) -> Simulator {
    scene.settings.dt = dt;
    scene.settings.solve.tolerance = tolerance;
    Simulator::new(Arc::clone(&scene.model), scene.settings).unwrap()
}

/// Take a step that must converge.
fn step(simulator: &mut Simulator, control: &Control) {
    let report = simulator.step(control).unwrap();
    assert_eq!(report.status, Status::Converged, "{:?}", report.residuals);
}

#[test]
fn box_sticks_at_90_percent_of_the_friction_limit() {
    for dt in [1e-3, 1e-2] {
        for mass in [1e-2, 1.0, 1e3] {
            let slope = (0.9 * FRICTION).atan();
            let set = [("friction", FRICTION), ("slope", slope), ("mass", mass)];
            let mut simulator = start(scene("box_on_plane", &set).unwrap(), dt, 1e-10);
            let control = Control::new(simulator.model());
            let from = simulator.state().poses[0].position;
            let mut creep = 0.0f64;
            for _ in 0..(2.0 / dt) as usize {
                step(&mut simulator, &control);
                let twist = &simulator.state().twists[0];
                creep = creep.max(twist.linear.norm()).max(twist.angular.norm());
            }
            let moved = (simulator.state().poses[0].position - from).norm();
            println!("stick, dt {dt}, {mass} kg: creep {creep:.1e} m/s, {moved:.1e} m in 2 s");
            assert!(creep <= 1e-9);
            assert!(moved <= 2.0 * 1e-9);
        }
    }
}

/// Slide a box along a plane inclined by `slope` (rad) from `speed` (m/s) for `time` (s).
fn slide(slope: f64, speed: f64, dt: f64, time: f64) {
    let set = [("friction", FRICTION), ("slope", slope), ("speed", speed)];
    let mut simulator = start(scene("box_on_plane", &set).unwrap(), dt, 1e-10);
    let control = Control::new(simulator.model());
    let wanted = G * (slope.sin() - FRICTION * slope.cos());
    let (mut acceleration, mut gap, mut tilt) = (0.0f64, 0.0f64, 0.0f64);
    let mut before = speed;
    for _ in 0..(time / dt).round() as usize {
        step(&mut simulator, &control);
        let state = simulator.synchronised(&control).unwrap();
        let (pose, twist) = (&state.poses[0], &state.twists[0]);
        let error = (twist.linear.x - before) / dt - wanted;
        acceleration = acceleration.max((error / wanted).abs());
        before = twist.linear.x;
        gap = gap.max((pose.position.z - HALF_HEIGHT).abs());
        tilt = tilt.max((pose.rotation * Vec3::z() - Vec3::z()).norm());
    }
    let mean = (before - speed) / time;
    let mean = ((mean - wanted) / wanted).abs();
    println!(
        "slide at {speed} m/s on {slope:.3} rad, dt {dt}: acceleration off by {acceleration:.1e} \
         (mean {mean:.1e}), gap {gap:.1e} m, tilt {tilt:.1e} rad"
    );
    assert!(before > 0.0, "it stopped");
    assert!(mean <= 1e-6);
    assert!(acceleration <= 1e-6);
    assert!(gap <= 1e-6);
    assert!(tilt <= 1e-6);
}

#[test]
fn box_slides_at_half_a_metre_a_second_with_the_exact_acceleration() {
    // On the level it brakes with μ g: 0.5 m/s last 0.1 s.
    for dt in [1e-3, 1e-2] {
        slide(0.0, 0.5, dt, 0.09);
    }
}

#[test]
fn box_slides_at_five_metres_a_second_with_the_exact_acceleration() {
    for dt in [1e-3, 1e-2] {
        slide(0.0, 5.0, dt, 0.9);
    }
}

#[test]
fn box_slides_down_a_slope_with_the_exact_acceleration() {
    for dt in [1e-3, 1e-2] {
        slide((1.2 * FRICTION).atan(), 0.5, dt, 1.0);
        slide((1.2 * FRICTION).atan(), 5.0, dt, 1.0);
    }
}

/// The first three apex heights of the gap (m) of a ball dropped from 1 m.
fn apexes(restitution: f64) -> [f64; 3] {
    let set = [("restitution", restitution), ("height", 1.0)];
    let mut simulator = start(scene("ball", &set).unwrap(), 1e-3, 1e-10);
    let model = simulator.model().clone();
    let control = Control::new(&model);
    let mut meter = EnergyMeter::new(&model, simulator.state());
    // Velocities are half a step before the poses, so the ball starts with the velocity gained in half a step: its
    // energy is known after the first step.
    step(&mut simulator, &control);
    let energy = meter.update(&model, simulator.state());
    // The energy that the ball can have over its rest on the floor.
    let swing = G * 1.0;
    let mut gain = f64::NEG_INFINITY;
    let (mut last, mut before) = (1.0, 1.0);
    let (mut found, mut fallen) = (Vec::new(), false);
    let mut last_apex = energy;
    for _ in 0..6000 {
        step(&mut simulator, &control);
        let gap = simulator.state().poses[0].position.z - 0.1;
        gain = gain.max((meter.update(&model, simulator.state()) - energy) / swing);
        fallen |= gap < 0.01;
        // A top may fall between two steps of equal height; below a millimetre the ball is at rest.
        if fallen && last >= before && last > gap && last > 1e-3 && found.len() < 3 {
            fallen = false;
            found.push(last);
            let now = kinetic_energy(&model, simulator.state())
                + potential_energy(&model, simulator.state());
            // From apex to apex none is gained; twists live half a step off the poses.
            assert!(now <= last_apex + 1e-5 * swing, "{now} {last_apex}");
            last_apex = now;
        }
        (before, last) = (last, gap);
        assert!(gap > -1e-3);
    }
    found.resize(3, 0.0);
    println!("restitution {restitution}: apexes {found:.5?} m, energy gain {gain:.1e}");
    assert!(gain <= 1e-9, "energy grew by {gain}");
    [found[0], found[1], found[2]]
}

#[test]
fn ball_without_restitution_stays_down() {
    assert_eq!(apexes(0.0), [0.0; 3]);
}

#[test]
fn ball_of_restitution_half_bounces_to_the_right_heights() {
    assert_heights(0.5);
}

#[test]
fn ball_of_restitution_0_9_bounces_to_the_right_heights() {
    assert_heights(0.9);
}

#[test]
fn ball_of_restitution_1_bounces_to_the_right_heights() {
    assert_heights(1.0);
}

fn assert_heights(restitution: f64) {
    for (i, height) in apexes(restitution).into_iter().enumerate() {
        let wanted = restitution.powi(2 * (i as i32 + 1));
        let error = (height - wanted) / wanted;
        println!(
            "restitution {restitution}, apex {}: off by {error:.2e}",
            i + 1
        );
        assert!(error.abs() <= 0.02);
    }
}

/// The solver for ill-conditioned contacts.
const SOLVER: &str = "hybrid";

/// Ten cubes of 1 kg to 10 t stand for 5 s.
fn stand(dt: f64) {
    let mut scene = scene("stack", &[("n", 10.0), ("mass_ratio", 1e4)]).unwrap();
    scene.settings.solver = SOLVER.to_owned();
    let mut simulator = start(scene, dt, 1e-8);
    let control = Control::new(simulator.model());
    let from = simulator.state().poses.clone();
    let (mut penetration, mut drift, mut failed, mut iterations) = (0.0f64, 0.0f64, 0, 0);
    for _ in 0..(5.0 / dt).round() as usize {
        let report = simulator.step(&control).unwrap();
        failed += usize::from(report.status != Status::Converged);
        iterations += report.iterations;
        penetration = penetration.max(report.penetration);
        for (a, b) in from.iter().zip(&simulator.state().poses) {
            drift = drift.max((a.position - b.position).norm());
        }
    }
    let last = simulator.detect_contacts().iter();
    penetration = last.fold(penetration, |p, c| p.max(-c.gap));
    println!(
        "stack at {dt} s by {SOLVER}: penetration {penetration:.1e} m, drift {drift:.1e} m, \
         {failed} solves failed, {iterations} iterations"
    );
    assert!(penetration <= 1e-6 && drift <= 1e-6);
    assert_eq!(failed, 0);
}

#[test]
fn stack_of_mass_ratio_1e4_stands_at_1_ms() {
    stand(1e-3);
}

#[test]
fn stack_of_mass_ratio_1e4_stands_at_10_ms() {
    stand(1e-2);
}

#[test]
fn clutter_comes_to_rest_in_its_box() {
    let mut scene = scene("clutter", &[("n", 40.0)]).unwrap();
    scene.settings.dt = 1e-2;
    scene.settings.solver = SOLVER.to_owned();
    let mut simulator = Simulator::new(scene.model.clone(), scene.settings).unwrap();
    let model = simulator.model().clone();
    let control = Control::new(&model);
    let mut failed = 0;
    for _ in 0..1000 {
        let report = simulator.step(&control).unwrap();
        let met = report.residuals.meets(simulator.settings().solve.tolerance);
        // Converged or correctly reported as failed: the recomputed residuals decide.
        assert_eq!(report.status == Status::Converged, met);
        failed += usize::from(!met);
    }
    // 40 solids on places 0.16 m apart: the box is 2 by 2 places wide, and the walls 0.1 thick.
    let half_width = 0.5 * 0.16 * 2.0;
    for (body, pose) in model.bodies().iter().zip(&simulator.state().poses) {
        let p = pose.position;
        let inside = p.x.abs() < half_width && p.y.abs() < half_width && p.z > 0.0;
        assert!(inside, "{} escaped to {p:?}", body.name);
    }
    let contacts = simulator.detect_contacts().iter();
    let penetration = contacts.fold(0.0f64, |p, c| p.max(-c.gap));
    let kinetic = kinetic_energy(&model, simulator.state());
    println!(
        "clutter by {SOLVER}: penetration {penetration:.1e} m, {kinetic:.1e} J, {failed} solves failed"
    );
    assert!(penetration <= 1e-4);
    assert!(kinetic <= 1e-3);
    // Solids are at most 0.12 m large: two on each other are at 0.12 m on average, and here more lie on each other. (The
    // highest is at 0.28 to 0.35 m, depending on last digits.)
    let heights = simulator.state().poses.iter().map(|p| p.position.z);
    let mean = heights.sum::<f64>() / model.bodies().len() as f64;
    assert!(mean > 0.13, "the heap is only {mean} m high on average");
}

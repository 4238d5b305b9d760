//! Drives, dry friction, limits, couplings, springs, armature and screws.

mod mechanisms;

use linkwork::joints::{Gimbal, Screw, Universal};
use linkwork::math::{MassProperties, Pose, Twist, Vec3};
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::*;
use linkwork::{Control, FirstKick, Settings, Simulator, Work};
use mechanisms::{Y, at, link, place, residual};
use std::f64::consts::TAU;
use std::sync::Arc;

const G: f64 = 9.81;

/// A 1 kg link of 1 m on a hinge at the origin, pointing along x at coordinate 0; the coordinate grows
/// upwards, so gravity's torque is −½ G cos q.
fn arm(prepare: impl FnOnce(JointDef) -> JointDef) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let body = link(&mut b, "arm", at(0.0, 0.0), at(1.0, 0.0));
    let joint = prepare(JointDef::revolute("hinge", None, body));
    b.add_joint(place(joint, at(0.0, 0.0), -Y));
    b.build().unwrap()
}

/// Greatest torque that gravity has on the arm, N m.
const LOAD: f64 = 0.5 * G;
/// Inertia of the arm about its hinge, kg m².
const ARM_INERTIA: f64 = (0.5 * 0.5 + 0.02 * 0.02) / 3.0 + 0.25;

fn simulator(model: &Arc<Model>, dt: f64) -> Simulator {
    let settings = Settings::with(|s| s.dt = dt);
    Simulator::new(model.clone(), settings).unwrap()
}

/// Start the simulator with the first joint turned to `q`, moving at `rate`.
fn turned(simulator: &mut Simulator, q: f64, rate: f64) {
    let model = simulator.model().clone();
    let mut state = simulator.state().clone();
    linkwork::assemble::set_joint_coordinates(&model, &mut state, JointId(0), &[q]).unwrap();
    linkwork::assemble::set_joint_velocities(&model, &mut state, JointId(0), &[rate]).unwrap();
    simulator.set_state(state).unwrap();
}

fn rate(simulator: &Simulator, joint: JointId) -> f64 {
    simulator.state().joint_velocities(simulator.model(), joint)[0]
}

/// The same at the time of the coordinates.
fn rate_now(simulator: &mut Simulator, control: &Control, joint: JointId) -> f64 {
    let state = simulator.synchronised(control).unwrap();
    state.joint_velocities(simulator.model(), joint)[0]
}

#[test]
fn drive_of_gain_1e8_is_stable_and_reaches_its_target_at_10_ms() {
    for damping in [0.0, 1e4, 1e6] {
        let model = arm(|j| j.drive(1e8, damping));
        let mut simulator = simulator(&model, 1e-2);
        let mut control = Control::new(&model);
        let target = 1.2;
        control.target(&model, JointId(0), target);
        let mut greatest = 0.0f64;
        for _ in 0..500 {
            simulator.step(&control).unwrap();
            greatest = greatest.max(simulator.state().coordinates[0].abs());
        }
        let q = simulator.state().coordinates[0];
        let speed = rate(&simulator, JointId(0)).abs();
        println!(
            "k_d {damping:e}: q − target {:.2e}, peak {greatest:.6}, speed {speed:.1e}",
            q - target
        );
        // At rest the drive gives by load over gain.
        let sag = LOAD * target.cos() / 1e8;
        assert!((q - target + sag).abs() < 1e-9 && speed < 1e-9);
        assert!(greatest <= 1.001 * target, "it overshoots to {greatest}");
    }
}

#[test]
fn drive_of_gain_1e8_follows_a_jumping_target_at_10_ms() {
    let model = arm(|j| j.drive(1e8, 1e5));
    let mut simulator = simulator(&model, 1e-2);
    let mut control = Control::new(&model);
    for i in 0..2000 {
        let target = if i / 50 % 2 == 0 { 1.0 } else { -1.0 };
        control.target(&model, JointId(0), target);
        simulator.step(&control).unwrap();
        assert!(simulator.state().coordinates[0].abs() <= 1.0 + 1e-6);
        if i % 50 == 49 {
            assert!((simulator.state().coordinates[0] - target).abs() < 1e-4);
        }
    }
}

#[test]
fn effort_limit_is_never_exceeded() {
    // (steps at the limit, steps below it)
    let run = |stiffness: f64, damping: f64, dt: f64| {
        let model = arm(|j| j.drive(stiffness, damping).effort_limit(3.0));
        let mut simulator = simulator(&model, dt);
        let mut control = Control::new(&model);
        let (mut greatest, mut saturated, mut free) = (0.0f64, 0, 0);
        for i in 0..(8.0 / dt) as usize {
            // Gravity requires up to 4.9 N m: where the target is high the drive must yield.
            let target = -1.2 + (i as f64 * dt).sin();
            control.target(&model, JointId(0), target);
            simulator.step(&control).unwrap();
            let effort = simulator.coordinate_efforts()[0].drive.abs();
            greatest = greatest.max(effort);
            if effort > 2.999 {
                saturated += 1;
            } else {
                free += 1;
            }
        }
        println!(
            "k_p {stiffness:e}, dt {dt}: greatest effort {greatest:.12} N m, {saturated} steps at it, {free} below"
        );
        // λ is within dt τ_max exactly; the division by dt costs a rounding.
        assert!(greatest <= 3.0 * (1.0 + 1e-15));
        (saturated, free)
    };
    for dt in [1e-3, 1e-2] {
        assert!(run(1e8, 1e4, dt).0 > 0);
        let (saturated, free) = run(60.0, 5.0, dt);
        assert!(saturated > 0 && free > 0);
    }
}

/// Greatest speed (rad/s) and displacement (rad) in 5 s of a pendulum whose load is 90 % of its dry
/// friction.
fn creep(dt: f64, tolerance: f64) -> (f64, f64) {
    // At q = −60° gravity's torque is ½ G cos 60°.
    let q = -TAU / 6.0;
    let friction = LOAD * q.cos() / 0.9;
    let model = arm(|j| j.friction(friction));
    let mut settings = Settings::with(|s| s.dt = dt);
    settings.solve.tolerance = tolerance;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    turned(&mut simulator, q, 0.0);
    let control = Control::new(&model);
    let mut speed = 0.0f64;
    for _ in 0..(5.0 / dt) as usize {
        simulator.step(&control).unwrap();
        speed = speed.max(rate(&simulator, JointId(0)).abs());
    }
    let moved = (simulator.state().coordinates[0] - q).abs();
    println!("dt {dt}, tolerance {tolerance:e}: up to {speed:.1e} rad/s, {moved:.1e} rad in 5 s");
    let effort = simulator.coordinate_efforts()[0].friction;
    assert!((effort - LOAD * q.cos()).abs() < 1e-4, "{effort}");
    (speed, moved)
}

#[test]
fn dry_friction_holds_a_pendulum_below_its_limit() {
    for dt in [1e-3, 1e-2] {
        // Velocities are only solved to the tolerance, 1e-8 unless set: a finer one for single steps.
        assert!(creep(dt, 1e-10).0 <= 1e-9);
        assert!(creep(dt, Settings::default().solve.tolerance).1 <= 5.0 * 1e-9);
    }
}

#[test]
fn dry_friction_lets_a_pendulum_slide_above_its_limit_and_stops_it() {
    let q = -TAU / 6.0;
    let friction = LOAD * q.cos() / 1.1;
    let model = arm(|j| j.friction(friction));
    let mut simulator = simulator(&model, 1e-3);
    turned(&mut simulator, q, 0.0);
    let control = Control::new(&model);
    for _ in 0..20 {
        simulator.step(&control).unwrap();
    }
    // After 20 ms: I q̈ = friction − load, nearly constant.
    let wanted = (friction - LOAD * q.cos()) / ARM_INERTIA * 0.02;
    let speed = rate_now(&mut simulator, &control, JointId(0));
    assert!(
        (speed - wanted).abs() < 5e-3 * wanted.abs(),
        "{speed} {wanted}"
    );
    // The excess falls as it swings down: it comes to rest before it hangs down.
    for _ in 0..4000 {
        simulator.step(&control).unwrap();
    }
    let rest = simulator.state().coordinates[0];
    for _ in 0..1000 {
        simulator.step(&control).unwrap();
    }
    let end = simulator.state().coordinates[0];
    assert!((end - rest).abs() <= 1e-9, "{rest} {end}");
    assert!(end < q - 1e-3 && end > -TAU / 4.0 - 0.6, "{end}");
}

#[test]
fn heavy_pendulum_never_passes_its_limit_by_more_than_1e_7() {
    for dt in [1e-3, 1e-2] {
        let mut b = ModelBuilder::new();
        let mass = MassProperties::solid_box(1e3, Vec3::new(0.5, 0.1, 0.1));
        let body = b.add_body(BodyDef::new("arm", mass).at(0.5, 0.0, 0.0));
        let joint = JointDef::revolute("hinge", None, body).limits(-1.0, 0.7);
        b.add_joint(place(joint, at(0.0, 0.0), -Y));
        let model = b.build().unwrap();
        let mut simulator = simulator(&model, dt);
        // Thrown up against the upper stop, it then falls on the lower one and is pressed on it.
        turned(&mut simulator, 0.0, 8.0);
        let mut control = Control::new(&model);
        let (mut over, mut upper) = (0.0f64, false);
        for i in 0..(5.0 / dt) as usize {
            if i as f64 * dt > 3.0 {
                control.force(&model, JointId(0), -1e5);
            }
            simulator.step(&control).unwrap();
            let q = simulator.state().coordinates[0];
            over = over.max(q - 0.7).max(-1.0 - q);
            upper |= q > 0.7 - 1e-6;
        }
        let q = simulator.state().coordinates[0];
        println!("dt {dt}: limits passed by {over:.1e}, rests at {q:.9}");
        assert!(over <= 1e-7);
        assert!(upper && (q + 1.0).abs() < 1e-6, "{upper} {q}");
    }
}

/// A heavy rod on a spatial joint at the origin, thrown against its limits, then loaded.
fn limited_rod(joint: impl Fn(JointDef) -> JointDef, kind: &str, dt: f64) -> f64 {
    let mut b = ModelBuilder::new();
    let mass = MassProperties::solid_box(50.0, Vec3::new(0.1, 0.15, 0.5));
    let spin = Vec3::new(3.0, -2.0, 1.0);
    let arm = Vec3::new(0.0, 0.0, -0.5);
    // A universal joint passes no spin about its third axis.
    let spin = if kind == "universal" {
        Vec3::new(3.0, -2.0, 0.0)
    } else {
        spin
    };
    let body = b.add_body(
        BodyDef::new("rod", mass)
            .at(0.0, 0.0, -0.5)
            .twist(spin.cross(&arm), spin),
    );
    let def = match kind {
        "universal" => JointDef::new("joint", Universal, None, body),
        _ => JointDef::new("joint", Gimbal, None, body),
    };
    b.add_joint(joint(def));
    let model = b.build().unwrap();
    let mut simulator = simulator(&model, dt);
    let mut control = Control::new(&model);
    let (mut over, mut touched, mut closure) = (0.0f64, vec![false; 3], 0.0f64);
    for i in 0..(5.0 / dt) as usize {
        // A wandering force pushes the rod about along its stops.
        let t = i as f64 * dt;
        let force = 800.0 * Vec3::new((2.0 * t).sin(), (3.1 * t).cos(), (1.3 * t).sin());
        let torque = 100.0 * Vec3::new((1.7 * t).cos(), (0.9 * t).sin(), (2.3 * t).cos());
        control.wrench(BodyId(0), linkwork::math::Wrench::new(force, torque));
        simulator.step(&control).unwrap();
        let joint = model.joint(JointId(0));
        for (c, axis) in joint.axes.iter().enumerate() {
            let Some(limits) = axis.limits else { continue };
            let q = simulator.state().coordinates[c];
            over = over.max(limits.min - q).max(q - limits.max);
            touched[c] |= simulator.coordinate_efforts()[c].limit != 0.0;
        }
        closure = closure.max(residual(&model, simulator.state()));
    }
    println!("{kind} at {dt} s: limits passed by {over:.1e}, closure {closure:.1e}, {touched:?}");
    assert!(touched[0] && touched[1], "the limits were not met");
    assert!(closure <= if dt > 5e-3 { 1e-8 } else { 1e-9 });
    over
}

fn range(min: f64, max: f64) -> Limits {
    Limits::new(min, max)
}

#[test]
fn universal_joint_never_passes_its_limits_by_more_than_1e_7() {
    for dt in [1e-3, 1e-2] {
        let limited = |j: JointDef| {
            j.limits_of(0, range(-0.6, 0.4))
                .limits_of(1, range(-0.5, 0.5))
        };
        assert!(limited_rod(limited, "universal", dt) <= 1e-7);
    }
}

#[test]
fn gimbal_joint_never_passes_its_limits_by_more_than_1e_7() {
    for dt in [1e-3, 1e-2] {
        let limited = |j: JointDef| {
            j.limits_of(0, range(-0.6, 0.4))
                .limits_of(1, range(-0.5, 0.5))
                .limits_of(2, range(-0.3, 0.3))
        };
        assert!(limited_rod(limited, "gimbal", dt) <= 1e-7);
    }
}

/// A weightless flywheel on a hinge, released at 0.3 rad.
fn oscillator(prepare: impl FnOnce(JointDef) -> JointDef, dt: f64, time: f64) -> (Vec<f64>, f64) {
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let mass = MassProperties::solid_cylinder(2.0, 0.3, 0.05);
    let body = b.add_body(BodyDef::new("wheel", mass));
    let joint = prepare(JointDef::revolute("hinge", None, body));
    b.add_joint(place(joint, at(0.0, 0.0), Vec3::z()));
    let model = b.build().unwrap();
    let settings = Settings::with(|s| {
        s.dt = dt;
        s.first_kick = FirstKick::Half;
    });
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    turned(&mut simulator, 0.3, 0.0);
    let control = Control::new(&model);
    let mut path = Vec::new();
    for _ in 0..(time / dt).round() as usize {
        simulator.step(&control).unwrap();
        path.push(simulator.state().coordinates[0]);
    }
    (path, 2.0 * 0.3 * 0.3 / 2.0)
}

/// Largest difference (rad) to the oscillator with the given inertia, stiffness and damping.
fn deviation(path: &[f64], dt: f64, (inertia, stiffness, damping): (f64, f64, f64)) -> f64 {
    let (decay, natural) = (0.5 * damping / inertia, (stiffness / inertia).sqrt());
    let w = (natural * natural - decay * decay).sqrt();
    let exact = |t: f64| 0.3 * (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin());
    path.iter().enumerate().fold(0.0f64, |worst, (i, q)| {
        worst.max((q - exact((i + 1) as f64 * dt)).abs())
    })
}

#[test]
fn spring_and_damper_follow_the_analytic_oscillator() {
    let (k, c) = (4.0, 0.05);
    let error = |dt: f64| {
        let (path, inertia) = oscillator(|j| j.spring(k, 0.0, c), dt, 2.0);
        deviation(&path, dt, (inertia, k, c))
    };
    let errors = [1e-3, 5e-4].map(error);
    println!(
        "spring-damper error {errors:?} rad, ratio {}",
        errors[0] / errors[1]
    );
    // Dampers are implicit, so first order; springs are of second.
    assert!(errors[0] < 3e-3 * 0.3);
    assert!((1.8..2.2).contains(&(errors[0] / errors[1])));
}

#[test]
fn armature_adds_its_inertia_to_the_oscillator() {
    let (k, armature) = (4.0, 0.21);
    let dt = 1e-4;
    let (path, inertia) = oscillator(|j| j.spring(k, 0.0, 0.0).armature(armature), dt, 4.0);
    let inertia = inertia + armature;
    let worst = deviation(&path, dt, (inertia, k, 0.0));
    println!("armature: error {worst:.2e} rad");
    assert!(worst < 1e-6 * 0.3);
}

#[test]
fn armature_accelerates_like_inertia() {
    for armature in [0.0, 0.5, 50.0] {
        let model = arm(|j| {
            if armature > 0.0 {
                j.armature(armature)
            } else {
                j
            }
        });
        let mut simulator = simulator(&model, 1e-3);
        let control = Control::new(&model);
        simulator.step(&control).unwrap();
        let wanted = -LOAD / (ARM_INERTIA + armature) * 1e-3;
        let speed = rate_now(&mut simulator, &control, JointId(0));
        assert!(
            (speed - wanted).abs() < 1e-6 * wanted.abs(),
            "{speed} {wanted}"
        );
    }
}

#[test]
fn screw_turns_torque_into_thrust() {
    for pitch in [0.02, -0.3] {
        let mut b = ModelBuilder::new();
        let mass = MassProperties::solid_cylinder(3.0, 0.1, 0.1);
        let nut = b.add_body(BodyDef::new("nut", mass).pose(Pose::identity()));
        b.add_joint(JointDef::new("screw", Screw { pitch }, None, nut));
        let model = b.build().unwrap();
        let mut simulator = simulator(&model, 1e-3);
        let lead = pitch / TAU;
        // The nut as one degree of freedom: (I + m lead²) q̈ = τ − m g lead.
        let inertia = 0.5 * 3.0 * 0.01 + 3.0 * lead * lead;
        let hold = 3.0 * G * lead;
        let torque = hold + 0.1;
        let mut control = Control::new(&model);
        control.force(&model, JointId(0), torque);
        let energy = |s: &Simulator| {
            kinetic_energy(s.model(), s.state()) + potential_energy(s.model(), s.state())
        };
        let start = energy(&simulator);
        let (mut work, mut worst) = (Work::default(), 0.0f64);
        for _ in 0..3000 {
            work.add(&simulator.step(&control).unwrap().work);
            worst = worst.max(residual(&model, simulator.state()));
        }
        let (q, speed) = (
            simulator.state().coordinates[0],
            rate_now(&mut simulator, &control, JointId(0)),
        );
        let wanted = 0.1 / inertia * 3.0;
        let height = simulator.state().poses[0].position.z;
        println!(
            "pitch {pitch}: speed {speed:.9} of {wanted:.9}, thread {worst:.1e}, work {:.9} of {:.9} J",
            work.applied,
            torque * q
        );
        assert!((speed - wanted).abs() < 1e-9 * wanted);
        assert!((height - lead * q).abs() < 1e-9 && worst < 1e-9);
        assert!(q > TAU, "multi-turn");
        // Work balance: τ q goes into speed and height, up to the half step between q and speed.
        let gained = energy(&simulator) - start;
        assert!(
            (work.applied - gained).abs() < 2e-3 * gained.abs(),
            "{work:?} {gained}"
        );
        // Held torque: exactly m g lead carries the nut.
        control.force(&model, JointId(0), hold);
        let mut state = simulator.state().clone();
        state.twists[0] = Twist::zero();
        simulator.set_state(state).unwrap();
        for _ in 0..1000 {
            simulator.step(&control).unwrap();
        }
        let creep = rate(&simulator, JointId(0));
        println!("pitch {pitch}: held, it turns at {creep:.1e} rad/s");
        // A step may leave a tenth of the tolerance of 1e-9 m/s, and a thousand of them may add up.
        assert!(creep.abs() < 1e-7);
    }
}

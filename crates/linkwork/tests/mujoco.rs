//! A body on four joints, a second one, and a fixed tendon over both against MuJoCo 4.0.0.
//!
//! The numbers are those of `mj_forward` for bodies `arm` (pos 0.3 −0.1 1, quat 0.96 0 0.28 0; a slide with
//! ref 0.2 and three hinges, the second with ref −0.4) and `hand` (pos 0 0 −0.6) with the tendon below, at
//! qpos 0.35 0.4 −0.7 0.5 0.6 and, where it moves, qvel 0.3 1 −0.5 0.8 −1.2.

use linkwork::assemble::{set_joint_coordinates, set_joint_velocities};
use linkwork::joints::{Chain, ChainLink};
use linkwork::math::{MassProperties, Pose, Quat, Vec3};
use linkwork::model::{BodyDef, BodyId, JointDef, JointId, Model, ModelBuilder, Tendon, TendonId};
use linkwork::{Control, FirstKick, Settings, Simulator, State};
use std::sync::Arc;

const POSITIONS: [[f64; 3]; 2] = [
    [0.3833616196521731, -0.04708667126764714, 0.9382518085309808],
    [0.03856821875019038, 0.21398845229162855, 0.5439285248614502],
];
/// As (w, x, y, z).
const ORIENTATIONS: [[f64; 4]; 2] = [
    [
        0.9028945234400145,
        0.31947802214366733,
        0.2156376716398301,
        0.19030414467097653,
    ],
    [
        0.798842794786948,
        0.24897029186584732,
        0.4728301123080003,
        0.2762167045636747,
    ],
];
/// At rest.
const FROM_REST: [f64; 5] = [
    16.05430467342973,
    117.11990895841771,
    35.34832209038809,
    -49.01100468574437,
    -421.72218619780193,
];
/// In motion, with no elements along the tendon.
const MOVING: [f64; 5] = [
    7.772721973094764,
    -19.701030809630716,
    27.552798958720437,
    -22.59517479910912,
    -25.467429630538103,
];

/// Moving, with the tendon's armature alone.
const MOVING_WITH_ARMATURE: [f64; 5] = [
    7.59789630235683,
    -22.48656024477959,
    27.414381592588896,
    -22.029679912384857,
    -17.420049853493545,
];

const ROOT: JointId = JointId(0);
const WRIST: JointId = JointId(1);

fn quaternion([w, x, y, z]: [f64; 4]) -> Quat {
    Quat::from_quaternion(nalgebra::Quaternion::new(w, x, y, z))
}

fn arm(act: impl FnOnce(Tendon) -> Tendon, speed: f64) -> (Arc<Model>, State) {
    let mut b = ModelBuilder::new();
    let body = |name: &str, mass: f64, moments: [f64; 3], com: [f64; 3]| {
        let solid = MassProperties::principal(mass, moments.into()).with_com(com.into());
        BodyDef::new(name, solid)
    };
    let home = Pose::new(
        Vec3::new(0.3, -0.1, 1.0),
        quaternion([0.96, 0.0, 0.28, 0.0]),
    );
    let below = Pose::at(0.0, 0.0, -0.6);
    let arm = body("arm", 1.3, [0.03, 0.028, 0.004], [0.02, -0.01, -0.3]);
    let arm = b.add_body(arm.pose(home));
    let hand = body("hand", 0.5, [0.004, 0.003, 0.002], [0.0, 0.02, -0.1]);
    let hand = b.add_body(hand.pose(home.compose(&below)));
    let links = vec![
        ChainLink::slide(Vec3::new(0.6, 0.8, 0.0)).offset(0.2),
        ChainLink::hinge(Vec3::new(0.0, 0.28, 0.96), Vec3::new(0.05, 0.0, 0.0)),
        ChainLink::hinge(Vec3::y(), Vec3::new(0.0, 0.03, -0.05)).offset(-0.4),
        ChainLink::hinge(Vec3::new(0.96, 0.0, 0.28), Vec3::new(0.02, 0.0, -0.1)),
    ];
    let root = JointDef::new("root", Chain { links }, None, arm);
    b.add_joint(root.frames(home, Pose::identity()));
    let links = vec![ChainLink::hinge(Vec3::y(), Vec3::new(0.0, 0.0, 0.1))];
    let wrist = JointDef::new("wrist", Chain { links }, arm, hand);
    b.add_joint(wrist.frames(below, Pose::identity()));
    let tendon = Tendon::new("tendon", &[(ROOT, 3, 0.7), (WRIST, 0, -1.1)]);
    b.add_tendon(act(tendon));
    let model = b.build().unwrap();
    let mut state = model.initial_state();
    set_joint_coordinates(&model, &mut state, ROOT, &[0.35, 0.4, -0.7, 0.5]).unwrap();
    set_joint_coordinates(&model, &mut state, WRIST, &[0.6]).unwrap();
    set_joint_velocities(
        &model,
        &mut state,
        ROOT,
        &[0.3, 1.0, -0.5, 0.8].map(|v| speed * v),
    )
    .unwrap();
    set_joint_velocities(&model, &mut state, WRIST, &[-1.2 * speed]).unwrap();
    (model, state)
}

fn sprung(tendon: Tendon) -> Tendon {
    let tendon = tendon.spring(30.0, 0.1, 0.0);
    tendon.with(|a| a.armature = 0.02)
}

/// The state after one step, solved as exactly as numbers allow.
fn stepped(model: &Arc<Model>, state: &State, first_kick: FirstKick, dt: f64) -> State {
    let mut settings = Settings::with(|s| {
        s.dt = dt;
        s.first_kick = first_kick;
    });
    settings.solve.tolerance = 1e-15;
    settings.closure.tolerance = 1e-15;
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    simulator.set_state(state.clone()).unwrap();
    simulator.step(&Control::new(model)).unwrap();
    simulator.state().clone()
}

/// Compares with the limit of no step, extrapolated from two steps that err by dt to the power `order`.
fn compare(at: impl Fn(f64) -> Vec<f64>, dt: f64, order: i32, expected: &[f64; 5]) {
    let (whole, half) = (at(dt), at(0.5 * dt));
    let share = 2f64.powi(order);
    for ((whole, half), expected) in whole.iter().zip(half).zip(expected) {
        let found = (share * half - whole) / (share - 1.0);
        println!(
            "{found} {expected}: off by {:.1e}",
            (found - expected).abs()
        );
        let scale = expected.abs().max(1.0);
        assert!(
            (found - expected).abs() < 1e-6 * scale,
            "{found}, not {expected}"
        );
    }
}

#[test]
fn placements_and_lengths_are_mujocos() {
    let (model, state) = arm(sprung, 1.0);
    for (i, (position, orientation)) in POSITIONS.iter().zip(ORIENTATIONS).enumerate() {
        let frame = model.body_frame(&state, BodyId(i as u32));
        assert!((frame.position - Vec3::from(*position)).norm() < 1e-14);
        assert!(frame.rotation.angle_to(&quaternion(orientation)) < 1e-14);
    }
    let tendon = TendonId(0);
    assert!((state.tendon_length(&model, tendon) + 0.31).abs() < 1e-14);
    assert!((state.tendon_velocity(&model, tendon) - 1.88).abs() < 1e-12);
}

#[test]
fn accelerations_from_rest_are_mujocos() {
    let (model, start) = arm(sprung, 0.0);
    let mean = |dt: f64| {
        let end = stepped(&model, &start, FirstKick::Full, dt);
        let rates = [ROOT, WRIST].map(|joint| end.joint_velocities(&model, joint));
        rates.concat().iter().map(|rate| rate / dt).collect()
    };
    compare(mean, 2e-4, 2, &FROM_REST);
}

/// q(dt) + q(−dt) − 2 q(0) over dt², of steps with the velocities as they are and reversed.
fn in_motion(act: fn(Tendon) -> Tendon, expected: &[f64; 5]) {
    let (model, ahead) = arm(act, 1.0);
    let (_, back) = arm(act, -1.0);
    let second = |dt: f64| {
        let ends = [&ahead, &back].map(|s| stepped(&model, s, FirstKick::Half, dt).coordinates);
        let pairs = ends[0].iter().zip(&ends[1]).zip(&ahead.coordinates);
        pairs
            .map(|((a, b), q)| ((a - q) + (b - q)) / (dt * dt))
            .collect()
    };
    compare(second, 4e-4, 2, expected);
}

#[test]
fn accelerations_in_motion_are_mujocos() {
    in_motion(|t| t, &MOVING);
}

#[test]
fn accelerations_in_motion_with_armature_are_mujocos() {
    in_motion(|t| t.with(|a| a.armature = 0.02), &MOVING_WITH_ARMATURE);
}

//! Mechanisms whose accelerations are known in closed form.

use crate::{apart, of};
use linkwork::assemble::{set_joint_coordinates, set_joint_velocities};
use linkwork::dynamics::accelerations;
use linkwork::math::{MassProperties, Pose, Twist, Vec3, Wrench, exp};
use linkwork::model::{
    BodyDef, BodyId, Coupling, Drive, JointDef, JointId, Model, ModelBuilder, Tendon,
};
use linkwork::{Control, State};
use std::sync::Arc;

const G: f64 = 9.81;
/// Length of the first link of the double pendulum; its centre of mass and that of the second from their hinges, m.
const L1: f64 = 0.5;
const C1: f64 = 0.2;
const C2: f64 = 0.3;
const M1: f64 = 1.3;
const M2: f64 = 0.7;
const I1: f64 = 0.02;
const I2: f64 = 0.03;
const SHOULDER: JointId = JointId(0);
const ELBOW: JointId = JointId(1);

/// Gravity and other loads on the hinges of a double pendulum.
#[derive(Clone, Copy, Default)]
struct Acting {
    armature: [f64; 2],
    /// Stiffness, rest and damping at the elbow.
    spring: [f64; 3],
    /// Armature, stiffness and damping along q₁ + 2 q₂.
    tendon: [f64; 3],
    /// Gains, target and effort limit of a servo at the shoulder.
    servo: Option<[f64; 4]>,
}

fn double_pendulum(acting: Acting) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let rod = |mass, inertia| MassProperties::principal(mass, Vec3::new(inertia, inertia, 1e-3));
    let first = b.add_body(BodyDef::new("first", rod(M1, I1)).at(0.0, 0.0, -C1));
    let second = b.add_body(BodyDef::new("second", rod(M2, I2)).at(0.0, 0.0, -L1 - C2));
    let hinge = |j: JointDef, z: f64| j.anchor(0.0, 0.0, z).axis(0.0, 1.0, 0.0);
    let mut shoulder = hinge(JointDef::revolute("shoulder", None, first), 0.0);
    if let Some([stiffness, damping, _, limit]) = acting.servo {
        let effort_limit = Some(limit);
        let drive = Drive {
            stiffness,
            damping,
            effort_limit,
        };
        shoulder = shoulder.drive_of(0, drive);
    }
    b.add_joint(shoulder.armature(acting.armature[0]));
    let [stiffness, rest, damping] = acting.spring;
    let elbow = hinge(JointDef::revolute("elbow", first, second), -L1);
    let elbow = elbow.spring(stiffness, rest, damping);
    b.add_joint(elbow.armature(acting.armature[1]));
    let tendon = Tendon::new("tendon", &[(SHOULDER, 0, 1.0), (ELBOW, 0, 2.0)]);
    let [armature, stiffness, damping] = acting.tendon;
    let tendon = tendon.spring(stiffness, 0.0, damping);
    b.add_tendon(tendon.with(|a| a.armature = armature));
    b.build().unwrap()
}

/// q̈ by Lagrange, in the angles from the vertical θ₁ = q₁, θ₂ = q₁ + q₂ and their torques Q.
fn lagrange(q: [f64; 2], rates: [f64; 2], acting: Acting) -> [f64; 2] {
    let (t1, t2) = (q[0], q[0] + q[1]);
    let (w1, w2) = (rates[0], rates[0] + rates[1]);
    let (s, c) = (t1 - t2).sin_cos();
    let cross = M2 * L1 * C2;
    let mut m = [
        [I1 + M1 * C1 * C1 + M2 * L1 * L1, cross * c],
        [cross * c, I2 + M2 * C2 * C2],
    ];
    let mut f = [
        -cross * s * w2 * w2 - (M1 * C1 + M2 * L1) * G * t1.sin(),
        cross * s * w1 * w1 - M2 * G * C2 * t2.sin(),
    ];
    // Along x = a θ₁ + b θ₂: an inertia times ẍ, and a force.
    let mut along = |[a, b]: [f64; 2], inertia: f64, force: f64| {
        let row = [a, b];
        for i in 0..2 {
            f[i] += row[i] * force;
            for j in 0..2 {
                m[i][j] += inertia * row[i] * row[j];
            }
        }
    };
    let [kp, kd, target, limit] = acting.servo.unwrap_or_default();
    let servo = (kp * (target - q[0]) - kd * rates[0]).clamp(-limit, limit);
    along([1.0, 0.0], acting.armature[0], servo);
    let [k, rest, d] = acting.spring;
    let spring = k * (rest - q[1]) - d * rates[1];
    along([-1.0, 1.0], acting.armature[1], spring);
    let [armature, k, d] = acting.tendon;
    let length = [q, rates].map(|[first, second]| first + 2.0 * second);
    along([-1.0, 2.0], armature, -k * length[0] - d * length[1]);
    let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    let a1 = (m[1][1] * f[0] - m[0][1] * f[1]) / det;
    let a2 = (m[0][0] * f[1] - m[1][0] * f[0]) / det;
    [a1, a2 - a1]
}

fn posed(model: &Model, q: [f64; 2], rates: [f64; 2]) -> State {
    let mut state = model.initial_state();
    for (joint, at) in [(SHOULDER, 0), (ELBOW, 1)] {
        set_joint_coordinates(model, &mut state, joint, &[q[at]]).unwrap();
    }
    for (joint, at) in [(SHOULDER, 0), (ELBOW, 1)] {
        set_joint_velocities(model, &mut state, joint, &[rates[at]]).unwrap();
    }
    state
}

#[test]
fn a_double_pendulum_accelerates_as_lagrange_says() {
    let servo = |limit| Some([40.0, 3.0, 0.9, limit]);
    let all = Acting {
        armature: [0.04, 0.15],
        spring: [6.0, 0.3, 0.8],
        tendon: [0.02, 3.0, 0.5],
        servo: servo(1e3),
    };
    let saturated = Acting {
        servo: servo(2.0),
        ..all
    };
    for acting in [Acting::default(), all, saturated] {
        let model = double_pendulum(acting);
        let mut control = Control::new(&model);
        control.target(&model, SHOULDER, 0.9);
        for (q, rates) in [
            ([0.4, -1.1], [2.0, -3.0]),
            ([2.9, 0.6], [-7.0, 11.0]),
            ([-1.0, 2.0], [0.0, 0.0]),
        ] {
            let state = posed(&model, q, rates);
            let found = accelerations(&model, &state, &control).unwrap();
            let expected = lagrange(q, rates, acting);
            assert!(apart(&found.coordinates, &expected) < 1e-12);
            assert!((found.tendons[0] - expected[0] - 2.0 * expected[1]).abs() < 1e-10);
            assert_eq!((found.rows, found.rank), (10, 10));
            // What the shoulder carries is what makes both centres of mass accelerate.
            let momentum = M1 * found.bodies[0].linear + M2 * found.bodies[1].linear;
            let carried = momentum + Vec3::new(0.0, 0.0, (M1 + M2) * G);
            let force = found.reactions[0].force;
            assert!((force - carried).norm() < 1e-12 * carried.norm());
        }
    }
}

#[test]
fn a_free_body_turns_as_euler_says() {
    let mut b = ModelBuilder::new();
    let moments = Vec3::new(0.3, 0.5, 0.7);
    let body = BodyDef::new("body", MassProperties::principal(2.0, moments));
    let body = b.add_body(body.gravity_scale(0.5));
    let model = b.build().unwrap();
    let mut state = model.initial_state();
    let turn = exp(&Vec3::new(0.7, -1.2, 0.4));
    let spin = Vec3::new(3.0, -5.0, 8.0);
    state.poses[0].rotation = turn;
    state.twists[0] = Twist::new(Vec3::new(1.0, 2.0, 3.0), turn * spin);
    let (force, torque) = (Vec3::new(4.0, 0.0, -2.0), Vec3::new(0.1, -0.2, 0.3));
    let mut control = Control::new(&model);
    control.wrench(body, Wrench::new(force, turn * torque));

    let found = accelerations(&model, &state, &control).unwrap();
    let [x, y, z] = [spin.x, spin.y, spin.z];
    let euler = Vec3::new(
        (torque.x + (moments.y - moments.z) * y * z) / moments.x,
        (torque.y + (moments.z - moments.x) * z * x) / moments.y,
        (torque.z + (moments.x - moments.y) * x * y) / moments.z,
    );
    let a = &found.bodies[0];
    assert!((turn.inverse() * a.angular - euler).norm() < 1e-13 * euler.norm());
    assert!((a.linear - force / 2.0 - 0.5 * model.gravity()).norm() < 1e-14);
    assert_eq!((found.rows, found.rank, found.residual), (0, 0, 0.0));
}

/// Two wheels in space, the second led by the first through y = x + 0.3 x² − 0.2 x³:
/// (I₁ + I₂ f′²) ẍ + I₂ f′ f″ ẋ² = τ₁ + f′ τ₂, and the cam pushes its follower with I₂ ÿ − τ₂.
#[test]
fn wheels_on_a_cam_accelerate_as_its_curvature_says() {
    let (i1, i2) = (0.4, 0.9);
    let mut b = ModelBuilder::new();
    b.gravity(Vec3::zeros());
    let mut wheel = |name: &str, x: f64, inertia: f64| {
        let solid = MassProperties::principal(1.0, Vec3::new(1.0, 1.0, inertia));
        let body = b.add_body(BodyDef::new(name, solid).at(x, 0.0, 0.0));
        b.add_joint(JointDef::revolute(name, None, body).anchor(x, 0.0, 0.0))
    };
    let (leader, follower) = (wheel("leader", 0.0, i1), wheel("follower", 1.0, i2));
    let cam = Coupling::polynomial(
        "cam",
        follower,
        leader,
        (0.0, 0.0),
        [0.0, 1.0, 0.3, -0.2, 0.0],
    );
    b.add_coupling(cam);
    let model = b.build().unwrap();

    let (x, rate) = (0.7f64, 5.0);
    let y = x + 0.3 * x * x - 0.2 * x.powi(3);
    let (slope, curvature) = (1.0 + 0.6 * x - 0.6 * x * x, 0.6 - 1.2 * x);
    let mut state = model.initial_state();
    for (body, angle, rate) in [(0, x, rate), (1, y, slope * rate)] {
        state.poses[body].rotation = exp(&Vec3::new(0.0, 0.0, angle));
        state.twists[body].angular = Vec3::new(0.0, 0.0, rate);
    }
    state.update_coordinates(&model);
    let mut control = Control::new(&model);
    control
        .force(&model, leader, 0.5)
        .force(&model, follower, -1.5);
    let found = accelerations(&model, &state, &control).unwrap();

    let force = 0.5 - 1.5 * slope - i2 * slope * curvature * rate * rate;
    let leads = force / (i1 + i2 * slope * slope);
    let follows = slope * leads + curvature * rate * rate;
    assert!(apart(&found.coordinates, &[leads, follows]) < 1e-13);
    assert!((found.couplings[0] - (i2 * follows + 1.5)).abs() < 1e-12);
    assert!(found.velocity_error < 1e-14 && found.position_error < 1e-14);
}

/// A point of a body that spins steadily is pulled to the axis.
#[test]
fn points_of_a_body_accelerate_with_it() {
    let model = double_pendulum(Acting::default());
    let state = posed(&model, [0.4, -1.1], [2.0, -3.0]);
    let found = of(&model, &state);
    let point = |body: BodyId, z: f64| {
        let i = body.index();
        let arm = state.poses[i].rotation * Vec3::new(0.0, 0.0, z);
        found.bodies[i].at(&arm, &state.twists[i].angular)
    };
    // The shoulder stays where it is, and the elbow is a point of both links.
    assert!(point(BodyId(0), C1).norm() < 1e-12);
    let apart = point(BodyId(0), C1 - L1) - point(BodyId(1), C2);
    assert!(apart.norm() < 1e-12);
}

/// A rod as thin as a hair, tilted, on a ball joint: its moments span ten decades.
#[test]
fn a_thin_rod_accelerates_across_itself_and_along() {
    let (moment, thin, half) = (2.0 / 12.0, 1e-11, 0.5);
    let mut b = ModelBuilder::new();
    let rod = MassProperties::principal(2.0, Vec3::new(thin, moment, moment));
    let turn = exp(&Vec3::new(0.3, -0.8, 1.1));
    let centre = turn * Vec3::new(half, 0.0, 0.0);
    let rod = b.add_body(BodyDef::new("rod", rod).pose(Pose::new(centre, turn)));
    b.add_joint(JointDef::spherical("ball", None, rod));
    let model = b.build().unwrap();
    let mut control = Control::new(&model);
    let torque = Vec3::new(1e-9, 0.4, -0.7);
    control.wrench(rod, Wrench::new(Vec3::zeros(), turn * torque));
    let found = accelerations(&model, &model.initial_state(), &control).unwrap();
    let weight = 2.0 * (turn.inverse() * model.gravity());
    let across = moment + 2.0 * half * half;
    let moments = torque + Vec3::new(half, 0.0, 0.0).cross(&weight);
    let expected = moments.component_div(&Vec3::new(thin, across, across));
    let angular = turn.inverse() * found.bodies[0].angular;
    assert!((angular.x - expected.x).abs() < 1e-4 * expected.x);
    assert!((angular - expected).yz().norm() < 1e-12 * expected.yz().norm());
}

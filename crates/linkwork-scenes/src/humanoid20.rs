//! A humanoid of twenty hinges: lands, squats, claps, steps with its weight shifting, is pushed over
//! and struggles on the floor. Its ankles' crosses are 320 times lighter than the torso they carry.

mod body;

use super::parts::add_floor;
use super::robot::{Gait, Leg, Push, pass, ramp, track};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use body::{Body, add_body};
use linkwork::math::Vec3;
use linkwork::model::{Material, ModelBuilder};
use std::f64::consts::TAU;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "humanoid20",
    summary: "a humanoid that squats, steps, is pushed over and struggles: 100 rows on 21 bodies",
    params: &[
        Param::new("friction", 0.8, (0.0, 10.0), "friction coefficient"),
        Param::new("drop", 0.03, (0.0, 5.0), "initial height of the feet, m"),
        Param::new("speed", 0.08, (-0.5, 0.5), "speed of the gait, m/s"),
        Param::new(
            "push",
            300.0,
            (-1e4, 1e4),
            "push forward on the torso, N for 0.3 s",
        ),
    ],
    build,
};

const LEG: Leg = Leg {
    thigh: 0.32,
    shin: 0.32,
    bend: 1.0,
};
const WALK: Gait = Gait {
    frequency: 0.7,
    duty: 0.7,
    lift: 0.05,
};
/// Height of the hips above the ankles when standing, m.
const STAND: f64 = 0.61;
/// How far the hips go to either side, m. At 0.7 Hz the centre of pressure goes 2.6 times as far
/// (y − ÿ h/g with h = 0.8 m), which is from foot to foot.
const SWAY: f64 = 0.037;
/// How far the hips are ahead of the ankles, m: brings the weight over the middle of the soles.
const LEAN: f64 = 0.02;

/// Height of the hips above the ankles (m) at times (s): a squat.
const HEIGHT: [(f64, [f64; 1]); 4] = [(1.0, [STAND]), (1.7, [0.42]), (2.0, [0.42]), (2.6, [STAND])];

/// Angles of waist and neck (rad) at times (s). Some lie beyond a stop.
const SPINE: [(f64, [f64; 2]); 6] = [
    (1.0, [0.0, 0.0]),
    (2.0, [0.3, -0.5]),
    (2.8, [0.0, 1.3]),
    (4.0, [0.0, -0.6]),
    (7.5, [0.0, 0.0]),
    (8.5, [1.2, 1.3]),
];

/// Angles of a shoulder's pitch, its roll away from the body, and the elbow (rad) at times (s).
/// The hands meet in front at 1.7 s; the arms hit the sides at 3.2 s.
const ARMS: [(f64, [f64; 3]); 10] = [
    (0.6, [0.0, 0.25, -0.4]),
    (1.4, [-1.4, 0.1, -0.5]),
    (1.7, [-1.4, -0.5, -0.5]),
    (2.1, [-1.4, 0.3, -0.5]),
    (2.6, [-0.2, 0.8, -1.2]),
    (3.2, [0.1, -0.4, -0.3]),
    (3.8, [0.0, 0.25, -0.5]),
    (6.4, [0.0, 0.25, -0.5]),
    (7.2, [-1.5, 0.3, -0.2]),
    (8.5, [-2.4, 0.2, -2.4]),
];

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    let Body {
        model,
        torso,
        spine,
        arms,
        legs,
    } = add_body(b, material, p.get("drop"))?;
    let push = Push {
        body: torso,
        span: (6.5, 6.8),
        force: p.get("push") * Vec3::x(),
    };
    let speed = p.get("speed");
    let scene = Scene::new(model);
    Ok(scene.scripted(move |model, state, control| {
        let time = state.time;
        track(model, control, &spine, time, |t| pass(&SPINE, t));
        for (i, side) in [(0, 1.0), (1, -1.0)] {
            track(model, control, &arms[i], time, |t| arm_angles(t, side));
            track(model, control, &legs[i], time, |t| {
                leg_angles(t, side, speed)
            });
        }
        push.apply(control, time);
    }))
}

/// Angles of shoulder pitch, shoulder roll and elbow (rad) at `side`, +1 for the left one.
fn arm_angles(time: f64, side: f64) -> [f64; 3] {
    let [pitch, away, elbow] = pass(&ARMS, time);
    // Swung against the legs while it walks.
    let swing = 0.25 * side * walking(time) * (TAU * WALK.frequency * time).sin();
    [pitch + swing, side * away, elbow]
}

/// Angles of yaw, roll, pitch, knee, ankle pitch and ankle roll (rad) at `side`.
fn leg_angles(time: f64, side: f64, speed: f64) -> [f64; 6] {
    let walk = step(time, side, speed);
    let struggle = struggle(time, side);
    // On the floor from 7.5 s on.
    let down = ramp(time, 7.5, 8.0);
    std::array::from_fn(|i| walk[i] + down * (struggle[i] - walk[i]))
}

/// How much it walks: from 3 s to 6.2 s.
fn walking(time: f64) -> f64 {
    ramp(time, 3.0, 3.8) * (1.0 - ramp(time, 5.6, 6.2))
}

/// Steps with the weight over the foot that stands, soles and trunk level.
fn step(time: f64, side: f64, speed: f64) -> [f64; 6] {
    let walking = walking(time);
    let offset = 0.25 * (1.0 + side);
    let (ahead, lift) = WALK.foot(time, offset, walking * speed);
    // Farthest to the right in the middle of the left foot's swing.
    let middle = 0.5 * (1.0 + WALK.duty) - 0.5;
    let sway = -walking * SWAY * (TAU * (WALK.frequency * time - middle)).cos();
    let [height] = pass(&HEIGHT, time);
    let (hip, knee) = LEG.reach(ahead - LEAN, walking * lift - height);
    let roll = -sway / height;
    [0.0, roll, hip, knee, -hip - knee, -roll]
}

/// Legs drawn up and stretched in turn, as far as the stops, the feet meeting.
fn struggle(time: f64, side: f64) -> [f64; 6] {
    let beat = side * (TAU * 0.6 * time).sin();
    let swing = (TAU * 0.4 * time).cos();
    [
        0.6 * swing,
        -side * 0.4 * swing,
        -0.6 + 0.9 * beat,
        1.0 - 1.4 * beat,
        0.9 * swing,
        0.5 * beat,
    ]
}

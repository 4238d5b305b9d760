//! A small two-legged droid with a head on a neck: drops, shuffles, is pushed over, and kicks on the
//! floor.

mod body;

use super::parts::add_floor;
use super::robot::{Gait, Heading, Leg, Push, pass, ramp, track};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use body::{Body, add_body};
use linkwork::math::Vec3;
use linkwork::model::{Material, ModelBuilder};
use std::f64::consts::TAU;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "biped14",
    summary: "a two-legged droid with a head: drops, steps, is pushed over, kicks: 70 rows on 15 bodies",
    params: &[
        Param::new("friction", 0.8, (0.0, 10.0), "friction coefficient"),
        Param::new("drop", 0.1, (0.0, 5.0), "initial height of the feet, m"),
        Param::new("speed", 0.1, (-0.5, 0.5), "speed of the gait, m/s"),
        Param::new("push", 150.0, (-1e4, 1e4), "push forward, N for 0.3 s"),
    ],
    build,
};

const LEG: Leg = Leg {
    thigh: 0.15,
    shin: 0.15,
    bend: -1.0,
};
const SHUFFLE: Gait = Gait {
    frequency: 2.0,
    duty: 0.6,
    lift: 0.03,
};
/// Height of the hips above the ankles when standing, m.
const STAND: f64 = 0.26;

/// Angles of neck, nod, turn and tilt of the head (rad) at times (s). Some lie beyond a stop.
const HEAD: [(f64, [f64; 4]); 9] = [
    (0.5, [0.0, 0.0, 0.0, 0.0]),
    (1.5, [0.3, -0.3, 0.8, 0.2]),
    (2.5, [0.5, -0.6, -0.8, -0.3]),
    (3.5, [-0.3, 0.4, 0.0, 0.6]),
    (4.5, [0.2, -0.2, 1.6, 0.0]),
    (5.5, [0.0, 0.0, 0.0, 0.0]),
    (7.0, [1.0, 0.9, 0.0, 0.0]),
    (8.5, [-0.7, -0.9, -1.6, 0.7]),
    (10.0, [0.0, 0.0, 1.6, -0.7]),
];

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material::with_friction(p.get("friction"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    let Body {
        model,
        trunk,
        head,
        legs,
    } = add_body(b, material, p.get("drop"))?;
    let push = Push {
        body: trunk,
        span: (6.0, 6.3),
        force: p.get("push") * Vec3::x(),
    };
    let speed = p.get("speed");
    let scene = Scene::new(model);
    Ok(scene.scripted(move |model, state, control| {
        let time = state.time;
        let heading = Heading::of(state, trunk);
        for (joints, side) in legs.iter().zip([1.0, -1.0]) {
            track(model, control, joints, time, |t| {
                leg_angles(t, side, speed, &heading)
            });
        }
        track(model, control, &head, time, |t| pass(&HEAD, t));
        push.apply(control, time);
    }))
}

/// Angles of yaw, roll, pitch, knee and ankle (rad) of the leg at `side`, +1 for the left one.
fn leg_angles(time: f64, side: f64, speed: f64, heading: &Heading) -> [f64; 5] {
    let walk = step(time, side, speed, heading);
    let kick = kick(time, side);
    // On the floor from 6.6 s on.
    let down = ramp(time, 6.6, 7.2);
    std::array::from_fn(|i| walk[i] + down * (kick[i] - walk[i]))
}

/// Short quick steps, one foot after the other.
fn step(time: f64, side: f64, speed: f64, heading: &Heading) -> [f64; 5] {
    let walking = ramp(time, 1.0, 1.6) * (1.0 - ramp(time, 5.4, 5.8));
    let offset = 0.25 * (1.0 + side);
    let (ahead, lift) = SHUFFLE.foot(time, offset, walking * speed);
    // A foot steps to where the trunk is drifting, which catches it (Raibert 1986, ch. 2).
    let catch = 0.5 * walking * SHUFFLE.duty / SHUFFLE.frequency;
    let ahead = ahead + catch * (heading.forward - walking * speed);
    let aside = catch * heading.sideways;
    let (hip, knee) = LEG.reach(ahead, walking * lift - STAND);
    // The sole stays parallel to the trunk: its drive then holds the trunk up.
    [0.0, aside / STAND, hip, knee, -hip - knee]
}

/// Legs drawn up and thrown out in turn, feet crossing, as far as the stops.
fn kick(time: f64, side: f64) -> [f64; 5] {
    let beat = (TAU * 0.8 * time).sin();
    let swing = (TAU * 0.5 * time).cos();
    [
        0.7 * swing,
        -side * 0.5 * (0.3 + swing),
        0.4 + 1.3 * side * beat,
        -1.3 - 1.4 * side * beat,
        1.2 * beat,
    ]
}

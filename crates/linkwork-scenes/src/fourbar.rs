//! The four-bar that several scenes use: a crank-rocker.
//!
//! Crank a = 0.3, coupler b = 0.8, rocker c = 0.6, ground d = 0.8 m: a + d ≤ b + c (Grashof) with
//! the crank shortest, so the crank turns fully. The transmission angle between coupler and rocker,
//! cos μ = (b² + c² − |BD|²)/(2 b c) with |BD| in [d − a, d + a], stays in [38°, 103°]: no
//! configuration is singular.

use super::parts::rigid_motion;
use super::planar::{Point, bar, hinge_in, meet, polar};
use super::{Params, Scene};
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::{BodyId, JointDef, JointId, ModelBuilder};

const CRANK: f64 = 0.3;
const COUPLER: f64 = 0.8;
const ROCKER: f64 = 0.6;
const GROUND: f64 = 0.8;
/// Mass of every link, kg.
const MASS: f64 = 1.0;

/// Velocity gain of a driven crank, N m s/rad: the load of some 5 N m costs 1 % of the speed.
const GAIN: f64 = 100.0;

/// The hinge of the crank with a velocity servo, if the parameter `drive` requests it.
pub(super) fn drive(crank: JointDef, p: &Params) -> JointDef {
    match p.switch("drive") {
        true => crank.drive(0.0, GAIN),
        false => crank,
    }
}

/// The scene with its crank turned at the parameter `speed`, if it is driven.
pub(super) fn script(scene: Scene, crank: JointId, p: &Params) -> Scene {
    if !p.switch("drive") {
        return scene;
    }
    let speed = p.get("speed");
    scene.scripted(move |model, _, control| {
        control.velocity_target(model, crank, speed);
    })
}

/// Add the bodies `ground`, `crank`, `coupler`, `rocker` in a plane placed at `frame`, pivot A at its
/// origin and the crank at `angle` (rad), all moving as one with `twist` about the mean of their
/// centres. Returns the ground and the hinges A, B, C, D, to be added.
pub(super) fn add_fourbar(
    b: &mut ModelBuilder,
    frame: &Pose,
    angle: f64,
    twist: Twist,
) -> (BodyId, [JointDef; 4]) {
    let pivot_a = Point::zeros();
    let pivot_b = polar(CRANK, angle);
    let pivot_d = Point::new(GROUND, 0.0);
    let pivot_c = meet(&pivot_b, COUPLER, &pivot_d, ROCKER);
    let links = [
        bar("ground", MASS, &pivot_a, &pivot_d, 0),
        bar("crank", MASS, &pivot_a, &pivot_b, 1),
        bar("coupler", MASS, &pivot_b, &pivot_c, 2),
        bar("rocker", MASS, &pivot_c, &pivot_d, 1),
    ]
    .map(|link| link.placed_in(frame));
    let centre = links.iter().map(|l| l.centre()).sum::<Vec3>() / links.len() as f64;
    let [ground, crank, coupler, rocker] = links.map(|link| {
        let motion = rigid_motion(&centre, &twist, &link.centre());
        link.twist(motion).add(b)
    });
    let hinges = [
        hinge_in(frame, "A", ground, crank, &pivot_a),
        hinge_in(frame, "B", crank, coupler, &pivot_b),
        hinge_in(frame, "C", coupler, rocker, &pivot_c),
        hinge_in(frame, "D", rocker, ground, &pivot_d),
    ];
    (ground, hinges)
}

//! A four-bar that nothing holds: falls flat on the floor, or tumbles in free flight.

use super::fourbar::{add_fourbar, drive, script};
use super::parts::{GRAVITY, add_gravity_and_floor};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::ModelBuilder;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "fourbar_free",
    summary: "a four-bar that falls on a floor, or tumbles without gravity: 20 rows on 4 bodies",
    params: &[
        Param::new(
            "drive",
            0.0,
            (0.0, 1.0),
            "1: the crank turns against the ground link, 0: passive",
        ),
        Param::new(
            "speed",
            6.0,
            (-50.0, 50.0),
            "speed of the driven crank, rad/s",
        ),
        GRAVITY,
        Param::new("height", 0.4, (0.0, 100.0), "height of the ground link, m"),
        Param::new(
            "tilt",
            1.0,
            (-3.2, 3.2),
            "angle of its plane from upright, rad",
        ),
        Param::new("spin", 2.0, (-50.0, 50.0), "initial angular speed, rad/s"),
    ],
    build,
};

fn build(p: &Params) -> Result<Scene, SceneError> {
    let mut b = ModelBuilder::new();
    add_gravity_and_floor(&mut b, p.get("gravity"));
    let frame = Pose::at(-0.4, 0.0, p.get("height")).rotated(Vec3::new(-p.get("tilt"), 0.0, 0.0));
    let spin = p.get("spin") * Vec3::new(0.36, 0.48, 0.8);
    let twist = Twist::new(Vec3::new(0.2, 0.1, 0.3), spin);
    let (_, [crank, hinge_b, hinge_c, hinge_d]) = add_fourbar(&mut b, &frame, 2.0, twist);
    let [crank, ..] = [drive(crank, p), hinge_b, hinge_c, hinge_d].map(|hinge| b.add_joint(hinge));
    let scene = Scene::new(b.build()?);
    Ok(script(scene, crank, p))
}

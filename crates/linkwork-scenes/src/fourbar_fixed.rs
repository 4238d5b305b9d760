//! A four-bar bolted to the world: swings passively, or turns with its crank driven.

use super::fourbar::{add_fourbar, drive, script};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Twist};
use linkwork::model::{JointDef, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "fourbar_fixed",
    summary: "a crank-rocker four-bar fixed to the world: 26 rows on 4 bodies, passive or driven",
    params: &[
        Param::new(
            "drive",
            0.0,
            (0.0, 1.0),
            "1: the crank is driven, 0: passive",
        ),
        Param::new(
            "speed",
            6.0,
            (-50.0, 50.0),
            "speed of the driven crank, rad/s",
        ),
        Param::new(
            "angle",
            2.0,
            (-6.3, 6.3),
            "initial crank angle above the ground link, rad",
        ),
        Param::new(
            "stop",
            0.0,
            (0.0, 3.0),
            "angle to stops on both sides of the rocker's start, rad; 0: none",
        ),
    ],
    build,
};

fn build(p: &Params) -> Result<Scene, SceneError> {
    let mut b = ModelBuilder::new();
    let frame = Pose::at(-0.4, 0.0, 1.0);
    let (ground, [hinge_a, hinge_b, hinge_c, mut hinge_d]) =
        add_fourbar(&mut b, &frame, p.get("angle"), Twist::zero());
    let stop = p.get("stop");
    if stop > 0.0 {
        hinge_d = hinge_d.limits(-stop, stop);
    }
    b.add_joint(JointDef::fixed("base", None, ground).frame(frame));
    let crank = b.add_joint(drive(hinge_a, p));
    for hinge in [hinge_b, hinge_c, hinge_d] {
        b.add_joint(hinge);
    }
    let scene = Scene::new(b.build()?);
    Ok(script(scene, crank, p))
}

//! A chain of bars hanging from the world.

use super::planar::{Point, bar, hinge, polar};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::model::ModelBuilder;
use std::f64::consts::FRAC_PI_2;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "pendulum",
    summary: "a chain of n hinged bars released from an angle, with optional friction and damping",
    params: &[
        Param::new("n", 1.0, (1.0, 10_000.0), "number of bars"),
        Param::new(
            "length",
            1.0,
            (0.01, 100.0),
            "distance between the hinges of a bar, m",
        ),
        Param::new(
            "angle",
            1.0,
            (-3.2, 3.2),
            "initial angle of the chain from hanging, rad",
        ),
        Param::new(
            "friction",
            0.0,
            (0.0, 1e6),
            "dry friction of each hinge, N m",
        ),
        Param::new(
            "damping",
            0.0,
            (0.0, 1e6),
            "damping of each hinge, N m s/rad",
        ),
    ],
    build,
};

fn build(p: &Params) -> Result<Scene, SceneError> {
    let n = p.count("n");
    let step = polar(p.get("length"), p.get("angle") - FRAC_PI_2);
    let mut b = ModelBuilder::new();
    let mut at = Point::new(0.0, p.get("length") * n as f64 + 0.5);
    let mut base = None;
    for i in 0..n {
        let end = at + step;
        // Bars alternate between two layers, as in a bicycle chain.
        let body = bar(format!("bar{i}"), 1.0, &at, &end, i as i32 % 2).add(&mut b);
        b.add_joint(
            hinge(format!("hinge{i}"), base, body, &at)
                .friction(p.get("friction"))
                .damping(p.get("damping")),
        );
        base = Some(body);
        at = end;
    }
    Ok(Scene::new(b.build()?))
}

//! Dominoes along a circle; the first one is pushed.

use super::parts::{Solid, add_floor, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::{Material, ModelBuilder};
use std::f64::consts::TAU;

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "dominoes",
    summary: "n dominoes along a circle that fall one after the other",
    params: &[
        Param::new("n", 40.0, (1.0, 1000.0), "number of dominoes"),
        Param::new(
            "spacing",
            0.04,
            (0.02, 0.09),
            "distance along the circle, m",
        ),
        Param::new(
            "push",
            1.5,
            (0.0, 20.0),
            "angular velocity of the first, rad/s",
        ),
        Param::new("friction", 0.3, (0.0, 10.0), "friction coefficient"),
    ],
    build,
};

/// Half the thickness, the width and the height of a domino, m.
const HALF: [f64; 3] = [0.006, 0.025, 0.05];
/// Density, kg/m³: hard wood.
const DENSITY: f64 = 800.0;
/// Free places between the last and the first, so that the last one falls flat.
const OPEN: usize = 6;
/// Least radius of the circle, m: neighbours of few dominoes face each other, too.
const LEAST_RADIUS: f64 = 0.25;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let (n, spacing) = (p.count("n"), p.get("spacing"));
    let material = Material::with_friction(p.get("friction"));
    let radius = (spacing * (n + OPEN) as f64 / TAU).max(LEAST_RADIUS);
    let [thick, wide, high] = HALF;
    let mass = 8.0 * thick * wide * high * DENSITY;
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    for i in 0..n {
        let angle = spacing * i as f64 / radius;
        // x of a domino is the way on along the circle.
        let pose = Pose::at(radius * angle.sin(), radius * (1.0 - angle.cos()), high)
            .rotated(Vec3::new(0.0, 0.0, angle));
        let mut domino =
            Solid::new(format!("domino{i}"), mass, cuboid(thick, wide, high)).pose(pose);
        if i == 0 {
            // About its lower front edge.
            let spin = Vec3::new(0.0, p.get("push"), 0.0);
            let arm = Vec3::new(-thick, 0.0, high);
            domino = domino.twist(Twist::new(spin.cross(&arm), spin));
        }
        domino.material(material).add(&mut b);
    }
    let mut scene = Scene::new(b.build()?);
    // 1e-6 m/s is a nanometre a step.
    scene.settings.solve.tolerance = 1e-6;
    Ok(scene)
}

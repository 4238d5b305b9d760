//! Linkages in the x-z plane. Points are (x, z); angles count from x to z, so hinges have the axis
//! −y. Links lie in layers along y, one over the other, as the bars of a real linkage do.

use super::parts::{LINKS, Solid, cuboid};
use linkwork::math::{Pose, Vec3, exp, rotation_between};
use linkwork::model::{BodyId, JointDef};

/// A point (x, z) of the plane, m.
pub(super) type Point = nalgebra::Vector2<f64>;

/// Half the width of a bar, m.
const HALF_WIDTH: f64 = 0.025;
/// Half the thickness of a bar, m.
const HALF_THICKNESS: f64 = 0.012;
/// Distance between layers, m.
const LAYER: f64 = 0.026;

/// The point at `angle` (rad) and distance `radius` (m) from the origin.
pub(super) fn polar(radius: f64, angle: f64) -> Point {
    radius * Point::new(angle.cos(), angle.sin())
}

/// A point of the plane in space, in the given layer.
pub(super) fn in_space(p: &Point, layer: i32) -> Vec3 {
    Vec3::new(p.x, LAYER * f64::from(layer), p.y)
}

/// Angular velocity of a link that turns at `rate` (rad/s) from x to z.
pub(super) fn turning(rate: f64) -> Vec3 {
    -rate * Vec3::y()
}

/// Where circles about `a` and `b` meet: the point left of the way from `a` to `b`. Not finite, and
/// so refused by the model, where they do not meet.
pub(super) fn meet(a: &Point, radius_a: f64, b: &Point, radius_b: f64) -> Point {
    let d = b - a;
    let d2 = d.norm_squared();
    let along = 0.5 * (1.0 + (radius_a * radius_a - radius_b * radius_b) / d2);
    let across = (radius_a * radius_a / d2 - along * along).sqrt();
    a + along * d + across * Point::new(-d.y, d.x)
}

/// A flat bar with hinges at `from` and `to`, reaching a little beyond both.
pub(super) fn bar(
    name: impl Into<String>,
    mass: f64,
    from: &Point,
    to: &Point,
    layer: i32,
) -> Solid {
    let d = to - from;
    let angle = d.y.atan2(d.x);
    let half = 0.5 * d.norm() + HALF_WIDTH;
    Solid::new(name, mass, cuboid(half, HALF_THICKNESS, HALF_WIDTH))
        .pose(Pose::new(
            in_space(&(0.5 * (from + to)), layer),
            exp(&turning(angle)),
        ))
        .group(LINKS)
}

/// A hinge at a point of the plane.
pub(super) fn hinge(
    name: impl Into<String>,
    base: impl Into<Option<BodyId>>,
    follower: BodyId,
    at: &Point,
) -> JointDef {
    hinge_in(&Pose::identity(), name, base, follower, at)
}

/// A hinge at a point of a plane that is placed at `frame` in the world.
pub(super) fn hinge_in(
    frame: &Pose,
    name: impl Into<String>,
    base: impl Into<Option<BodyId>>,
    follower: BodyId,
    at: &Point,
) -> JointDef {
    let axis = rotation_between(&Vec3::z(), &turning(1.0));
    JointDef::revolute(name, base, follower).frame(frame.compose(&Pose::new(in_space(at, 0), axis)))
}

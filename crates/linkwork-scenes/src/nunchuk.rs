//! Two sticks on a short link, dropped on a floor or thrown in free flight.

use super::parts::{GRAVITY, LINKS, Solid, add_gravity_and_floor, rigid_motion};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Pose, Twist, Vec3, rotation_between};
use linkwork::model::{CollisionGroup, Geometry, JointDef, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "nunchuk",
    summary: "two sticks joined through a short link by ball joints: 6 rows on 3 bodies",
    params: &[
        GRAVITY,
        Param::new("height", 0.5, (0.1, 100.0), "initial height of the link, m"),
        Param::new("spin", 5.0, (-100.0, 100.0), "initial angular speed, rad/s"),
    ],
    build,
};

/// Mass of each of the three bodies, kg.
const MASS: f64 = 0.3;
/// Half the length of the link between its ball joints, m.
const HALF_LINK: f64 = 0.06;
/// Half the length of a stick's axis, m; the ball joint is at its end.
const HALF_STICK: f64 = 0.14;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let gravity = p.get("gravity");
    let mut b = ModelBuilder::new();
    add_gravity_and_floor(&mut b, gravity);
    // In free flight the sticks pass through each other, so that momenta and energy are conserved.
    let group = if gravity > 0.0 {
        CollisionGroup::default()
    } else {
        LINKS
    };
    let centre = Vec3::new(0.0, 0.0, p.get("height"));
    let spin = p.get("spin") * Vec3::new(0.48, 0.6, 0.64);
    let throw = Twist::new(Vec3::new(0.5, 0.0, 1.0), spin);
    let mut rod = |name, radius, half_length, at: Vec3, along: Vec3| {
        let geometry = Geometry::Capsule {
            radius,
            half_length,
        };
        Solid::new(name, MASS, geometry)
            .pose(Pose::new(at, rotation_between(&Vec3::z(), &along)))
            .twist(rigid_motion(&centre, &throw, &at))
            .group(group)
            .add(&mut b)
    };
    let link = rod("link", 0.01, HALF_LINK, centre, Vec3::x());
    let mut stick = |name, side: f64| {
        let anchor = centre + side * HALF_LINK * Vec3::x();
        // Both sticks lean out of line, to opposite sides: neither a stretched nor a planar start.
        let along = Vec3::new(side * 0.8, 0.36, side * 0.48);
        let body = rod(name, 0.016, HALF_STICK, anchor + HALF_STICK * along, along);
        (body, anchor)
    };
    let sticks = [stick("left", -1.0), stick("right", 1.0)];
    for (name, (body, at)) in ["left_ball", "right_ball"].into_iter().zip(sticks) {
        b.add_joint(JointDef::spherical(name, link, body).anchor(at.x, at.y, at.z));
    }
    Ok(Scene::new(b.build()?))
}

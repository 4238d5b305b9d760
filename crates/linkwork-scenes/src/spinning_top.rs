//! A heavy symmetric top on its tip.
//!
//! With spin ω₃ along the axis, moments I₃ along it and I₁ across it at the tip, it precesses
//! steadily at tilt θ where I₁ cos θ Ω² − I₃ ω₃ Ω + m g h = 0 (Goldstein, Classical Mechanics, 5.7);
//! the slow root is taken.

use super::parts::down;
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Geometry, JointDef, ModelBuilder, ShapeDef};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "spinning_top",
    summary: "a fast symmetric top on a ball joint at its tip: steady precession or nutation",
    params: &[
        Param::new(
            "spin",
            100.0,
            (-2000.0, 2000.0),
            "angular speed about its axis, rad/s",
        ),
        Param::new(
            "tilt",
            0.4,
            (0.0, 3.1),
            "angle of its axis from upright, rad",
        ),
        Param::new(
            "steady",
            1.0,
            (0.0, 1.0),
            "1: starts in steady precession, 0: released",
        ),
    ],
    build,
};

const GRAVITY: f64 = 9.81;
/// Height of the tip over the world's origin, m.
const STAND: f64 = 0.2;
/// Disc: mass (kg), radius, half thickness and height over the tip (m).
const DISC: (f64, f64, f64, f64) = (0.4, 0.06, 0.01, 0.06);
/// Stem from the tip upwards: mass (kg), radius and half length (m).
const STEM: (f64, f64, f64) = (0.05, 0.004, 0.05);

fn build(p: &Params) -> Result<Scene, SceneError> {
    let (disc, stem) = (cylinder(DISC.1, DISC.2), cylinder(STEM.1, STEM.2));
    let top = joined(
        MassProperties::solid_cylinder(DISC.0, DISC.1, DISC.2),
        DISC.3,
        MassProperties::solid_cylinder(STEM.0, STEM.1, STEM.2),
        STEM.2,
    );
    let (spin, tilt) = (p.get("spin"), p.get("tilt"));
    let pose = Pose::at(0.0, 0.0, STAND).rotated(tilt * Vec3::y());
    let axis = pose.rotation * Vec3::z();
    let precession = if p.switch("steady") {
        slow_precession(&top, spin, tilt.cos())
    } else {
        0.0
    };
    let angular = spin * axis + precession * (Vec3::z() - tilt.cos() * axis);
    let linear = angular.cross(&(top.com.z * axis));

    let mut b = ModelBuilder::new();
    b.gravity(down(GRAVITY));
    let body = b.add_body(BodyDef::new("top", top).pose(pose).twist(linear, angular));
    b.add_shape(body, ShapeDef::new(disc).pose(Pose::at(0.0, 0.0, DISC.3)));
    b.add_shape(body, ShapeDef::new(stem).pose(Pose::at(0.0, 0.0, STEM.2)));
    b.add_joint(JointDef::spherical("tip", None, body).anchor(0.0, 0.0, STAND));
    Ok(Scene::new(b.build()?))
}

fn cylinder(radius: f64, half_length: f64) -> Geometry {
    Geometry::Cylinder {
        radius,
        half_length,
    }
}

/// Two solids on the z axis, centred at heights `za` and `zb` (m), as one.
fn joined(a: MassProperties, za: f64, b: MassProperties, zb: f64) -> MassProperties {
    let mass = a.mass + b.mass;
    let across = a.mass * b.mass / mass * (za - zb).powi(2);
    let inertia = (a.inertia + b.inertia).diagonal() + Vec3::new(across, across, 0.0);
    let com = Vec3::z() * ((a.mass * za + b.mass * zb) / mass);
    MassProperties::principal(mass, inertia).with_com(com)
}

/// The slow root Ω (rad/s); 0 for a top too slow to precess steadily.
fn slow_precession(top: &MassProperties, spin: f64, cos_tilt: f64) -> f64 {
    let h = top.com.z;
    let i1 = top.inertia[(0, 0)] + top.mass * h * h;
    let l3 = top.inertia[(2, 2)] * spin;
    let torque = top.mass * GRAVITY * h;
    let discriminant = l3 * l3 - 4.0 * i1 * cos_tilt * torque;
    if discriminant < 0.0 || l3 == 0.0 {
        return 0.0;
    }
    // This form of the root keeps its digits, and its sense where cos θ = 0.
    2.0 * torque / (l3 + l3.signum() * discriminant.sqrt())
}

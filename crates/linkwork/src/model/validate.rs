//! The checks of [`ModelBuilder::build`](super::ModelBuilder::build).

mod body;
mod interface;
mod material;
mod path;
mod pictures;
mod relations;
mod sizes;

pub(super) use body::body_def;
pub(super) use interface::interface;
pub(super) use material::{material, pairs};
pub(super) use pictures::pictures;
pub(super) use relations::{couplings, tendons};
pub use sizes::{MAX_ELEMENTS, MAX_SHAPE_PARTS};
pub(super) use sizes::{shape_size, sizes};

use super::joint::Frames;
use super::{Axis, Body, BodyId, Joint, JointDef, Limits, ModelError};
use crate::joints::JointType;
use crate::math::{Pose, Vec3};
use std::collections::HashSet;

fn bad(element: String, what: &'static str, value: f64, remedy: &'static str) -> ModelError {
    ModelError::BadValue {
        element,
        what,
        value,
        remedy,
    }
}

/// Err with the value that is out of range, if there is one.
fn fits(
    element: &str,
    misfit: Option<(&'static str, f64, &'static str)>,
) -> Result<(), ModelError> {
    match misfit {
        None => Ok(()),
        Some((what, value, remedy)) => Err(bad(element.to_owned(), what, value, remedy)),
    }
}

/// Err unless `value` is finite and at least 0.
fn non_negative(element: &str, what: &'static str, value: f64) -> Result<(), ModelError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(bad(
        element.to_owned(),
        what,
        value,
        "it must be finite and not negative",
    ))
}

pub(super) fn check_gravity(gravity: &Vec3) -> Result<(), ModelError> {
    match gravity.iter().find(|g| !g.is_finite()) {
        None => Ok(()),
        Some(&g) => Err(bad(
            "gravity".into(),
            "a component",
            g,
            "it must be finite, m/s²",
        )),
    }
}

pub(super) fn unique<'a>(
    kind: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), ModelError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(ModelError::DuplicateName {
                kind,
                name: name.to_owned(),
            });
        }
    }
    Ok(())
}

pub(super) fn body_exists(element: &str, body: BodyId, bodies: usize) -> Result<(), ModelError> {
    if body.index() < bodies {
        return Ok(());
    }
    Err(ModelError::MissingReference {
        element: element.to_owned(),
        what: format!("body number {}", body.0),
    })
}

/// Places farther out than this are refused, m: a double has 1e-7 m left there, and at 1e154 m squares overflow, on which
/// decompositions do not end.
const FARTHEST: f64 = 1e9;

fn finite_pose(element: &str, what: &'static str, pose: &Pose) -> Result<(), ModelError> {
    if let Some(&far) = pose.position.iter().find(|p| p.abs() > FARTHEST) {
        let remedy = "it must lie within 1e9 m of the origin";
        return Err(bad(element.to_owned(), what, far, remedy));
    }
    if pose.is_finite() {
        return Ok(());
    }
    Err(bad(
        element.to_owned(),
        what,
        f64::NAN,
        "every component must be finite",
    ))
}

/// Whether a joint of a saved model has its coordinates right after those of the joints before it.
/// `taken` counts those, of `available` in all.
pub(super) fn joint_layout(
    joint: &Joint,
    taken: &mut usize,
    available: usize,
) -> Result<(), ModelError> {
    let have = joint.kind.coordinates().len();
    let fits =
        joint.axes.len() == have && joint.first_coordinate == *taken && *taken + have <= available;
    if !fits {
        return Err(bad(
            format!("joint '{}'", joint.name),
            "first coordinate",
            joint.first_coordinate as f64,
            "coordinates must follow those of the joint before, one axis each; save the model again",
        ));
    }
    *taken += have;
    Ok(())
}

/// Whether the initial coordinates of a saved model are finite and as many as its joints have.
pub(super) fn initial_coordinates(taken: usize, values: &[f64]) -> Result<(), ModelError> {
    if let Some(&value) = values.iter().find(|v| !v.is_finite()) {
        let element = "initial coordinates".to_owned();
        return Err(bad(element, "a value", value, "it must be finite"));
    }
    if taken != values.len() {
        return Err(bad(
            "initial coordinates".to_owned(),
            "their number",
            values.len() as f64,
            "there must be one for every joint coordinate",
        ));
    }
    Ok(())
}

pub(super) fn joint_def(def: &JointDef, bodies: &[Body]) -> Result<(), ModelError> {
    let element = format!("joint '{}'", def.name);
    body_exists(&element, def.follower, bodies.len())?;
    if let Some(base) = def.base {
        body_exists(&element, base, bodies.len())?;
        if base == def.follower {
            return Err(ModelError::SelfJoint {
                joint: def.name.clone(),
                body: bodies[base.index()].name.clone(),
            });
        }
    }
    let have = def.kind.coordinates().len();
    let asked = def
        .coordinates
        .as_ref()
        .map_or(0, Vec::len)
        .max(def.axes.len());
    if asked > have {
        return Err(ModelError::NoSuchCoordinate {
            joint: def.name.clone(),
            kind: def.kind.name(),
            have,
            asked: asked - 1,
        });
    }
    if let Some(values) = &def.coordinates
        && (values.len() != have || values.iter().any(|v| !v.is_finite()))
    {
        return Err(bad(
            element,
            "number of finite initial coordinates",
            values.iter().filter(|v| v.is_finite()).count() as f64,
            "give one finite value for every coordinate of the joint",
        ));
    }
    def.kind
        .validate()
        .map_err(|why| ModelError::BadJointType {
            joint: def.name.clone(),
            why,
        })?;
    if def.overruled {
        return Err(ModelError::FramesTwice {
            joint: def.name.clone(),
        });
    }
    match &def.frames {
        Frames::World(frame) => finite_pose(&element, "frame", frame)?,
        Frames::Each(base, follower) => {
            finite_pose(&element, "frame in the base", base)?;
            finite_pose(&element, "frame in the follower", follower)?;
        }
    }
    if let Some(axis) = def.axis {
        let length = axis.norm();
        if (length - 1.0).abs() > 1e-9 || length.is_nan() {
            return Err(bad(
                element,
                "length of the axis",
                length,
                "give a unit vector",
            ));
        }
    }
    fits(&element, def.softness.and_then(|s| s.misfit()))?;
    if let Some(limits) = &def.turn_limits {
        turn_limits(&element, def.kind.as_ref(), limits)?;
    }
    def.axes.iter().try_for_each(|a| acting(&element, a))
}

/// Limits of the whole angle of a ball joint.
fn turn_limits(element: &str, kind: &dyn JointType, limits: &Limits) -> Result<(), ModelError> {
    if kind.rotation_vector().is_none() {
        let remedy = "only spherical and free joints have one: limit the coordinates";
        let what = "greatest turn of a joint without a rotation vector";
        return Err(bad(element.to_owned(), what, limits.max, remedy));
    }
    // At 0 no axis leads back; beyond half a turn the angle decreases again.
    if !(limits.max > 0.0 && limits.max <= std::f64::consts::PI) {
        let remedy = "give an angle above 0 and up to half a turn";
        return Err(bad(element.to_owned(), "greatest turn", limits.max, remedy));
    }
    if limits.min > 0.0 || limits.min.is_nan() {
        let remedy = "a turn has no lower limit: leave it out";
        return Err(bad(element.to_owned(), "least turn", limits.min, remedy));
    }
    material::restitution(element, limits.restitution)?;
    fits(element, limits.softness.and_then(|s| s.misfit()))
}

/// What acts on a coordinate or tendon.
fn acting(element: &str, axis: &Axis) -> Result<(), ModelError> {
    if let Some(l) = &axis.limits {
        if l.min > l.max || l.min.is_nan() || l.max.is_nan() {
            return Err(bad(
                element.to_owned(),
                "lower limit minus upper limit",
                l.min - l.max,
                "the lower limit must not exceed the upper one",
            ));
        }
        material::restitution(element, l.restitution)?;
        fits(element, l.softness.and_then(|s| s.misfit()))?;
    }
    if let Some(d) = &axis.drive {
        if !d.is_rigid() {
            non_negative(element, "drive stiffness", d.stiffness)?;
        }
        non_negative(element, "drive damping", d.damping)?;
        if let Some(limit) = d.effort_limit {
            non_negative(element, "effort limit", limit)?;
            if d.is_rigid() {
                let remedy = "a rigid drive has none: give it a finite stiffness";
                return Err(bad(element.to_owned(), "effort limit", limit, remedy));
            }
        }
    }
    non_negative(element, "spring stiffness", axis.spring.stiffness)?;
    non_negative(element, "damping", axis.spring.damping)?;
    non_negative(element, "dead band of the spring", axis.spring.band)?;
    non_negative(element, "armature", axis.armature)?;
    non_negative(element, "dry friction", axis.friction)?;
    if axis.spring.rest.is_finite() {
        return Ok(());
    }
    Err(bad(
        element.to_owned(),
        "spring rest value",
        axis.spring.rest,
        "it must be finite",
    ))
}

//! From a URDF joint to the core's joint type and frames.

use super::joint::{Joint, Kind};
use crate::draft::Motion;
use crate::robot::about;
use linkwork::joints::{Planar, Prismatic, Revolute, Spherical, Universal};
use linkwork::math::{Mat3, Pose, Quat, Vec3};
use std::sync::Arc;

/// Type, joint frame in the child link (the joint's own frame, turned), and a label a coordinate;
/// `None` for joints that carry no rows.
pub(super) fn of(joint: &Joint) -> Option<(Motion, Pose, Vec<String>)> {
    let frame = Pose::identity();
    let name = &joint.name;
    let each = |ends: &[&str]| ends.iter().map(|e| format!("{name}_{e}")).collect();
    Some(match joint.kind {
        Kind::Fixed | Kind::Floating => return None,
        Kind::Hinge => {
            let along = about(&frame, &joint.axis);
            (Motion::Of(Arc::new(Revolute)), along, vec![name.clone()])
        }
        Kind::Slide => {
            let along = about(&frame, &joint.axis);
            (Motion::Of(Arc::new(Prismatic)), along, vec![name.clone()])
        }
        Kind::Planar => {
            let normal = about(&frame, &joint.axis);
            let labels = each(&["x", "y", "angle"]);
            (Motion::Of(Arc::new(Planar)), normal, labels)
        }
        Kind::Spherical => {
            let labels = each(&["rx", "ry", "rz"]);
            (Motion::Of(Arc::new(Spherical)), frame, labels)
        }
        Kind::Universal(first, second) => {
            let names = ["x", "y", "z"];
            let labels = each(&[names[first], names[second]]);
            let cross = Pose::new(Vec3::zeros(), cross(first, second));
            (Motion::Of(Arc::new(Universal)), cross, labels)
        }
    })
}

/// The rotation that takes x and y to the coordinate axes `first` and `second`.
fn cross(first: usize, second: usize) -> Quat {
    let unit = |i: usize| Vec3::from_fn(|k, _| f64::from(u8::from(k == i)));
    let (x, y) = (unit(first), unit(second));
    Quat::from_matrix(&Mat3::from_columns(&[x, y, x.cross(&y)]))
}

//! From a URDF joint to the core's joint type and frames.

use super::joint::{Joint, Kind};
use crate::robot::{about, cross};
use linkwork::joints::{JointType, Planar, Prismatic, Revolute, Spherical, Universal};
use linkwork::math::{Pose, Vec3};
use std::sync::Arc;

/// Type, joint frame in the child link (the joint's own frame, turned), and a label a coordinate;
/// `None` for joints that carry no rows.
pub(super) fn of(joint: &Joint) -> Option<(Arc<dyn JointType>, Pose, Vec<String>)> {
    let frame = Pose::identity();
    let name = &joint.name;
    let each = |ends: &[&str]| ends.iter().map(|e| format!("{name}_{e}")).collect();
    Some(match joint.kind {
        Kind::Fixed | Kind::Floating => return None,
        Kind::Hinge => {
            let turned = about(&frame, &joint.axis);
            (Arc::new(Revolute), turned, vec![name.clone()])
        }
        Kind::Slide => {
            let turned = about(&frame, &joint.axis);
            (Arc::new(Prismatic), turned, vec![name.clone()])
        }
        Kind::Planar => {
            let normal = about(&frame, &joint.axis);
            let labels = each(&["x", "y", "angle"]);
            (Arc::new(Planar), normal, labels)
        }
        Kind::Spherical => {
            let labels = each(&["rx", "ry", "rz"]);
            (Arc::new(Spherical), frame, labels)
        }
        Kind::Universal(first, second) => {
            let names = ["x", "y", "z"];
            let labels = each(&[names[first], names[second]]);
            let turned = Pose::new(Vec3::zeros(), cross(&along(first), &along(second)));
            (Arc::new(Universal), turned, labels)
        }
    })
}

/// Unit vector of a coordinate axis, 0 to 2 for x to z.
fn along(axis: usize) -> Vec3 {
    Vec3::ith(axis, 1.0)
}

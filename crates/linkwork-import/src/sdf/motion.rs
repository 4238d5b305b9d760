//! From an SDF joint to the core's joint type and frame.

use super::joint::{Joint, Kind};
use crate::robot::{about, cross};
use linkwork::joints::{
    Chain, ChainLink, Fixed, JointType, Prismatic, Revolute, Screw, Spherical, Universal,
};
use linkwork::math::{Pose, Vec3};
use linkwork::model::Axis;
use std::sync::Arc;

/// A joint type, its frame in the world, and name and forces of every coordinate.
pub(super) struct Moves {
    pub kind: Arc<dyn JointType>,
    pub frame: Pose,
    pub axes: Vec<Axis>,
    pub labels: Vec<String>,
}

/// The joint for a joint of the file; with `backwards` its child is the base. Axes are then reversed, so that
/// coordinates keep their signs. Gearboxes become no joint.
pub(super) fn of(joint: &Joint, backwards: bool) -> Option<Moves> {
    let sign = if backwards { -1.0 } else { 1.0 };
    let [first, second] = joint.axes.map(|a| a.direction * sign);
    let (frame, name) = (&joint.frame, &joint.name);
    let along = || about(frame, &(frame.rotation.inverse() * first));
    let each = |ends: &[&str]| ends.iter().map(|e| format!("{name}_{e}")).collect();
    let one = |kind: Arc<dyn JointType>| Moves {
        kind,
        frame: along(),
        axes: vec![joint.axes[0].acting],
        labels: vec![name.clone()],
    };
    Some(match joint.kind {
        Kind::Gearbox { .. } => return None,
        Kind::Fixed => Moves {
            kind: Arc::new(Fixed),
            frame: *frame,
            axes: Vec::new(),
            labels: Vec::new(),
        },
        Kind::Hinge => one(Arc::new(Revolute)),
        Kind::Slide => one(Arc::new(Prismatic)),
        Kind::Screw(pitch) => one(Arc::new(Screw { pitch })),
        Kind::Ball => Moves {
            kind: Arc::new(Spherical),
            frame: *frame,
            axes: vec![Axis::default(); 3],
            labels: each(&["rx", "ry", "rz"]),
        },
        Kind::Cross => {
            // Backwards the second axis is the one fixed in the base.
            let (x, y) = if backwards {
                (second, first)
            } else {
                (first, second)
            };
            Moves {
                kind: Arc::new(Universal),
                frame: Pose::new(frame.position, cross(&x, &y)),
                axes: in_order(joint, backwards),
                labels: ordered(each(&["1", "2"]), backwards),
            }
        }
        Kind::Hinges => {
            let hinge = |axis: &Vec3| ChainLink {
                slide: false,
                axis: frame.rotation.inverse() * axis,
                anchor: Vec3::zeros(),
                offset: 0.0,
            };
            let links = ordered(vec![hinge(&first), hinge(&second)], backwards);
            Moves {
                kind: Arc::new(Chain { links }),
                frame: *frame,
                axes: in_order(joint, backwards),
                labels: ordered(each(&["1", "2"]), backwards),
            }
        }
    })
}

fn in_order(joint: &Joint, backwards: bool) -> Vec<Axis> {
    ordered(joint.axes.map(|a| a.acting).to_vec(), backwards)
}

fn ordered<T>(mut two: Vec<T>, backwards: bool) -> Vec<T> {
    if backwards {
        two.reverse();
    }
    two
}

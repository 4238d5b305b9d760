//! Joint types as hinges and slides in series.

use linkwork::State;
use linkwork::joints::{Chain, JointType, Parameter};
use linkwork::math::{Pose, Vec3, exp};
use linkwork::model::{Joint, JointId, Model};

/// A hinge or slide, in the frame of the follower's body in the home pose.
pub(super) struct Elementary {
    pub slide: bool,
    pub axis: Vec3,
    pub anchor: Vec3,
}

/// How MJCF has a joint of the tree.
pub(super) enum Form {
    /// Hinges and slides, one a coordinate; none for a weld.
    Series(Vec<Elementary>),
    /// A slide and a hinge of which the first follows the second by this many m/rad.
    Screw(Vec<Elementary>, f64),
    /// A ball at this point of the follower's body frame.
    Ball(Vec3),
    /// No joint: a mocap body.
    Mocap,
    /// Not at all.
    None,
}

/// The form of a joint in the home pose.
pub(super) fn form(model: &Model, id: JointId, home: &State) -> Form {
    let joint = model.joint(id);
    let base = joint
        .base
        .map_or(Pose::identity(), |b| home.poses[b.index()]);
    let base = base.compose(&joint.frame_base);
    let follower = home.poses[joint.follower.index()].compose(&joint.frame_follower);
    let body = model.body_frame(home, joint.follower);
    let at = body.inverse_transform_point(&follower.position);
    let inward = |axis: Vec3| body.rotation.inverse() * axis;
    let part = |slide: bool, axis: Vec3| Elementary {
        slide,
        axis: inward(axis),
        anchor: at,
    };
    let b = |axis: Vec3| base.rotation * axis;
    let f = |axis: Vec3| follower.rotation * axis;
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    let q = home.joint_coordinates(model, id);
    match joint.kind.name() {
        "fixed" => Form::Series(Vec::new()),
        "revolute" => Form::Series(vec![part(false, f(z))]),
        "prismatic" => Form::Series(vec![part(true, f(z))]),
        "cylindrical" => Form::Series(vec![part(true, b(z)), part(false, f(z))]),
        "universal" => Form::Series(vec![part(false, b(x)), part(false, f(y))]),
        "gimbal" => {
            let middle = base.rotation * (exp(&(x * q[0])) * y);
            Form::Series(vec![
                part(false, b(x)),
                part(false, middle),
                part(false, f(z)),
            ])
        }
        "planar" => Form::Series(vec![part(true, b(x)), part(true, b(y)), part(false, f(z))]),
        "cartesian" => Form::Series([x, y, z].map(|a| part(true, b(a))).into()),
        "spherical" => Form::Ball(at),
        "free" if joint.is_moved() => Form::Mocap,
        "screw" => match joint.kind.parameters()[..] {
            [(_, Parameter::Number(pitch))] => {
                let lead = pitch / std::f64::consts::TAU;
                Form::Screw(vec![part(true, b(z)), part(false, f(z))], lead)
            }
            _ => Form::None,
        },
        "chain" => Form::Series(chain(joint, q, &base, &body)),
        _ => Form::None,
    }
}

/// The links of a chain, moved by those before them.
fn chain(joint: &Joint, q: &[f64], base: &Pose, body: &Pose) -> Vec<Elementary> {
    let Some(links) = joint.kind.links() else {
        return Vec::new();
    };
    let moved = |i: usize| match i {
        0 => *base,
        _ => {
            let before = Chain {
                links: links[..i].to_vec(),
            };
            base.compose(&before.place(&q[..i]).as_pose())
        }
    };
    let place = |i: usize| {
        let (pose, link) = (moved(i), &links[i]);
        Elementary {
            slide: link.slide,
            axis: body.rotation.inverse() * (pose.rotation * link.axis),
            anchor: body.inverse_transform_point(&pose.transform_point(&link.anchor)),
        }
    };
    (0..links.len()).map(place).collect()
}

//! Joints in series as one joint of the draft.

use super::joint::Single;
use super::orientation::upright;
use super::scene::Scene;
use crate::draft::{DraftJoint, LinkId};
use crate::{Fault, ImportError};
use linkwork::joints::{Chain, Free, JointType, Prismatic, Revolute, Spherical};
use linkwork::math::{Mat3, Pose, Quat, Vec3, exp};
use nalgebra::Rotation3;
use std::sync::Arc;

/// Slides this far from orthonormal are not the axes of a frame.
const SQUARE: f64 = 1e-9;

/// The moving body, and the joint frame in the body in the home pose and in the base as seen from the body in the home
/// pose.
struct Moving {
    kind: Arc<dyn JointType>,
    frame: Pose,
    base: Pose,
}

/// The joint that carries `link`; its base is the body above.
pub(super) fn joint(
    scene: &mut Scene<'_>,
    singles: &[Single],
    link: LinkId,
    parent: usize,
) -> Result<DraftJoint, ImportError> {
    let Moving { kind, frame, base } = moving(singles)?;
    if singles.iter().any(|s| s.ball && acts(s)) {
        let what = "damping, armature and friction of ball joints act on the rate of the rotation \
                    vector: as in MuJoCo near the home pose, somewhat differently far from it";
        scene.draft.notices.chose(&singles[0].place, what, "");
    }
    let home = scene.bodies[parent]
        .pose
        .inverse()
        .compose(&scene.draft.links[link.0].pose);
    let names: Vec<&str> = singles.iter().map(|s| s.name.as_str()).collect();
    let labels = singles.iter().flat_map(|s| {
        if s.ball {
            ["x", "y", "z"]
                .iter()
                .map(|a| format!("{}:{a}", s.name))
                .collect()
        } else {
            vec![s.name.clone()]
        }
    });
    // What is moved from outside is part of the world to MuJoCo.
    let carrier = scene.bodies[parent].weld;
    let mocap = |link| scene.mocaps.iter().any(|(_, l)| *l == link);
    let static_base = carrier == 0 || scene.link(carrier).is_some_and(mocap);
    let coordinates = singles.iter().flat_map(|s| {
        let count = if s.ball { 3 } else { 1 };
        std::iter::repeat_n(s.link.offset, count)
    });
    Ok(DraftJoint {
        name: scene.joint_name(&names.join("+")),
        place: singles[0].place.clone(),
        kind,
        base: scene.link(parent),
        follower: link,
        frame_base: home.compose(&base),
        frame_follower: frame,
        axes: singles
            .iter()
            .flat_map(|s| std::iter::repeat_n(s.axis, if s.ball { 3 } else { 1 }))
            .collect(),
        turn_limits: singles.iter().find_map(|s| s.turn_limits),
        labels: labels.collect(),
        coordinates: coordinates.collect(),
        // In MuJoCo a body does not collide with its parent unless that is part of the world.
        collide: static_base || !scene.main().switches.filter_parent,
        closure: false,
        softness: None,
    })
}

fn acts(s: &Single) -> bool {
    s.axis.spring.damping > 0.0 || s.axis.armature > 0.0 || s.axis.friction > 0.0
}

fn moving(singles: &[Single]) -> Result<Moving, ImportError> {
    let refuse = |what: &str| {
        let remedy = "put bodies between the joints";
        let place = &singles[0].place;
        Err(ImportError::new(place, Fault::Unsupported, what, remedy))
    };
    match singles {
        [one] if one.ball => Ok(of(Spherical, Pose::new(one.link.anchor, Quat::identity()))),
        [one] => Ok(along_z(one)),
        [slides @ .., ball] if ball.ball => match axes_of(slides) {
            Some(turn) => Ok(of(Free, Pose::new(ball.link.anchor, turn))),
            None => refuse("a ball joint after others than three orthogonal slides"),
        },
        many if many.iter().any(|s| s.ball) => refuse("a joint after a ball joint"),
        many if many.len() > 6 => refuse("more than six joints"),
        many => Ok(Moving {
            kind: Arc::new(Chain {
                links: many.iter().map(|s| s.link).collect(),
            }),
            frame: Pose::identity(),
            base: Pose::identity(),
        }),
    }
}

fn of(kind: impl JointType + 'static, frame: Pose) -> Moving {
    Moving {
        kind: Arc::new(kind),
        frame,
        base: frame,
    }
}

/// A hinge or slide: z of the joint frame along its axis; the base's frame is displaced by the coordinate in the home
/// pose.
fn along_z(one: &Single) -> Moving {
    let frame = Pose::new(one.link.anchor, upright(&one.link.axis));
    let (kind, back): (Arc<dyn JointType>, Pose) = if one.link.slide {
        (Arc::new(Prismatic), Pose::at(0.0, 0.0, -one.link.offset))
    } else {
        let turn = exp(&Vec3::new(0.0, 0.0, -one.link.offset));
        (Arc::new(Revolute), Pose::new(Vec3::zeros(), turn))
    };
    Moving {
        kind,
        frame,
        base: frame.compose(&back),
    }
}

/// The frame of three slides along its axes, if they are orthonormal in the home pose.
fn axes_of(slides: &[Single]) -> Option<Quat> {
    let [a, b, c] = slides else { return None };
    if slides.iter().any(|s| !s.link.slide || s.link.offset != 0.0) {
        return None;
    }
    let m = Mat3::from_columns(&[a.link.axis, b.link.axis, c.link.axis]);
    let square = (m * m.transpose() - Mat3::identity()).amax() < SQUARE && m.determinant() > 0.0;
    square.then(|| Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(m)))
}

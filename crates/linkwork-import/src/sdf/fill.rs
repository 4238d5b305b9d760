//! Links, shapes, joints and motors of the draft.

use super::geometry::Form;
use super::joint::Kind;
use super::mimic::has_one_coordinate;
use super::motion;
use super::scene::Scene;
use super::tree::{Reached, Tree};
use crate::ImportError;
use crate::draft::{Attachment, Draft, DraftAim, DraftCamera, DraftJoint, Link, LinkId};
use crate::robot::apart::in_world;
use crate::robot::{Shapes, Spot};
use linkwork::actuators::Actuator;
use linkwork::math::Twist;
use linkwork::model::{Geometry, JointId};

/// Links in tree order. Returns the id of every link of the scene.
pub(super) fn links(scene: &Scene, tree: &Tree, draft: &mut Draft) -> Vec<LinkId> {
    let mut ids = vec![LinkId(0); scene.links.len()];
    let mut next_joint = 0;
    for &(l, how) in &tree.order {
        let link = &scene.links[l];
        ids[l] = LinkId(draft.links.len());
        let (parent, attachment) = match how {
            Reached::Static => (None, Attachment::Fixed),
            Reached::Free => (None, Attachment::Free(None)),
            Reached::Joint { joint, backwards } => {
                let joint = &scene.joints[joint];
                let above = match backwards {
                    true => Some(joint.child),
                    false => joint.parent,
                };
                let attachment = match joint.kind {
                    Kind::Fixed => Attachment::Fixed,
                    _ => {
                        next_joint += 1;
                        Attachment::Joint(JointId(next_joint - 1))
                    }
                };
                (above.map(|a| ids[a]), attachment)
            }
        };
        draft.links.push(Link {
            name: link.name.clone(),
            place: link.place.clone(),
            parent,
            attachment,
            pose: link.pose,
            mass: link.mass,
            gravity_scale: f64::from(u8::from(link.heavy)),
            twist: Twist::zero(),
        });
    }
    ids
}

/// Shapes of all links.
pub(super) fn shapes(
    scene: &Scene,
    ids: &[LinkId],
    mut shapes: Shapes,
    draft: &mut Draft,
) -> Result<(), ImportError> {
    for (link, &id) in scene.links.iter().zip(ids) {
        for camera in &link.cameras {
            let mut name = camera.name.clone();
            while draft.cameras.iter().any(|c| c.name == name) {
                name.push('\'');
            }
            draft.cameras.push(DraftCamera {
                name,
                link: Some(id),
                pose: camera.pose,
                lens: camera.lens,
                aim: DraftAim::Fixed,
            });
        }
        for shape in &link.shapes {
            if !shapes.wants(shape.role) {
                continue;
            }
            let spot = Spot {
                link: id,
                fixed: in_world(draft, id),
                pose: shape.pose,
                role: shape.role,
                name: Some(shape.name.clone()),
                material: shape.material,
                filter: link.filter,
                paint: shape.paint.clone(),
                place: shape.place.clone(),
            };
            match &shape.form {
                Form::Simple(geometry) => shapes.add(spot, geometry.clone(), draft),
                Form::Plane(_) => shapes.add(spot, Geometry::HalfSpace, draft),
                Form::Mesh { uri, scale } => shapes.add_mesh(spot, uri, *scale, draft)?,
            }
        }
    }
    Ok(())
}

/// Joints of the tree, then those that close loops. Returns the id of every joint of the scene.
pub(super) fn joints(
    scene: &Scene,
    tree: &Tree,
    ids: &[LinkId],
    draft: &mut Draft,
) -> Vec<Option<JointId>> {
    let mut joint_ids = vec![None; scene.joints.len()];
    let carrying = tree.order.iter().filter_map(|(_, how)| match *how {
        Reached::Joint { joint, backwards } => Some((joint, backwards, false)),
        _ => None,
    });
    let closing = tree.closing.iter().map(|&joint| (joint, false, true));
    for (j, backwards, closure) in carrying.chain(closing) {
        let joint = &scene.joints[j];
        let ends = [joint.parent, Some(joint.child)];
        if !closure && joint.kind == Kind::Fixed {
            continue;
        }
        if ends
            .iter()
            .all(|e| e.is_none_or(|l| in_world(draft, ids[l])))
        {
            let what = "a joint between parts of the world has no effect";
            draft.notices.ignored(&joint.place, what);
            continue;
        }
        let Some(moves) = motion::of(joint, backwards) else {
            continue;
        };
        let [base, follower] = match backwards {
            true => [Some(joint.child), joint.parent],
            false => ends,
        };
        let frame_in = |link: Option<usize>| match link {
            Some(l) => scene.links[l].pose.inverse().compose(&moves.frame),
            None => moves.frame,
        };
        let Some(end) = follower else { continue };
        joint_ids[j] = Some(JointId(draft.joints.len() as u32));
        draft.joints.push(DraftJoint {
            name: joint.name.clone(),
            place: joint.place.clone(),
            base: base.map(|l| ids[l]),
            follower: ids[end],
            frame_base: frame_in(base),
            frame_follower: frame_in(follower),
            coordinates: vec![0.0; moves.labels.len()],
            kind: moves.kind,
            axes: moves.axes,
            labels: moves.labels,
            collide: false,
            closure,
            turn_limits: None,
            softness: None,
        });
    }
    joint_ids
}

/// A motor on every hinge, slide and screw that does not follow another joint, in the order of the file.
pub(super) fn motors(scene: &Scene, ids: &[Option<JointId>], draft: &mut Draft) {
    for (joint, id) in scene.joints.iter().zip(ids) {
        let follows = joint.mimic.is_some() || !has_one_coordinate(joint);
        let Some(id) = id.filter(|_| !follows) else {
            continue;
        };
        draft.actuators.push(Actuator {
            force_range: joint.axes[0].effort.map(|e| [-e, e]),
            ..Actuator::motor(&joint.name, id)
        });
    }
}

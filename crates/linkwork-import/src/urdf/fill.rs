//! Links, joints and motors of the draft.

use super::Skeleton;
use super::bridge::chain;
use super::geometry::Form;
use super::joint::{Joint, Kind};
use super::loops::Loops;
use super::motion;
use super::robot::Robot;
use crate::draft::{Attachment, Draft, DraftJoint, Filter, Link, LinkId};
use crate::robot::{Shapes, Spot};
use crate::{Fault, ImportError};
use linkwork::actuators::{Actuator, Transmission};
use linkwork::joints::Chain;
use linkwork::math::{Pose, Twist};
use linkwork::model::{Axis, JointId, Material};
use std::sync::Arc;

/// Links in tree order, with their shapes. Returns the id of every link of the file.
pub(super) fn links(
    skeleton: &Skeleton,
    floating: bool,
    shapes: &mut Shapes,
    draft: &mut Draft,
) -> Result<Vec<LinkId>, ImportError> {
    let Skeleton {
        robot,
        tree,
        bridges,
        ..
    } = *skeleton;
    let mut ids = vec![LinkId(0); robot.links.len()];
    let mut in_world = vec![false; robot.links.len()];
    let mut next_joint = 0;
    for &l in &tree.order {
        let link = &robot.links[l];
        let id = LinkId(draft.links.len());
        ids[l] = id;
        let (parent, attachment, pose) = match tree.joint_above[l] {
            None => {
                let free = floating && !is_world(robot, l, draft);
                let attachment = if free {
                    Attachment::Free(None)
                } else {
                    Attachment::Fixed
                };
                in_world[l] = !free;
                (None, attachment, Pose::identity())
            }
            Some(j) => {
                let joint = &robot.joints[j];
                let above = ids[tree.parent[j]];
                let fixed = joint.kind == Kind::Fixed || bridges.passes(l);
                in_world[l] = fixed && in_world[tree.parent[j]];
                let attachment = match joint.kind {
                    Kind::Fixed => Attachment::Fixed,
                    _ if bridges.passes(l) => Attachment::Fixed,
                    Kind::Floating => Attachment::Free(Some(joint.name.clone())),
                    _ => {
                        next_joint += 1;
                        Attachment::Joint(JointId(next_joint - 1))
                    }
                };
                let pose = draft.links[above.0].pose.compose(&joint.origin);
                (Some(above), attachment, pose)
            }
        };
        draft.links.push(Link {
            name: link.name.clone(),
            place: link.place.clone(),
            parent,
            attachment,
            pose,
            mass: link.mass,
            gravity_scale: 1.0,
            twist: Twist::zero(),
        });
        add_shapes(robot, l, id, in_world[l], shapes, draft)?;
    }
    Ok(ids)
}

/// Whether the root represents the world: it has that name and no mass.
fn is_world(robot: &Robot, root: usize, draft: &mut Draft) -> bool {
    let link = &robot.links[root];
    let world = link.name == "world" && link.mass.mass == 0.0;
    if world {
        let what = "the root link 'world' is the world and does not float";
        let remedy = "use a floating joint below it";
        draft.notices.warn(&link.place, what, remedy);
    }
    world
}

fn add_shapes(
    robot: &Robot,
    l: usize,
    id: LinkId,
    fixed: bool,
    shapes: &mut Shapes,
    draft: &mut Draft,
) -> Result<(), ImportError> {
    let link = &robot.links[l];
    for shape in &link.shapes {
        if !shapes.wants(shape.role) {
            continue;
        }
        let spot = Spot {
            link: id,
            fixed,
            pose: shape.origin,
            role: shape.role,
            name: shape.name.clone(),
            material: Material::default(),
            filter: Filter::default(),
            paint: shape.paint.clone(),
            place: shape.place.clone(),
        };
        match &shape.form {
            Form::Simple(geometry) => shapes.add(spot, geometry.clone(), draft),
            Form::Mesh { uri, scale } => shapes.add_mesh(spot, uri, *scale, draft)?,
        }
    }
    Ok(())
}

/// The draft's joint and coordinate of a joint of the file, if it has any.
pub(super) type Coordinate = Option<(JointId, usize)>;

/// Joints in tree order. Returns where each joint of the file is.
pub(super) fn joints(skeleton: &Skeleton, ids: &[LinkId], draft: &mut Draft) -> Vec<Coordinate> {
    let Skeleton {
        robot,
        tree,
        bridges,
        homes,
    } = *skeleton;
    let mut joint_ids = vec![None; robot.joints.len()];
    for &l in &tree.order {
        let Some(j) = tree.joint_above[l].filter(|_| !bridges.passes(l)) else {
            continue;
        };
        let joint = &robot.joints[j];
        let Some((kind, frame, labels)) = motion::of(joint) else {
            continue;
        };
        let id = JointId(draft.joints.len() as u32);
        let (course, base) = bridges.course(robot, tree, l);
        let one = DraftJoint {
            name: joint.name.clone(),
            place: joint.place.clone(),
            kind,
            base: Some(ids[base]),
            follower: ids[l],
            frame_base: joint.origin.compose(&frame),
            frame_follower: frame,
            coordinates: vec![0.0; labels.len()],
            axes: axes_of(joint, labels.len()),
            labels,
            collide: false,
            closure: false,
            turn_limits: None,
            softness: None,
        };
        if let [_] = course[..] {
            joint_ids[j] = Some((id, 0));
            draft.joints.push(one);
            continue;
        }
        let mut series = series(skeleton, &course, &homes[l], id, &mut joint_ids);
        series.coordinates = vec![0.0; series.labels.len()];
        draft.joints.push(DraftJoint {
            base: one.base,
            follower: one.follower,
            frame_base: homes[base].inverse().compose(&homes[l]),
            frame_follower: Pose::identity(),
            ..series
        });
    }
    joint_ids
}

/// What acts on the coordinates of a joint.
fn axes_of(joint: &Joint, count: usize) -> Vec<Axis> {
    let mut axes = vec![Axis::default(); count];
    if joint.kind.is_single() {
        axes[0] = joint.acting;
    }
    axes
}

/// Joints in series as one with index `id`, whose frame is at `frame` in the home pose; links and frames remain to be
/// set. The index of each is added to `found`.
pub(super) fn series(
    skeleton: &Skeleton,
    course: &[usize],
    frame: &Pose,
    id: JointId,
    found: &mut [Coordinate],
) -> DraftJoint {
    let Skeleton { robot, homes, .. } = *skeleton;
    let (mut axes, mut labels, mut names) = (Vec::new(), Vec::new(), Vec::new());
    for &j in course {
        let joint = &robot.joints[j];
        let Some((_, _, own)) = motion::of(joint) else {
            continue;
        };
        found[j] = Some((id, labels.len()));
        axes.extend(axes_of(joint, own.len()));
        labels.extend(own);
        names.push(joint.name.as_str());
    }
    let homes = course.iter().map(|&j| {
        let child = robot.link(&robot.joints[j].child);
        (&robot.joints[j], child.map_or(*frame, |l| homes[l]))
    });
    DraftJoint {
        name: names.join("+"),
        place: robot.joints[course[0]].place.clone(),
        kind: Arc::new(Chain {
            links: chain(homes, frame),
        }),
        base: None,
        follower: LinkId(0),
        frame_base: Pose::identity(),
        frame_follower: Pose::identity(),
        coordinates: Vec::new(),
        axes,
        labels,
        collide: false,
        closure: false,
        turn_limits: None,
        softness: None,
    }
}

/// A motor on every joint with one coordinate that does not follow another, or on those named in the loops file; in the
/// order of the file.
pub(super) fn motors(
    robot: &Robot,
    loops: &Loops,
    ids: &[Coordinate],
    draft: &mut Draft,
) -> Result<(), ImportError> {
    if let Some(named) = &loops.motors {
        for (name, place) in named {
            let driven = robot.joint(name).filter(|&j| ids[j].is_some());
            if driven.is_none_or(|j| !robot.joints[j].kind.is_single()) {
                let what = format!("motor '{name}' is not a joint of one coordinate");
                let remedy = robot.suggest_joint(name);
                return Err(ImportError::new(place, Fault::Unresolved, what, remedy));
            }
        }
    }
    for (joint, id) in robot.joints.iter().zip(ids) {
        let Some((id, coordinate)) = id.filter(|_| joint.kind.is_single()) else {
            continue;
        };
        let driven = match &loops.motors {
            Some(named) => named.iter().any(|(name, _)| *name == joint.name),
            None => joint.mimic.is_none(),
        };
        if !driven {
            continue;
        }
        let transmission = Transmission::Coordinate {
            joint: id,
            coordinate,
            gear: 1.0,
        };
        draft.actuators.push(Actuator {
            force_range: joint.effort.map(|e| [-e, e]),
            ..Actuator::on(&joint.name, transmission)
        });
    }
    Ok(())
}

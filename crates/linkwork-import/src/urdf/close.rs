//! Closures of loops in the draft.

use super::Skeleton;
use super::fill::{Coordinate, series};
use super::loops::{Closure, Loops};
use crate::ImportError;
use crate::draft::{Draft, DraftJoint, LinkId};
use linkwork::model::{Axis, JointId};

/// One joint per closure.
pub(super) fn loops(
    loops: &Loops,
    skeleton: &Skeleton,
    ids: &[LinkId],
    found: &mut [Coordinate],
    draft: &mut Draft,
) -> Result<(), ImportError> {
    let Skeleton { robot, bridges, .. } = *skeleton;
    for (closure, bridged) in loops.closures.iter().zip(&bridges.closing) {
        let [a, b] = &closure.sides;
        if let Some(side) = *bridged {
            let joint = at_chain(closure, side, skeleton, ids, found, draft.joints.len())?;
            draft.joints.push(joint);
            continue;
        }
        let coordinates = closure.kind.coordinates();
        let labels = coordinates
            .iter()
            .map(|(label, _)| format!("{} {label}", closure.name))
            .collect();
        draft.joints.push(DraftJoint {
            name: closure.name.clone(),
            place: closure.place.clone(),
            kind: closure.kind.clone(),
            base: Some(ids[a.link(robot)?]),
            follower: ids[b.link(robot)?],
            frame_base: a.pose,
            frame_follower: b.pose,
            axes: vec![Axis::default(); coordinates.len()],
            labels,
            // If the loop is open in the home pose, the coordinates are measured there.
            coordinates: Vec::new(),
            collide: false,
            closure: true,
            turn_limits: None,
            softness: None,
        });
    }
    Ok(())
}

/// A closure that welds the end of joints in series: they close the loop.
fn at_chain(
    closure: &Closure,
    side: usize,
    skeleton: &Skeleton,
    ids: &[LinkId],
    found: &mut [Coordinate],
    number: usize,
) -> Result<DraftJoint, ImportError> {
    let Skeleton {
        robot,
        tree,
        bridges,
        homes,
    } = *skeleton;
    let (own, other) = (&closure.sides[side], &closure.sides[1 - side]);
    let end = own.link(robot)?;
    let frame = homes[end].compose(&own.pose);
    let (course, base) = bridges.closure_course(robot, tree, end);
    let series = series(skeleton, &course, &frame, JointId(number as u32), found);
    Ok(DraftJoint {
        name: closure.name.clone(),
        place: closure.place.clone(),
        base: Some(ids[base]),
        follower: ids[other.link(robot)?],
        frame_base: homes[base].inverse().compose(&frame),
        frame_follower: other.pose,
        closure: true,
        ..series
    })
}

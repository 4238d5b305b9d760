//! Closures of loops in the draft.

use super::loops::Loops;
use super::robot::Robot;
use crate::ImportError;
use crate::draft::{Draft, DraftJoint, LinkId, Motion};
use linkwork::model::Axis;

/// One joint for every closure.
pub(super) fn loops(
    loops: &Loops,
    robot: &Robot,
    ids: &[LinkId],
    draft: &mut Draft,
) -> Result<(), ImportError> {
    for closure in &loops.closures {
        let [a, b] = &closure.sides;
        let coordinates = closure.kind.coordinates();
        let labels = coordinates
            .iter()
            .map(|(label, _)| format!("{} {label}", closure.name))
            .collect();
        draft.joints.push(DraftJoint {
            name: closure.name.clone(),
            place: closure.place.clone(),
            motion: Motion::Of(closure.kind.clone()),
            base: Some(ids[a.link(robot)?]),
            follower: ids[b.link(robot)?],
            frame_base: a.pose,
            frame_follower: b.pose,
            axes: vec![Axis::default(); coordinates.len()],
            labels,
            // Where the loop is open at home, the coordinates are what they are.
            coordinates: Vec::new(),
            collide: false,
            closure: true,
            softness: None,
        });
    }
    Ok(())
}

//! `<mimic>`: joints that follow others.

use super::fill::Coordinate;
use super::robot::Robot;
use crate::draft::Draft;
use crate::{Fault, ImportError};
use linkwork::model::Coupling;

/// One coupling per joint that mimics another.
pub(super) fn mimics(
    robot: &Robot,
    ids: &[Coordinate],
    draft: &mut Draft,
) -> Result<(), ImportError> {
    no_circle(robot)?;
    for (joint, id) in robot.joints.iter().zip(ids) {
        let Some(mimic) = &joint.mimic else { continue };
        let leader = robot.joint(&mimic.joint).ok_or_else(|| {
            let what = format!("there is no joint '{}' to mimic", mimic.joint);
            let remedy = robot.suggest_joint(&mimic.joint);
            ImportError::new(&mimic.place, Fault::Unresolved, what, remedy)
        })?;
        let Some((follower, coordinate)) = *id else {
            let what = "<mimic> of a joint that is fixed has no effect";
            draft.notices.ignored(&mimic.place, what);
            continue;
        };
        let mut terms = vec![(follower, coordinate, 1.0)];
        match ids[leader] {
            Some((leads, at)) if robot.joints[leader].kind.is_single() => {
                // A multiplier of 0 leaves the follower held at the offset.
                if mimic.multiplier != 0.0 {
                    terms.push((leads, at, -mimic.multiplier));
                }
            }
            Some(_) => {
                let what = format!("'{}' has more than one coordinate", mimic.joint);
                let remedy = "mimic a revolute, continuous or prismatic joint";
                return Err(ImportError::new(
                    &mimic.place,
                    Fault::Unsupported,
                    what,
                    remedy,
                ));
            }
            None => {
                let what = format!("mimics '{}', which does not move", mimic.joint);
                let remedy = "it is held at the offset";
                draft.notices.warn(&mimic.place, what, remedy);
            }
        }
        if mimic.offset != 0.0 {
            let what = format!(
                "the offset {} is not met where all joints are at 0",
                mimic.offset
            );
            let remedy = "assemble the mechanism before it is simulated";
            draft.notices.warn(&mimic.place, what, remedy);
        }
        let name = format!("{} mimics {}", joint.name, mimic.joint);
        let coupling = Coupling::new(name, &terms, mimic.offset);
        draft.couplings.push(coupling);
    }
    Ok(())
}

/// Refuses joints that mimic each other in a cycle, which would lock them all.
fn no_circle(robot: &Robot) -> Result<(), ImportError> {
    // The start of the traversal that passed here, so that no chain is traversed twice.
    let mut walked: Vec<Option<usize>> = vec![None; robot.joints.len()];
    for start in 0..robot.joints.len() {
        let mut at = start;
        while walked[at].is_none() {
            walked[at] = Some(start);
            let Some(mimic) = &robot.joints[at].mimic else {
                break;
            };
            let Some(next) = robot.joint(&mimic.joint) else {
                break;
            };
            if walked[next] == Some(start) {
                let what = format!("joint '{}' mimics itself", robot.joints[next].name);
                let remedy = "remove one <mimic> of the cycle";
                return Err(ImportError::new(&mimic.place, Fault::Cycle, what, remedy));
            }
            at = next;
        }
    }
    Ok(())
}

//! Massless links.
//!
//! Those on fixed joints are lumped with their parent by the draft. A moving one at the end of the tree carries nothing
//! and has no effect, so its joint is fixed, with a notice. Those between joints are treated by `bridge` and `lend`.

use super::joint::Kind;
use super::loops::Loops;
use super::robot::Robot;
use super::tree::Tree;
use crate::Notices;

/// Fix massless ends of the tree on which no closure pulls.
pub(super) fn fix_leaves(robot: &mut Robot, tree: &Tree, loops: &Loops, notices: &mut Notices) {
    // For every link whether something with a mass, a joint or a closure is rigidly attached to it.
    let mut loaded: Vec<bool> = robot.links.iter().map(|l| l.mass.mass > 0.0).collect();
    for name in loops.frames() {
        if let Some(link) = Loops::link_of(robot, name) {
            loaded[link] = true;
        }
    }
    for &link in tree.order.iter().rev() {
        let Some(j) = tree.joint_above[link] else {
            continue;
        };
        let joint = &mut robot.joints[j];
        if joint.kind != Kind::Fixed && !loaded[link] {
            let what = format!(
                "'{}' moves but has no mass and carries nothing: joint '{}' is fixed",
                joint.child, joint.name
            );
            notices.warn(&joint.place, what, "give it an <inertial> to let it move");
            joint.kind = Kind::Fixed;
        }
        let moves = joint.kind != Kind::Fixed;
        loaded[tree.parent[j]] |= moves || loaded[link];
    }
}

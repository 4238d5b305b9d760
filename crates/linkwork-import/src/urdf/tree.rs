//! Links in an order in which each follows its parent.

use super::robot::Robot;
use crate::{Fault, ImportError};
use linkwork::math::Pose;

/// The tree of a robot.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// Links by their position in the file, the root first, each after its parent.
    pub order: Vec<usize>,
    /// For every link of the file the joint that carries it; none for the root.
    pub joint_above: Vec<Option<usize>>,
    /// For every joint of the file its parent link.
    pub parent: Vec<usize>,
}

impl Tree {
    /// Finds the root and the order, or the reason why this is not a tree.
    pub fn of(robot: &Robot) -> Result<Self, ImportError> {
        let mut joint_above: Vec<Option<usize>> = vec![None; robot.links.len()];
        let mut joints_below: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
        let mut parent = Vec::with_capacity(robot.joints.len());
        let mut child = Vec::with_capacity(robot.joints.len());
        for (j, joint) in robot.joints.iter().enumerate() {
            let end = |name: &str| {
                robot.link(name).ok_or_else(|| {
                    let what = format!("there is no link '{name}'");
                    let remedy = robot.suggest_link(name);
                    ImportError::new(&joint.place, Fault::Unresolved, what, remedy)
                })
            };
            let (above, below) = (end(&joint.parent)?, end(&joint.child)?);
            if let Some(other) = joint_above[below].replace(j) {
                let what = format!(
                    "link '{}' is the child of two joints, '{}' and '{}'",
                    joint.child, robot.joints[other].name, joint.name
                );
                let remedy =
                    "a URDF is a tree: remove one and close the loop in a *.loops.yaml file";
                return Err(ImportError::new(
                    &joint.place,
                    Fault::Mechanism,
                    what,
                    remedy,
                ));
            }
            joints_below[above].push(j);
            parent.push(above);
            child.push(below);
        }
        let mut order = vec![root(robot, &joint_above)?];
        let mut next = 0;
        while let Some(&link) = order.get(next) {
            order.extend(joints_below[link].iter().map(|&j| child[j]));
            next += 1;
        }
        if order.len() < robot.links.len() {
            // One root, every other link below a joint, and yet not reached: they form a cycle.
            let mut reached = vec![false; robot.links.len()];
            order.iter().for_each(|&l| reached[l] = true);
            let lost = reached.iter().position(|r| !r);
            let link = &robot.links[lost.unwrap_or_default()];
            let what = format!(
                "link '{}' is below itself: its joints form a cycle",
                link.name
            );
            let remedy = "turn one of them round, or close the loop in a *.loops.yaml file";
            return Err(ImportError::new(&link.place, Fault::Cycle, what, remedy));
        }
        Ok(Self {
            order,
            joint_above,
            parent,
        })
    }

    /// Pose of every link in the root's frame, all coordinates at 0.
    pub fn homes(&self, robot: &Robot) -> Vec<Pose> {
        let mut homes = vec![Pose::identity(); robot.links.len()];
        for &l in &self.order {
            if let Some(j) = self.joint_above[l] {
                homes[l] = homes[self.parent[j]].compose(&robot.joints[j].origin);
            }
        }
        homes
    }
}

fn root(robot: &Robot, joint_above: &[Option<usize>]) -> Result<usize, ImportError> {
    let roots: Vec<usize> = (0..robot.links.len())
        .filter(|&l| joint_above[l].is_none())
        .collect();
    let fail = |fault, what, remedy: &str| Err(ImportError::new(&robot.place, fault, what, remedy));
    match roots[..] {
        [only] => Ok(only),
        [] if robot.links.is_empty() => {
            let what = "the robot has no links".to_owned();
            fail(Fault::Missing, what, "add <link name=\"…\"/>")
        }
        [] => {
            let what = "every link is the child of a joint: there is no root".to_owned();
            fail(Fault::Cycle, what, "remove the joint above the base link")
        }
        _ => {
            let names: Vec<&str> = roots
                .iter()
                .map(|&l| robot.links[l].name.as_str())
                .collect();
            let what = match names.len() {
                n if n > 8 => format!("{n} links have no parent: {} …", names[..8].join(", ")),
                n => format!("{n} links have no parent: {}", names.join(", ")),
            };
            let remedy =
                "join all but one to the others, by a floating joint if they are to be free";
            fail(Fault::Mechanism, what, remedy)
        }
    }
}

//! Massless links between joints: the joints above and below become one.
//!
//! Universal and ball joints, and the ends of loops, are often written as hinges in series with massless links between
//! them. Such a link with a single joint below it only transmits the effect of that joint, so the joints are one chain,
//! and the link is drawn with its parent. Hinges through the centre of a ball joint that follows them have no effect:
//! they are fixed.

use super::joint::{Joint, Kind};
use super::loops::{Closure, Loops};
use super::robot::Robot;
use super::tree::Tree;
use crate::Notices;
use linkwork::joints::ChainLink;
use linkwork::math::{Pose, Vec3};

/// Most coordinates of a chain.
const MOST: usize = 6;
/// A hinge passes through a point that is at most so far from it, m: digits of the file.
const THROUGH: f64 = 1e-9;

/// Which links are bridged.
pub(super) struct Bridges {
    /// For every link, whether the joint above it is continued by the one below it, or by a closure.
    bridged: Vec<bool>,
    /// For every closure the side whose link is bridged.
    pub closing: Vec<Option<usize>>,
    /// For every link the one it is rigidly part of.
    roots: Vec<usize>,
}

/// What holds a massless part from below.
enum Below<'a> {
    Joint(usize),
    Closure(usize, usize, &'a Closure),
}

impl Bridges {
    /// Finds them; hinges without effect are fixed first.
    pub fn find(
        robot: &mut Robot,
        tree: &Tree,
        loops: &Loops,
        homes: &[Pose],
        notices: &mut Notices,
    ) -> Self {
        while let Some(j) = idle(robot, tree, loops, homes) {
            let joint = &mut robot.joints[j];
            let what = format!(
                "joint '{}' passes through the centre of the ball that follows its link '{}', which has no mass: it is fixed",
                joint.name, joint.child
            );
            notices.warn(
                &joint.place,
                what,
                "give the link an <inertial> to let it move",
            );
            joint.kind = Kind::Fixed;
        }
        let mut bridges = Self {
            bridged: vec![false; robot.links.len()],
            closing: vec![None; loops.closures.len()],
            roots: roots(robot, tree),
        };
        for l in massless(robot, tree, &bridges.roots) {
            let above = tree.joint_above[l].map(|j| &robot.joints[j]);
            if above.is_none_or(|j| links_of(j.kind) == 0) {
                continue;
            }
            match below(robot, tree, loops, &bridges.roots, l) {
                Some(Below::Joint(j)) if links_of(robot.joints[j].kind) > 0 => {
                    bridges.bridged[l] = true;
                }
                Some(Below::Closure(c, side, closure))
                    if closure.kind.name() == "fixed" && bridges.closing[c].is_none() =>
                {
                    bridges.bridged[l] = true;
                    bridges.closing[c] = Some(side);
                }
                _ => {}
            }
        }
        bridges.cut_long(robot, tree, loops);
        for l in (0..robot.links.len()).filter(|&l| bridges.bridged[l]) {
            let link = &robot.links[l];
            let what = format!(
                "link '{}' has no mass: the joints above and below it are one chain, and what is seen of it stays with its parent",
                link.name
            );
            notices.chose(&link.place, what, "give it an <inertial> to make it a body");
        }
        bridges
    }

    /// Chains that are too long stay as they are, to be refused as massless.
    fn cut_long(&mut self, robot: &Robot, tree: &Tree, loops: &Loops) {
        let ends = (0..robot.links.len()).filter(|&l| !self.bridged[l]);
        let mut cut: Vec<usize> = ends.filter(|&l| self.too_long(robot, tree, l)).collect();
        for (closure, side) in loops.closures.iter().zip(&mut self.closing) {
            let Some(end) = side.and_then(|s| Loops::link_of(robot, &closure.sides[s].frame))
            else {
                continue;
            };
            let end = self.roots[end];
            let (joints, _) = course(robot, tree, &self.bridged, &self.roots, end);
            if count(robot, &joints) > MOST {
                *side = None;
                cut.push(end);
            }
        }
        for end in cut {
            let (joints, _) = self.course(robot, tree, end);
            for j in joints {
                if let Some(child) = robot.link(&robot.joints[j].child) {
                    self.bridged[child] = false;
                }
            }
        }
    }

    fn too_long(&self, robot: &Robot, tree: &Tree, l: usize) -> bool {
        tree.joint_above[l].is_some() && count(robot, &self.course(robot, tree, l).0) > MOST
    }

    /// Massless parts that move and are not bridged, the lowest first, each with the massive parts it carries.
    ///
    /// Those are the next ones below it or, if only closures act on it, the one above it.
    pub fn forks(&self, robot: &Robot, tree: &Tree) -> Vec<(usize, Vec<usize>)> {
        let massless = massless(robot, tree, &self.roots);
        let mut forks = Vec::new();
        for &l in massless.iter().filter(|&&l| !self.bridged[l]) {
            let (mut carried, mut open) = (Vec::new(), vec![l]);
            while let Some(at) = open.pop() {
                for (j, child) in self.below(robot, tree, at) {
                    match massless.contains(&child) {
                        true => open.push(child),
                        false if robot.joints[j].kind != Kind::Floating => carried.push(child),
                        false => {}
                    }
                }
            }
            let above = tree.joint_above[l].map(|j| self.roots[tree.parent[j]]);
            carried.extend(above.filter(|_| carried.is_empty()));
            forks.push((l, carried));
        }
        forks
    }

    /// The moving joints below a part, and the links they carry.
    pub fn below(&self, robot: &Robot, tree: &Tree, part: usize) -> Vec<(usize, usize)> {
        let moving =
            robot.joints.iter().enumerate().filter(|(j, joint)| {
                joint.kind != Kind::Fixed && self.roots[tree.parent[*j]] == part
            });
        moving
            .filter_map(|(j, joint)| Some((j, robot.link(&joint.child)?)))
            .collect()
    }

    /// The links that are rigidly part of `part`.
    pub fn members(&self, part: usize) -> Vec<usize> {
        (0..self.roots.len())
            .filter(|&l| self.roots[l] == part)
            .collect()
    }

    /// Whether the joint above this link is continued below it.
    pub fn passes(&self, link: usize) -> bool {
        self.bridged[link]
    }

    /// The joints that lead to `link` from the next link above that is a body, from there on, and that link.
    pub fn course(&self, robot: &Robot, tree: &Tree, link: usize) -> (Vec<usize>, usize) {
        course(robot, tree, &self.bridged, &self.roots, link)
    }

    /// The joints that lead to the bridged end of a closure.
    pub fn closure_course(&self, robot: &Robot, tree: &Tree, link: usize) -> (Vec<usize>, usize) {
        self.course(robot, tree, self.roots[link])
    }
}

fn course(
    robot: &Robot,
    tree: &Tree,
    bridged: &[bool],
    roots: &[usize],
    link: usize,
) -> (Vec<usize>, usize) {
    let (mut joints, mut at) = (Vec::new(), link);
    while let Some(j) = tree.joint_above[at] {
        joints.push(j);
        let parent = tree.parent[j];
        at = roots[parent];
        if robot.joints[j].kind == Kind::Fixed || !bridged[at] {
            joints.reverse();
            return (joints, parent);
        }
    }
    joints.reverse();
    (joints, at)
}

/// The hinges and slides of joints in series, seen from `frame` in the world at home.
pub(super) fn chain<'a>(
    joints: impl Iterator<Item = (&'a Joint, Pose)>,
    frame: &Pose,
) -> Vec<ChainLink> {
    let mut links = Vec::new();
    for (joint, home) in joints {
        let seen = frame.inverse().compose(&home);
        let mut push = |slide: bool, axis: Vec3| {
            links.push(ChainLink {
                slide,
                axis: seen.rotation * axis,
                anchor: seen.position,
                offset: 0.0,
            });
        };
        match joint.kind {
            Kind::Hinge => push(false, joint.axis),
            Kind::Slide => push(true, joint.axis),
            Kind::Universal(first, second) => {
                push(false, Vec3::ith(first, 1.0));
                push(false, Vec3::ith(second, 1.0));
            }
            _ => {}
        }
    }
    links
}

/// How many links of a chain a joint is; 0 if it cannot be part of one.
fn links_of(kind: Kind) -> usize {
    match kind {
        Kind::Hinge | Kind::Slide => 1,
        Kind::Universal(..) => 2,
        _ => 0,
    }
}

fn count(robot: &Robot, joints: &[usize]) -> usize {
    joints.iter().map(|&j| links_of(robot.joints[j].kind)).sum()
}

/// For every link the one that it is rigidly part of.
fn roots(robot: &Robot, tree: &Tree) -> Vec<usize> {
    let mut roots: Vec<usize> = (0..robot.links.len()).collect();
    for &l in &tree.order {
        if let Some(j) = tree.joint_above[l].filter(|&j| robot.joints[j].kind == Kind::Fixed) {
            roots[l] = roots[tree.parent[j]];
        }
    }
    roots
}

/// Links that move and, with everything fixed to them, have no mass, the lowest first.
fn massless(robot: &Robot, tree: &Tree, roots: &[usize]) -> Vec<usize> {
    let mut mass = vec![0.0; robot.links.len()];
    for (l, link) in robot.links.iter().enumerate() {
        mass[roots[l]] += link.mass.mass;
    }
    let order = tree.order.iter().rev().copied();
    order
        .filter(|&l| roots[l] == l && mass[l] <= 0.0 && tree.joint_above[l].is_some())
        .collect()
}

/// The single joint or closure on a part in addition to the joint above it; `None` if there are others.
fn below<'a>(
    robot: &Robot,
    tree: &Tree,
    loops: &'a Loops,
    roots: &[usize],
    root: usize,
) -> Option<Below<'a>> {
    let mut found = Vec::new();
    for (j, joint) in robot.joints.iter().enumerate() {
        if joint.kind != Kind::Fixed && roots[tree.parent[j]] == root {
            found.push(Below::Joint(j));
        }
    }
    for (c, closure) in loops.closures.iter().enumerate() {
        for (s, side) in closure.sides.iter().enumerate() {
            if Loops::link_of(robot, &side.frame).is_some_and(|l| roots[l] == root) {
                found.push(Below::Closure(c, s, closure));
            }
        }
    }
    if found.len() > 1 {
        return None;
    }
    found.pop()
}

/// A hinge above a massless part that is made redundant by a ball joint on its axis.
fn idle(robot: &Robot, tree: &Tree, loops: &Loops, homes: &[Pose]) -> Option<usize> {
    let roots = roots(robot, tree);
    massless(robot, tree, &roots).into_iter().find_map(|l| {
        let j = tree.joint_above[l].filter(|&j| robot.joints[j].kind == Kind::Hinge)?;
        let centre = match below(robot, tree, loops, &roots, l)? {
            Below::Joint(k) if robot.joints[k].kind == Kind::Spherical => {
                homes[robot.link(&robot.joints[k].child)?].position
            }
            Below::Closure(_, s, closure) if closure.kind.name() == "spherical" => {
                let side = &closure.sides[s];
                homes[Loops::link_of(robot, &side.frame)?].transform_point(&side.pose.position)
            }
            _ => return None,
        };
        let line = homes[l].rotation * robot.joints[j].axis;
        let off = (centre - homes[l].position).cross(&line).norm();
        (off <= THROUGH).then_some(j)
    })
}

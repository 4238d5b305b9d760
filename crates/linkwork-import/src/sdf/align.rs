//! Hinges of a loop whose axes are parallel except for the rounding of the file.
//!
//! A planar loop moves only if its axes are parallel: with axes that differ by 10⁻⁷ rad it closes in the home pose
//! only. Poses have four or five digits, and an axis that follows from rounded angles of its own link differs from its
//! neighbours' by the product of two such errors.

use super::joint::Kind;
use super::scene::Scene;
use super::tree::{Reached, Tree};
use crate::Notices;

/// Angle between axes up to which they count as parallel, rad.
const PARALLEL: f64 = 1e-6;
/// Axes up to this angle are parallel to round-off, rad.
const EXACT: f64 = 1e-14;
/// Joints of a loop from which on it is no planar linkage.
const MAX_LOOP: usize = 64;

/// Rotates axes of hinges that share a loop and are nearly parallel to the first of them, with a notice.
pub(super) fn hinges(scene: &mut Scene, tree: &Tree, notices: &mut Notices) {
    let mut settled = vec![false; scene.joints.len()];
    for ring in rings(scene, tree) {
        for (i, &j) in ring.iter().enumerate() {
            if settled[j] {
                continue;
            }
            let near = ring[..i]
                .iter()
                .chain(ring[i..].iter().filter(|&&k| settled[k]));
            let found = near.copied().find_map(|k| {
                let angle = angle(scene, j, k);
                (angle <= PARALLEL).then_some((k, angle))
            });
            if let Some((k, angle)) = found.filter(|f| f.1 > EXACT) {
                let along = scene.joints[k].axes[0].direction;
                let sign = scene.joints[j].axes[0].direction.dot(&along).signum();
                scene.joints[j].axes[0].direction = sign * along;
                let what = format!(
                    "the axes of '{}' and '{}', in one loop, differ by {angle:.1e} rad and are treated as parallel",
                    scene.joints[k].name, scene.joints[j].name
                );
                let remedy = format!("differences above {PARALLEL:e} rad are kept");
                notices.chose(&scene.joints[j].place, what, remedy);
            }
        }
        for j in ring {
            settled[j] = true;
        }
    }
}

/// Angle between the axes of two joints as lines, rad; exact for small ones.
fn angle(scene: &Scene, a: usize, b: usize) -> f64 {
    let [a, b] = [a, b].map(|j| scene.joints[j].axes[0].direction);
    a.cross(&b).norm()
}

/// The hinges of the loop that each joint closes with those of the tree, in the order of the file.
fn rings(scene: &Scene, tree: &Tree) -> Vec<Vec<usize>> {
    let mut carrier = vec![None; scene.links.len()];
    let mut depth = vec![0; scene.links.len()];
    for &(link, how) in &tree.order {
        let Reached::Joint { joint, backwards } = how else {
            continue;
        };
        let ends = &scene.joints[joint];
        let above = match backwards {
            true => Some(ends.child),
            false => ends.parent,
        };
        carrier[link] = Some((joint, above));
        depth[link] = 1 + above.map_or(0, |l| depth[l]);
    }
    let up = |link: Option<usize>| link.and_then(|l| carrier[l]);
    let height = |link: Option<usize>| link.map_or(0, |l| depth[l]);
    let ring = |&closing: &usize| {
        let joint = &scene.joints[closing];
        let (mut a, mut b) = (joint.parent, Some(joint.child));
        let mut ring = vec![closing];
        while a != b && ring.len() <= MAX_LOOP {
            if height(a) < height(b) {
                std::mem::swap(&mut a, &mut b);
            }
            // Links of the world are one.
            let Some((joint, above)) = up(a) else { break };
            ring.push(joint);
            a = above;
        }
        if ring.len() > MAX_LOOP {
            return None;
        }
        ring.retain(|&j| scene.joints[j].kind == Kind::Hinge);
        ring.sort_unstable();
        Some(ring)
    };
    tree.closing.iter().filter_map(ring).collect()
}

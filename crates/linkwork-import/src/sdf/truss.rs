//! Loops of three joints that cannot move, in a pose where their rows nearly lose this information.
//!
//! Three links joined pairwise by parallel hinges, or by two hinges and a slide, have three degrees of freedom in their
//! plane and three constraints: a truss. With hinges at A and B, d from A to B and a slide along the unit vector a in
//! the plane, they are closed where |d + s a| = |d|: at s = 0 and at s = −2 d·a. If d·a = 0 (for three hinges, if they
//! are collinear) both coincide, and to first order the rows allow motion: a dead point, at which forces are unbounded.
//! Cassie's knee springs are at such a point, except for the rounding of the file. One additional row that fixes a
//! hinge does not change the possible motion and carries the load that the other rows cannot.

use super::joint::{Joint, Kind};
use super::scene::Scene;
use super::tree::Tree;
use crate::draft::Draft;
use linkwork::model::{Coupling, JointId};
use std::collections::{BTreeSet, HashMap};

/// [`strength`] below which a truss is at its dead point.
const WEAK: f64 = 1e-2;
/// Sine of the angle between axes that are not parallel.
const PARALLEL: f64 = 1e-6;
/// Hinges closer to each other than this share of their distance from the origin count as being on one axis.
const COAXIAL: f64 = 1e-9;

/// Number of joints of a link from which it is not considered part of a truss.
const MANY: usize = 64;

/// Fixes one hinge of every truss that is at its dead point in the home pose, with a notice.
pub(super) fn hold(scene: &Scene, tree: &Tree, ids: &[Option<JointId>], draft: &mut Draft) {
    let mut all_held = BTreeSet::new();
    for triangle in triangles(scene, tree) {
        let joints = triangle.map(|j| &scene.joints[j]);
        if strength(joints).is_none_or(|s| s > WEAK) {
            continue;
        }
        let mut hinges = triangle.into_iter().filter(|&j| is_hinge(&scene.joints[j]));
        let Some((held, id)) = hinges.find_map(|j| Some((&scene.joints[j], ids[j]?))) else {
            continue;
        };
        // Trusses may share it.
        if !all_held.insert(id) {
            continue;
        }
        let coupling = Coupling::new(format!("{} held", held.name), &[(id, 0, 1.0)], 0.0);
        draft.couplings.push(coupling);
        let [a, b, c] = joints.map(|joint| &joint.name);
        let what = format!(
            "'{a}', '{b}' and '{c}' make a truss at its dead point, where nothing can move but forces grow without bound; '{}' is held at 0",
            held.name
        );
        let remedy = "leave one of the three out if the truss is meant to give";
        draft.notices.chose(&held.place, what, remedy);
    }
}

/// Triples of joints that connect three links pairwise, each once, in the order of the file. Of several joints between
/// two links the first is used, and links with many joints are ignored.
fn triangles(scene: &Scene, tree: &Tree) -> BTreeSet<[usize; 3]> {
    // The world is the node after all links.
    let world = scene.links.len();
    let ends = |joint: &Joint| {
        let [a, b] = [joint.parent.unwrap_or(world), joint.child];
        [a.min(b), a.max(b)]
    };
    let mut neighbours = vec![Vec::new(); world + 1];
    let mut between: HashMap<[usize; 2], usize> = HashMap::new();
    for (j, joint) in scene.joints.iter().enumerate() {
        let [a, b] = ends(joint);
        let planar = matches!(joint.kind, Kind::Hinge | Kind::Slide);
        if planar && !between.contains_key(&[a, b]) {
            between.insert([a, b], j);
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
    }
    let mut found = BTreeSet::new();
    // Every loop has a joint outside the tree.
    for &closing in &tree.closing {
        let [mut a, mut b] = ends(&scene.joints[closing]);
        if neighbours[a].len() > neighbours[b].len() {
            std::mem::swap(&mut a, &mut b);
        }
        if neighbours[a].len() > MANY {
            continue;
        }
        for &c in &neighbours[a] {
            let side = |a: usize, b: usize| between.get(&[a.min(b), a.max(b)]).copied();
            if let (Some(first), Some(second), Some(third)) = (side(a, b), side(a, c), side(b, c)) {
                let mut triangle = [first, second, third];
                triangle.sort_unstable();
                found.insert(triangle);
            }
        }
    }
    found
}

/// Sine of the angle between a truss and its dead point; `None` if it is not a truss: axes that are not parallel,
/// hinges on one axis, fewer than two hinges.
fn strength(joints: [&Joint; 3]) -> Option<f64> {
    let hinges: Vec<&Joint> = joints.into_iter().filter(|j| is_hinge(j)).collect();
    let axis = hinges.first()?.axes[0].direction;
    let parallel = |joint: &&Joint| joint.axes[0].direction.cross(&axis).norm() <= PARALLEL;
    if !hinges.iter().all(parallel) {
        return None;
    }
    // From one hinge's axis to another's.
    let across = |from: &Joint, to: &Joint| {
        let d = to.frame.position - from.frame.position;
        let d = d - axis * axis.dot(&d);
        let least = COAXIAL * (1.0 + from.frame.position.norm());
        (d.norm() > least).then(|| d.normalize())
    };
    match hinges[..] {
        [a, b] => {
            // Turning about both moves the ends of the slide apart in this direction.
            let apart = axis.cross(&across(a, b)?);
            let slide = joints.iter().find(|joint| joint.kind == Kind::Slide)?;
            Some(apart.cross(&slide.axes[0].direction).norm())
        }
        [a, b, c] => {
            across(b, c)?;
            Some(across(a, b)?.cross(&across(a, c)?).norm())
        }
        _ => None,
    }
}

fn is_hinge(joint: &Joint) -> bool {
    joint.kind == Kind::Hinge
}

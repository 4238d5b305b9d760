//! Massless links with several joints or closures.
//!
//! No joint between two bodies has the effect of such a link, so it becomes a body. Its motion is determined by the
//! parts connected to it, even if its own mass is very small: it gets a thousandth of their mass. Total mass, centre of
//! mass and inertia in the home pose do not change.

use super::bridge::Bridges;
use super::robot::Robot;
use super::tree::Tree;
use crate::Notices;
use crate::draft::{combined, moved};
use linkwork::math::{MassProperties, Pose};

/// Share of the connected parts: the error of the motion is of this size, and it determines the mass ratio.
const SHARE: f64 = 1e-3;

/// Gives massless links that are not bridged a part of the mass they carry. Those that carry nothing do not change.
pub(super) fn lend(
    robot: &mut Robot,
    tree: &Tree,
    bridges: &Bridges,
    homes: &[Pose],
    notices: &mut Notices,
) {
    for (fork, carried) in bridges.forks(robot, tree) {
        let mut lent = Vec::new();
        for member in carried.iter().flat_map(|&part| bridges.members(part)) {
            let mass = &mut robot.links[member].mass;
            let seen = homes[fork].inverse().compose(&homes[member]);
            lent.push(moved(&share(mass, SHARE), &seen));
            *mass = share(mass, 1.0 - SHARE);
        }
        let own = combined(&lent);
        robot.links[fork].mass = own;
        if own.mass > 0.0 {
            tell(robot, tree, bridges, fork, notices);
        }
    }
}

fn share(mass: &MassProperties, part: f64) -> MassProperties {
    MassProperties {
        mass: part * mass.mass,
        inertia: part * mass.inertia,
        ..*mass
    }
}

fn tell(robot: &Robot, tree: &Tree, bridges: &Bridges, fork: usize, notices: &mut Notices) {
    let link = &robot.links[fork];
    let above = tree.joint_above[fork].map_or("", |j| &robot.joints[j].name);
    let below = bridges.below(robot, tree, fork);
    let names: Vec<String> = below
        .iter()
        .map(|&(j, _)| format!("'{}'", robot.joints[j].name))
        .collect();
    let hangs = match names.len() {
        0 => "closures hang on it".to_owned(),
        n => format!("{n} joints hang on it ({})", names.join(", ")),
    };
    let what = format!(
        "link '{}' moves on joint '{above}' and has no mass; {hangs}: it gets a thousandth of what it carries, {:.3e} kg",
        link.name, link.mass.mass
    );
    let remedy = format!("give it an <inertial>, or make joint '{above}' fixed");
    notices.warn(&link.place, what, remedy);
}

//! Names and units of a chain's rows and coordinates, from tables for every kind of chain.

use super::motion::Motion;
use super::{ChainLink, Label, MAX_COORDINATES, MAX_ROWS};
use crate::joints::Unit;
use crate::math::Vec3;

const HINGES: [&str; 6] = [
    "hinge 1", "hinge 2", "hinge 3", "hinge 4", "hinge 5", "hinge 6",
];
const SLIDES: [&str; 6] = [
    "slide 1", "slide 2", "slide 3", "slide 4", "slide 5", "slide 6",
];
const TRANSLATIONS: [&str; 3] = ["translation 1", "translation 2", "translation 3"];
const ROTATIONS: [&str; 3] = ["rotation 1", "rotation 2", "rotation 3"];

/// Coordinates by which links slide, one bit each.
static COORDINATES: [[Label; MAX_COORDINATES]; 64] = {
    let mut table = [[("", Unit::Angle); MAX_COORDINATES]; 64];
    let mut entry = 0;
    while entry < 64 * MAX_COORDINATES {
        let (slides, i) = (entry / MAX_COORDINATES, entry % MAX_COORDINATES);
        table[slides][i] = if slides >> i & 1 == 1 {
            (SLIDES[i], Unit::Length)
        } else {
            (HINGES[i], Unit::Angle)
        };
        entry += 1;
    }
    table
};

/// Locked rows by the number of translations, which come first; up to three rotations follow.
static LOCKED: [[Label; MAX_ROWS]; 4] = {
    let mut table = [[("", Unit::Angle); MAX_ROWS]; 4];
    let mut entry = 0;
    while entry < 4 * MAX_ROWS {
        let (translations, i) = (entry / MAX_ROWS, entry % MAX_ROWS);
        if i < translations {
            table[translations][i] = (TRANSLATIONS[i], Unit::Length);
        } else if i < translations + 3 {
            table[translations][i] = (ROTATIONS[i - translations], Unit::Angle);
        }
        entry += 1;
    }
    table
};

/// Labels of the coordinates.
pub(super) fn coordinates(links: &[ChainLink]) -> &'static [Label] {
    let bits = links.iter().enumerate();
    let slides: usize = bits.map(|(i, link)| usize::from(link.slide) << i).sum();
    &COORDINATES[slides][..links.len()]
}

/// Labels of the locked rows. A row that mixes both, as for hinges without a common point, counts as a translation if
/// it started as one; its value has the right magnitude with one metre per radian.
pub(super) fn locked(links: &[ChainLink]) -> &'static [Label] {
    &LOCKED[translations(links)][..MAX_ROWS - links.len()]
}

/// Number of locked rows that are translations: those that are not a combination of links at generic coordinates. There
/// are n − rank of the hinge axes motions of the chain without rotation.
pub(super) fn translations(links: &[ChainLink]) -> usize {
    let motion = Motion::generic(links);
    let mut axes: [Vec3; 3] = [Vec3::zeros(); 3];
    let mut rank = 0;
    for turn in motion.turn {
        let mut rest = turn;
        for axis in &axes[..rank] {
            rest -= axis * axis.dot(&rest);
        }
        if rank < 3 && rest.norm() > 1e-6 {
            axes[rank] = rest.normalize();
            rank += 1;
        }
    }
    // There are at most three independent motions without rotation: such a chain has links that always depend on each
    // other.
    (3 + rank).saturating_sub(links.len())
}

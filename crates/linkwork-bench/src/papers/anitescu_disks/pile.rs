//! The pile, the table and the walls.

use super::super::anitescu::{DENSITY, GRAVITY};
use super::super::balls::{Arena, Ball, Wall};
use linkwork::math::{Pose, Vec3};
use std::f64::consts::PI;

/// Step h, s [Anitescu §6].
pub(super) const STEP: f64 = 0.05;
/// Radius of a disk, m [Anitescu §6].
pub(super) const RADIUS: f64 = 3.0;
/// Friction coefficient [Anitescu §6].
pub(super) const FRICTION: f64 = 0.2;
/// Disks in the lowest row.
pub(super) const WIDE: usize = 6;
/// Half the width of the table, m, and slope of the walls, rad; not in the paper. 21 disks side by side
/// take 126 m.
pub(super) const HALF_TABLE: f64 = 80.0;
const SLOPE: f64 = 0.25 * PI;
/// Gap between neighbours of the pile, m, and half of which they are displaced at random.
const LOOSE: f64 = 0.02;

/// Frames of table and walls: each is the half space below the frame's x-y plane.
pub(super) fn walls() -> [Pose; 3] {
    let wall = |side: f64| {
        let foot = Pose::at(side * HALF_TABLE, 0.0, 0.0);
        foot.rotated(-side * SLOPE * Vec3::y())
    };
    [Pose::identity(), wall(-1.0), wall(1.0)]
}

/// Table and walls under the paper's contact rules, Δ multiplied by `gain`, gaps below `reach` (m) active.
pub(super) fn arena(gain: f64, reach: f64) -> Arena {
    let wall = |pose: Pose| Wall {
        point: pose.position,
        normal: pose.rotation * Vec3::z(),
    };
    Arena {
        walls: walls().map(wall).to_vec(),
        gravity: GRAVITY,
        friction: FRICTION,
        dt: STEP,
        reach,
        gain,
    }
}

/// Centres of the disks as they are piled.
pub(super) fn pile() -> Vec<Vec3> {
    let pitch = 2.0 * RADIUS + LOOSE;
    let mut centres = Vec::new();
    for row in 0..WIDE {
        for i in 0..WIDE - row {
            let across = i as f64 + 0.5 * row as f64 - 0.5 * (WIDE - 1) as f64;
            // As good as random, and the same everywhere.
            let aside = 0.5 * LOOSE * (2.4 * (centres.len() + 1) as f64).sin();
            let height = RADIUS + pitch * 0.75f64.sqrt() * row as f64;
            centres.push(Vec3::new(pitch * across + aside, 0.0, height));
        }
    }
    centres
}

/// A disk at rest.
pub(super) fn disk(centre: Vec3) -> Ball {
    let mass = DENSITY * PI * RADIUS * RADIUS;
    Ball {
        radius: RADIUS,
        mass,
        inertia: 0.5 * mass * RADIUS * RADIUS,
        centre,
        velocity: Vec3::zeros(),
        spin: Vec3::zeros(),
    }
}

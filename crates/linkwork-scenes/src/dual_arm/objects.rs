//! The jar with its lid, the marbles in it, and the bowl.

use super::super::robot::Part;
use linkwork::math::{Pose, Quat, Vec3, exp};
use linkwork::model::{Compliance, Geometry, Material};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// Outer radius and height of the jar, and thickness of its wall, m.
pub(super) const JAR: f64 = 0.04;
pub(super) const JAR_HEIGHT: f64 = 0.12;
const GLASS: f64 = 0.004;
/// Half the width, depth and height of the lid's handle, and half the thickness of its disc, m.
const HANDLE: [f64; 3] = [0.012, 0.04, 0.025];
const DISC: f64 = 0.004;
/// Height of the jar's wall above the table, and of the lid's disc above the jar's rim, m.
const FREE: f64 = 0.001;
/// By how much the plug of the lid is wider than the jar, and how far it reaches in, m.
const TIGHT: f64 = 2e-4;
const PLUG: f64 = 0.016;
/// Height of the handle's centre above the jar's rim, m.
pub(super) const HANDLE_HEIGHT: f64 = 2.0 * DISC + HANDLE[2];
/// Sides of jar, plug and bowl.
const SIDES: usize = 12;
/// Radius (m), mass (kg) and number of the marbles.
const MARBLE: f64 = 0.012;
const MARBLE_MASS: f64 = 0.05;
pub(super) const MARBLES: usize = 16;
/// Radius of the bowl's floor, m; its wall leans outwards.
const BOWL: f64 = 0.085;
const BOWL_WALL: f64 = 0.04;
const LEAN: f64 = 0.6;
/// What is within this distance of the bowl's axis and below [`BOWL_HEIGHT`] is in it, m.
pub const BOWL_RADIUS: f64 = 0.13;
/// Height of the bowl's rim above the table, m.
pub const BOWL_HEIGHT: f64 = 0.08;

/// `SIDES` boxes around z: each at `radius` (m) and `height` (m), leaning outwards by `lean` (rad).
fn ring(mut part: Part, half: [f64; 3], radius: f64, height: f64, lean: f64) -> Part {
    for k in 0..SIDES {
        let turn = exp(&Vec3::new(0.0, 0.0, TAU * k as f64 / SIDES as f64));
        let pose = Pose::new(
            turn * Vec3::new(radius, 0.0, height),
            turn * exp(&Vec3::new(0.0, lean, 0.0)),
        );
        let geometry = Geometry::Box {
            half_extents: Vec3::from(half),
        };
        part = part.shape(geometry, pose);
    }
    part
}

/// Half the width of a side of a polygon around a circle, m.
fn half_side(radius: f64) -> f64 {
    radius * (PI / SIDES as f64).tan()
}

/// The jar, its frame on the table at its axis.
pub(super) fn jar(surface: Material) -> Part {
    // It stands on its bottom only, and the lid is carried by its plug: rims of twelve boxes would have a hundred
    // contact points.
    let half = [0.5 * GLASS, half_side(JAR), 0.5 * (JAR_HEIGHT - FREE)];
    let bottom = Part::new("jar", 0.3).cylinder(JAR - GLASS, [0.0; 3], [0.0, 0.0, GLASS]);
    ring(
        bottom,
        half,
        JAR - 0.5 * GLASS,
        0.5 * (JAR_HEIGHT + FREE),
        0.0,
    )
    .surface(surface)
    .colour([0.6, 0.8, 0.9, 0.35])
}

/// The lid, its frame at the middle of the jar's mouth; the handle is long along y. Its plug is soft, a little wider than the mouth, and narrow
/// at the end that goes in first.
pub(super) fn lid(surface: Material) -> Part {
    let wide = (JAR - GLASS + TIGHT) / (PI / SIDES as f64).cos();
    let rings = [(0.0, wide), (-0.5 * PLUG, wide), (-PLUG, wide - 0.008)];
    let corner = |(z, r): (f64, f64), k: usize| {
        let (sin, cos) = (TAU * (k as f64 + 0.5) / SIDES as f64).sin_cos();
        Vec3::new(r * cos, r * sin, z)
    };
    let points = rings
        .into_iter()
        .flat_map(|ring| (0..SIDES).map(move |k| corner(ring, k)));
    let plug = Geometry::ConvexHull {
        points: Arc::new(points.collect()),
    };
    let soft = Material {
        compliance: Compliance::Pad {
            modulus: 3e7,
            dissipation_time: 0.02,
            spacing: 0.02,
        },
        ..surface
    };
    let [x, y, z] = HANDLE;
    Part::new("lid", 0.1)
        .cylinder(JAR, [0.0, 0.0, FREE], [0.0, 0.0, 2.0 * DISC])
        .block([x, y, z], [0.0, 0.0, HANDLE_HEIGHT])
        .surface(surface)
        .shape_of(plug, Pose::identity(), soft)
        .colour([0.8, 0.3, 0.25, 1.0])
}

/// The bowl, its frame on the table at its axis.
pub(super) fn bowl(surface: Material) -> Part {
    let floor = Part::new("bowl", 0.6).cylinder(BOWL + 0.01, [0.0; 3], [0.0, 0.0, 0.008]);
    let out = BOWL + BOWL_WALL * LEAN.sin();
    let half = [0.004, half_side(out + 0.03), BOWL_WALL];
    ring(floor, half, out, 0.004 + BOWL_WALL * LEAN.cos(), LEAN)
        .surface(surface)
        .colour([0.5, 0.55, 0.5, 1.0])
}

/// Marble `i`, and where its centre is from the middle of the jar's bottom, m: rings of five about the axis.
pub(super) fn marble(i: usize, surface: Material) -> (Part, Vec3) {
    let (layer, place) = (i / 5, i % 5);
    let around = JAR - GLASS - MARBLE - 1e-3;
    let angle = TAU * (place as f64 + 0.5 * (layer % 2) as f64) / 5.0;
    let height = GLASS + MARBLE + 1e-3 + 2.0 * MARBLE * layer as f64;
    let shade = 0.4 + 0.6 * place as f64 / 5.0;
    let part = Part::new(format!("marble{i}"), MARBLE_MASS)
        .ball(MARBLE, [0.0; 3])
        .surface(surface)
        .colour([0.2, shade, 1.0 - 0.5 * shade, 1.0]);
    (
        part,
        Vec3::new(around * angle.cos(), around * angle.sin(), height),
    )
}

/// A turn about z, rad.
pub(super) fn about_z(angle: f64) -> Quat {
    exp(&Vec3::new(0.0, 0.0, angle))
}

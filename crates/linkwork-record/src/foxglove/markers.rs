//! The shapes of a model as markers.

use super::{WORLD, mesh, place, stamp};
use crate::cdr::Encoder;
use linkwork::math::Vec3;
use linkwork::model::{Geometry, Model};

// Kinds of `visualization_msgs/Marker`.
const CUBE: i32 = 1;
const SPHERE: i32 = 2;
const CYLINDER: i32 = 3;
const TRIANGLE_LIST: i32 = 11;

/// Colours for the bodies, used in turn, and that of the world.
const COLOURS: [[f32; 3]; 6] = [
    [0.30, 0.55, 0.85],
    [0.90, 0.60, 0.25],
    [0.40, 0.70, 0.40],
    [0.80, 0.40, 0.45],
    [0.60, 0.50, 0.75],
    [0.55, 0.45, 0.35],
];
const WORLD_COLOUR: [f32; 3] = [0.6, 0.6, 0.6];

/// Append the message with one marker a shape.
pub(super) fn encode(model: &Model, out: &mut Vec<u8>) {
    let mut e = Encoder::new(out);
    e.length(model.shapes().len());
    for (id, shape) in model.shapes().iter().enumerate() {
        let (kind, scale, points) = form(&shape.geometry);
        let frame = shape.body.map_or(WORLD, |b| model.body(b).name.as_str());
        stamp(&mut e, 0.0, frame);
        e.string(&shape.name);
        e.i32(id as i32);
        e.i32(kind);
        // Action: add.
        e.i32(0);
        place(&mut e, &shape.local);
        scale.iter().for_each(|&x| e.f64(x));
        let colour = shape
            .body
            .map_or(WORLD_COLOUR, |b| COLOURS[b.index() % COLOURS.len()]);
        colour.iter().for_each(|&x| e.f32(x));
        e.f32(1.0);
        // Lifetime: forever; and it moves with its frame.
        e.i32(0);
        e.u32(0);
        e.u8(1);
        e.length(points.len());
        points.iter().flatten().for_each(|&x| e.f64(x));
        // No colour of its own for each point, no text, no mesh file.
        e.length(0);
        e.string("");
        e.string("");
        e.u8(0);
    }
}

/// Kind of marker, its scale (m), and the corners of its triangles (m).
fn form(geometry: &Geometry) -> (i32, Vec3, Vec<Vec3>) {
    let whole = Vec3::repeat(1.0);
    match geometry {
        Geometry::Sphere { radius } => (SPHERE, Vec3::repeat(2.0 * radius), vec![]),
        Geometry::Ellipsoid { radii } => (SPHERE, 2.0 * radii, vec![]),
        Geometry::Box { half_extents } => (CUBE, 2.0 * half_extents, vec![]),
        Geometry::Cylinder {
            radius,
            half_length,
        } => {
            let scale = Vec3::new(2.0 * radius, 2.0 * radius, 2.0 * half_length);
            (CYLINDER, scale, vec![])
        }
        other => (TRIANGLE_LIST, whole, mesh::triangles(other)),
    }
}

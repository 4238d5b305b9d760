//! How much a model may hold. Files are read from anywhere, and a number too many in one must end in an error and not
//! in a machine without memory.

use super::super::{Geometry, ModelError};

/// Most bodies, joints, couplings, tendons, shapes, exclusions and shape pairs of a model, each.
pub const MAX_ELEMENTS: usize = 1_000_000;
/// Most points, triangles or samples of one shape.
pub const MAX_SHAPE_PARTS: usize = 20_000_000;

const KINDS: [&str; 7] = [
    "bodies",
    "joints",
    "couplings",
    "tendons",
    "shapes",
    "exclusions",
    "shape pairs",
];

/// Refuse more than [`MAX_ELEMENTS`] of a kind; the counts are in the order of [`KINDS`].
pub(in super::super) fn sizes(counts: [usize; 7]) -> Result<(), ModelError> {
    let found = KINDS.iter().zip(counts).find(|(_, n)| *n > MAX_ELEMENTS);
    found.map_or(Ok(()), |(kind, count)| {
        Err(ModelError::TooMany {
            element: "the model".to_owned(),
            kind,
            count,
            most: MAX_ELEMENTS,
        })
    })
}

/// Refuse a shape of more than [`MAX_SHAPE_PARTS`].
pub(in super::super) fn shape_size(name: &str, geometry: &Geometry) -> Result<(), ModelError> {
    let (kind, count) = match geometry {
        Geometry::ConvexHull { points } => ("points", points.len()),
        Geometry::TriangleMesh {
            vertices,
            triangles,
        } if vertices.len() > triangles.len() => ("vertices", vertices.len()),
        Geometry::TriangleMesh { triangles, .. } => ("triangles", triangles.len()),
        Geometry::HeightField { heights, .. } => ("samples", heights.len()),
        _ => return Ok(()),
    };
    if count <= MAX_SHAPE_PARTS {
        return Ok(());
    }
    Err(ModelError::TooMany {
        element: format!("shape '{name}'"),
        kind,
        count,
        most: MAX_SHAPE_PARTS,
    })
}

//! Convex hulls and convex parts of meshes, for those who prepare models.

use super::error::CollisionError;
use super::library;
use crate::math::Vec3;

/// Cells along the longest side of a mesh on its way to convex parts.
const CELLS: u32 = 64;
/// Volume of a hull, relative to the cube of its size, below which it counts as flat.
const FLAT: f64 = 1e-12;

/// A convex polyhedron of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct HullMesh {
    /// Corners, m; each is one of the points given.
    pub vertices: Vec<Vec3>,
    /// Corner indices of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl HullMesh {
    /// Volume, m³.
    pub fn volume(&self) -> f64 {
        let Some(origin) = self.vertices.first() else {
            return 0.0;
        };
        self.triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| self.vertices[i as usize] - origin);
                a.dot(&b.cross(&c)) / 6.0
            })
            .sum()
    }
}

/// The convex hull of points (m) of the shape `name`, which is for the error.
pub fn convex_hull(name: &str, points: &[Vec3]) -> Result<HullMesh, CollisionError> {
    if !points.iter().all(|p| p.iter().all(|x| x.is_finite())) {
        return Err(CollisionError::NotFinite {
            shape: name.to_owned(),
            what: "a vertex",
        });
    }
    let flat = || CollisionError::FlatHull {
        shape: name.to_owned(),
        points: points.len(),
    };
    let (lo, hi) = points.iter().fold(
        (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY)),
        |(lo, hi), p| (lo.inf(p), hi.sup(p)),
    );
    let size = (hi - lo).norm();
    let (vertices, triangles) = library::convex_hull(points).ok_or_else(flat)?;
    let hull = HullMesh {
        vertices,
        triangles,
    };
    if hull.volume() > FLAT * size.powi(3) {
        Ok(hull)
    } else {
        Err(flat())
    }
}

/// At most `parts` convex solids that together fill a closed surface nearly (V-HACD on 64 cells along
/// the longest side). The same input gives the same parts. Parts without volume are left out, so the
/// list of a flat surface is empty.
pub fn convex_parts(
    name: &str,
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    parts: usize,
) -> Result<Vec<HullMesh>, CollisionError> {
    // Refuses what is not finite or flat, on which the division into cells would fail.
    convex_hull(name, vertices)?;
    check_indices(name, vertices, triangles)?;
    let pieces = library::convex_parts(vertices, triangles, parts.min(1024) as u32, CELLS);
    let mut hulls: Vec<HullMesh> = pieces
        .iter()
        .filter_map(|points| convex_hull(name, points).ok())
        .collect();
    while hulls.len() > parts.max(1) {
        merge_cheapest(name, &mut hulls)?;
    }
    Ok(hulls)
}

/// Refuse triangles with corners that do not exist.
pub(super) fn check_indices(
    name: &str,
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
) -> Result<(), CollisionError> {
    for (k, triangle) in triangles.iter().enumerate() {
        if let Some(&index) = triangle.iter().find(|i| **i as usize >= vertices.len()) {
            return Err(CollisionError::IndexOutOfRange {
                shape: name.to_owned(),
                triangle: k,
                index,
                vertices: vertices.len(),
            });
        }
    }
    Ok(())
}

/// Replace the two hulls whose common hull adds the least volume by that hull.
fn merge_cheapest(name: &str, hulls: &mut Vec<HullMesh>) -> Result<(), CollisionError> {
    let volumes: Vec<f64> = hulls.iter().map(HullMesh::volume).collect();
    let mut best: Option<(f64, usize, usize, HullMesh)> = None;
    for i in 0..hulls.len() {
        for j in i + 1..hulls.len() {
            let both: Vec<Vec3> = [&hulls[i], &hulls[j]]
                .iter()
                .flat_map(|h| h.vertices.iter().copied())
                .collect();
            let hull = convex_hull(name, &both)?;
            let added = hull.volume() - volumes[i] - volumes[j];
            if best.as_ref().is_none_or(|(least, ..)| added < *least) {
                best = Some((added, i, j, hull));
            }
        }
    }
    if let Some((_, i, j, hull)) = best {
        hulls.remove(j);
        hulls[i] = hull;
    }
    Ok(())
}

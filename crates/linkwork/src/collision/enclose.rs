//! Convex hulls and convex parts of meshes, for those who prepare models.

use super::error::CollisionError;
use super::library;
use crate::math::Vec3;
use std::collections::BTreeMap;

/// Cells along the longest side of a mesh on its way to convex parts.
const CELLS: u32 = 64;
/// Volume of a hull, relative to the cube of its size, below which it counts as flat.
const FLAT: f64 = 1e-12;
/// Parts are merged if that adds less than this fraction of the whole hull's volume.
const NEGLIGIBLE: f64 = 1e-3;

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
/// the longest side, then merged as long as that adds next to nothing). The same input gives the same
/// parts; those without volume are left out.
pub fn convex_parts(
    name: &str,
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    parts: usize,
) -> Result<Vec<HullMesh>, CollisionError> {
    // Refuses what is not finite or flat, on which the division into cells would fail.
    let whole = convex_hull(name, vertices)?;
    check_indices(name, vertices, triangles)?;
    let pieces = library::convex_parts(vertices, triangles, parts.min(1024) as u32, CELLS);
    let hulls = pieces
        .iter()
        .filter_map(|points| convex_hull(name, points).ok())
        .collect();
    Ok(merge(hulls, parts.max(1), NEGLIGIBLE * whole.volume()))
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

/// Replace the two hulls whose common hull adds the least volume by that hull, until there are at most
/// `parts` and another one would add more than `negligible` (m³).
fn merge(mut hulls: Vec<HullMesh>, parts: usize, negligible: f64) -> Vec<HullMesh> {
    let mut pairs: BTreeMap<(usize, usize), Option<Union>> = BTreeMap::new();
    loop {
        for j in 0..hulls.len() {
            for i in 0..j {
                pairs
                    .entry((i, j))
                    .or_insert_with(|| Union::of(&hulls[i], &hulls[j]));
            }
        }
        let cost = |union: &Option<Union>| union.as_ref().map_or(f64::INFINITY, |u| u.added);
        let cheapest = pairs.iter().min_by(|a, b| cost(a.1).total_cmp(&cost(b.1)));
        let Some((&(i, j), union)) = cheapest else {
            return hulls;
        };
        let enough = hulls.len() <= parts && cost(union) > negligible;
        let Some(union) = union.as_ref().filter(|_| !enough) else {
            return hulls;
        };
        hulls[i] = union.hull.clone();
        hulls.swap_remove(j);
        // What now has the number of the last hull is the one that was there.
        let (last, gone) = (hulls.len(), [i, j]);
        let old = std::mem::take(&mut pairs);
        for ((a, b), union) in old {
            if gone.contains(&a) || gone.contains(&b) {
                continue;
            }
            let b = if b == last { j } else { b };
            pairs.insert((a.min(b), a.max(b)), union);
        }
    }
}

/// Two hulls as one.
struct Union {
    hull: HullMesh,
    /// Volume in neither of the two, m³; overlaps of the two count as negative.
    added: f64,
}

impl Union {
    fn of(a: &HullMesh, b: &HullMesh) -> Option<Self> {
        let points: Vec<Vec3> = a.vertices.iter().chain(&b.vertices).copied().collect();
        let hull = convex_hull("", &points).ok()?;
        let added = hull.volume() - a.volume() - b.volume();
        Some(Self { hull, added })
    }
}

//! Convex hulls and convex parts of meshes, for the preparation of models.

use super::error::CollisionError;
use super::library;
use super::merge::merge;
use super::stretch::hull_of_any;
use crate::math::Vec3;

/// Cells along the longest side of a mesh in the decomposition into convex parts.
const CELLS: u32 = 64;
/// Relative thickness of a hull below which it counts as flat: in single precision a plane is about 1e-7 thick.
const FLAT: f64 = 1e-6;
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
    /// Three times the volume divided by surface and size: between one and three times the radius of the largest
    /// inscribed ball, relative to the size. NaN without a surface.
    fn thickness(&self) -> f64 {
        let surface: f64 = self
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| self.vertices[i as usize]);
                (b - a).cross(&(c - a)).norm() / 2.0
            })
            .sum();
        let origin = self.vertices.first().copied().unwrap_or_default();
        let size = self
            .vertices
            .iter()
            .map(|v| (v - origin).norm())
            .fold(0.0, f64::max);
        3.0 * self.volume() / (surface * size)
    }

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

/// The convex hull of points (m) of the shape `name`, which is used in the error.
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
    let (vertices, triangles) = hull_of_any(points).ok_or_else(flat)?;
    let hull = HullMesh {
        vertices,
        triangles,
    };
    if hull.thickness() > FLAT {
        Ok(hull)
    } else {
        Err(flat())
    }
}

/// At most `parts` convex solids that together nearly fill a closed surface (V-HACD on 64 cells along the longest side,
/// then merged as long as that adds almost nothing). The same input always has the same parts; parts without volume are
/// omitted.
pub fn convex_parts(
    name: &str,
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    parts: usize,
) -> Result<Vec<HullMesh>, CollisionError> {
    // Refuses points that are flat or not finite, for which the division into cells would fail.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::exp;
    use std::collections::BTreeMap;

    /// Every point lies behind every face, and every edge belongs to two faces.
    fn check(name: &str, points: &[Vec3]) -> HullMesh {
        let hull = convex_hull(name, points).unwrap();
        let size = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        let mut edges = BTreeMap::new();
        for t in &hull.triangles {
            let [a, b, c] = t.map(|i| hull.vertices[i as usize]);
            let normal = (b - a).cross(&(c - a));
            for (p, q) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                *edges.entry((p.min(q), p.max(q))).or_insert(0) += if p < q { 1 } else { -1 };
            }
            if normal.norm() > 1e-10 * size * size {
                let out = |p: &Vec3| normal.normalize().dot(&(p - a));
                let most = points.iter().map(out).fold(f64::MIN, f64::max);
                assert!(most < 1e-9 * size, "{name}: {most:e}");
            }
        }
        assert!(edges.values().all(|balance| *balance == 0), "{name}");
        hull
    }

    fn grid(n: usize) -> Vec<Vec3> {
        let at = |k: usize| k as f64 / (n - 1) as f64;
        (0..n * n * n)
            .map(|k| Vec3::new(at(k % n), at(k / n % n), at(k / n / n)))
            .collect()
    }

    #[test]
    fn hulls_of_difficult_points_enclose_them() {
        let cube = check("grid", &grid(7));
        assert!((cube.volume() - 1.0).abs() < 1e-12);
        let again: Vec<Vec3> = grid(4).iter().cycle().take(640).copied().collect();
        assert!((check("repeated", &again).volume() - 1.0).abs() < 1e-12);
        // Rims of many points in two planes, in single precision.
        let rim = |k: usize| {
            let angle = 0.01 * k as f64;
            let single = |x: f64| f64::from(x as f32);
            Vec3::new(single(angle.cos()), single(angle.sin()), (k % 2) as f64)
        };
        check("cylinder", &(0..1256).map(rim).collect::<Vec<_>>());
        // Plates, one of them tilted, and a wire.
        for thin in [[1.0, 1.0, 1e-5], [1.0, 0.3, 1e-4], [1.0, 1e-4, 1e-4]] {
            let plain: Vec<Vec3> = grid(6)
                .iter()
                .map(|p| p.component_mul(&Vec3::from(thin)))
                .collect();
            let volume = thin.iter().product::<f64>();
            let tilt = exp(&Vec3::new(0.3, -0.7, 0.2));
            let tilted: Vec<Vec3> = plain.iter().map(|p| tilt * p).collect();
            for points in [plain, tilted] {
                assert!((check("thin", &points).volume() / volume - 1.0).abs() < 1e-8);
            }
        }
        let far: Vec<Vec3> = grid(5)
            .iter()
            .map(|p| p * 1e-3 + Vec3::repeat(1.0))
            .collect();
        check("far", &far);
    }

    #[test]
    fn points_without_a_hull_are_refused() {
        let line: Vec<Vec3> = (0..9).map(|k| Vec3::repeat(k as f64 * 0.1)).collect();
        let plane: Vec<Vec3> = grid(5)
            .iter()
            .map(|p| Vec3::new(p.x, p.y, p.x - 0.3 * p.y))
            .collect();
        for points in [
            &[][..],
            &line[..1],
            &line[..2],
            &line,
            &plane,
            &vec![Vec3::zeros(); 50],
        ] {
            let refused = convex_hull("flat", points);
            assert!(
                matches!(refused, Err(CollisionError::FlatHull { .. })),
                "{refused:?}"
            );
            assert!(convex_parts("flat", points, &[], 4).is_err());
        }
        let nan = convex_hull("nan", &[Vec3::repeat(f64::NAN); 5]);
        assert!(matches!(nan, Err(CollisionError::NotFinite { .. })));
        let stray = convex_parts("stray", &grid(2), &[[0, 1, 8]], 4);
        assert!(matches!(stray, Err(CollisionError::IndexOutOfRange { .. })));
    }
}

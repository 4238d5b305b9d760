//! Calls of the collision library (parry): convex hulls and convex parts. Its types are not used outside this file.

use crate::math::Vec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use std::panic::catch_unwind;

fn out(v: Vector) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

fn into(v: &Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// Corners and outward triangles of the convex hull; `None` if the points have none.
pub fn convex_hull(points: &[Vec3]) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
    let input: Vec<Vector> = points.iter().map(into).collect();
    let (vertices, triangles) = try_convex_hull(&input).ok()?;
    Some((vertices.into_iter().map(out).collect(), triangles))
}

/// Points of each of the nearly convex parts of a closed surface. The library splits in halves, so there may be more
/// than `parts`. `cells`: along the longest side.
pub fn convex_parts(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    parts: u32,
    cells: u32,
) -> Vec<Vec<Vec3>> {
    let input: Vec<Vector> = vertices.iter().map(into).collect();
    let split = |approximate: bool| {
        let settings = VHACDParameters {
            max_convex_hulls: parts,
            resolution: cells,
            convex_hull_approximation: approximate,
            ..VHACDParameters::default()
        };
        VHACD::decompose(&settings, &input, triangles, true)
            .compute_exact_convex_hulls(&input, triangles)
    };
    // The approximation finds better cuts in less time, but unwraps the result of a hull that may not exist.
    let hulls = catch_unwind(|| split(true)).unwrap_or_else(|_| split(false));
    hulls
        .into_iter()
        .map(|(points, _)| points.into_iter().map(out).collect())
        .collect()
}

//! Convex hulls of points that are nearly in a plane or on a line.
//!
//! The library treats points as flat if their smallest variance is below 1e-7 of their squared size, which is a plate
//! about 6e-4 of its width thick, and then returns a polygon. A hull stays a hull when space is stretched, so such
//! points are stretched until they are as thick as they are wide.

use super::library;
use crate::math::{Mat3, Vec3};
use std::collections::BTreeMap;

/// Least variance relative to the squared size below which points are stretched: four times the
/// library's threshold.
const THIN: f64 = 4e-7;

/// Corners and outward triangles of the hull of points, including thin ones; `None` if they have none.
pub fn hull_of_any(points: &[Vec3]) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
    let spread = Spread::of(points);
    if !spread.is_thin() {
        return library::convex_hull(points);
    }
    let stretched = spread.stretch(points)?;
    let (vertices, triangles) = library::convex_hull(&stretched)?;
    let bits = |p: &Vec3| [p.x, p.y, p.z].map(f64::to_bits);
    let origins: BTreeMap<[u64; 3], usize> = stretched
        .iter()
        .enumerate()
        .map(|(i, p)| (bits(p), i))
        .collect();
    let back = |v: &Vec3| origins.get(&bits(v)).map(|i| points[*i]);
    let vertices = vertices.iter().map(back).collect::<Option<_>>()?;
    Some((vertices, triangles))
}

/// How points are spread about their mean.
struct Spread {
    centre: Vec3,
    /// Principal axes, a right-handed basis.
    axes: Mat3,
    /// Variances along them, m².
    variances: Vec3,
    /// Squared diagonal of the box around them, m².
    size: f64,
}

impl Spread {
    fn of(points: &[Vec3]) -> Self {
        let first = points.first().copied().unwrap_or_default();
        let lo = points.iter().fold(first, |m, p| m.inf(p));
        let hi = points.iter().fold(first, |m, p| m.sup(p));
        let count = points.len().max(1) as f64;
        let centre = points.iter().sum::<Vec3>() / count;
        let moments = points
            .iter()
            .map(|p| (p - centre) * (p - centre).transpose());
        let eigen = (moments.sum::<Mat3>() / count).symmetric_eigen();
        let mut axes = eigen.eigenvectors;
        if axes.determinant() < 0.0 {
            // A mirror image would turn the triangles round.
            axes.column_mut(0).neg_mut();
        }
        Self {
            centre,
            axes,
            variances: eigen.eigenvalues,
            size: (hi - lo).norm_squared(),
        }
    }

    fn is_thin(&self) -> bool {
        self.variances.min() < THIN * self.size
    }

    /// The points along the principal axes with variance 1; `None` if they are exactly flat.
    fn stretch(&self, points: &[Vec3]) -> Option<Vec<Vec3>> {
        let deviations = self.variances.map(f64::sqrt);
        // The root of a negative variance, which rounding can produce, is NaN.
        deviations.iter().all(|d| *d > 0.0).then(|| {
            let map = |p: &Vec3| {
                self.axes
                    .tr_mul(&(p - self.centre))
                    .component_div(&deviations)
            };
            points.iter().map(map).collect()
        })
    }
}

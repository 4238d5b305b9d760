//! Triangles for the forms without a marker type; for display, not for contact.

use linkwork::math::Vec3;
use linkwork::model::Geometry;
use std::f64::consts::{PI, TAU};

/// Half the side of the square that represents a half-space, m.
const GROUND: f64 = 5.0;
/// Corners around an axis.
const AROUND: usize = 24;
/// Number of points of a hull up to which all triples are tested.
const HULL_POINTS: usize = 48;

/// Corners of the triangles of a form, three each, counter-clockwise seen from outside.
pub(super) fn triangles(geometry: &Geometry) -> Vec<Vec3> {
    match geometry {
        Geometry::HalfSpace => ground(),
        Geometry::Capsule {
            radius,
            half_length,
        } => turned(&capsule_profile(*radius, *half_length)),
        Geometry::Cone {
            radius,
            half_length,
        } => turned(&[
            (0.0, -half_length),
            (*radius, -half_length),
            (0.0, *half_length),
        ]),
        Geometry::ConvexHull { points } => hull(&extremes(points)),
        Geometry::TriangleMesh {
            vertices,
            triangles,
        } => triangles
            .iter()
            .flatten()
            .map(|&i| vertices[i as usize])
            .collect(),
        Geometry::HeightField {
            nx,
            ny,
            heights,
            size,
        } => height_field(*nx, *ny, heights, *size),
        // These are markers of their own.
        Geometry::Sphere { .. }
        | Geometry::Box { .. }
        | Geometry::Cylinder { .. }
        | Geometry::Ellipsoid { .. } => Vec::new(),
    }
}

fn ground() -> Vec<Vec3> {
    let corner = |x: f64, y: f64| Vec3::new(x * GROUND, y * GROUND, 0.0);
    let [a, b, c, d] = [
        corner(-1., -1.),
        corner(1., -1.),
        corner(1., 1.),
        corner(-1., 1.),
    ];
    vec![a, b, c, a, c, d]
}

/// Distance from the axis and height along it, from the lower pole to the upper.
fn capsule_profile(radius: f64, half_length: f64) -> Vec<(f64, f64)> {
    let n = AROUND / 4;
    let arc = |i: usize, lift: f64| {
        let (sin, cos) = (PI * (i as f64 / (2 * n) as f64 - 0.5)).sin_cos();
        (radius * cos, radius * sin + lift)
    };
    let lower = (0..=n).map(|i| arc(i, -half_length));
    lower
        .chain((n..=2 * n).map(|i| arc(i, half_length)))
        .collect()
}

/// The surface a profile of (distance, height) describes about z.
fn turned(profile: &[(f64, f64)]) -> Vec<Vec3> {
    let at = |(r, z): (f64, f64), k: usize| {
        let (sin, cos) = (TAU * k as f64 / AROUND as f64).sin_cos();
        Vec3::new(r * cos, r * sin, z)
    };
    let mut out = Vec::new();
    for pair in profile.windows(2) {
        for k in 0..AROUND {
            let (a, b) = (at(pair[0], k), at(pair[0], k + 1));
            let (c, d) = (at(pair[1], k + 1), at(pair[1], k));
            out.extend([a, b, c, a, c, d]);
        }
    }
    out
}

fn height_field(nx: usize, ny: usize, heights: &[f64], size: [f64; 2]) -> Vec<Vec3> {
    let at = |i: usize, j: usize| {
        let x = size[0] * (i as f64 / (nx - 1) as f64 - 0.5);
        let y = size[1] * (j as f64 / (ny - 1) as f64 - 0.5);
        Vec3::new(x, y, heights[i * ny + j])
    };
    let mut out = Vec::new();
    for i in 0..nx - 1 {
        for j in 0..ny - 1 {
            let (a, b) = (at(i, j), at(i + 1, j));
            let (c, d) = (at(i + 1, j + 1), at(i, j + 1));
            out.extend([a, b, c, a, c, d]);
        }
    }
    out
}

/// All points, or of many those that are outermost in some direction.
fn extremes(points: &[Vec3]) -> Vec<Vec3> {
    if points.len() <= HULL_POINTS {
        return points.to_vec();
    }
    let mut kept: Vec<Vec3> = Vec::new();
    for k in 0..HULL_POINTS {
        // Directions spread evenly over the sphere, along a spiral of the golden angle.
        let z = 1.0 - (2 * k + 1) as f64 / HULL_POINTS as f64;
        let (sin, cos) = (2.399_963_229_728_653 * k as f64).sin_cos();
        let r = (1.0 - z * z).sqrt();
        let direction = Vec3::new(r * cos, r * sin, z);
        let most = points
            .iter()
            .max_by(|a, b| direction.dot(a).total_cmp(&direction.dot(b)));
        kept.extend(most.filter(|p| !kept.contains(p)));
    }
    kept
}

/// Every triple that has all other points behind it.
fn hull(points: &[Vec3]) -> Vec<Vec3> {
    let size = points.iter().fold(0.0, |s: f64, p| s.max(p.amax()));
    let mut out = Vec::new();
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let normal = (b - a).cross(&(c - a));
                let slack = 1e-9 * size * normal.norm();
                let behind = |n: Vec3| points.iter().all(|p| n.dot(&(p - a)) <= slack);
                if slack > 0.0 && behind(normal) {
                    out.extend([*a, *b, *c]);
                } else if slack > 0.0 && behind(-normal) {
                    out.extend([*a, *c, *b]);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume enclosed: the sum over triangles of a · (b × c)/6. Positive where they face outwards.
    fn volume(triangles: &[Vec3]) -> f64 {
        triangles
            .chunks_exact(3)
            .map(|t| t[0].dot(&t[1].cross(&t[2])) / 6.0)
            .sum()
    }

    #[test]
    fn closed_surfaces_hold_about_their_volume() {
        let (radius, half_length) = (0.5, 1.0);
        let cone = Geometry::Cone {
            radius,
            half_length,
        };
        let exact = PI * radius * radius * 2.0 * half_length / 3.0;
        assert!((volume(&triangles(&cone)) / exact - 1.0).abs() < 0.05);
        let capsule = Geometry::Capsule {
            radius,
            half_length,
        };
        let exact = PI * radius * radius * (2.0 * half_length + 4.0 / 3.0 * radius);
        assert!((volume(&triangles(&capsule)) / exact - 1.0).abs() < 0.05);
        let corners = [
            [0., 0., 0.],
            [1., 0., 0.],
            [0., 1., 0.],
            [0., 0., 1.],
            [0.1, 0.1, 0.1],
        ];
        let points = corners.map(|c| Vec3::new(c[0], c[1], c[2])).to_vec();
        let tetrahedron = Geometry::ConvexHull {
            points: points.into(),
        };
        assert!((volume(&triangles(&tetrahedron)) - 1.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn fields_and_half_spaces_face_up() {
        let field = Geometry::HeightField {
            nx: 2,
            ny: 3,
            heights: vec![0.0; 6].into(),
            size: [1.0, 2.0],
        };
        for form in [field, Geometry::HalfSpace] {
            let t = triangles(&form);
            assert!(
                t.chunks_exact(3)
                    .all(|t| (t[1] - t[0]).cross(&(t[2] - t[0])).z > 0.0)
            );
        }
    }
}

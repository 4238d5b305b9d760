//! Points distributed over the surface of a shape, each with its share of the area.

use super::prepare::Form;
use super::solid::{Core, Solid};
use crate::math::Vec3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A point of the surface, in the shape's frame.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Where, m.
    pub point: Vec3,
    /// Outward unit normal.
    pub normal: Vec3,
    /// Its share of the area, m².
    pub area: f64,
}

/// Samples at most about `spacing` (m) apart. None for a half space, which is infinite.
pub fn samples(form: &Form, spacing: f64) -> Vec<Sample> {
    let mut out = Vec::new();
    match form {
        Form::Solid(solid) => of_solid(solid, spacing, &mut out),
        Form::Surface(surface) => {
            for corners in surface.corners() {
                triangle(corners, spacing, &mut out);
            }
        }
        Form::HalfSpace | Form::VisualOnly(..) => {}
    }
    out
}

fn of_solid(solid: &Solid, spacing: f64, out: &mut Vec<Sample>) {
    match &solid.core {
        Core::Point => zone(solid.rounding, [-FRAC_PI_2, FRAC_PI_2], 0.0, spacing, out),
        Core::Segment { half } => {
            let r = solid.rounding;
            zone(r, [-FRAC_PI_2, 0.0], -half, spacing, out);
            frustum([r, -half], [r, *half], spacing, out);
            zone(r, [0.0, FRAC_PI_2], *half, spacing, out);
        }
        Core::Cylinder { radius, half } => {
            frustum([0.0, -half], [*radius, -half], spacing, out);
            frustum([*radius, -half], [*radius, *half], spacing, out);
            frustum([*radius, *half], [0.0, *half], spacing, out);
        }
        Core::Cone { radius, half } => {
            frustum([0.0, -half], [*radius, -half], spacing, out);
            frustum([*radius, -half], [0.0, *half], spacing, out);
        }
        Core::Ellipsoid { radii } => {
            zone(
                1.0,
                [-FRAC_PI_2, FRAC_PI_2],
                0.0,
                spacing / radii.max(),
                out,
            );
            // The unit sphere stretched: areas change by the length of the stretched normal.
            let across = Vec3::new(radii.y * radii.z, radii.z * radii.x, radii.x * radii.y);
            for s in out {
                let normal = s.normal.component_mul(&across);
                s.area *= normal.norm();
                s.normal = normal.normalize();
                s.point.component_mul_assign(radii);
            }
        }
        Core::Box { half } => {
            for axis in 0..3 {
                for side in [-1.0, 1.0] {
                    rectangle(half, axis, side, spacing, out);
                }
            }
        }
        Core::Hull(hull) => {
            for face in &hull.faces {
                let corner = |k: usize| hull.vertices[face.corners[k] as usize];
                for k in 2..face.corners.len() {
                    triangle([corner(0), corner(k - 1), corner(k)], spacing, out);
                }
            }
        }
        Core::Triangle { points, .. } => triangle(*points, spacing, out),
    }
}

/// Number of parts no longer than `spacing` that a length has.
fn parts(length: f64, spacing: f64) -> usize {
    (length / spacing).ceil().max(1.0) as usize
}

/// A ring about z through (r, z) with the given normal across and along, and area.
fn ring(
    [r, z]: [f64; 2],
    [across, along]: [f64; 2],
    area: f64,
    spacing: f64,
    out: &mut Vec<Sample>,
) {
    // At least three, also near a tip: fewer would push across the axis.
    let n = parts(TAU * r, spacing).max(3);
    for k in 0..n {
        let (sin, cos) = (TAU * (k as f64 + 0.5) / n as f64).sin_cos();
        out.push(Sample {
            point: Vec3::new(r * cos, r * sin, z),
            normal: Vec3::new(across * cos, across * sin, along),
            area: area / n as f64,
        });
    }
}

/// The part of a sphere about (0, 0, z) between two latitudes.
fn zone(radius: f64, [low, high]: [f64; 2], z: f64, spacing: f64, out: &mut Vec<Sample>) {
    let n = parts(radius * (high - low), spacing);
    let at = |k: f64| low + (high - low) * k / n as f64;
    for k in 0..n {
        let k = k as f64;
        let (sin, cos) = at(k + 0.5).sin_cos();
        let area = TAU * radius * radius * (at(k + 1.0).sin() - at(k).sin());
        let middle = [radius * cos, z + radius * sin];
        ring(middle, [cos, sin], area, spacing, out);
    }
}

/// The surface of revolution of a segment in the half plane of (across, along) about z; its outside is to the right of
/// the direction of travel.
fn frustum(from: [f64; 2], to: [f64; 2], spacing: f64, out: &mut Vec<Sample>) {
    let d = [to[0] - from[0], to[1] - from[1]];
    let length = d[0].hypot(d[1]);
    let n = parts(length, spacing);
    for k in 0..n {
        let s = (k as f64 + 0.5) / n as f64;
        let middle = [from[0] + s * d[0], from[1] + s * d[1]];
        let area = TAU * middle[0] * length / n as f64;
        ring(middle, [d[1] / length, -d[0] / length], area, spacing, out);
    }
}

fn rectangle(half: &Vec3, axis: usize, side: f64, spacing: f64, out: &mut Vec<Sample>) {
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let (nj, nk) = (parts(2.0 * half[j], spacing), parts(2.0 * half[k], spacing));
    let mut normal = Vec3::zeros();
    normal[axis] = side;
    for a in 0..nj {
        for b in 0..nk {
            let mut point = Vec3::zeros();
            point[axis] = side * half[axis];
            point[j] = half[j] * ((2 * a + 1) as f64 / nj as f64 - 1.0);
            point[k] = half[k] * ((2 * b + 1) as f64 / nk as f64 - 1.0);
            let area = 4.0 * half[j] * half[k] / (nj * nk) as f64;
            out.push(Sample {
                point,
                normal,
                area,
            });
        }
    }
}

/// Centroids of n² equal parts.
fn triangle([a, b, c]: [Vec3; 3], spacing: f64, out: &mut Vec<Sample>) {
    let (u, v) = (b - a, c - a);
    let cross = u.cross(&v);
    // A sliver has neither area nor normal.
    let Some(normal) = cross.try_normalize(1e-10 * u.norm().max(v.norm()).powi(2)) else {
        return;
    };
    let n = parts(u.norm().max(v.norm()).max((v - u).norm()), spacing);
    let area = 0.5 * cross.norm() / (n * n) as f64;
    let mut push = |i: usize, j: usize, third: f64| {
        let at = |k: usize| (k as f64 + third) / n as f64;
        out.push(Sample {
            point: a + u * at(i) + v * at(j),
            normal,
            area,
        });
    };
    for i in 0..n {
        for j in 0..n - i {
            push(i, j, 1.0 / 3.0);
            if i + j + 1 < n {
                push(i, j, 2.0 / 3.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::hull::Hull;
    use std::f64::consts::PI;
    use std::sync::Arc;

    fn solid(core: Core, rounding: f64) -> Form {
        Form::Solid(Solid {
            core,
            rounding,
            size: 1.0,
        })
    }

    /// Every form with its area, m², and whether it is exact.
    fn forms() -> Vec<(Form, f64, f64)> {
        let half = Vec3::new(0.2, 0.1, 0.3);
        let corners: Vec<Vec3> = (0..8)
            .map(|i| Vec3::from_fn(|k, _| half[k] * f64::from(1 - 2 * (i >> k & 1))))
            .collect();
        let (r, h) = (0.2, 0.3);
        // Knud Thomsen's formula, good to 1.1 %.
        let thomsen = |a: f64, b: f64, c: f64| {
            let p = 1.6075;
            let mean = ((a * b).powf(p) + (a * c).powf(p) + (b * c).powf(p)) / 3.0;
            4.0 * PI * mean.powf(1.0 / p)
        };
        let (boxed, exact) = (8.0 * (0.02 + 0.03 + 0.06), 1e-12);
        vec![
            (solid(Core::Point, r), 4.0 * PI * r * r, exact),
            (solid(Core::Box { half }, 0.0), boxed, exact),
            (
                solid(Core::Hull(Arc::new(Hull::new(&corners).unwrap())), 0.0),
                boxed,
                exact,
            ),
            (
                solid(Core::Segment { half: h }, r),
                4.0 * PI * r * (r + h),
                exact,
            ),
            (
                solid(Core::Cylinder { radius: r, half: h }, 0.0),
                TAU * r * (r + 2.0 * h),
                exact,
            ),
            (
                solid(Core::Cone { radius: r, half: h }, 0.0),
                PI * r * (r + r.hypot(2.0 * h)),
                exact,
            ),
            (
                solid(Core::Ellipsoid { radii: half }, 0.0),
                thomsen(0.2, 0.1, 0.3),
                0.012,
            ),
        ]
    }

    #[test]
    fn areas_add_up_to_the_surface_and_normals_to_nothing() {
        for (form, area, within) in forms() {
            let samples = samples(&form, 0.01);
            let sum: f64 = samples.iter().map(|s| s.area).sum();
            assert!(
                (sum / area - 1.0).abs() < within,
                "{sum} instead of {area} m²"
            );
            // ∮ n dA = 0, and ∮ p·n dA = 3 V > 0 if normals point outwards.
            let closed: Vec3 = samples.iter().map(|s| s.area * s.normal).sum();
            assert!(closed.norm() < 1e-9 * area);
            assert!(
                samples
                    .iter()
                    .all(|s| (s.normal.norm() - 1.0).abs() < 1e-12)
            );
            assert!(
                samples
                    .iter()
                    .map(|s| s.area * s.point.dot(&s.normal))
                    .sum::<f64>()
                    > 0.0
            );
        }
    }

    #[test]
    fn samples_are_as_dense_as_asked() {
        for (form, area, _) in forms() {
            let spacing = 0.02;
            let samples = samples(&form, spacing);
            for s in &samples {
                let nearest = samples
                    .iter()
                    .map(|t| (t.point - s.point).norm())
                    .filter(|d| *d > 0.0)
                    .fold(f64::INFINITY, f64::min);
                assert!(nearest <= spacing * (1.0 + 1e-12), "{nearest} m");
            }
            // Not many more than necessary: cells are at most halved along each side.
            assert!((samples.len() as f64) < 8.0 * area / (spacing * spacing));
        }
    }
}

//! Volumes of sensors: rays that meet them, points in them.

use crate::math::Vec3;
use crate::model::Geometry;

/// Whether a ray from `from` along `along` (in the frame of the volume) intersects it, or starts inside. False for
/// shapes that are not primitives.
pub(super) fn meets(volume: &Geometry, from: &Vec3, along: &Vec3) -> bool {
    match volume {
        Geometry::Sphere { radius } => ball(from, along, *radius),
        Geometry::Ellipsoid { radii } => {
            let (p, v) = (from.component_div(radii), along.component_div(radii));
            ball(&p, &v, 1.0)
        }
        Geometry::Box { half_extents } => slabs(from, along, half_extents),
        Geometry::Cylinder {
            radius,
            half_length,
        } => tube(from, along, *radius, *half_length),
        Geometry::Capsule {
            radius,
            half_length,
        } => {
            let end = Vec3::new(0.0, 0.0, *half_length);
            tube(from, along, *radius, *half_length)
                || ball(&(from - end), along, *radius)
                || ball(&(from + end), along, *radius)
        }
        _ => false,
    }
}

/// Whether a point (in the frame of the volume) is inside it; false for shapes that are not primitives.
pub(super) fn contains(volume: &Geometry, p: &Vec3) -> bool {
    let radial = (p.x * p.x + p.y * p.y).sqrt();
    match volume {
        Geometry::Sphere { radius } => p.norm() <= *radius,
        Geometry::Ellipsoid { radii } => p.component_div(radii).norm() <= 1.0,
        Geometry::Box { half_extents } => (0..3).all(|i| p[i].abs() <= half_extents[i]),
        Geometry::Cylinder {
            radius,
            half_length,
        } => radial <= *radius && p.z.abs() <= *half_length,
        Geometry::Capsule {
            radius,
            half_length,
        } => {
            let beyond = (p.z.abs() - half_length).max(0.0);
            radial.hypot(beyond) <= *radius
        }
        _ => false,
    }
}

/// Where a line is within a quadric, a t² + 2 b t + c ≤ 0; `None` for nowhere.
fn within(a: f64, b: f64, c: f64) -> Option<(f64, f64)> {
    if a == 0.0 {
        // Along the axis of a tube: always within, or never.
        return (c <= 0.0).then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    let d = b * b - a * c;
    (d >= 0.0).then(|| ((-b - d.sqrt()) / a, (-b + d.sqrt()) / a))
}

fn ball(p: &Vec3, v: &Vec3, radius: f64) -> bool {
    let span = within(v.dot(v), p.dot(v), p.dot(p) - radius * radius);
    span.is_some_and(|(_, end)| end >= 0.0)
}

/// Where a line is between −half and half.
fn between(p: f64, v: f64, half: f64) -> Option<(f64, f64)> {
    if v == 0.0 {
        return (p.abs() <= half).then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    let (a, b) = ((-half - p) / v, (half - p) / v);
    Some((a.min(b), a.max(b)))
}

fn overlap(spans: &[Option<(f64, f64)>]) -> bool {
    let (mut first, mut last) = (0.0_f64, f64::INFINITY);
    for span in spans {
        let Some((a, b)) = *span else { return false };
        first = first.max(a);
        last = last.min(b);
    }
    first <= last
}

fn slabs(p: &Vec3, v: &Vec3, half: &Vec3) -> bool {
    overlap(&[0, 1, 2].map(|i| between(p[i], v[i], half[i])))
}

fn tube(p: &Vec3, v: &Vec3, radius: f64, half: f64) -> bool {
    let (pp, pv, vv) = (
        p.x * p.x + p.y * p.y,
        p.x * v.x + p.y * v.y,
        v.x * v.x + v.y * v.y,
    );
    let round = within(vv, pv, pp - radius * radius);
    overlap(&[round, between(p.z, v.z, half)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a point lies in a volume.
    type Inside = fn(&Vec3) -> bool;

    /// Points along the ray, finely spaced, against the definition of each volume.
    #[test]
    fn rays_meet_what_their_points_lie_in() {
        let half_length = 0.4;
        let volumes: [(Geometry, Inside); 5] = [
            (Geometry::Sphere { radius: 0.5 }, |p| p.norm() <= 0.5),
            (
                Geometry::Box {
                    half_extents: Vec3::new(0.5, 0.3, 0.2),
                },
                |p| p.x.abs() <= 0.5 && p.y.abs() <= 0.3 && p.z.abs() <= 0.2,
            ),
            (
                Geometry::Ellipsoid {
                    radii: Vec3::new(0.5, 0.3, 0.2),
                },
                |p| (p.x / 0.5).powi(2) + (p.y / 0.3).powi(2) + (p.z / 0.2).powi(2) <= 1.0,
            ),
            (
                Geometry::Cylinder {
                    radius: 0.3,
                    half_length,
                },
                |p| p.xy().norm() <= 0.3 && p.z.abs() <= 0.4,
            ),
            (
                Geometry::Capsule {
                    radius: 0.3,
                    half_length,
                },
                |p| (p - Vec3::new(0.0, 0.0, p.z.clamp(-0.4, 0.4))).norm() <= 0.3,
            ),
        ];
        let mut seed = 1u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let (mut met, mut missed) = (0, 0);
        for _ in 0..500 {
            let from = Vec3::new(random(), random(), random());
            let along = Vec3::new(random(), random(), random()).normalize();
            for (volume, inside) in &volumes {
                let steps = (0..4000).map(|i| from + along * (i as f64 * 1e-3));
                // The distance of the nearest point of the ray decides, except for grazing rays.
                let sampled = steps.clone().any(|p| inside(&p));
                let grazes = |grown: f64| steps.clone().any(|p| inside(&(p * grown)));
                if grazes(0.97) == grazes(1.03) {
                    assert_eq!(
                        meets(volume, &from, &along),
                        sampled,
                        "{volume:?} {from} {along}"
                    );
                    *(if sampled { &mut met } else { &mut missed }) += 1;
                }
            }
        }
        assert!(met > 200 && missed > 200, "{met} {missed}");
        // Straight along an axis.
        let (up, tube) = (Vec3::z(), &volumes[3].0);
        assert!(meets(tube, &Vec3::new(0.1, 0.0, -1.0), &up));
        assert!(!meets(tube, &Vec3::new(0.31, 0.0, -1.0), &up));
        assert!(!meets(tube, &Vec3::new(0.1, 0.0, 1.0), &up));
    }
}

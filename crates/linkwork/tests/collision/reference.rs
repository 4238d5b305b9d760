//! Signed distance, written independently of the module.

use crate::random::Random;
use linkwork::math::{Pose, Vec3};
use linkwork::model::Geometry;

/// Farthest point along `d`, written independently of the module.
pub fn support(g: &Geometry, pose: &Pose, d: &Vec3) -> Vec3 {
    let l = pose.rotation.inverse() * d;
    let flat = Vec3::new(l.x, l.y, 0.0);
    let rim = |r: f64| flat / flat.norm().max(1e-300) * r;
    let local = match g {
        Geometry::Sphere { radius } => l.normalize() * *radius,
        Geometry::Box { half_extents } => half_extents.zip_map(&l, f64::copysign),
        Geometry::Capsule {
            radius,
            half_length,
        } => Vec3::z() * half_length.copysign(l.z) + l.normalize() * *radius,
        Geometry::Cylinder {
            radius,
            half_length,
        } => rim(*radius) + Vec3::z() * half_length.copysign(l.z),
        Geometry::Cone {
            radius,
            half_length,
        } => {
            let base = rim(*radius) - Vec3::z() * *half_length;
            let apex = Vec3::z() * *half_length;
            if base.dot(&l) > apex.dot(&l) {
                base
            } else {
                apex
            }
        }
        Geometry::Ellipsoid { radii } => {
            let s = radii.component_mul(&l);
            radii.component_mul(&s) / s.norm()
        }
        Geometry::ConvexHull { points } => *points
            .iter()
            .max_by(|p, q| p.dot(&l).total_cmp(&q.dot(&l)))
            .unwrap(),
        _ => unreachable!(),
    };
    pose.transform_point(&local)
}

pub type Thing<'a> = (&'a Geometry, &'a Pose);

pub fn separation(a: Thing, b: Thing, n: &Vec3) -> f64 {
    n.dot(&(support(b.0, b.1, &-n) - support(a.0, a.1, n)))
}

/// Signed distance: the greatest separation over directions, by random search that narrows.
pub fn signed_distance(a: Thing, b: Thing, random: &mut Random, starts: usize) -> f64 {
    let mut found = f64::NEG_INFINITY;
    // Several starts: an overlap has many local optima.
    for _ in 0..starts {
        let (mut n, mut best) = (Vec3::z(), f64::NEG_INFINITY);
        for _ in 0..60 {
            let d = random.direction();
            let s = separation(a, b, &d);
            if s > best {
                (n, best) = (d, s);
            }
        }
        let mut width = 0.3;
        while width > 1e-7 {
            let mut improved = false;
            for _ in 0..24 {
                let d = (n + random.direction() * width).normalize();
                let s = separation(a, b, &d);
                if s > best {
                    (n, best) = (d, s);
                    improved = true;
                }
            }
            if !improved {
                width *= 0.6;
            }
        }
        found = found.max(best);
    }
    found
}

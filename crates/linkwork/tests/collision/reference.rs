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

/// How far a shape reaches from the origin of its frame along a direction of that frame, times the length of `l`.
fn reach(g: &Geometry, l: &Vec3) -> f64 {
    let across = || l.xy().norm();
    match g {
        Geometry::Sphere { radius } => radius * l.norm(),
        Geometry::Box { half_extents } => half_extents.dot(&l.abs()),
        Geometry::Capsule {
            radius,
            half_length,
        } => half_length * l.z.abs() + radius * l.norm(),
        Geometry::Cylinder {
            radius,
            half_length,
        } => radius * across() + half_length * l.z.abs(),
        Geometry::Cone {
            radius,
            half_length,
        } => (half_length * l.z).max(radius * across() - half_length * l.z),
        Geometry::Ellipsoid { radii } => radii.component_mul(l).norm(),
        Geometry::ConvexHull { points } => points
            .iter()
            .map(|p| p.dot(l))
            .fold(f64::NEG_INFINITY, f64::max),
        _ => unreachable!(),
    }
}

pub type Thing<'a> = (&'a Geometry, &'a Pose);

/// Two shapes for which many separations are computed.
pub struct Couple<'a> {
    shapes: [&'a Geometry; 2],
    /// The axes of their frames.
    axes: [[Vec3; 3]; 2],
    offset: Vec3,
}

impl<'a> Couple<'a> {
    pub fn new(a: Thing<'a>, b: Thing<'a>) -> Self {
        Self {
            shapes: [a.0, b.0],
            axes: [a, b].map(|t| [Vec3::x(), Vec3::y(), Vec3::z()].map(|e| t.1.rotation * e)),
            offset: b.1.position - a.1.position,
        }
    }

    /// Width of the gap between the planes that support the two along `n`, negative where they overlap.
    pub fn separation(&self, n: &Vec3) -> f64 {
        let ([a, b], [i, j]) = (self.shapes, &self.axes);
        let along = |[x, y, z]: &[Vec3; 3]| Vec3::new(x.dot(n), y.dot(n), z.dot(n));
        n.dot(&self.offset) - reach(b, &-along(j)) - reach(a, &along(i))
    }

    /// Signed distance: the greatest separation over directions, by random search that narrows and ends at `enough`.
    pub fn signed_distance(&self, random: &mut Random, starts: usize, enough: f64) -> f64 {
        let mut found = f64::NEG_INFINITY;
        // Several starts: an overlap has many local optima.
        for _ in 0..starts {
            if found >= enough {
                break;
            }
            let (mut n, mut best) = (Vec3::z(), f64::NEG_INFINITY);
            for _ in 0..60 {
                let d = random.direction();
                let s = self.separation(&d);
                if s > best {
                    (n, best) = (d, s);
                }
            }
            let mut width = 0.3;
            while width > 1e-7 && best < enough {
                let mut improved = false;
                for _ in 0..24 {
                    let d = (n + random.direction() * width).normalize();
                    let s = self.separation(&d);
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
}

pub fn separation(a: Thing, b: Thing, n: &Vec3) -> f64 {
    Couple::new(a, b).separation(n)
}

pub fn signed_distance(a: Thing, b: Thing, random: &mut Random, starts: usize) -> f64 {
    Couple::new(a, b).signed_distance(random, starts, f64::INFINITY)
}

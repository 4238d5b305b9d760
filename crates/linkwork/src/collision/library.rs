//! Calls into the collision library (parry): distance and depth of convex solids, convex hulls,
//! and the tree over the triangles of a mesh. Its types go no further than this file.

use super::solid::Placed;
use crate::math::Vec3;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy};
use parry3d_f64::query::epa::EPA;
use parry3d_f64::query::gjk::{CsoPoint, GJKResult, VoronoiSimplex, closest_points};
use parry3d_f64::shape::SupportMap;
use parry3d_f64::transformation::try_convex_hull;

fn out(v: Vector) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

fn into(v: &Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// A placed solid without its rounding, as the library sees it.
struct Core<'a>(&'a Placed<'a>);

impl SupportMap for Core<'_> {
    fn local_support_point(&self, direction: Vector) -> Vector {
        into(&self.0.support(&out(direction)))
    }
}

/// Working memory of the library, reused from call to call.
#[derive(Default)]
pub struct LibraryScratch {
    simplex: VoronoiSimplex,
    epa: EPA,
}

/// Axis and witness points of two solids without their rounding.
pub struct Witness {
    /// Unit vectors, up to sign, along which the solids are farthest apart or overlap least: the
    /// search direction, and the line between the witness points. Either can be the better.
    pub axes: [Vec3; 2],
    /// Witness point on A, m.
    pub on_a: Vec3,
    /// Witness point on B, m.
    pub on_b: Vec3,
}

/// How far the distance along the axis may fall short of the distance of the witness points,
/// relative to the size of the smaller solid, before the search is started again.
const SHORTFALL: f64 = 1e-6;
/// Most searches. They stall now and then on rims, at a place that depends on the start.
const SEARCHES: usize = 3;

impl LibraryScratch {
    /// Nearest or deepest points by GJK and EPA; `None` if the distance certainly exceeds
    /// `max_distance` (m) or the library finds no answer.
    pub fn witness(&mut self, a: &Placed, b: &Placed, max_distance: f64) -> Option<Witness> {
        let (g1, g2) = (Core(a), Core(b));
        let pose = Pose::IDENTITY;
        let enough = SHORTFALL * a.solid.size.min(b.solid.size);
        let mut towards = into(&(b.position - a.position))
            .try_normalize()
            .unwrap_or(Vector::X);
        let mut best: Option<(f64, Witness)> = None;
        for _ in 0..SEARCHES {
            self.simplex
                .reset(CsoPoint::from_shapes(&pose, &g1, &g2, towards));
            match closest_points(&pose, &g1, &g2, max_distance, true, &mut self.simplex) {
                GJKResult::ClosestPoints(p, q, direction) => {
                    let between = (q - p).try_normalize().unwrap_or(direction);
                    let along = |n: Vector| -CsoPoint::from_shapes(&pose, &g1, &g2, n).point.dot(n);
                    let short = q.distance(p) - along(direction).max(along(between));
                    if best.as_ref().is_none_or(|(least, _)| short < *least) {
                        let witness = Witness {
                            axes: [out(direction), out(between)],
                            on_a: out(p),
                            on_b: out(q),
                        };
                        best = Some((short, witness));
                    }
                    if short <= enough {
                        break;
                    }
                    towards = between;
                }
                GJKResult::Intersection if best.is_none() => {
                    let (p, q, n) = self.epa.closest_points(&pose, &g1, &g2, &self.simplex)?;
                    return Some(Witness {
                        axes: [out(n); 2],
                        on_a: out(p),
                        on_b: out(q),
                    });
                }
                _ => break,
            }
        }
        best.map(|(_, witness)| witness)
    }
}

/// Corners and outward triangles of the convex hull; `None` if the points have none.
pub fn convex_hull(points: &[Vec3]) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
    let input: Vec<Vector> = points.iter().map(into).collect();
    let (vertices, triangles) = try_convex_hull(&input).ok()?;
    Some((vertices.into_iter().map(out).collect(), triangles))
}

/// A tree over boxes, for finding those that overlap a given one.
#[derive(Clone)]
pub struct BoxTree(Bvh);

impl BoxTree {
    /// From boxes given by their lowest and highest corner, m.
    pub fn new(boxes: &[(Vec3, Vec3)]) -> Self {
        let leaves: Vec<Aabb> = boxes
            .iter()
            .map(|(lo, hi)| Aabb::new(into(lo), into(hi)))
            .collect();
        Self(Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves))
    }

    /// Indices of the boxes that overlap the one from `lo` to `hi`, ascending.
    pub fn overlapping(&self, lo: &Vec3, hi: &Vec3, found: &mut Vec<u32>) {
        found.clear();
        let query = Aabb::new(into(lo), into(hi));
        found.extend(self.0.intersect_aabb(&query));
        found.sort_unstable();
    }
}

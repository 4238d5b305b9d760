//! Calls into the collision library (parry): distance and depth of convex solids, convex hulls and
//! convex parts. Its types go no further than this file.

use super::solid::Placed;
use crate::math::Vec3;
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::epa::EPA;
use parry3d_f64::query::gjk::{CsoPoint, GJKResult, VoronoiSimplex, closest_points};
use parry3d_f64::shape::SupportMap;
use parry3d_f64::transformation::try_convex_hull;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use std::panic::catch_unwind;

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

/// Overlaps up to this, relative to the size of the smaller solid, are measured by moving the
/// solids apart.
const SHALLOW: f64 = 0.02;
/// Most rounds of that, and how little a round must gain to be the last.
const ROUNDS: usize = 8;
const GAIN: f64 = 1e-9;

/// Separation of the cores along `n`, m.
fn along(a: &Placed, b: &Placed, n: &Vec3) -> f64 {
    n.dot(&(b.support(&-n) - a.support(n)))
}

/// What one search of the library says.
enum Found {
    Apart(Witness),
    Overlapping,
    /// Farther apart than asked for, along this unit vector.
    Far(Vec3),
    Nothing,
}

/// What is known about two solids.
pub enum Answer {
    /// Nearest or deepest points.
    Near(Witness),
    /// The distance certainly exceeds what was asked for: so does the separation along this unit vector.
    Far(Vec3),
    /// The library finds no answer.
    Unknown,
}

impl LibraryScratch {
    /// Nearest or deepest points of the cores if no farther apart than `max_distance` (m). `guess`: a good axis from
    /// A to B.
    pub fn witness(
        &mut self,
        a: &Placed,
        b: &Placed,
        guess: Option<&Vec3>,
        max_distance: f64,
    ) -> Answer {
        let enough = SHORTFALL * a.solid.size.min(b.solid.size);
        let mut towards = (b.position - a.position)
            .try_normalize(0.0)
            .unwrap_or(Vec3::x());
        let centres = towards;
        let mut best: Option<(f64, Witness)> = None;
        for _ in 0..SEARCHES {
            match self.search(a, b, &towards, max_distance) {
                Found::Apart(witness) => {
                    let [s, t] = witness.axes.map(|n| along(a, b, &n));
                    let short = (witness.on_b - witness.on_a).norm() - s.max(t);
                    towards = witness.axes[1];
                    if best.as_ref().is_none_or(|(least, _)| short < *least) {
                        best = Some((short, witness));
                    }
                    if short <= enough {
                        break;
                    }
                }
                Found::Overlapping if best.is_none() => {
                    let start = match guess {
                        Some(g) if along(a, b, g) > along(a, b, &centres) => *g,
                        _ => centres,
                    };
                    // Moving apart is several times faster, expanding finds every overlap.
                    let witness = self.move_apart(a, b, &start).or_else(|| {
                        self.search(a, b, &centres, max_distance);
                        self.expand(a, b)
                    });
                    return witness.map_or(Answer::Unknown, Answer::Near);
                }
                Found::Far(n) if best.is_none() => return Answer::Far(n),
                _ => break,
            }
        }
        best.map_or(Answer::Unknown, |(_, witness)| Answer::Near(witness))
    }

    /// One run of GJK from the support point along `towards`.
    fn search(&mut self, a: &Placed, b: &Placed, towards: &Vec3, max_distance: f64) -> Found {
        let (g1, g2) = (Core(a), Core(b));
        let pose = Pose::IDENTITY;
        self.simplex
            .reset(CsoPoint::from_shapes(&pose, &g1, &g2, into(towards)));
        match closest_points(&pose, &g1, &g2, max_distance, true, &mut self.simplex) {
            GJKResult::ClosestPoints(p, q, direction) => {
                let between = (q - p).try_normalize().unwrap_or(direction);
                Found::Apart(Witness {
                    axes: [out(direction), out(between)],
                    on_a: out(p),
                    on_b: out(q),
                })
            }
            GJKResult::Intersection => Found::Overlapping,
            // Out of iterations it says so too, along a vector that proves nothing.
            GJKResult::NoIntersection(n) if along(a, b, &out(n)) > max_distance => {
                Found::Far(out(n))
            }
            GJKResult::NoIntersection(_) | GJKResult::Proximity(_) => Found::Nothing,
        }
    }

    /// Depth of a shallow overlap: move B along the axis until it is free, let GJK find the axis
    /// there, and repeat while the axis improves. An axis that reproduces itself is stationary:
    /// its supporting points lie opposite each other. `None` if the overlap is not shallow.
    fn move_apart(&mut self, a: &Placed, b: &Placed, start: &Vec3) -> Option<Witness> {
        let size = a.solid.size.min(b.solid.size);
        let (mut n, mut separation) = (*start, along(a, b, start));
        let mut best = None;
        for _ in 0..ROUNDS {
            let shift = n * (SHALLOW * size - separation);
            let moved = Placed {
                position: b.position + shift,
                ..*b
            };
            let Found::Apart(mut witness) = self.search(a, &moved, &n, f64::MAX) else {
                break;
            };
            witness.on_b -= shift;
            let [s, t] = witness.axes.map(|n| along(a, b, &n));
            let (next, axis) = if s >= t {
                (s, witness.axes[0])
            } else {
                (t, witness.axes[1])
            };
            let gain = next - separation;
            if gain > 0.0 || best.is_none() {
                (n, separation) = (axis, next);
                best = Some(witness);
            }
            if gain <= GAIN * size {
                break;
            }
        }
        best.filter(|_| -separation <= SHALLOW * size)
    }

    /// EPA from the simplex that the last search ended with.
    fn expand(&mut self, a: &Placed, b: &Placed) -> Option<Witness> {
        let pose = Pose::IDENTITY;
        let (p, q, n) = self
            .epa
            .closest_points(&pose, &Core(a), &Core(b), &self.simplex)?;
        Some(Witness {
            axes: [out(n); 2],
            on_a: out(p),
            on_b: out(q),
        })
    }
}

/// Corners and outward triangles of the convex hull; `None` if the points have none.
pub fn convex_hull(points: &[Vec3]) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
    let input: Vec<Vector> = points.iter().map(into).collect();
    let (vertices, triangles) = try_convex_hull(&input).ok()?;
    Some((vertices.into_iter().map(out).collect(), triangles))
}

/// Points of each of the nearly convex parts of a closed surface, at least up to `parts` of them (the
/// library splits in halves, so there may be more). `cells`: along the longest side.
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
    // The approximation chooses better cuts in less time, but unwraps hulls that it might not find.
    let hulls = catch_unwind(|| split(true)).unwrap_or_else(|_| split(false));
    hulls
        .into_iter()
        .map(|(points, _)| points.into_iter().map(out).collect())
        .collect()
}

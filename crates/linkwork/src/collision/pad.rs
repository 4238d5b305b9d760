//! Pads: shapes whose area of contact is sampled.
//!
//! Every sample of the pad's surface is the end of a spring along its normal m, as long as the pad is deep there. If
//! the other shape intersects this segment at p + t m with t < 0, there is a contact point with the normal n of that
//! shape and the gap t n·m. Many points share the load in proportion to their area: an elastic foundation, to which the
//! pressure field of a compliant layer on a rigid surface reduces [Castro §VI-D].

use super::manifold::{Candidate, FACE};
use super::pairs::{PairScratch, Side};
use super::prepare::{Form, Prepared};
use super::samples::{Sample, samples};
use super::solid::{Core, Solid};
use crate::math::{Mat3, Vec3};

/// Which of two shapes is sampled: the one with the finer spacing, the first if both have the same.
pub fn sampled(shapes: [&Prepared; 2]) -> Option<usize> {
    let spacing = shapes.map(|s| s.pad.as_ref().map(|p| p.spacing));
    match spacing {
        [None, None] => None,
        [Some(a), Some(b)] => Some(usize::from(b < a)),
        [a, _] => Some(usize::from(a.is_none())),
    }
}

/// The samples of a shape.
pub struct Pad {
    /// Asked-for distance between them, m.
    pub spacing: f64,
    /// All of them.
    pub samples: Vec<Sample>,
    /// How deep the pad is at each, m: half the way through it.
    depths: Vec<f64>,
}

/// Maximum number of steps of a search along a spring. Flat faces take two, round ones a few.
const SEARCH: usize = 20;
/// Distance from the surface at which the search ends, m.
const ON_SURFACE: f64 = 1e-12;

impl Pad {
    /// The samples of a form no larger than `size` (m).
    pub fn new(form: &Form, spacing: f64, size: f64) -> Self {
        let samples = samples(form, spacing);
        let mut scratch = PairScratch::default();
        let own = Side {
            form,
            rotation: Mat3::identity(),
            position: Vec3::zeros(),
            covers: None,
        };
        let half_way = |s: &Sample| {
            let outside = -2.1 * size;
            let line = Line {
                point: s.point,
                direction: s.normal,
                from: outside,
                to: 0.0,
            };
            let far = line.meets(&own, &mut scratch);
            -0.5 * far.map_or(outside, |hit| hit.0)
        };
        let depths = samples.iter().map(half_way).collect();
        Self {
            spacing,
            samples,
            depths,
        }
    }
}

/// A straight line through `point` (m) from one distance (m) to another.
struct Line {
    point: Vec3,
    direction: Vec3,
    from: f64,
    to: f64,
}

impl Line {
    /// Its entry into a form: the distance from its point, m, and the unit normal into the form. If it starts inside,
    /// the start with its own direction.
    ///
    /// Newton's method on the signed distance. For a convex form this is convex along a line, so the steps do not go
    /// beyond the surface, and a slope that is no longer negative means that the line misses the form.
    fn meets(&self, form: &Side, scratch: &mut PairScratch) -> Option<(f64, Vec3)> {
        let mut t = self.from;
        for step in 0..SEARCH {
            let at = self.point + t * self.direction;
            let (gap, normal) = nearest(&at, form, self.to - t, scratch)?;
            if step == 0 && gap <= 0.0 {
                return Some((t, self.direction));
            }
            let closing = normal.dot(&self.direction);
            if gap <= ON_SURFACE {
                return (closing > 0.0).then_some((t, normal));
            }
            if closing <= 0.0 {
                return None;
            }
            t += gap / closing;
            if t > self.to {
                return None;
            }
        }
        None
    }
}

/// Distance (m) of a point from a form nearer than `reach` (m), and the unit normal towards it.
fn nearest(at: &Vec3, form: &Side, reach: f64, scratch: &mut PairScratch) -> Option<(f64, Vec3)> {
    let point = Form::Solid(Solid {
        core: Core::Point,
        rounding: 0.0,
        size: 0.0,
    });
    let side = Side {
        form: &point,
        rotation: Mat3::identity(),
        position: *at,
        covers: None,
    };
    scratch.collide(&side, form, reach);
    // A mesh may offer several of its triangles.
    let nearest = scratch.points.iter().min_by(|p, q| p.gap.total_cmp(&q.gap));
    nearest.map(|c| (c.gap, c.normal))
}

/// Writes the samples of A nearer to B than `reach` (m) to `scratch.points`, with the index of the sample as feature of
/// A. `around`: centre and half extents of the box around B.
pub fn collide(
    pad: &Pad,
    a: &Side,
    b: &Side,
    around: &(Vec3, Vec3),
    reach: f64,
    scratch: &mut PairScratch,
) {
    let mut found = std::mem::take(&mut scratch.sampled);
    found.clear();
    for (i, (sample, depth)) in pad.samples.iter().zip(&pad.depths).enumerate() {
        let line = Line {
            point: a.position + a.rotation * sample.point,
            direction: a.rotation * sample.normal,
            from: -depth,
            to: reach,
        };
        let middle = line.point + line.direction * (0.5 * (line.from + line.to));
        let span = line.direction.abs() * (0.5 * (line.to - line.from));
        if ((middle - around.0).abs() - around.1 - span).max() > 0.0 {
            continue;
        }
        if let Some((t, normal)) = line.meets(b, scratch) {
            let on_b = line.point + t * line.direction;
            found.push(Candidate::new(line.point, on_b, normal, [i as u32, FACE]));
        }
    }
    scratch.sampled = std::mem::replace(&mut scratch.points, found);
}

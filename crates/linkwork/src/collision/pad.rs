//! Pads: shapes whose area of contact is sampled.
//!
//! Every sample of the pad's surface is tried as a point against the other shape. One inside it gives a contact point of its own,
//! with the depth along the other's nearest way out, so that many points share the load as the area does: an elastic
//! foundation, which is what the pressure field of a compliant layer becomes on a rigid surface [Castro §VI-D].

use super::manifold::FACE;
use super::pairs::{PairScratch, Side};
use super::prepare::{Form, Prepared};
use super::samples::Sample;
use super::solid::{Core, Solid};
use crate::math::Vec3;

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
}

/// Leave in `scratch.points` the samples of A nearer to B than `reach` (m), with the number of the sample as feature of
/// A. `around`: centre and half the lengths of the box around B.
pub fn collide(
    pad: &Pad,
    a: &Side,
    b: &Side,
    around: &(Vec3, Vec3),
    reach: f64,
    scratch: &mut PairScratch,
) {
    let point = Form::Solid(Solid {
        core: Core::Point,
        rounding: 0.0,
        size: 0.0,
    });
    let mut found = std::mem::take(&mut scratch.sampled);
    found.clear();
    for (i, sample) in pad.samples.iter().enumerate() {
        let position = a.position + a.rotation * sample.point;
        let outside = (position - around.0).abs() - around.1;
        if outside.max() > reach {
            continue;
        }
        let side = Side {
            form: &point,
            rotation: a.rotation,
            position,
        };
        scratch.collide(&side, b, reach);
        // A mesh may offer several of its triangles.
        let nearest = scratch.points.iter().min_by(|p, q| p.gap.total_cmp(&q.gap));
        // Of a pad that is pressed through a thin shape, only the side that was pressed on it bears.
        let outward = a.rotation * sample.normal;
        if let Some(c) = nearest.filter(|c| c.normal.dot(&outward) > 0.0) {
            let mut c = *c;
            c.features = [i as u32, FACE];
            found.push(c);
        }
    }
    scratch.sampled = std::mem::replace(&mut scratch.points, found);
}

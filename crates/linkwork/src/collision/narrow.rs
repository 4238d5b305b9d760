//! The contacts of one pair of shapes after another.

use super::contact::{ContactKey, ContactPoint};
use super::cover::Spot;
use super::pad;
use super::pairs::{PairScratch, Side};
use super::place::Place;
use super::prepare::{Form, Prepared};
use super::seams::{Seam, faced};
use super::world::{DetectSettings, Fixed};
use crate::math::Vec3;
use crate::model::{BodyId, ShapeId};

/// What all pairs of a step share.
pub struct Step<'a> {
    /// The shapes.
    pub fixed: &'a Fixed,
    /// Of the shapes of bodies.
    pub places: &'a [Place],
    /// How far to look.
    pub settings: DetectSettings,
}

impl Step<'_> {
    #[inline]
    fn place(&self, shape: u32) -> &Place {
        let slot = self.fixed.slots[shape as usize] as usize;
        match self.fixed.shapes[shape as usize].body {
            None => &self.fixed.places[slot],
            Some(_) => &self.places[slot],
        }
    }

    /// Whether a neighbour of shape `own` that may touch `other` covers a position, seen from `origin` (m).
    fn covers(&self, own: u32, other: u32, origin: &Vec3, spot: &Spot) -> bool {
        let shapes = &self.fixed.shapes;
        self.fixed.neighbours.of(own).iter().any(|&c| {
            if !self
                .fixed
                .rules
                .may_touch(shapes, c.min(other), c.max(other))
            {
                return false;
            }
            let (place, shape) = (self.place(c), &shapes[c as usize]);
            let side = Side {
                form: &shape.form,
                rotation: place.rotation,
                position: place.position - origin,
                covers: None,
            };
            match &shape.form {
                Form::Surface(surface) => {
                    spot.is_behind_surface(&side.surface(surface), shape.size)
                }
                form => faced(form).is_some_and(|s| spot.is_behind_solid(&side.placed(s))),
            }
        })
    }

    /// Append the contacts of shapes `a` < `b`. `axis`: see [`PairScratch::axis`].
    pub fn contacts(
        &self,
        (a, b): (u32, u32),
        axis: &mut Vec3,
        scratch: &mut PairScratch,
        out: &mut Vec<ContactPoint>,
    ) {
        let shapes = [a, b].map(|i| &self.fixed.shapes[i as usize]);
        let places = [a, b].map(|i| self.place(i));
        let DetectSettings { margin, dt } = self.settings;
        let clearance = self.fixed.rules.clearance(a, b);
        let closing =
            (places[1].velocity - places[0].velocity).norm() + places[0].swing + places[1].swing;
        let reach = margin + clearance + dt * closing;
        // Balls around the two that are too far apart.
        if let [Form::Solid(p), Form::Solid(q)] = shapes.map(|s| &s.form) {
            let far = reach + p.size + q.size;
            if (places[1].position - places[0].position).norm_squared() > far * far {
                return;
            }
        }
        // Precision is needed near the pair, so positions are relative to its moving (smaller) member.
        let origin = if shapes[0].body.is_some() {
            places[0].position
        } else {
            places[1].position
        };
        let covers = [[a, b], [b, a]]
            .map(|[own, other]| move |spot: &Spot| self.covers(own, other, &origin, spot));
        let side = |k: usize| Side {
            form: &shapes[k].form,
            rotation: places[k].rotation,
            position: places[k].position - origin,
            covers: match self.fixed.neighbours.of([a, b][k]) {
                [] => None,
                _ => Some(&covers[k]),
            },
        };
        let pad = pad::sampled(shapes);
        match pad {
            None => {
                scratch.axis = *axis;
                scratch.collide(&side(0), &side(1), reach);
                *axis = scratch.axis;
            }
            Some(k) => self.press((k, shapes), side, reach, scratch),
        }
        if scratch.points.is_empty() {
            return;
        }
        for k in [0, 1] {
            let (own, other) = (side(k), side(1 - k));
            if pad.is_none()
                && let Some(covers) = own.covers
                && let [Form::Solid(p), Form::Solid(q)] = [own.form, other.form]
            {
                let seam = Seam {
                    own: own.placed(p),
                    other: other.placed(q),
                    covers,
                    reach,
                };
                scratch.leave_seam(k, &seam);
            }
        }
        for c in &mut scratch.points {
            c.gap -= clearance;
        }
        scratch.points.retain(|c| {
            let p = c.point() + origin;
            let [va, vb] = places.map(|x| x.twist.at(&(p - x.body)));
            let approach = c.normal.dot(&(va - vb)).max(0.0);
            // NaN fails the comparison.
            c.gap <= margin + dt * approach && p.iter().all(|x| x.is_finite())
        });
        let size = match (shapes[0].size, shapes[1].size) {
            // A half space has no size.
            (0.0, s) | (s, 0.0) => s,
            (s, t) => s.min(t),
        };
        if pad.is_none() {
            scratch.reduce(&shapes[0].form, &shapes[1].form, size, reach);
        }
        let body = |k: usize| shapes[k].body.map(|i: usize| BodyId(i as u32));
        out.extend(scratch.points.iter().map(|c| ContactPoint {
            key: ContactKey {
                shape_a: ShapeId(a),
                shape_b: ShapeId(b),
                feature: c.key(),
            },
            body_a: body(0),
            body_b: body(1),
            point: c.point() + origin,
            normal: c.normal,
            gap: c.gap,
            area: pad.map_or(0.0, |k| {
                let pad = shapes[k].pad.as_ref();
                pad.map_or(0.0, |p| p.samples[c.features[k] as usize].area)
            }),
        }));
    }

    /// The samples of pad `k` of two shapes that meet the other.
    fn press<'a>(
        &self,
        (k, shapes): (usize, [&'a Prepared; 2]),
        side: impl Fn(usize) -> Side<'a>,
        reach: f64,
        scratch: &mut PairScratch,
    ) {
        let Some(pad) = &shapes[k].pad else { return };
        let other = side(1 - k);
        let around = shapes[1 - k].bounds(&other.rotation, &other.position);
        pad::collide(pad, &side(k), &other, &around, reach, scratch);
        if k == 1 {
            scratch.points.iter_mut().for_each(|c| *c = c.flipped());
        }
    }
}

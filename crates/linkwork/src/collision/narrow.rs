//! The contacts of one pair of shapes after another.

use super::contact::{ContactKey, ContactPoint};
use super::pad;
use super::pairs::{PairScratch, Side};
use super::place::Place;
use super::prepare::{Form, Prepared};
use super::seams::{Seam, faced};
use super::solid::Placed;
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

    /// Whether shape `c` may touch `other` and is as asked, seen from `origin`.
    fn is_beside(&self, c: u32, other: u32, origin: &Vec3, test: &dyn Fn(&Placed) -> bool) -> bool {
        let shapes = &self.fixed.shapes;
        let place = self.place(c);
        faced(&shapes[c as usize].form).is_some_and(|solid| {
            let placed = Placed {
                solid,
                rotation: place.rotation,
                position: place.position - origin,
            };
            let [x, y] = [c.min(other), c.max(other)];
            self.fixed.rules.may_touch(shapes, x, y) && test(&placed)
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
        // Digits matter near the pair, so positions are taken from its moving (smaller) member.
        let origin = if shapes[0].body.is_some() {
            places[0].position
        } else {
            places[1].position
        };
        let side = |k: usize| Side {
            form: &shapes[k].form,
            rotation: places[k].rotation,
            position: places[k].position - origin,
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
        for (k, [own, other]) in [[a, b], [b, a]].into_iter().enumerate() {
            let near = self.fixed.neighbours.of(own);
            if pad.is_none()
                && !near.is_empty()
                && let [Form::Solid(p), Form::Solid(q)] = [&shapes[k].form, &shapes[1 - k].form]
            {
                scratch.leave_seam(
                    k,
                    &Seam {
                        own: side(k).placed(p),
                        other: side(1 - k).placed(q),
                        any: |test: &dyn Fn(&Placed) -> bool| {
                            near.iter()
                                .any(|&c| self.is_beside(c, other, &origin, test))
                        },
                        reach,
                    },
                );
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
            scratch.reduce(&shapes[0].form, &shapes[1].form, size);
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

//! Detection over all shapes of a model.

use super::broad::{Bounds, Sweep};
use super::contact::{ContactKey, ContactPoint};
use super::error::CollisionError;
use super::groups::Groups;
use super::pairs::{PairScratch, Side};
use super::prepare::{Form, Prepared};
use super::rules::Rules;
use crate::math::{Mat3, Pose, Twist, Vec3};
use crate::model::{BodyId, Shape, ShapeId, ShapePair};
use rayon::prelude::*;
use std::sync::Arc;

/// Fewer pairs than this are not worth spreading over threads.
const PARALLEL_PAIRS: usize = 64;

/// How far ahead detection looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetectSettings {
    /// Contacts are reported up to this gap even at rest, m (≥ 0; nominal 1e-4 to 1e-2 times the
    /// size of a body).
    pub margin: f64,
    /// Time looked ahead, s (≥ 0; nominal the step): adds (approach speed) · dt to the margin.
    pub dt: f64,
}

/// Detects contacts between the shapes of a model.
///
/// Results depend on the arguments of [`detect`](Self::detect) alone, not on earlier calls.
#[derive(Clone)]
pub struct CollisionWorld {
    fixed: Arc<Fixed>,
    sweep: Sweep,
    /// Around each group.
    group_boxes: Vec<Bounds>,
    group_pairs: Vec<(u32, u32)>,
    /// Whether the shapes of each group have been placed in this step.
    placed: Vec<bool>,
    /// Of each shape; those of groups that were not placed are out of date.
    places: Vec<Place>,
    boxes: Vec<Bounds>,
    pairs: Vec<(u32, u32)>,
    workers: Vec<Worker>,
}

/// What does not change; shared by all that are cloned from one.
struct Fixed {
    shapes: Vec<Prepared>,
    rules: Rules,
    /// With normal and height of the plane, m.
    half_spaces: Vec<(u32, Vec3, f64)>,
    groups: Groups,
}

/// Where a shape is in this step.
#[derive(Clone, Copy)]
struct Place {
    rotation: Mat3,
    position: Vec3,
    /// Velocity of the shape's origin, m/s.
    velocity: Vec3,
    /// Bound of the speed of any point relative to the origin, m/s.
    swing: f64,
    /// Position and velocity of its body; at rest at the origin for the world.
    body: Vec3,
    twist: Twist,
}

/// Memory of one thread.
#[derive(Default)]
struct Worker {
    scratch: PairScratch,
    contacts: Vec<ContactPoint>,
}

impl Clone for Worker {
    /// Working memory holds nothing worth copying.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// What all pairs of a step share.
struct Step<'a> {
    shapes: &'a [Prepared],
    rules: &'a Rules,
    places: &'a [Place],
    boxes: &'a [Bounds],
    settings: DetectSettings,
}

impl CollisionWorld {
    /// Prepare the shapes of a model, in the order of their ids. `excluded` lists body pairs
    /// (lower id first) that never collide; shapes of one body and shapes of the world never do.
    pub fn new(shapes: &[Shape], excluded: &[(BodyId, BodyId)]) -> Result<Self, CollisionError> {
        Self::with_pairs(shapes, excluded, &[])
    }

    /// The same with pairs of shapes that touch whatever groups and exclusions say.
    pub fn with_pairs(
        shapes: &[Shape],
        excluded: &[(BodyId, BodyId)],
        pairs: &[ShapePair],
    ) -> Result<Self, CollisionError> {
        let rules = Rules::new(shapes, excluded, pairs);
        let mut touches: Vec<bool> = shapes.iter().map(|s| s.group.touches_any()).collect();
        for shape in pairs.iter().flat_map(|p| [p.a, p.b]) {
            touches[shape.index()] = true;
        }
        let prepared = shapes.iter().zip(&touches);
        let shapes = prepared
            .map(|(shape, touches)| Prepared::new(shape, *touches))
            .collect::<Result<Vec<_>, _>>()?;
        let touching: Vec<u32> = (0..shapes.len() as u32)
            .filter(|&i| touches[i as usize])
            .collect();
        let groups = Groups::new(&shapes, &rules, &touching);
        // Half spaces never move.
        let mut places = vec![Place::nowhere(); shapes.len()];
        let mut half_spaces = Vec::new();
        for i in touching {
            let shape = &shapes[i as usize];
            if matches!(shape.form, Form::HalfSpace) {
                let place = Place::of(shape, &Pose::identity(), &Twist::zero());
                let n: Vec3 = place.rotation.column(2).into();
                half_spaces.push((i, n, n.dot(&place.position)));
                places[i as usize] = place;
            }
        }
        Ok(Self {
            sweep: Sweep::default(),
            group_boxes: Vec::new(),
            group_pairs: Vec::new(),
            placed: Vec::new(),
            places,
            boxes: vec![Bounds::nowhere(); shapes.len()],
            pairs: Vec::new(),
            workers: vec![Worker::default()],
            fixed: Arc::new(Fixed {
                shapes,
                rules,
                half_spaces,
                groups,
            }),
        })
    }

    /// Find the contacts of all pairs closer than the margin, ordered by key.
    ///
    /// `poses` (of the centres of mass) and `twists` are per body. `contacts` is cleared first.
    /// With a `pool`, many pairs are spread over its threads; the result is the same to the bit.
    /// Shapes whose body has a pose or twist that is not finite touch nothing.
    pub fn detect(
        &mut self,
        poses: &[Pose],
        twists: &[Twist],
        settings: &DetectSettings,
        pool: Option<&rayon::ThreadPool>,
        contacts: &mut Vec<ContactPoint>,
    ) {
        contacts.clear();
        self.find_pairs(poses, twists, settings);
        let step = Step {
            shapes: &self.fixed.shapes,
            rules: &self.fixed.rules,
            places: &self.places,
            boxes: &self.boxes,
            settings: *settings,
        };
        match pool {
            Some(pool) if self.pairs.len() >= PARALLEL_PAIRS => {
                let parts = 4 * pool.current_num_threads();
                let chunk = self.pairs.len().div_ceil(parts);
                self.workers.resize_with(parts, Worker::default);
                let work = self
                    .workers
                    .par_iter_mut()
                    .zip(self.pairs.par_chunks(chunk));
                pool.install(|| {
                    work.for_each(|(worker, pairs)| {
                        worker.contacts.clear();
                        for &(a, b) in pairs {
                            step.contacts(a, b, &mut worker.scratch, &mut worker.contacts);
                        }
                    });
                });
                for (worker, _) in self.workers.iter().zip(self.pairs.chunks(chunk)) {
                    contacts.extend_from_slice(&worker.contacts);
                }
            }
            _ => {
                let scratch = &mut self.workers[0].scratch;
                for &(a, b) in &self.pairs {
                    step.contacts(a, b, scratch, contacts);
                }
            }
        }
    }

    /// Lowest and highest corner (world, m) of the box around a shape, bodies being at `poses`.
    /// Infinite for a half space; NaN if the pose of its body is missing.
    pub fn bounds(&self, shape: ShapeId, poses: &[Pose]) -> (Vec3, Vec3) {
        let prepared = &self.fixed.shapes[shape.index()];
        let pose = match prepared.body {
            None => prepared.local,
            Some(b) => match poses.get(b) {
                Some(pose) => pose.compose(&prepared.local),
                None => return (Vec3::repeat(f64::NAN), Vec3::repeat(f64::NAN)),
            },
        };
        let rotation = pose.rotation.to_rotation_matrix().into_inner();
        let (centre, half) = prepared.bounds(&rotation, &pose.position);
        (centre - half, centre + half)
    }

    /// The pairs of shapes whose swept boxes overlap, in order.
    fn find_pairs(&mut self, poses: &[Pose], twists: &[Twist], settings: &DetectSettings) {
        let Self {
            fixed,
            sweep,
            group_boxes,
            group_pairs,
            placed,
            places,
            boxes,
            pairs,
            ..
        } = self;
        let Fixed {
            shapes,
            rules,
            half_spaces,
            groups,
        } = &**fixed;
        pairs.clear();
        if groups.all.is_empty() {
            return;
        }
        group_boxes.clear();
        group_boxes.extend(groups.all.iter().map(|group| {
            let (pose, twist) = motion(group.body, poses, twists);
            match (pose.is_finite(), twist.is_finite()) {
                (true, true) => group.bounds(&pose, &twist, settings),
                _ => Bounds::nowhere(),
            }
        }));
        placed.clear();
        placed.resize(groups.all.len(), false);
        let mut place = |g: u32, boxes: &mut [Bounds]| {
            if std::mem::replace(&mut placed[g as usize], true) {
                return;
            }
            let group = &groups.all[g as usize];
            let (pose, twist) = motion(group.body, poses, twists);
            for &i in &group.shapes {
                let i = i as usize;
                places[i] = Place::of(&shapes[i], &pose, &twist);
                boxes[i] = swept(&shapes[i], &places[i], settings, rules.reach(i));
            }
        };
        let accept = |a: u32, b: u32| rules.may_touch(shapes, a, b);
        group_pairs.clear();
        let near = |g, h| groups.meet(g, h) && groups.are_near(g, h, group_boxes);
        sweep.pairs(group_boxes, near, group_pairs);
        for &(g, h) in group_pairs.iter() {
            place(g, boxes);
            place(h, boxes);
            for &i in &groups.all[g as usize].shapes {
                for &j in &groups.all[h as usize].shapes {
                    let overlap = boxes[i as usize].overlaps(&boxes[j as usize]);
                    if overlap && accept(i.min(j), i.max(j)) {
                        pairs.push((i.min(j), i.max(j)));
                    }
                }
            }
        }
        for &(h, n, height) in half_spaces {
            let offset = height + settings.margin + rules.reach(h as usize);
            for g in 0..groups.all.len() as u32 {
                // NaN (a group that is nowhere) fails the comparison too.
                if lowest(&n, &group_boxes[g as usize]) <= offset {
                    place(g, boxes);
                    for &i in &groups.all[g as usize].shapes {
                        let near = lowest(&n, &boxes[i as usize]) <= offset;
                        if near && accept(h.min(i), h.max(i)) {
                            pairs.push((h.min(i), h.max(i)));
                        }
                    }
                }
            }
        }
        pairs.sort_unstable();
    }
}

/// Pose and velocity of a body; the world is at rest. One that is missing is nowhere.
#[inline]
fn motion(body: Option<usize>, poses: &[Pose], twists: &[Twist]) -> (Pose, Twist) {
    match body {
        None => (Pose::identity(), Twist::zero()),
        Some(b) => match (poses.get(b), twists.get(b)) {
            (Some(pose), Some(twist)) => (*pose, *twist),
            _ => {
                let nowhere = Vec3::repeat(f64::NAN);
                (Pose::new(nowhere, Default::default()), Twist::zero())
            }
        },
    }
}

/// Height along `n` of the lowest corner of a box, m.
#[inline]
fn lowest(n: &Vec3, bounds: &Bounds) -> f64 {
    let corner = |k: usize| {
        if n[k] > 0.0 {
            bounds.lo[k]
        } else {
            bounds.hi[k]
        }
    };
    n[0] * corner(0) + n[1] * corner(1) + n[2] * corner(2)
}

impl Place {
    fn nowhere() -> Self {
        Self {
            rotation: Mat3::zeros(),
            position: Vec3::zeros(),
            velocity: Vec3::zeros(),
            swing: 0.0,
            body: Vec3::zeros(),
            twist: Twist::zero(),
        }
    }

    /// Of a shape whose body is at `body` and moves with `twist`.
    #[inline]
    fn of(shape: &Prepared, body: &Pose, twist: &Twist) -> Self {
        let pose = body.compose(&shape.local);
        Self {
            rotation: pose.rotation.to_rotation_matrix().into_inner(),
            position: pose.position,
            velocity: twist.at(&(pose.position - body.position)),
            swing: twist.angular.norm() * shape.size,
            body: body.position,
            twist: *twist,
        }
    }
}

/// The box around a shape over the time looked ahead, grown by half the margin and its clearance.
fn swept(shape: &Prepared, place: &Place, settings: &DetectSettings, reach: f64) -> Bounds {
    let (centre, half) = shape.bounds(&place.rotation, &place.position);
    let grow = half.add_scalar(0.5 * settings.margin + reach + place.swing * settings.dt);
    let travel = place.velocity * settings.dt;
    Bounds {
        lo: centre - grow + travel.map(|x| x.min(0.0)),
        hi: centre + grow + travel.map(|x| x.max(0.0)),
    }
}

impl Step<'_> {
    /// Append the contacts of shapes `a` < `b`.
    fn contacts(&self, a: u32, b: u32, scratch: &mut PairScratch, out: &mut Vec<ContactPoint>) {
        let shapes = [a, b].map(|i| &self.shapes[i as usize]);
        let places = [a, b].map(|i| &self.places[i as usize]);
        let DetectSettings { margin, dt } = self.settings;
        let clearance = self.rules.clearance(a, b);
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
        let side = |k: usize| {
            let bounds = &self.boxes[[a, b][k] as usize];
            Side {
                form: &shapes[k].form,
                rotation: places[k].rotation,
                position: places[k].position - origin,
                bounds: (bounds.lo - origin, bounds.hi - origin),
            }
        };
        scratch.collide(&side(0), &side(1), reach);
        if scratch.points.is_empty() {
            return;
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
        scratch.reduce(&shapes[0].form, &shapes[1].form, size);
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
        }));
    }
}

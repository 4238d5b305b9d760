//! Detection over all shapes of a model.

use super::axes::Axes;
use super::broad::{Bounds, Broad};
use super::contact::ContactPoint;
use super::error::CollisionError;
use super::groups::Groups;
use super::narrow::Step;
use super::pairs::PairScratch;
use super::place::{Place, lowest, motion};
use super::prepare::{Form, Prepared};
use super::rules::Rules;
use super::seams::Neighbours;
use super::tree::Tree;
use crate::math::{Pose, Twist, Vec3};
use crate::model::{BodyId, Shape, ShapeId, ShapePair};
use rayon::prelude::*;
use std::sync::Arc;

/// Fewer pairs than this are not worth spreading over threads.
const PARALLEL_PAIRS: usize = 64;

/// How far ahead detection looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetectSettings {
    /// Contacts are reported up to this gap even at rest, m (≥ 0; nominal 1e-4 to 1e-2 times the size of a body).
    pub margin: f64,
    /// Look-ahead time, s (≥ 0; nominal the step): adds (approach speed) · dt to the margin.
    pub dt: f64,
}

/// Detects contacts between the shapes of a model.
///
/// Results depend on the arguments of [`detect`](Self::detect) alone, not on earlier calls.
#[derive(Clone)]
pub struct CollisionWorld {
    fixed: Arc<Fixed>,
    broad: Broad,
    /// Around each moving group (however it is turned, unless it is a single shape).
    group_boxes: Vec<Bounds>,
    /// Around the shapes of each moving group that have been placed in this step.
    tight_boxes: Vec<Option<Bounds>>,
    /// Of the shapes of bodies, by `Fixed::slots`; those of groups that were not placed are out of date.
    places: Vec<Place>,
    boxes: Vec<Bounds>,
    pairs: Vec<(u32, u32)>,
    axes: Axes,
    workers: Vec<Worker>,
}

/// What does not change; shared by all that are cloned from one.
pub struct Fixed {
    /// All shapes.
    pub shapes: Vec<Prepared>,
    /// Who may touch whom.
    pub rules: Rules,
    /// With normal and height of the plane, m.
    half_spaces: Vec<(u32, Vec3, f64)>,
    groups: Groups,
    /// Of the shapes of the world, by `slots`. Boxes without margin.
    pub places: Vec<Place>,
    boxes: Vec<Bounds>,
    /// Over the boxes of the groups at rest.
    still: Tree,
    /// Where the place of each shape is kept.
    pub slots: Vec<u32>,
    /// Solids of the same body that may lie flush.
    pub neighbours: Neighbours,
}

/// Memory of one thread.
#[derive(Default)]
struct Worker {
    scratch: PairScratch,
    contacts: Vec<ContactPoint>,
}

impl Clone for Worker {
    /// Working memory is not copied.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl CollisionWorld {
    /// Prepares the shapes of a model, in the order of their ids. `excluded` lists body pairs (lower id first) that
    /// never collide; shapes of one body and shapes of the world never collide with each other.
    pub fn new(shapes: &[Shape], excluded: &[(BodyId, BodyId)]) -> Result<Self, CollisionError> {
        Self::with_pairs(shapes, excluded, &[], &[])
    }

    /// The same with bodies that never collide with the world, and pairs of shapes that collide independently of groups
    /// and exclusions.
    pub fn with_pairs(
        shapes: &[Shape],
        excluded: &[(BodyId, BodyId)],
        excluded_from_world: &[BodyId],
        pairs: &[ShapePair],
    ) -> Result<Self, CollisionError> {
        let rules = Rules::new(shapes, excluded, excluded_from_world, pairs);
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
        let fixed = Fixed::new(shapes, rules, groups, &touching);
        let moving = fixed.shapes.len() - fixed.places.len();
        Ok(Self {
            broad: Broad::default(),
            group_boxes: Vec::new(),
            tight_boxes: Vec::new(),
            places: vec![Place::nowhere(); moving],
            boxes: vec![Bounds::nowhere(); moving],
            pairs: Vec::new(),
            axes: Axes::default(),
            workers: vec![Worker::default()],
            fixed: Arc::new(fixed),
        })
    }

    /// Whether any two shapes may touch, wherever they are.
    pub(crate) fn can_touch(&self) -> bool {
        let Fixed { shapes, rules, .. } = &*self.fixed;
        let all = 0..shapes.len() as u32;
        let mut moving = all.clone().filter(|i| shapes[*i as usize].body.is_some());
        moving.any(|i| {
            let mut others = all.clone().filter(|j| *j != i);
            others.any(|j| rules.may_touch(shapes, i.min(j), i.max(j)))
        })
    }

    /// Finds the contacts of all pairs closer than the margin, ordered by key.
    ///
    /// `poses` (of the centres of mass) and `twists` are per body. `contacts` is cleared first. With a `pool`, many
    /// pairs are distributed over its threads; the result is the same bit for bit. Shapes of bodies whose pose or twist
    /// is not finite have no contacts.
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
            fixed: &self.fixed,
            places: &self.places,
            settings: *settings,
        };
        let axes = &mut self.axes.of_pairs;
        match pool {
            Some(pool) if self.pairs.len() >= PARALLEL_PAIRS => {
                let parts = 4 * pool.current_num_threads();
                let chunk = self.pairs.len().div_ceil(parts);
                self.workers.resize_with(parts, Worker::default);
                let pairs = self.pairs.par_chunks(chunk);
                let work = self
                    .workers
                    .par_iter_mut()
                    .zip(pairs.zip(axes.par_chunks_mut(chunk)));
                pool.install(|| {
                    work.for_each(|(worker, (pairs, axes))| {
                        worker.contacts.clear();
                        for (&pair, axis) in pairs.iter().zip(axes) {
                            step.contacts(pair, axis, &mut worker.scratch, &mut worker.contacts);
                        }
                    });
                });
                for (worker, _) in self.workers.iter().zip(self.pairs.chunks(chunk)) {
                    contacts.extend_from_slice(&worker.contacts);
                }
            }
            _ => {
                let scratch = &mut self.workers[0].scratch;
                for (&pair, axis) in self.pairs.iter().zip(axes) {
                    step.contacts(pair, axis, scratch, contacts);
                }
            }
        }
    }

    pub(super) fn fixed(&self) -> Arc<Fixed> {
        self.fixed.clone()
    }

    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    pub(super) fn scratch(&mut self) -> &mut PairScratch {
        &mut self.workers[0].scratch
    }

    /// Lowest and highest corner (world, m) of the box around a shape, with bodies at `poses`. Infinite for a half
    /// space; NaN if the pose of its body is missing.
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
            broad,
            group_boxes,
            tight_boxes,
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
            slots,
            ..
        } = &**fixed;
        pairs.clear();
        tight_boxes.clear();
        tight_boxes.resize(groups.moving.len(), None);
        // Place the shapes of a group, once, and return the box around them.
        let mut place = |g: usize, boxes: &mut [Bounds]| {
            if let Some(around) = tight_boxes[g] {
                return around;
            }
            let group = &groups.moving[g];
            let (pose, twist) = motion(group.body, poses, twists);
            let mut around = Bounds::nowhere();
            for &i in &group.shapes {
                let (shape, slot) = (&shapes[i as usize], slots[i as usize] as usize);
                places[slot] = Place::of(shape, &pose, &twist);
                boxes[slot] = places[slot].swept(shape, settings, rules.reach(i as usize));
                around = around.union(&boxes[slot]);
            }
            tight_boxes[g] = Some(around);
            around
        };
        group_boxes.clear();
        for (g, group) in groups.moving.iter().enumerate() {
            let (pose, twist) = motion(group.body, poses, twists);
            group_boxes.push(match pose.is_finite() && twist.is_finite() {
                false => Bounds::nowhere(),
                true if group.is_single => place(g, boxes),
                true => group.bounds(&pose, &twist, settings),
            });
        }
        let bounds = |boxes: &[Bounds], i: u32| boxes[slots[i as usize] as usize];
        let accept = |a: u32, b: u32| rules.may_touch(shapes, a, b);
        for &(h, n, height) in half_spaces {
            let offset = height + settings.margin + rules.reach(h as usize);
            for (g, group) in groups.moving.iter().enumerate() {
                // NaN (a group that is nowhere) fails the comparison too.
                if lowest(&n, &group_boxes[g]) <= offset && lowest(&n, &place(g, boxes)) <= offset {
                    for &i in &group.shapes {
                        let near = lowest(&n, &bounds(boxes, i)) <= offset;
                        if near && accept(h.min(i), h.max(i)) {
                            pairs.push((h.min(i), h.max(i)));
                        }
                    }
                }
            }
        }
        // What rests has boxes without margin.
        let half_margin = 0.5 * settings.margin;
        let meet = |g, h| groups.meet(g, h);
        let near = broad.near(group_boxes, &fixed.still, half_margin, meet);
        for &(g, h) in near {
            let h = h as usize - groups.still.len();
            let other = &groups.moving[h].shapes;
            if let Some(&i) = groups.still.get(g as usize) {
                let around = bounds(&fixed.boxes, i).grown(half_margin);
                if !around.overlaps(&group_boxes[h]) || !around.overlaps(&place(h, boxes)) {
                    continue;
                }
                for &j in other {
                    if around.overlaps(&bounds(boxes, j)) && accept(i.min(j), i.max(j)) {
                        pairs.push((i.min(j), i.max(j)));
                    }
                }
                continue;
            }
            let g = g as usize - groups.still.len();
            if !groups.are_near(g, h, group_boxes) {
                continue;
            }
            let [around_g, around_h] = [g, h].map(|g| place(g, boxes));
            if !around_g.overlaps(&around_h) {
                continue;
            }
            for &i in &groups.moving[g].shapes {
                let around = bounds(boxes, i);
                if !around.overlaps(&around_h) {
                    continue;
                }
                for &j in other {
                    if around.overlaps(&bounds(boxes, j)) && accept(i.min(j), i.max(j)) {
                        pairs.push((i.min(j), i.max(j)));
                    }
                }
            }
        }
        // Sorted already where shapes of the world come first and those of a body together.
        pairs.sort_unstable();
        self.axes.follow(&self.pairs);
    }
}

impl Fixed {
    fn new(shapes: Vec<Prepared>, rules: Rules, groups: Groups, touching: &[u32]) -> Self {
        let now = DetectSettings {
            margin: 0.0,
            dt: 0.0,
        };
        let (mut places, mut boxes, mut moving) = (Vec::new(), Vec::new(), 0);
        let mut slots = Vec::with_capacity(shapes.len());
        for (i, shape) in shapes.iter().enumerate() {
            if shape.body.is_some() {
                slots.push(moving);
                moving += 1;
            } else {
                slots.push(places.len() as u32);
                let place = Place::of(shape, &Pose::identity(), &Twist::zero());
                boxes.push(place.swept(shape, &now, rules.reach(i)));
                places.push(place);
            }
        }
        let mut half_spaces = Vec::new();
        for &i in touching {
            if matches!(shapes[i as usize].form, Form::HalfSpace) {
                let place = &places[slots[i as usize] as usize];
                let n: Vec3 = place.rotation.column(2).into();
                half_spaces.push((i, n, n.dot(&place.position)));
            }
        }
        let around = |&i: &u32| boxes[slots[i as usize] as usize];
        let still: Vec<Bounds> = groups.still.iter().map(around).collect();
        Self {
            still: Tree::new(&still),
            neighbours: Neighbours::new(&shapes),
            shapes,
            rules,
            half_spaces,
            groups,
            places,
            boxes,
            slots,
        }
    }
}

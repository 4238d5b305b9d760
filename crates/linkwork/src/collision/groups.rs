//! Shapes that move together, and boxes that enclose them however they are turned.
//!
//! Most bodies of a robot are far from the ground and from most others. The box around a ball about a body's
//! centre of mass tells that without placing the body's shapes, and shapes that may touch nothing at all are
//! left out when the model is built.

use super::broad::Bounds;
use super::prepare::{Form, Prepared};
use super::rules::Rules;
use super::world::DetectSettings;
use crate::math::{Pose, Twist, Vec3};

/// Room for rounding, relative to the lengths that the box is the sum of: boxes only have to enclose.
const ROUNDING: f64 = 1e-12;
/// More groups than this are not compared pair by pair when the model is built; it would take a second at ten
/// times as many.
const MANY: usize = 512;

/// The shapes of one body, or one shape of the world.
pub struct Group {
    /// Index of the body; `None` is the world.
    pub body: Option<usize>,
    /// Its shapes that may touch something, half spaces left out.
    pub shapes: Vec<u32>,
    /// Centre and half lengths of the box around it at body pose identity; a body's is a cube that holds it
    /// in any orientation, m.
    centre: Vec3,
    half: Vec3,
    /// Whether a ball within the cube holds all its points: it is a body of convex solids.
    pub is_ball: bool,
    /// Largest distance of a point from the centre of mass, m.
    arm: f64,
    /// How much farther than their surfaces its shapes are looked for, m.
    reach: f64,
}

/// All groups that may touch something, and which of them each other.
pub struct Groups {
    /// The groups.
    pub all: Vec<Group>,
    /// Whether group i may touch group j, at `i * len + j`; empty if there are too many to tell.
    meets: Vec<bool>,
}

impl Groups {
    /// Those of `shapes`, of which the ones in `touching` may touch something.
    pub fn new(shapes: &[Prepared], rules: &Rules, touching: &[u32]) -> Self {
        let mut all: Vec<Group> = Vec::new();
        let mut of_body = std::collections::BTreeMap::new();
        for &i in touching {
            let shape = &shapes[i as usize];
            if matches!(shape.form, Form::HalfSpace) {
                continue;
            }
            let at = match shape.body {
                Some(body) => *of_body.entry(body).or_insert(all.len()),
                None => all.len(),
            };
            if at == all.len() {
                all.push(Group::empty(shape.body));
            }
            all[at].add(i, shape, rules.reach(i as usize));
        }
        let may_touch = |a: u32, b: u32| rules.may_touch(shapes, a.min(b), a.max(b));
        if all.len() > MANY {
            return Self {
                all,
                meets: Vec::new(),
            };
        }
        let meet =
            |p: &Group, q: &[u32]| p.shapes.iter().any(|&a| q.iter().any(|&b| may_touch(a, b)));
        let half_spaces: Vec<u32> = touching
            .iter()
            .copied()
            .filter(|&i| matches!(shapes[i as usize].form, Form::HalfSpace))
            .collect();
        let alone: Vec<bool> = (0..all.len())
            .map(|i| {
                let others = all.iter().enumerate().filter(|(j, _)| *j != i);
                !meet(&all[i], &half_spaces)
                    && !others.clone().any(|(_, q)| meet(&all[i], &q.shapes))
            })
            .collect();
        let mut alone = alone.into_iter();
        all.retain(|_| alone.next() == Some(false));
        let mut meets = Vec::with_capacity(all.len() * all.len());
        for p in &all {
            meets.extend(all.iter().map(|q| meet(p, &q.shapes)));
        }
        Self { all, meets }
    }

    /// Whether any shape of group `i` may touch one of group `j`.
    #[inline]
    pub fn meet(&self, i: u32, j: u32) -> bool {
        self.meets.is_empty() || self.meets[i as usize * self.all.len() + j as usize]
    }

    /// Whether groups `i` and `j` with these boxes are near enough to touch.
    #[inline]
    pub fn are_near(&self, i: u32, j: u32, boxes: &[Bounds]) -> bool {
        let [i, j] = [i as usize, j as usize];
        if !(self.all[i].is_ball && self.all[j].is_ball) {
            return true;
        }
        // Twice the centres' distance against twice the radii.
        let (a, b) = (&boxes[i], &boxes[j]);
        let apart = (a.lo + a.hi) - (b.lo + b.hi);
        let reach = (a.hi.x - a.lo.x) + (b.hi.x - b.lo.x);
        apart.norm_squared() <= reach * reach
    }
}

impl Group {
    fn empty(body: Option<usize>) -> Self {
        Self {
            body,
            shapes: Vec::new(),
            centre: Vec3::zeros(),
            half: Vec3::zeros(),
            is_ball: body.is_some(),
            arm: 0.0,
            reach: 0.0,
        }
    }

    fn add(&mut self, index: u32, shape: &Prepared, reach: f64) {
        self.shapes.push(index);
        self.is_ball &= matches!(shape.form, Form::Solid(_));
        if self.body.is_some() {
            let far = shape.local.position.norm() + shape.farthest();
            self.half = self.half.sup(&Vec3::repeat(far));
            self.arm = self.arm.max(shape.local.position.norm() + shape.size);
        } else {
            let rotation = shape.local.rotation.to_rotation_matrix().into_inner();
            (self.centre, self.half) = shape.bounds(&rotation, &shape.local.position);
        }
        self.reach = self.reach.max(reach);
    }

    /// A box that holds the swept boxes of all its shapes.
    #[inline]
    pub fn bounds(&self, pose: &Pose, twist: &Twist, settings: &DetectSettings) -> Bounds {
        let travel = settings.dt * (twist.linear.norm() + 2.0 * twist.angular.norm() * self.arm);
        let centre = pose.position + self.centre;
        let rounding = ROUNDING * (centre.amax() + self.half.amax() + travel);
        let room = 0.5 * settings.margin + self.reach + travel + rounding;
        let grow = self.half.add_scalar(room);
        Bounds {
            lo: centre - grow,
            hi: centre + grow,
        }
    }
}

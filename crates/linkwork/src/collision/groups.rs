//! Shapes that move together, and boxes that enclose them in any orientation.
//!
//! Most bodies of a robot are far from the ground and from most others. The box around a ball about a body's centre of
//! mass shows that without placing the body's shapes. Shapes that cannot collide with anything are removed when the
//! model is built.

use super::broad::Bounds;
use super::prepare::{Form, Prepared};
use super::rules::Rules;
use super::solid::Core;
use super::world::DetectSettings;
use crate::math::{Pose, Twist};

/// Margin for rounding, relative to the lengths that are added for the box, which only has to enclose.
const ROUNDING: f64 = 1e-12;
/// More pairs of groups than this are not examined when the model is built; a hundred times as many would take a
/// second.
const MANY: usize = 1 << 18;

/// The shapes of one body.
pub struct Group {
    /// Index of the body.
    pub body: usize,
    /// Its shapes that may touch something.
    pub shapes: Vec<u32>,
    /// Half the side of a cube about the centre of mass that contains it in any orientation, m.
    half: f64,
    /// Whether a ball inside the cube contains all its points: it is a body of convex solids.
    is_ball: bool,
    /// Whether it is a single shape and not a ball: then its own box is as cheap as the cube, and much smaller.
    pub is_single: bool,
    /// Largest distance of a point from the centre of mass, m.
    arm: f64,
    /// Distance beyond their surfaces at which contacts of its shapes are searched, m.
    reach: f64,
}

/// All that may touch something, and which of them each other.
pub struct Groups {
    /// Shapes of the world, half spaces left out.
    pub still: Vec<u32>,
    /// Bodies. They are numbered after what rests.
    pub moving: Vec<Group>,
    /// Whether the moving group i may touch group j, at `i * (still + moving) + j`; empty if there are too many to
    /// store.
    meets: Vec<bool>,
}

impl Groups {
    /// Groups of `shapes`; those in `touching` may touch other shapes.
    pub fn new(shapes: &[Prepared], rules: &Rules, touching: &[u32]) -> Self {
        let mut moving: Vec<Group> = Vec::new();
        let (mut still, mut half_spaces) = (Vec::new(), Vec::new());
        let mut of_body = std::collections::BTreeMap::new();
        for &i in touching {
            let shape = &shapes[i as usize];
            match (shape.body, &shape.form) {
                (_, Form::HalfSpace) => half_spaces.push(i),
                (None, _) => still.push(i),
                (Some(body), _) => {
                    let at = *of_body.entry(body).or_insert(moving.len());
                    if at == moving.len() {
                        moving.push(Group::empty(body));
                    }
                    moving[at].add(i, shape, rules.reach(i as usize));
                }
            }
        }
        let mut groups = Self {
            moving,
            still,
            meets: Vec::new(),
        };
        if groups.moving.len() * groups.len() > MANY {
            return groups;
        }
        let may_touch = |a: u32, b: u32| rules.may_touch(shapes, a.min(b), a.max(b));
        let meet = |p: &[u32], q: &[u32]| p.iter().any(|&a| q.iter().any(|&b| may_touch(a, b)));
        let all = &groups.moving;
        let alone: Vec<bool> = (0..all.len())
            .map(|i| {
                let mut others = all.iter().enumerate().filter(|(j, _)| *j != i);
                let own = &all[i].shapes;
                !meet(own, &half_spaces)
                    && !meet(own, &groups.still)
                    && !others.any(|(_, q)| meet(own, &q.shapes))
            })
            .collect();
        let mut alone = alone.into_iter();
        groups.moving.retain(|_| alone.next() == Some(false));
        let touched = |s: &u32| groups.moving.iter().any(|g| meet(&g.shapes, &[*s]));
        groups.still.retain(touched);
        let mut meets = Vec::with_capacity(groups.moving.len() * groups.len());
        for p in &groups.moving {
            meets.extend(groups.still.iter().map(|&s| meet(&p.shapes, &[s])));
            meets.extend(groups.moving.iter().map(|q| meet(&p.shapes, &q.shapes)));
        }
        groups.meets = meets;
        groups
    }

    fn len(&self) -> usize {
        self.moving.len() + self.still.len()
    }

    /// Whether any shape of group `i` may touch one of `j`, which moves.
    #[inline]
    pub fn meet(&self, i: u32, j: u32) -> bool {
        let row = j as usize - self.still.len();
        self.meets.is_empty() || self.meets[row * self.len() + i as usize]
    }

    /// Whether the moving groups `i` and `j` (among these) with these boxes are near enough to touch.
    #[inline]
    pub fn are_near(&self, i: usize, j: usize, boxes: &[Bounds]) -> bool {
        let (a, b) = (&boxes[i], &boxes[j]);
        if !a.overlaps(b) {
            return false;
        }
        let [p, q] = [i, j].map(|k| &self.moving[k]);
        if p.is_single || q.is_single || !(p.is_ball && q.is_ball) {
            return true;
        }
        // Twice the centres' distance against twice the radii.
        let apart = (a.lo + a.hi) - (b.lo + b.hi);
        let reach = (a.hi.x - a.lo.x) + (b.hi.x - b.lo.x);
        apart.norm_squared() <= reach * reach
    }
}

impl Group {
    fn empty(body: usize) -> Self {
        Self {
            body,
            shapes: Vec::new(),
            half: 0.0,
            is_ball: true,
            is_single: false,
            arm: 0.0,
            reach: 0.0,
        }
    }

    fn add(&mut self, index: u32, shape: &Prepared, reach: f64) {
        self.shapes.push(index);
        self.is_ball &= matches!(shape.form, Form::Solid(_));
        let is_point = matches!(&shape.form, Form::Solid(s) if matches!(s.core, Core::Point));
        self.is_single = self.shapes.len() == 1 && !is_point;
        let away = shape.local.position.norm();
        self.half = self.half.max(away + shape.farthest());
        self.arm = self.arm.max(away + shape.size);
        self.reach = self.reach.max(reach);
    }

    /// A box that holds the swept boxes of all its shapes.
    #[inline]
    pub fn bounds(&self, pose: &Pose, twist: &Twist, settings: &DetectSettings) -> Bounds {
        let travel = settings.dt * (twist.linear.norm() + 2.0 * twist.angular.norm() * self.arm);
        let centre = pose.position;
        let rounding = ROUNDING * (centre.amax() + self.half + travel);
        let room = 0.5 * settings.margin + self.reach + travel + rounding;
        let point = Bounds {
            lo: centre,
            hi: centre,
        };
        point.grown(self.half + room)
    }
}

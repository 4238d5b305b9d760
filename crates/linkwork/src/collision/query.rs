//! How far shapes are from each other, asked outside of steps.

use super::contact::ContactPoint;
use super::narrow::Step;
use super::place::Place;
use super::world::{CollisionWorld, DetectSettings};
use crate::math::{Pose, Twist, Vec3};
use crate::model::ShapeId;

impl CollisionWorld {
    /// Distance at which two shapes touch, m.
    pub fn clearance(&self, a: ShapeId, b: ShapeId) -> f64 {
        self.fixed().rules.clearance(a.0.min(b.0), a.0.max(b.0))
    }

    /// The nearest points of two shapes of different bodies, if they are within `within` (m) of each other, with bodies
    /// at `poses`, independent of collision filters. A negative gap is the depth of their overlap. `None` also for
    /// shapes of one body, and for visual meshes and hulls.
    pub fn between(
        &mut self,
        poses: &[Pose],
        (a, b): (ShapeId, ShapeId),
        within: f64,
    ) -> Option<ContactPoint> {
        let (a, b) = (a.0.min(b.0), a.0.max(b.0));
        let fixed = self.fixed();
        let shapes = [a, b].map(|i| &fixed.shapes[i as usize]);
        if shapes[0].body == shapes[1].body {
            return None;
        }
        let mut places = self.places().to_vec();
        for (i, shape) in [a, b].into_iter().zip(shapes) {
            if let Some(body) = shape.body {
                let pose = poses.get(body).filter(|p| p.is_finite())?;
                places[fixed.slots[i as usize] as usize] = Place::of(shape, pose, &Twist::zero());
            }
        }
        let step = Step {
            fixed: &fixed,
            places: &places,
            settings: DetectSettings {
                margin: within,
                dt: 0.0,
            },
        };
        let mut found = Vec::new();
        step.contacts((a, b), &mut Vec3::zeros(), self.scratch(), &mut found);
        found.into_iter().min_by(|p, q| p.gap.total_cmp(&q.gap))
    }
}

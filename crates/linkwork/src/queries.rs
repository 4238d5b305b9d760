//! Queries about a state outside of steps: rays, distances, contacts of a body, contact events.

use crate::collision::{ContactPoint, Ray};
use crate::math::Vec3;
use crate::model::{BodyId, Model, ShapeId};
use crate::reactions::ContactForce;
use crate::simulator::Simulator;
use crate::state::State;
use std::collections::BTreeSet;

/// Where a ray meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The shape.
    pub shape: ShapeId,
    /// Its body; `None` is the world.
    pub body: Option<BodyId>,
    /// Distance along the ray, m.
    pub distance: f64,
    /// The point, world, m.
    pub point: Vec3,
    /// Unit normal of the surface there, world; opposite to the ray if it starts inside.
    pub normal: Vec3,
}

impl Model {
    /// The first shape that a ray hits within `length` (m) of its origin, with bodies at `state`. Visual shapes and the
    /// shapes of the body `except`, on which a range finder is mounted, are ignored. `None` also if the direction is 0
    /// or a number is not finite.
    ///
    /// All shapes are tested one by one, hulls and meshes triangle by triangle.
    pub fn cast_ray(
        &self,
        state: &State,
        origin: Vec3,
        direction: Vec3,
        length: f64,
        except: Option<BodyId>,
    ) -> Option<RayHit> {
        let finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
        if !(finite(&origin) && finite(&direction)) {
            return None;
        }
        let direction = direction.try_normalize(0.0)?;
        let mut best: Option<RayHit> = None;
        for (i, shape) in self.shapes().iter().enumerate() {
            let own = shape.body.is_some() && shape.body == except;
            if own || !self.can_touch(ShapeId(i as u32)) {
                continue;
            }
            let pose = match shape.body {
                Some(body) => state.poses[body.index()].compose(&shape.local),
                None => shape.local,
            };
            let local = Ray {
                origin: pose.inverse_transform_point(&origin),
                direction: pose.rotation.inverse() * direction,
            };
            let Some((distance, normal)) = local.meets(&shape.geometry) else {
                continue;
            };
            // NaN fails the comparison.
            if distance <= best.map_or(length, |b| b.distance) {
                best = Some(RayHit {
                    shape: ShapeId(i as u32),
                    body: shape.body,
                    distance,
                    point: origin + distance * direction,
                    normal: pose.rotation * normal,
                });
            }
        }
        best
    }

    /// Whether a shape can touch anything.
    fn can_touch(&self, shape: ShapeId) -> bool {
        let paired = self.pairs().iter().any(|p| p.a == shape || p.b == shape);
        paired || self.shapes()[shape.index()].group.touches_any()
    }
}

impl Simulator {
    /// The nearest points of two shapes of different bodies at the present state, if they are within `within` (m),
    /// independent of collision filters. A negative gap is the depth of the overlap. The clearances of the materials
    /// are subtracted.
    pub fn distance(&mut self, a: ShapeId, b: ShapeId, within: f64) -> Option<ContactPoint> {
        let Self {
            collision, state, ..
        } = self;
        collision.between(&state.poses, (a, b), within)
    }

    /// The nearest points between the shapes of two bodies (`None`: the world) within `within` (m).
    pub fn body_distance(
        &mut self,
        a: impl Into<Option<BodyId>>,
        b: impl Into<Option<BodyId>>,
        within: f64,
    ) -> Option<ContactPoint> {
        let (a, b) = (a.into(), b.into());
        let model = self.model.clone();
        let of = |body| {
            let ids = (0..model.shapes().len()).map(|i| ShapeId(i as u32));
            ids.filter(|&id| model.shapes()[id.index()].body == body && model.can_touch(id))
                .collect::<Vec<_>>()
        };
        let (of_a, of_b) = (of(a), of(b));
        let mut best: Option<ContactPoint> = None;
        for &p in &of_a {
            for &q in &of_b {
                let reach = best.map_or(within, |c| c.gap);
                let found = self.distance(p, q, reach);
                best = found.filter(|c| c.gap <= reach).or(best);
            }
        }
        best
    }

    /// Whether shapes of two bodies (`None`: the world) overlap or touch at the present state.
    pub fn overlap(&mut self, a: impl Into<Option<BodyId>>, b: impl Into<Option<BodyId>>) -> bool {
        self.body_distance(a, b, 0.0).is_some()
    }

    /// The contacts of a body in the last step, with the mean force (N) of each on it, world.
    pub fn contacts_of(&self, body: BodyId) -> Vec<(ContactForce, Vec3)> {
        let kick = self.kick();
        let all = self.each_contact_force();
        let own = all.filter_map(|c| match (c.contact.body_a, c.contact.body_b) {
            (_, Some(b)) if b == body => Some((c, c.impulse / kick)),
            (Some(a), _) if a == body => Some((c, -c.impulse / kick)),
            _ => None,
        });
        own.collect()
    }
}

/// Two shapes that began or ended to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEvent {
    /// The shapes, the lower id first.
    pub shapes: [ShapeId; 2],
    /// Whether they began to; otherwise they ended.
    pub began: bool,
}

/// Detects which shapes start or stop touching. A pair touches while one of its contact points carries a force.
#[derive(Clone, Debug, Default)]
pub struct ContactEvents {
    touching: BTreeSet<[ShapeId; 2]>,
}

impl ContactEvents {
    /// The events since the last call; call it after every step.
    pub fn update(&mut self, simulator: &Simulator) -> Vec<ContactEvent> {
        let loaded = |c: &ContactForce| c.impulse.dot(&c.contact.normal) > 0.0;
        let pair = |c: ContactForce| [c.contact.key.shape_a, c.contact.key.shape_b];
        let forces = simulator.each_contact_force().filter(loaded);
        let now: BTreeSet<[ShapeId; 2]> = forces.map(pair).collect();
        let began = now.difference(&self.touching).map(|&shapes| ContactEvent {
            shapes,
            began: true,
        });
        let ended = self.touching.difference(&now).map(|&shapes| ContactEvent {
            shapes,
            began: false,
        });
        let events = began.chain(ended).collect();
        self.touching = now;
        events
    }

    /// The pairs that touch.
    pub fn touching(&self) -> impl Iterator<Item = [ShapeId; 2]> {
        self.touching.iter().copied()
    }
}

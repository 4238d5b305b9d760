//! Adhesion: forces that press bodies together where they touch, as of suction cups, magnets or wet feet.

use crate::collision::ContactPoint;
use crate::math::Vec3;
use crate::model::{BodyId, ShapeId};
use crate::state::State;
use serde::{Deserialize, Serialize};

/// Contacts that are no farther open than this touch, m. What a solve within its tolerance leaves open is far less.
const TOUCHING: f64 = 1e-6;

/// A force that presses some shapes on everything that they touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adhesion {
    /// The shapes.
    pub shapes: Vec<ShapeId>,
    /// The force, N, shared equally by the contact points that touch; nothing without any.
    pub force: f64,
}

impl Adhesion {
    fn holds(&self, contact: &ContactPoint) -> bool {
        let key = &contact.key;
        let ours = [key.shape_a, key.shape_b].map(|s| self.shapes.contains(&s));
        contact.gap <= TOUCHING && ours != [false; 2]
    }
}

/// Add the forces of adhesion at the contacts of a state to the wrenches on the bodies.
pub(crate) fn add_adhesions(
    adhesions: &[Adhesion],
    contacts: &[ContactPoint],
    state: &State,
    wrenches: &mut [[Vec3; 2]],
) {
    for adhesion in adhesions {
        let held = || contacts.iter().filter(|c| adhesion.holds(c));
        let share = adhesion.force / held().count().max(1) as f64;
        for contact in held() {
            // The normal leads from A to B.
            let mut pull = |body: Option<BodyId>, force: Vec3| {
                let Some(body) = body else { return };
                let arm = contact.point - state.poses[body.index()].position;
                let [sum, torque] = &mut wrenches[body.index()];
                *sum += force;
                *torque += arm.cross(&force);
            };
            pull(contact.body_a, share * contact.normal);
            pull(contact.body_b, -share * contact.normal);
        }
    }
}

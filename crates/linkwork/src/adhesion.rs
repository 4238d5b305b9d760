//! Adhesion: forces that press touching bodies together, as of suction cups, magnets or wet feet.

use crate::collision::ContactPoint;
use crate::math::Vec3;
use crate::model::{BodyId, ShapeId};
use crate::state::State;
use serde::{Deserialize, Serialize};

/// Gap, m, up to which contacts count as touching. A solve within its tolerance leaves much smaller gaps.
const TOUCHING: f64 = 1e-6;

/// A force that presses some shapes against all shapes they touch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adhesion {
    /// The shapes.
    pub shapes: Vec<ShapeId>,
    /// The force, N, shared equally by the touching contact points; no effect without any.
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

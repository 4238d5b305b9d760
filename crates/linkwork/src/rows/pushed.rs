//! Contacts and limits that a step opens with a corrective velocity: rows that stop this velocity at the end of the
//! step (`integrator/tangent.rs`).

use super::contacts::point_rows;
use super::{Inputs, Limited, RowSource, Rows};
use crate::collision::ContactPoint;
use crate::math::{Pose, Vec3, tangent_basis};
use crate::model::BodyId;
use linkwork_solve::ImpulseSet;

/// A contact or limit that is pushed apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pushed {
    /// Its block.
    pub block: usize,
    /// The velocity with which it may separate, m/s or rad/s: that of restitution.
    pub leaves: f64,
}

impl Rows {
    /// Appends a row that limits the separation velocity of a contact or limit of the `step`, by at most the impulse
    /// that opened it. The step has rows, contacts, and the poses of both.
    pub(crate) fn rest(
        &mut self,
        inputs: &Inputs,
        step: (&Rows, &[ContactPoint], &[Pose]),
        push: &Pushed,
        impulse: f64,
    ) {
        let (rows, contacts, poses) = step;
        let set = ImpulseSet::Interval { bound: impulse };
        let source = rows.sources[push.block];
        let (limited, upper) = match source {
            RowSource::Contact(_) => {
                // Contacts come last, in order.
                let first = rows.sources.len() - contacts.len();
                let mut contact = contacts[push.block - first];
                // It moves with the bodies, not with the material points that touched: a wheel rolls.
                let bodies = || [contact.body_a, contact.body_b].into_iter().flatten();
                let moved =
                    |b: BodyId| inputs.state.poses[b.index()].position - poses[b.index()].position;
                let count = bodies().count().max(1) as f64;
                let shift: Vec3 = bodies().map(moved).sum::<Vec3>() / count;
                contact.point += shift;
                let (t1, t2) = tangent_basis(&contact.normal);
                self.push_block(source, set);
                for (body, sign) in [(contact.body_a, -1.0), (contact.body_b, 1.0)] {
                    let Some(body) = body else { continue };
                    let values =
                        point_rows(inputs, &contact, body, sign, &[t1, t2, contact.normal]);
                    self.bodies_mut().1.push_entry(body.index(), &values[2..]);
                }
                self.problem.v_bias.push(-push.leaves);
                self.problem.compliance.push(0.0);
                return;
            }
            _ => match Limited::of(source) {
                Some(found) => found,
                None => return,
            },
        };
        let sign = if upper { -1.0 } else { 1.0 };
        let row = (-push.leaves, 0.0);
        self.push_limited(inputs.model, limited, sign, set, row, source);
    }
}

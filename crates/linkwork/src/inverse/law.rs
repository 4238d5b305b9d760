//! Impulses that a motion determines for each block: the law of a step [Carpentier eq. 47], σ = R λ + J u_ref + v*,
//! block by block, because u_ref is known.

use super::{Actuated, Motion};
use crate::model::{JointId, Model};
use crate::rows::{Along, Geared, Limited, RowSource, Rows};
use linkwork_solve::{ContactModel, Friction, ImpulseSet, MAX_DIM};
use std::ops::Range;

/// Known information about the impulses of a block, N s or N m s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum BlockLaw {
    /// All of them: compliant rows, and inactive ones.
    Known([f64; MAX_DIM]),
    /// They lie in this set.
    In(ImpulseSet),
    /// They are a non-negative multiple of this direction: a sliding contact.
    Ray([f64; MAX_DIM]),
}

impl BlockLaw {
    /// Nothing acts.
    const NONE: BlockLaw = BlockLaw::Known([0.0; MAX_DIM]);
}

/// Judges the blocks of a step's rows by the motion.
pub(super) struct Judge<'a> {
    pub model: &'a Model,
    pub rows: &'a Rows,
    pub motion: Motion<'a>,
    /// u⁺, 6 values per body.
    pub u_plus: &'a [f64],
    pub contact_model: ContactModel,
    /// Speeds up to this count as none, m/s or rad/s.
    pub still: f64,
    pub actuated: &'a Actuated,
    /// Largest speed at which a contact violates its law so far, m/s.
    pub approach: f64,
}

impl Judge<'_> {
    /// The law of block `k`.
    pub fn law(&mut self, k: usize) -> BlockLaw {
        let problem = &self.rows.problem;
        let (set, range) = (problem.sets.set(k), problem.sets.range(k));
        match self.rows.sources[k] {
            source @ (RowSource::Limit { .. }
            | RowSource::TendonLimit { .. }
            | RowSource::TurnLimit(_)) => match Limited::of(source) {
                Some((limited, upper)) => self.limit(k, limited, upper, range.start),
                None => BlockLaw::NONE,
            },
            RowSource::Joint(_) | RowSource::Coupling(_) => match self.yields(&range) {
                true => self.yielding(k, set, &range),
                false => BlockLaw::In(set),
            },
            RowSource::Friction { .. } | RowSource::TendonFriction(_) => self.dry(k, set),
            RowSource::Passive { .. } | RowSource::TendonPassive(_) => self.passive(k, &range),
            RowSource::Drive { joint, coordinate } => {
                let along = coordinate_of(joint, coordinate);
                match self.actuated.has(self.model, along) || !self.yields(&range) {
                    true => BlockLaw::In(set),
                    // Not requested: it follows its own law.
                    false => self.yielding(k, set, &range),
                }
            }
            RowSource::TendonDrive(tendon) => {
                match self.actuated.has(self.model, Along::Tendon(tendon)) || !self.yields(&range) {
                    true => BlockLaw::In(set),
                    false => self.yielding(k, set, &range),
                }
            }
            RowSource::Contact(_) => self.contact(k, set, &range),
        }
    }

    /// J u⁺ + v* of a block.
    fn biased(&self, k: usize, range: &Range<usize>) -> [f64; MAX_DIM] {
        let mut c = [0.0; MAX_DIM];
        for (row, i) in range.clone().enumerate() {
            c[row] = self.rows.velocity_of(k, row, self.u_plus) + self.rows.problem.v_bias[i];
        }
        c
    }

    /// Whether all rows have a compliance.
    fn yields(&self, range: &Range<usize>) -> bool {
        let compliance = &self.rows.problem.compliance[range.clone()];
        compliance.iter().all(|r| *r > 0.0)
    }

    /// λ from the law of a block that is compliant in all rows, at c = J u⁺ + v*: the response of its set to −R⁻¹c
    /// [Carpentier eq. 48], in closed form.
    fn answer(&self, set: ImpulseSet, range: &Range<usize>, c: &[f64; MAX_DIM]) -> BlockLaw {
        let compliance = &self.rows.problem.compliance[range.clone()];
        let mut inverse = [0.0; MAX_DIM];
        for (inverse, r) in inverse.iter_mut().zip(compliance) {
            *inverse = 1.0 / r;
        }
        let mut lambda: [f64; MAX_DIM] = std::array::from_fn(|i| -c[i] * inverse[i]);
        let friction = match self.contact_model {
            ContactModel::Ncp => Friction::Exact,
            ContactModel::Ccp => Friction::Convex,
        };
        set.respond(friction, &mut lambda[..range.len()], &inverse);
        BlockLaw::Known(lambda)
    }

    fn yielding(&self, k: usize, set: ImpulseSet, range: &Range<usize>) -> BlockLaw {
        self.answer(set, range, &self.biased(k, range))
    }

    /// Spring, damper and armature, with the mean rate of the step if they use it.
    fn passive(&self, k: usize, range: &Range<usize>) -> BlockLaw {
        let geared = self.rows.geared.iter().find(|g| g.block == Some(k));
        let (rate, bias) = match geared {
            Some(Geared { along, bias, .. }) => {
                (self.motion.rate(self.model, Limited::Along(*along)), *bias)
            }
            None => {
                let rate = self.rows.velocity_of(k, 0, self.u_plus);
                (rate, self.rows.problem.v_bias[range.start])
            }
        };
        let mut lambda = [0.0; MAX_DIM];
        lambda[0] = -(rate + bias) / self.rows.problem.compliance[range.start];
        BlockLaw::Known(lambda)
    }

    /// Dry friction: at its bound where the coordinate moves.
    fn dry(&self, k: usize, set: ImpulseSet) -> BlockLaw {
        let ImpulseSet::Interval { bound } = set else {
            return BlockLaw::In(set);
        };
        let rate = self.rows.velocity_of(k, 0, self.u_plus);
        if rate.abs() <= self.still {
            return BlockLaw::In(set);
        }
        let mut lambda = [0.0; MAX_DIM];
        lambda[0] = -bound.copysign(rate);
        BlockLaw::Known(lambda)
    }

    /// A limit acts where the coordinate reaches it.
    fn limit(&self, k: usize, limited: Limited, upper: bool, row: usize) -> BlockLaw {
        let range = row..row + 1;
        if self.yields(&range) {
            return self.yielding(k, ImpulseSet::NonNegative, &range);
        }
        // Hard limits are closed nonlinearly at the end of the step, except bouncing ones.
        let bounces = limited.limits(self.model);
        let velocity = if bounces.is_some_and(|l| l.restitution > 0.0) {
            self.rows.velocity_of(k, 0, self.u_plus)
        } else {
            let rate = self.motion.rate(self.model, limited);
            if upper { -rate } else { rate }
        };
        let sigma = velocity + self.rows.problem.v_bias[row];
        if sigma > self.still {
            return BlockLaw::NONE;
        }
        BlockLaw::In(ImpulseSet::NonNegative)
    }

    /// Signorini and Coulomb, or their convex relaxation: an opening contact has no impulse, a sliding one has friction
    /// against the motion, and the impulse of a sticking one is undetermined within its cone.
    fn contact(&mut self, k: usize, set: ImpulseSet, range: &Range<usize>) -> BlockLaw {
        let c = self.biased(k, range);
        if self.yields(range) {
            return self.answer(set, range, &c);
        }
        let normal = range.len() - 1;
        // If one row is compliant and another hard, they cannot be separated: any impulse of the cone counts as
        // possible.
        if self.rows.problem.compliance[range.clone()]
            .iter()
            .any(|r| *r > 0.0)
        {
            return BlockLaw::In(set);
        }
        let slip = c[..normal].iter().map(|c| c * c).sum::<f64>().sqrt();
        let mu_slip = set.desaxce_shift(&c[..range.len()]);
        // σ_N under the NCP, σ_N − μ‖σ_T‖ under the CCP: it must not be negative, and vanishes for loaded contacts.
        let gap_rate = match self.contact_model {
            ContactModel::Ncp => c[normal],
            ContactModel::Ccp => c[normal] - mu_slip,
        };
        if gap_rate > self.still {
            return BlockLaw::NONE;
        }
        self.approach = self.approach.max(-gap_rate);
        if slip <= self.still {
            return BlockLaw::In(set);
        }
        let mut direction = [0.0; MAX_DIM];
        for row in 0..normal {
            direction[row] = -(mu_slip / slip) * c[row] / slip;
        }
        direction[normal] = 1.0;
        BlockLaw::Ray(direction)
    }
}

fn coordinate_of(joint: JointId, coordinate: u8) -> Along {
    Along::Coordinate(joint, coordinate as usize)
}

//! Limited quantities: a joint coordinate, the length of a tendon, or the total angle |θ| of a joint with a rotation
//! vector θ. The row of the last is n · θ̇ = n · ω with n = θ/|θ|, which J_l⁻¹(θ) does not change.

use super::{Along, RowSource, Rows, bodies_of};
use crate::math::Vec3;
use crate::model::{JointId, Limits, Model};
use crate::state::State;
use linkwork_solve::ImpulseSet;

/// What a limit bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limited {
    Along(Along),
    Turn(JointId),
}

impl Limited {
    /// The quantity limited by a row, and whether it is the upper limit; `None` for other rows.
    pub fn of(source: RowSource) -> Option<(Self, bool)> {
        let (along, upper) = match source {
            RowSource::Limit {
                joint,
                coordinate,
                upper,
            } => (Along::Coordinate(joint, coordinate as usize), upper),
            RowSource::TendonLimit { tendon, upper } => (Along::Tendon(tendon), upper),
            RowSource::TurnLimit(joint) => return Some((Self::Turn(joint), true)),
            _ => return None,
        };
        Some((Self::Along(along), upper))
    }

    /// Its limits.
    pub fn limits(self, model: &Model) -> Option<Limits> {
        match self {
            Self::Along(along) => along.axis(model).limits,
            Self::Turn(joint) => model.joint(joint).turn_limits,
        }
    }

    /// Source of the rows of a limit; a rotation angle has an upper one only.
    pub fn source(self, upper: bool) -> RowSource {
        match self {
            Self::Along(along) => along.limit(upper),
            Self::Turn(joint) => RowSource::TurnLimit(joint),
        }
    }

    /// Its value in a state, m or rad.
    pub fn value(self, model: &Model, state: &State) -> f64 {
        match self {
            Self::Along(Along::Coordinate(joint, c)) => state.joint_coordinates(model, joint)[c],
            Self::Along(Along::Tendon(tendon)) => state.tendon_length(model, tendon),
            Self::Turn(joint) => {
                let values = state.joint_coordinates(model, joint);
                model.joint(joint).turn(values).unwrap_or(0.0)
            }
        }
    }
}

impl Rows {
    /// Value of the limited quantity at the start of the step, m or rad.
    pub(crate) fn limited_value(&self, model: &Model, limited: Limited) -> f64 {
        match limited {
            Limited::Along(along) => self.value(model, along),
            Limited::Turn(joint) => {
                let (first, n) = self.turn_axis(model, joint);
                let theta = Vec3::from_fn(|i, _| self.coordinate(joint, first + i));
                n.dot(&theta)
            }
        }
    }

    /// Its velocity before the step.
    pub(crate) fn limited_velocity(&self, model: &Model, limited: Limited) -> f64 {
        match limited {
            Limited::Along(along) => self.velocity(model, along),
            Limited::Turn(joint) => {
                let (first, n) = self.turn_axis(model, joint);
                let rates = Vec3::from_fn(|i, _| self.coordinate_velocity(model, joint, first + i));
                n.dot(&rates)
            }
        }
    }

    /// The first coordinate of a joint's rotation vector θ, and the rotation axis θ/|θ|. At θ = 0 any axis may be used.
    pub(crate) fn turn_axis(&self, model: &Model, joint: JointId) -> (usize, Vec3) {
        let first = model.joint(joint).kind.rotation_vector().unwrap_or(0);
        let theta = Vec3::from_fn(|i, _| self.coordinate(joint, first + i));
        (first, theta.try_normalize(0.0).unwrap_or(Vec3::z()))
    }

    /// A block of one row along `sign` times the limited quantity.
    pub(crate) fn push_limited(
        &mut self,
        model: &Model,
        limited: Limited,
        sign: f64,
        set: ImpulseSet,
        (bias, compliance): (f64, f64),
        source: RowSource,
    ) {
        let joint = match limited {
            Limited::Along(along) => {
                self.push_along(model, along, sign, set, (bias, compliance), source);
                return;
            }
            Limited::Turn(joint) => joint,
        };
        let (first, n) = self.turn_axis(model, joint);
        let mut rows = [[0.0; 6]; 2];
        for i in 0..3 {
            let parts = self.coordinate_jacobian(joint, first + i);
            for (row, part) in rows.iter_mut().zip(parts) {
                row.iter_mut().zip(part).for_each(|(r, p)| *r += n[i] * p);
            }
        }
        let joint = model.joint(joint);
        let base = joint.base.map(|b| b.index());
        bodies_of(&mut self.problem).push_single(base, joint.follower.index(), sign, &rows);
        self.sources.push(source);
        self.problem.sets.push(set);
        self.problem.v_bias.push(bias);
        self.problem.compliance.push(compliance);
    }
}

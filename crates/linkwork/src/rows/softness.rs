//! Soft joints, couplings, limits and contacts: r̈ + R f = −b ṙ − k r instead of r = 0, R = (1 − d)/d w.
//!
//! With h the duration of the kick, (v⁺ − v⁻)/h + J̇u + R λ/h + b v⁺ + k (r + θ dt v⁺) = 0 is the row
//! v* = (h k r − v⁻ + h J̇u)/s, R/s, s = 1 + h (b + θ dt k). As in MuJoCo, J̇u is that of joints (connect and weld) only. θ = K/(1 + K),
//! K = dt² k: a violation that the step resolves oscillates without numerical damping (θ ≈ 0, as in MuJoCo), one that
//! it does not resolve is damped (θ ≈ 1). Stable for any k and b, because the poles of v⁺ (1 + θ K) = v⁻ − K r/dt are
//! within the unit circle where 4 + (2 θ − 1) K > 0.

use super::{Inputs, RowSource, Rows};
use crate::dynamics::Bend;
use crate::joints::{MAX_ROWS, Row, Unit};
use crate::math::Twist;
use crate::model::{BodyId, Impedance, JointId, JointSoftness};

/// Replaces the rows of soft joints and couplings, which were added as hard ones.
pub(super) fn soften(rows: &mut Rows, inputs: &Inputs) {
    for k in 0..rows.sources.len() {
        match rows.sources[k] {
            RowSource::Joint(id) => {
                let joint = inputs.model.joint(id);
                if let Some(softness) = &joint.softness {
                    let locked = rows.kinematics[id.index()].locked;
                    soften_joint(rows, inputs, k, (id, &locked), softness);
                }
            }
            RowSource::Coupling(id) => {
                let coupling = &inputs.model.couplings()[id.index()];
                if let Some(softness) = coupling.softness {
                    let r = coupling.residual(|term| rows.coordinate(term.joint, term.coordinate));
                    let law = SoftLaw::at(inputs, &softness.impedance, r);
                    set(rows, k, 0, &law, (r, 0.0), softness.inverse_inertia);
                }
            }
            _ => break,
        }
    }
}

fn soften_joint(
    rows: &mut Rows,
    inputs: &Inputs,
    k: usize,
    (joint_id, locked): (JointId, &[Row; MAX_ROWS]),
    softness: &JointSoftness,
) {
    let joint = inputs.model.joint(joint_id);
    let labels = joint.kind.locked();
    let violations = &locked[..labels.len()];
    let weighed = violations
        .iter()
        .zip(labels)
        .map(|(r, label)| match label.1 {
            Unit::Length => r.value,
            Unit::Angle => softness.radius * r.value,
        });
    let norm = weighed.map(|r| r * r).sum::<f64>().sqrt();
    let law = SoftLaw::at(inputs, &softness.impedance, norm);
    let state = inputs.state;
    let twist = |body: BodyId| state.twists[body.index()];
    let twists = (
        &joint.base.map_or(Twist::zero(), twist),
        &twist(joint.follower),
    );
    let (place, turns) = (
        &rows.kinematics[joint_id.index()].place,
        &state.coordinates[joint.range()],
    );
    let bends = Bend::of(&*joint.kind, place, turns, twists).locked;
    for (i, (r, label)) in violations.iter().zip(labels).enumerate() {
        let inverse_inertia = match label.1 {
            Unit::Length => softness.inverse_mass,
            Unit::Angle => softness.inverse_inertia,
        };
        let bend = inputs.plan.kick * bends[i];
        set(rows, k, i, &law, (r.value, bend), inverse_inertia);
    }
}

/// Sets a row of block `k` from a violation and the contribution of J̇u to its rate in the step.
fn set(
    rows: &mut Rows,
    k: usize,
    row: usize,
    law: &SoftLaw,
    (violation, bend): (f64, f64),
    inverse_inertia: f64,
) {
    let velocity = rows.velocity_of(k, row, &rows.u_minus) - bend;
    let at = rows.problem.sets.range(k).start + row;
    let (bias, compliance) = law.row(violation, velocity, inverse_inertia);
    rows.problem.v_bias[at] = bias;
    rows.problem.compliance[at] = compliance;
    rows.some_yield = true;
}

/// d, b and k at a violation, and how long they act.
pub(super) struct SoftLaw {
    /// (1 − d)/d.
    give: f64,
    /// h k, 1/s.
    pull: f64,
    /// h b.
    brake: f64,
    /// h θ dt k.
    ahead: f64,
}

impl SoftLaw {
    pub fn at(inputs: &Inputs, impedance: &Impedance, violation: f64) -> Self {
        let d = impedance.at(violation);
        let (b, k) = (impedance.damping(), impedance.stiffness(violation));
        let (dt, h) = (inputs.plan.span, inputs.plan.kick);
        // 1/(1/K + 1), because K itself may be too large to divide by.
        let theta = 1.0 / ((dt * dt * k).recip() + 1.0);
        Self {
            give: (1.0 - d) / d,
            pull: h * k,
            brake: h * b,
            ahead: h * theta * dt * k,
        }
    }

    /// The law of open elements that may close within the step: the spring acts on the violation at the end (θ = 1),
    /// and there is no damping before.
    pub fn open(inputs: &Inputs, impedance: &Impedance) -> Self {
        let closed = Self::at(inputs, impedance, 0.0);
        Self {
            brake: 0.0,
            ahead: closed.pull * inputs.plan.span,
            ..closed
        }
    }

    /// v* and R of a row with this violation, velocity before the step and inverse inertia w.
    pub fn row(&self, violation: f64, velocity: f64, inverse_inertia: f64) -> (f64, f64) {
        let scale = 1.0 + self.brake + self.ahead;
        (
            (self.pull * violation - velocity) / scale,
            self.give * inverse_inertia / scale,
        )
    }

    /// The same for a row with a velocity but no violation, such as friction.
    pub fn slip(&self, velocity: f64, inverse_inertia: f64) -> (f64, f64) {
        let scale = 1.0 + self.brake;
        (-velocity / scale, self.give * inverse_inertia / scale)
    }
}

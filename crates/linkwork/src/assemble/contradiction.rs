//! Loops that contradict each other because the numbers in a file are rounded.
//!
//! A parallelogram with a third rod moves only if all rods are equally long. With lengths of eight digits it is locked,
//! or cannot be closed at all; real mechanisms have play and elasticity. Such loops are closed in the least-squares
//! sense, and the joints that close them become soft: the weight of the mechanism opens them by 3e-4 of its size, a
//! hundredth of the effect of MuJoCo's default. If the lengths differ by more than the digits explain at the start, the
//! contradiction grows along the motion, and the mechanism wedges there.

use super::loop_groups;
use crate::State;
use crate::model::{
    CouplingId, Impedance, Joint, JointId, JointSoftness, Model, ModelData, Reference, Softness,
    Term,
};

/// What contradicts each other, and by how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Residual of the joints in the least-squares sense, m and rad.
    pub open: [f64; 2],
    /// Opening of the loops under the weight of the mechanism, m: motion within it cannot be distinguished from rest.
    pub tolerance: f64,
    /// The joints that close these loops, which yield.
    pub joints: Vec<JointId>,
    /// The couplings within these loops, which become soft too.
    pub couplings: Vec<CouplingId>,
}

/// Opening of the loops under the weight of the mechanism, as a share of its size. Measured on the neck of the
/// toddlerbot, whose rods wedge after 1.1 rad at 60 rad/s (tests/contradiction.rs), 3 s at 1 ms: 1.2 % of the energy
/// exchanged is unaccounted for; with 1e-4 it is 2.3 %, and with 2e-6 it is 13 % and two solves fail.
const PLAY: f64 = 3e-4;
/// Minimum relative to the opening at the start: elsewhere in their range loops may be open farther.
const FARTHER: f64 = 10.0;
/// Time constant of the soft joints, s: two steps of a millisecond, below which a step does not follow.
const TIME: f64 = 2e-3;
/// Acceleration of a weight, m/s².
const WEIGHT: f64 = 9.81;

impl Contradiction {
    /// The largest contradiction explained by the digits of a file, rad or share of the mechanism's size: rpy="1.5708"
    /// has an error of 4e-6.
    pub const MOST: f64 = 1e-5;

    /// Contradiction of the mechanism, which is closed in the least-squares sense in `state`: loops that stay open by
    /// more than `closed` (m or rad).
    pub(super) fn of(model: &Model, state: &State, closed: f64) -> Self {
        let groups = loop_groups(model);
        let residual = |j: usize| state.joint_residual(model, JointId(j as u32));
        let mut open = vec![false; groups.len()];
        let mut most = [0.0f64; 2];
        for (j, &group) in groups.iter().enumerate() {
            let [m, rad] = residual(j);
            most = [most[0].max(m), most[1].max(rad)];
            open[group] |= m.max(rad) > closed;
        }
        for coupling in model.couplings() {
            let at = coupling.terms[0].joint.index();
            let coordinate = |t: &Term| state.joint_coordinates(model, t.joint)[t.coordinate];
            let rad = coupling.residual(coordinate).abs();
            most[1] = most[1].max(rad);
            open[groups[at]] |= rad > closed;
        }
        let closes = |j: &JointId| open[groups[j.index()]] && !model.tree().contains(j);
        let within = |c: &CouplingId| {
            let term = &model.couplings()[c.index()].terms[0];
            open[groups[term.joint.index()]]
        };
        let size = size(model.joints());
        Self {
            open: most,
            tolerance: (PLAY * size).max(FARTHER * most[0].max(size * most[1])),
            joints: (0..model.joints().len() as u32)
                .map(JointId)
                .filter(closes)
                .collect(),
            couplings: (0..model.couplings().len() as u32)
                .map(CouplingId)
                .filter(within)
                .collect(),
        }
    }
}

impl Contradiction {
    /// Let what contradicts each other yield.
    pub(super) fn soften(&self, data: &mut ModelData) {
        let mass: f64 = data.bodies.iter().map(|b| b.mass).sum();
        let size = size(&data.joints);
        // r = R f/k with R = (1 − d)/d · 1/m, k = 1/(d T)² is the tolerance for f = m g.
        let give = self.tolerance / (WEIGHT * TIME * TIME);
        let d = 1.0 / (1.0 + give);
        let impedance = Impedance {
            at_zero: d,
            at_width: d,
            reference: Reference::Time {
                time_constant: TIME,
                damping_ratio: 1.0,
            },
            ..Impedance::default()
        };
        for joint in &self.joints {
            data.joints[joint.index()]
                .softness
                .get_or_insert(JointSoftness {
                    impedance,
                    inverse_mass: 1.0 / mass,
                    inverse_inertia: 1.0 / (mass * size * size),
                    radius: size,
                });
        }
        for coupling in &self.couplings {
            data.couplings[coupling.index()]
                .softness
                .get_or_insert(Softness {
                    impedance,
                    inverse_inertia: 1.0 / (mass * size * size),
                });
        }
    }
}

/// Mean distance of joints from the centres of mass they hold, m.
fn size(joints: &[Joint]) -> f64 {
    let arms = joints.iter().map(|j| j.frame_follower.position.norm());
    let mean = arms.sum::<f64>() / joints.len().max(1) as f64;
    if mean > 0.0 { mean } else { 1.0 }
}

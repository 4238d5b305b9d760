//! The locked rows (joints and couplings) of a state outside a step, and the scales for judging them.

use crate::control::Control;
use crate::integrator::Integrator;
use crate::math::Mat3;
use crate::model::{JointId, Model};
use crate::rows::{Along, Inputs, Rows};
use crate::settings::Settings;
use crate::state::State;
use linkwork_solve::ImpulseSet;

/// With what inertia bodies resist being moved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Metric<'a> {
    /// Their own.
    Mass,
    /// Mass 1 kg and inertia L² for all bodies, so that mass ratios do not matter, except for fixed bodies.
    Uniform {
        /// Characteristic length L, m.
        length: f64,
        /// Which bodies are held.
        held: &'a [bool],
    },
}

/// Inertia of a fixed body relative to the others: its motion is negligible, and D stays well defined.
const HELD: f64 = 1e12;

/// Makes the problem "J u + C = 0" of a state: dt = 1 s, so v* is the residual C itself.
pub(crate) struct Locked<'a> {
    pub model: &'a Model,
    control: Control,
    settings: Settings,
}

impl<'a> Locked<'a> {
    pub fn new(model: &'a Model) -> Self {
        let mut settings = Settings::default();
        settings.stabilization.joints = 1.0;
        Self {
            model,
            control: Control::new(model),
            settings,
        }
    }

    /// Evaluates the rows at `state`; u_f is the state's velocity. More rows may be appended.
    pub fn make(&self, state: &State, metric: Metric, rows: &mut Rows) {
        rows.begin(self.model, state, 1.0);
        let u_minus = std::mem::take(&mut rows.u_minus);
        let (mass, _, u_free) = rows.bodies_mut();
        u_free.extend_from_slice(&u_minus);
        for (b, body) in self.model.bodies().iter().enumerate() {
            let (m, inertia, inverse) = match metric {
                Metric::Mass => {
                    let r = *state.poses[b].rotation.to_rotation_matrix().matrix();
                    let turned = |i: &Mat3| r * i * r.transpose();
                    let inertia = turned(&body.inertia);
                    (body.mass, inertia, turned(&body.inverse_inertia))
                }
                Metric::Uniform { length, held } => {
                    let m = if held[b] { HELD } else { 1.0 };
                    let i = m * length * length;
                    (m, Mat3::identity() * i, Mat3::identity() / i)
                }
            };
            let array = |m: &Mat3| <[f64; 9]>::try_from(m.as_slice()).expect("nine values");
            mass.push_rigid(m, &array(&inertia), &array(&inverse));
        }
        rows.u_minus = u_minus;
        rows.assemble_locked(&Inputs {
            model: self.model,
            state,
            control: &self.control,
            settings: &self.settings,
            contacts: &[],
            carried: &[],
            released: &[],
            plan: &Integrator::SemiImplicitEuler.plan(1.0, 1.0),
        });
    }
}

/// A row that requests the velocity −`bias` (m/s, rad/s) for coordinate `at` of a joint.
pub(crate) fn push_target(rows: &mut Rows, model: &Model, at: (JointId, usize), bias: f64) {
    let along = Along::Coordinate(at.0, at.1);
    let set = ImpulseSet::Free { dim: 1 };
    rows.push_along(model, along, 1.0, set, (bias, 0.0), along.drive());
}

/// Typical distance (m) between a joint's anchor and the centre of mass of a body it connects: the length that makes
/// angles comparable with displacements.
pub(crate) fn characteristic_length(model: &Model) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for joint in model.joints() {
        let base = joint.base.map(|_| joint.frame_base.position);
        for arm in base.iter().chain([&joint.frame_follower.position]) {
            sum += arm.norm_squared();
            count += 1.0;
        }
    }
    // Joints at the centres of mass (or no joints) define no scale: use one metre.
    if sum > 0.0 {
        f64::sqrt(sum / count)
    } else {
        1.0
    }
}

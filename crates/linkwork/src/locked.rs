//! The locked rows (joints and couplings) of a state outside a step, and the scales to judge them by.

use crate::control::Control;
use crate::math::Mat3;
use crate::model::Model;
use crate::rows::{Inputs, Rows};
use crate::settings::Settings;
use crate::state::State;
use std::ops::Range;

/// With what inertia bodies resist being moved.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Metric {
    /// Their own.
    Mass,
    /// Mass 1 and inertia L², L the given characteristic length (m): all bodies alike, so that mass
    /// ratios do not matter.
    Uniform(f64),
}

/// Makes the problem "J u + C = 0" of a state: dt = 1 s, so v* is the residual C itself.
pub(crate) struct Locked<'a> {
    model: &'a Model,
    control: Control,
    settings: Settings,
    /// The rows last made; extra rows may be appended.
    pub rows: Rows,
}

impl<'a> Locked<'a> {
    pub fn new(model: &'a Model) -> Self {
        let mut settings = Settings::default();
        settings.stabilization.joints = 1.0;
        Self {
            model,
            control: Control::new(model),
            settings,
            rows: Rows::default(),
        }
    }

    /// Make the rows at `state`; u_f is the state's velocity.
    pub fn make(&mut self, state: &State, metric: Metric) {
        let rows = &mut self.rows;
        rows.begin(self.model, state, 1.0);
        let u_minus = rows.u_minus.clone();
        let (mass, _, u_free) = rows.bodies_mut();
        u_free.extend(u_minus);
        for (body, pose) in self.model.bodies().iter().zip(&state.poses) {
            let (m, inertia, inverse) = match metric {
                Metric::Mass => {
                    let r = *pose.rotation.to_rotation_matrix().matrix();
                    let turned = |i: &Mat3| r * i * r.transpose();
                    let inertia = turned(&body.inertia);
                    (body.mass, inertia, turned(&body.inverse_inertia))
                }
                Metric::Uniform(l) => {
                    let inertia = Mat3::identity() * (l * l);
                    (1.0, inertia, Mat3::identity() / (l * l))
                }
            };
            let array = |m: &Mat3| <[f64; 9]>::try_from(m.as_slice()).expect("nine values");
            mass.push_rigid(m, &array(&inertia), &array(&inverse));
        }
        rows.assemble_locked(&Inputs {
            model: self.model,
            state,
            control: &self.control,
            settings: &self.settings,
            contacts: &[],
            dt: 1.0,
        });
    }

    /// Rows of block `k`.
    pub fn range(&self, k: usize) -> Range<usize> {
        self.rows.problem.sets.range(k)
    }
}

/// Typical distance (m) between a joint's anchor and the centre of mass of a body it holds: the
/// length by which angles become comparable with displacements.
pub(crate) fn characteristic_length(model: &Model) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for joint in model.joints() {
        let base = joint.base.map(|_| joint.frame_base.position);
        for arm in base.iter().chain([&joint.frame_follower.position]) {
            sum += arm.norm_squared();
            count += 1.0;
        }
    }
    // Joints at the centres of mass (or none) give no scale: a metre is as good as any.
    if sum > 0.0 {
        f64::sqrt(sum / count)
    } else {
        1.0
    }
}

//! Work done during a step, by what did it.

use crate::math::{Mat3, Vec3};
use crate::model::Model;
use crate::report::Work;
use crate::rows::{RowSource, Rows};
use crate::settings::Gyroscopic;
use linkwork_solve::Solution;

/// Measures work as impulse times the mean of the velocities before and after the kick, which is exactly the change of
/// kinetic energy at the configuration of the kick.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorkMeter {
    /// Mean twist of each body, 6 values.
    mean: Vec<f64>,
}

impl WorkMeter {
    /// Work of the step whose rows and solution are given; `applied` is the angular momenta after
    /// the free kick, the applied wrenches and the duration of the kick (s).
    pub fn measure(
        &mut self,
        rows: &Rows,
        solution: &Solution,
        model: &Model,
        applied: (&[Vec3], &[[Vec3; 2]], f64),
        gyroscopic: Gyroscopic,
    ) -> Work {
        let (momenta, wrenches, kick) = applied;
        self.mean_twists(rows, solution, model, momenta, gyroscopic);
        let mut work = Work::default();
        let jacobian = rows.bodies().1;
        for (k, source) in rows.sources.iter().enumerate() {
            let lambda = &solution.lambda[jacobian.rows_of(k)];
            let mut done = 0.0;
            for entry in jacobian.entries_of(k) {
                let u = &self.mean[6 * entry.body..][..6];
                for (l, j) in lambda.iter().zip(jacobian.values_of(entry, lambda.len())) {
                    let even = j[0] * u[0] + j[2] * u[2] + j[4] * u[4];
                    let odd = j[1] * u[1] + j[3] * u[3] + j[5] * u[5];
                    done += l * (even + odd);
                }
            }
            if let RowSource::Passive { .. } | RowSource::TendonPassive(_) = source {
                let stores = rows.geared.iter().find(|g| g.block == Some(k));
                if let Some(geared) = stores {
                    let after = rows.rate_after(geared, solution);
                    let start = rows.velocity_of(k, 0, &rows.u_minus);
                    let end = 2.0 * rows.velocity_of(k, 0, &self.mean) - start;
                    let gain = geared.gain(after, [start, end]);
                    work.joints += gain;
                    done -= gain;
                }
            }
            *match source {
                // What yields is a spring and damper.
                RowSource::Joint(_)
                | RowSource::Coupling(_)
                | RowSource::Limit { .. }
                | RowSource::TendonLimit { .. }
                | RowSource::TurnLimit(_)
                    if rows.is_soft(k) =>
                {
                    &mut work.drives
                }
                RowSource::Joint(_) | RowSource::Coupling(_) => &mut work.joints,
                RowSource::Limit { .. }
                | RowSource::TendonLimit { .. }
                | RowSource::TurnLimit(_) => &mut work.limits,
                RowSource::Friction { .. } | RowSource::TendonFriction(_) => &mut work.friction,
                RowSource::Passive { .. }
                | RowSource::TendonPassive(_)
                | RowSource::Drive { .. }
                | RowSource::TendonDrive(_) => &mut work.drives,
                RowSource::Contact(_) => &mut work.contacts,
            } += done;
        }
        // Springs that act as a force in a kick that only completes the last step.
        for geared in rows.geared.iter().filter(|g| g.block.is_none()) {
            let start = rows.velocity(model, geared.along);
            let gain = geared.gain(geared.before, [start, start]);
            let given = geared.given(geared.before);
            work.joints += gain;
            work.drives += given;
            work.applied -= gain + given;
        }
        for ([force, torque], mean) in wrenches.iter().zip(self.mean.chunks_exact(6)) {
            for i in 0..3 {
                work.applied += kick * (force[i] * mean[i] + torque[i] * mean[i + 3]);
            }
        }
        work
    }

    fn mean_twists(
        &mut self,
        rows: &Rows,
        solution: &Solution,
        model: &Model,
        momenta: &[Vec3],
        gyroscopic: Gyroscopic,
    ) {
        self.mean.clear();
        let before_after = rows.u_minus.iter().zip(&solution.u_plus);
        self.mean.extend(before_after.map(|(a, b)| 0.5 * (a + b)));
        if gyroscopic != Gyroscopic::Midpoint {
            return;
        }
        // Under the midpoint rule u⁺ is the rotation over the step, not I⁻¹ times the momentum: replace the free
        // rotation in it by the free momentum.
        let (mass, _, u_free) = rows.bodies();
        for (b, body) in model.bodies().iter().enumerate() {
            if body.isotropic {
                continue;
            }
            let inverse = mass.inverse_inertia(b);
            let spin = Mat3::from_column_slice(inverse) * momenta[b];
            let (mean, free) = (&mut self.mean[6 * b + 3..], &u_free[6 * b + 3..]);
            for ((mean, free), spin) in mean.iter_mut().zip(free).zip(&spin) {
                *mean += 0.5 * (spin - free);
            }
        }
    }
}

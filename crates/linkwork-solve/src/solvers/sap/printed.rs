//! The iteration and the stopping test of [Castro Alg. 2 and §IV-E]: from the velocities of the last step until the
//! relative momentum balance meets the tolerance.

use super::cost::Parts;
use super::{Counts, Sap};
use crate::problem::Status;
use crate::solvers::Observer;

/// ε_a of eq. 26, √J.
const ABSOLUTE: f64 = 1e-16;

impl Sap {
    /// Iterate from `start`, 6 values a body, or from u_f where there are none, until eq. 26 holds with ε_r = `tolerance`.
    pub(super) fn run_printed(
        &mut self,
        parts: Parts,
        start: &[f64],
        observer: &mut dyn Observer,
        count: &mut Counts,
    ) -> Status {
        let common = self.settings.common;
        let start = if start.len() == parts.u_free.len() {
            start
        } else {
            parts.u_free
        };
        self.point.u.clear();
        self.point.u.extend_from_slice(start);
        self.point.evaluate(parts);
        let status = loop {
            if self.balances(parts, common.tolerance) {
                break Status::Converged;
            }
            if count.iterations == common.max_iterations {
                break Status::IterationLimit;
            }
            count.iterations += 1;
            if !self.newton_step(parts, count) {
                break Status::NumericalFailure;
            }
            self.advance(parts);
            if !self.point.cost.is_finite() {
                break Status::NumericalFailure;
            }
            let (gradient, scale) = self.momenta(parts);
            let left = gradient / scale.max(f64::MIN_POSITIVE);
            if observer.iteration(count.iterations, left).is_break() {
                break Status::Interrupted;
            }
        };
        self.best.clone_from(&self.point.gamma);
        status
    }

    /// Whether ‖∇ℓ‖ < ε_a + ε_r max(‖p‖, ‖j_c‖), all scaled by diag(M)^(−1/2) [Castro eq. 26], at the last velocities.
    pub(super) fn balances(&self, parts: Parts, relative: f64) -> bool {
        let (gradient, scale) = self.momenta(parts);
        gradient < ABSOLUTE + relative * scale
    }

    /// ‖∇ℓ‖ and max(‖p‖, ‖j_c‖) with p = M u, j_c = Jᵀγ, scaled [Castro eq. 25], √J.
    fn momenta(&self, parts: Parts) -> (f64, f64) {
        let n = self.point.u.len();
        let (mut p, mut j) = (vec![0.0; n], vec![0.0; n]);
        parts.mass.multiply(&self.point.u, &mut p);
        parts
            .jacobian
            .multiply_transposed(&self.point.gamma, &mut j);
        let size = |x: &[f64]| {
            let scaled = |(i, x): (usize, &f64)| x * x / parts.mass.block(i / 6)[7 * (i % 6)];
            x.iter().enumerate().map(scaled).sum::<f64>().sqrt()
        };
        (size(&self.point.gradient), size(&p).max(size(&j)))
    }
}

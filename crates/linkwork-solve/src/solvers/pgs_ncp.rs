//! `pgs-ncp`: projected Gauss-Seidel, normal first, then friction in the resulting disk [Tsounis Alg. 3].
//!
//! λ_N ← max(0, λ_N − σ_N/D_NN), then λ_T ← P(λ_T − s σ_T) on the disk of radius μ λ_N. Fixed points obey Coulomb's
//! law.
//!
//! Differences from the paper (with [`TangentialStep::AfterNormal`]): σ_T is the velocity after the change of λ_N, the
//! tangential step is s = 1/λ_max(D_TT) (printed: 1/min of the two diagonal entries, which overshoots on a skew block),
//! and a visit may make several such steps.

use super::splitting::{Contact, ContactRule, Splitting, SweepSettings};
use crate::residuals::ContactModel;

/// The solver; see the module documentation.
pub type PgsNcp = Splitting<NormalThenTangential>;

/// Settings of `pgs-ncp`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PgsNcpSettings {
    /// The sweeps.
    pub sweep: SweepSettings,
    /// Steps a visit; nominal 1 … 20.
    pub steps: usize,
    /// The step of friction.
    pub tangential: TangentialStep,
}

/// The step of friction within a visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TangentialStep {
    /// From the velocity that the new λ_N leaves, s = 1/λ_max(D_TT).
    #[default]
    AfterNormal,
    /// From the velocity before the visit, s = 1/min(D_xx, D_yy), as printed.
    Printed,
}

impl Default for PgsNcpSettings {
    fn default() -> Self {
        Self {
            sweep: SweepSettings::default(),
            steps: 5,
            tangential: TangentialStep::AfterNormal,
        }
    }
}

/// A step along the normal, then one in the tangential disk.
#[derive(Clone, Copy, Debug)]
pub struct NormalThenTangential {
    steps: usize,
    tangential: TangentialStep,
}

impl PgsNcp {
    /// With the given settings.
    pub fn new(settings: PgsNcpSettings) -> Self {
        Self::under("pgs-ncp", settings)
    }

    /// Under a name of the registry.
    pub(super) fn under(name: &'static str, settings: PgsNcpSettings) -> Self {
        let rule = NormalThenTangential {
            steps: settings.steps.max(1),
            tangential: settings.tangential,
        };
        Self::named(name, rule, settings.sweep)
    }
}

impl ContactRule for NormalThenTangential {
    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn update(&self, contact: &Contact, lambda: &[f64; 3], sigma: &[f64; 3]) -> [f64; 3] {
        let z = contact.others(lambda, sigma);
        let step = match self.tangential {
            TangentialStep::AfterNormal => 1.0 / contact.largest_tangential,
            TangentialStep::Printed => 1.0 / contact.d[0][0].min(contact.d[1][1]),
        };
        let mut lambda = *lambda;
        for _ in 0..self.steps {
            let before = contact.velocity(&z, &lambda);
            lambda[2] = (lambda[2] - before[2] / contact.d[2][2]).max(0.0);
            let sigma = match self.tangential {
                TangentialStep::AfterNormal => contact.velocity(&z, &lambda),
                TangentialStep::Printed => before,
            };
            lambda[0] -= step * sigma[0];
            lambda[1] -= step * sigma[1];
            contact.clip_to_disk(&mut lambda);
        }
        lambda
    }
}

//! `pgs-ccp`, `pgs-ccp-ds`: projected Gauss-Seidel with a step on the whole cone [Tsounis Alg. 2, Tasora].
//!
//! At a contact λ_k ← P_K(λ_k − s_k (σ_k + Γ)), with Γ ≡ 0 (`pgs-ccp`: fixed points solve the convex relaxation)
//! or the De Saxcé shift of the present σ_k (`pgs-ccp-ds`: fixed points solve the NCP; the row "PGS-CCP" of
//! [Tsounis Table I]).

use super::splitting::{Contact, ContactRule, Splitting, SweepSettings};
use crate::residuals::ContactModel;
use crate::sets::ImpulseSet;

/// The solver; see the module documentation.
pub type PgsCcp = Splitting<ConeStep>;

/// Settings of `pgs-ccp` and `pgs-ccp-ds`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PgsCcpSettings {
    /// The sweeps.
    pub sweep: SweepSettings,
    /// The convex relaxation, or with De Saxcé shift the NCP.
    pub model: ContactModel,
    /// The step s_k.
    pub step: ConeStepSize,
    /// Steps a visit; nominal 1 … 20.
    pub steps: usize,
}

/// The step s_k of a contact, kg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConeStepSize {
    /// 3/tr(D̃_kk), as in the paper. May diverge where D̃_kk has one eigenvalue above 2/3 of its trace.
    MeanDiagonal,
    /// 1/λ_max(D̃_kk): the largest that never overshoots.
    LargestEigenvalue,
}

impl Default for PgsCcpSettings {
    fn default() -> Self {
        Self {
            sweep: SweepSettings::default(),
            model: ContactModel::Ccp,
            step: ConeStepSize::LargestEigenvalue,
            steps: 5,
        }
    }
}

/// Projected steps on the cone.
#[derive(Clone, Copy, Debug)]
pub struct ConeStep {
    model: ContactModel,
    step: ConeStepSize,
    steps: usize,
}

impl PgsCcp {
    /// With the given settings.
    pub fn new(settings: PgsCcpSettings) -> Self {
        let name = match settings.model {
            ContactModel::Ccp => "pgs-ccp",
            ContactModel::Ncp => "pgs-ccp-ds",
        };
        Self::under(name, settings)
    }

    /// Under a name of the registry.
    pub(super) fn under(name: &'static str, settings: PgsCcpSettings) -> Self {
        let PgsCcpSettings {
            sweep,
            model,
            step,
            steps,
        } = settings;
        Self::named(name, ConeStep { model, step, steps }, sweep)
    }
}

impl ContactRule for ConeStep {
    fn model(&self) -> ContactModel {
        self.model
    }

    fn update(&self, contact: &Contact, lambda: &[f64; 3], sigma: &[f64; 3]) -> [f64; 3] {
        let step = match self.step {
            ConeStepSize::MeanDiagonal => {
                3.0 / (contact.d[0][0] + contact.d[1][1] + contact.d[2][2])
            }
            ConeStepSize::LargestEigenvalue => 1.0 / contact.largest,
        };
        let cone = ImpulseSet::Coulomb { mu: contact.mu };
        let z = contact.others(lambda, sigma);
        let (mut lambda, mut sigma) = (*lambda, *sigma);
        for pass in 0..self.steps.max(1) {
            if pass > 0 {
                sigma = contact.velocity(&z, &lambda);
            }
            if self.model == ContactModel::Ncp {
                sigma[2] += contact.desaxce_shift(&sigma);
            }
            for (lambda, sigma) in lambda.iter_mut().zip(sigma) {
                *lambda -= step * sigma;
            }
            cone.project(&mut lambda);
        }
        lambda
    }
}

//! `prox`: the proximal-point splitting SORprox of Erleben, "Rigid body contact problems using proximal operators" (SCA
//! 2017).
//!
//! At a contact, with the r-factor of the block, r_k = ν/‖D̃_kk‖: λ_N ← max(0, λ_N − r σ_N), λ_T ← P(λ_T − r σ_T) on
//! the disk of radius μ λ_N. ν starts at 1 and is reduced whenever the residual has grown. Fixed points obey Coulomb's
//! law for every ν.
//!
//! Differences from the paper: ‖D̃_kk‖ is the largest eigenvalue; joints and single rows are solved exactly as in the
//! rest of the family; an iterate with a larger residual is kept, because the best one is returned in any case.

use super::splitting::{Contact, ContactRule, Splitting, SweepSettings};
use crate::residuals::ContactModel;

/// The solver; see the module documentation.
pub type Prox = Splitting<ProximalStep>;

/// Settings of `prox`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProxSettings {
    /// The sweeps.
    pub sweep: SweepSettings,
    /// ν shrinks by this factor in (0, 1] whenever the residual has grown. Nominal 0.5 … 0.95.
    pub shrink: f64,
    /// Least ν, in (0, 1]; nominal 0.01 … 0.5.
    pub minimum: f64,
}

impl Default for ProxSettings {
    fn default() -> Self {
        Self {
            sweep: SweepSettings::default(),
            shrink: 0.9,
            minimum: 0.2,
        }
    }
}

/// A proximal step with a global factor ν.
#[derive(Clone, Copy, Debug)]
pub struct ProximalStep {
    factor: f64,
    shrink: f64,
    minimum: f64,
}

impl Prox {
    /// With the given settings.
    pub fn new(settings: ProxSettings) -> Self {
        let rule = ProximalStep {
            factor: 1.0,
            shrink: settings.shrink,
            minimum: settings.minimum,
        };
        Self::named("prox", rule, settings.sweep)
    }
}

impl ContactRule for ProximalStep {
    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn restart(&mut self) {
        self.factor = 1.0;
    }

    fn residual_grew(&mut self) {
        self.factor = self.minimum.max(self.shrink * self.factor);
    }

    fn update(&self, contact: &Contact, lambda: &[f64; 3], sigma: &[f64; 3]) -> [f64; 3] {
        let r = self.factor / contact.largest;
        let mut lambda: [f64; 3] = std::array::from_fn(|i| lambda[i] - r * sigma[i]);
        lambda[2] = lambda[2].max(0.0);
        contact.clip_to_disk(&mut lambda);
        lambda
    }
}

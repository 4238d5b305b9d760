//! `raisim`, `raisim-ds`, `raisim-ds-es`: block Gauss-Seidel with RaiSim's contact problem [Tsounis Alg. 4 and eq. 152,
//! Hwangbo et al. 2018], solved by bisection on the polar angle of λ_T.
//!
//! The local solution has least energy on the plane σ_N = 0 within the cone: a sliding contact has σ_T opposite to e +
//! μ c, c = D_TN/D_NN, where Coulomb's law requires it opposite to e = λ_T/‖λ_T‖. Both agree if D does not couple
//! normal and tangential rows, and on sticking and open contacts. Otherwise `raisim` converges to another point and
//! never reports convergence. The De Saxcé shift of `raisim-ds`, s = μ‖σ_T‖ of the present impulse [Tsounis Alg. 5 line
//! 16], cancels μ c: Coulomb's law is a fixed point.

use super::splitting::{
    Contact, ContactRule, EarlyStop, LeastEnergyRule, Splitting, SweepSettings,
};
use crate::residuals::ContactModel;

/// The solver; see the module documentation.
pub type Raisim = Splitting<LeastEnergy>;

/// Settings of `raisim` and its variants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RaisimSettings {
    /// The sweeps.
    pub sweep: SweepSettings,
    /// Whether the local objective has the De Saxcé shift.
    pub shift: Shift,
    /// How a contact is solved.
    pub local: LeastEnergyRule,
}

/// The De Saxcé shift of a local problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shift {
    /// s = 0, as published by Hwangbo et al.
    #[default]
    None,
    /// s = μ‖σ_T‖ of the impulse before the visit.
    DeSaxce,
}

/// The answer of least energy on the plane of zero normal velocity.
#[derive(Clone, Copy, Debug)]
pub struct LeastEnergy {
    shift: Shift,
    local: LeastEnergyRule,
}

impl Raisim {
    /// With the given settings.
    pub fn new(settings: RaisimSettings) -> Self {
        let name = match (settings.shift, settings.sweep.stop) {
            (Shift::None, _) => "raisim",
            (Shift::DeSaxce, EarlyStop::Objective { .. }) => "raisim-ds-es",
            (Shift::DeSaxce, _) => "raisim-ds",
        };
        Self::under(name, settings)
    }

    /// Under a name of the registry.
    pub(super) fn under(name: &'static str, settings: RaisimSettings) -> Self {
        let RaisimSettings {
            sweep,
            shift,
            local,
        } = settings;
        Self::named(name, LeastEnergy { shift, local }, sweep)
    }
}

impl ContactRule for LeastEnergy {
    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn update(&self, contact: &Contact, lambda: &[f64; 3], sigma: &[f64; 3]) -> [f64; 3] {
        let shift = match self.shift {
            Shift::None => 0.0,
            Shift::DeSaxce => contact.desaxce_shift(sigma),
        };
        contact.least_energy(&contact.others(lambda, sigma), shift, self.local)
    }
}

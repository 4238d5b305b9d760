//! `nbgs`: nonsmooth block Gauss-Seidel, every contact solved exactly under Coulomb's law.
//!
//! The local problem is the quartic of Bonnefon & Daviet (2011), not the local problem of [Tsounis Alg. 4
//! with eq. 152], whose fixed points violate Coulomb's law where D couples normal and tangential rows;
//! that one is `raisim`.

use super::splitting::{Contact, ContactRule, Splitting, SweepSettings};
use crate::residuals::ContactModel;

/// The solver; see the module documentation.
pub type Nbgs = Splitting<ExactCoulomb>;

/// The exact solution of one contact.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactCoulomb;

impl Nbgs {
    /// With the given settings.
    pub fn new(settings: SweepSettings) -> Self {
        Self::named("nbgs", ExactCoulomb, settings)
    }
}

impl ContactRule for ExactCoulomb {
    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn update(&self, contact: &Contact, lambda: &[f64; 3], sigma: &[f64; 3]) -> [f64; 3] {
        contact.coulomb(&contact.others(lambda, sigma))
    }
}

//! Softness of joints, couplings and limits, in MuJoCo's terms [math.md §3; Tsounis §V-D].

use super::Impedance;
use serde::{Deserialize, Serialize};

/// Softness of a coupling or limit that is not satisfied exactly.
///
/// With violation r and force f it obeys r̈ + R f = −b ṙ − k r, where R = (1 − d)/d w, and d, b and k follow from the
/// [`Impedance`] at r. Under a constant force the violation is r = −R f/k. It is solved implicitly in time, so any k
/// and b are stable.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Softness {
    /// d, b and k.
    pub impedance: Impedance,
    /// Inverse inertia w, to which R is relative, 1/kg or 1/(kg m²) (> 0). With the inverse inertia of the constraint
    /// itself, the share d of an acceleration is corrected.
    pub inverse_inertia: f64,
}

/// Softness of the locked rows of a joint; see [`Softness`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointSoftness {
    /// d, b and k, at the norm of the violations of all its rows.
    pub impedance: Impedance,
    /// w of rows that lock a displacement, 1/kg (> 0).
    pub inverse_mass: f64,
    /// w of rows that lock a rotation, 1/(kg m²) (> 0).
    pub inverse_inertia: f64,
    /// Factor that converts angles to lengths in the norm, m (≥ 0).
    pub radius: f64,
}

/// A number out of range: its name, value and range.
type Misfit = (&'static str, f64, &'static str);

impl Softness {
    /// The first number out of range.
    pub(super) fn misfit(&self) -> Option<Misfit> {
        let inertia = positive("inverse inertia of its softness", self.inverse_inertia);
        self.impedance.misfit().or(inertia)
    }
}

impl JointSoftness {
    /// The first number out of range.
    pub(super) fn misfit(&self) -> Option<Misfit> {
        let radius = self.radius;
        let fits = radius >= 0.0 && radius.is_finite();
        let remedy = "it must be finite and not negative (m)";
        let far = (!fits).then_some(("radius of its softness", radius, remedy));
        let mass = positive("inverse mass of its softness", self.inverse_mass);
        let inertia = positive("inverse inertia of its softness", self.inverse_inertia);
        self.impedance.misfit().or(mass).or(inertia).or(far)
    }
}

fn positive(what: &'static str, value: f64) -> Option<Misfit> {
    let fits = value > 0.0 && value.is_finite();
    (!fits).then_some((what, value, "it must be positive and finite"))
}

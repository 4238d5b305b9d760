//! The checks of surfaces.

use super::{bad, fits, non_negative};
use crate::model::{Compliance, Material, ModelError};

pub(super) fn restitution(element: &str, value: f64) -> Result<(), ModelError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(bad(
        element.to_owned(),
        "restitution",
        value,
        "it must lie in [0, 1]",
    ))
}

pub(in crate::model) fn material(shape: &str, m: &Material) -> Result<(), ModelError> {
    let element = format!("shape '{shape}'");
    non_negative(&element, "friction", m.friction)?;
    restitution(&element, m.restitution)?;
    match m.compliance {
        Compliance::Rigid => Ok(()),
        Compliance::Physical {
            stiffness,
            dissipation_time,
        } => {
            non_negative(&element, "dissipation time", dissipation_time)?;
            if stiffness > 0.0 && stiffness.is_finite() {
                return Ok(());
            }
            Err(bad(
                element,
                "stiffness",
                stiffness,
                "it must be positive and finite (N/m)",
            ))
        }
        Compliance::Impedance(i) => fits(&element, i.misfit()),
        Compliance::Direct { normal, tangential } => {
            non_negative(&element, "normal compliance", normal)?;
            non_negative(&element, "tangential compliance", tangential)
        }
    }
}

//! The checks of surfaces and of pairs of shapes.

use super::{bad, fits, non_negative};
use crate::model::{Compliance, Material, ModelError, Shape, ShapeId, ShapePair};

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
    let friction = [m.friction, m.torsional_friction, m.rolling_friction];
    surface(&element, friction, m.restitution, m.clearance)?;
    compliance(&element, m.compliance)
}

/// Pairs of shapes, which are to be in order.
pub(in crate::model) fn pairs(pairs: &[ShapePair], shapes: &[Shape]) -> Result<(), ModelError> {
    let mut last = None;
    for pair in pairs {
        let missing = |shape: ShapeId| ModelError::MissingReference {
            element: "a contact pair".to_owned(),
            what: format!("shape number {}", shape.0),
        };
        let find = |s: ShapeId| shapes.get(s.index()).ok_or_else(|| missing(s));
        let (a, b) = (find(pair.a)?, find(pair.b)?);
        let element = format!("contact pair of '{}' and '{}'", a.name, b.name);
        let key = (pair.a, pair.b);
        if pair.a >= pair.b || last.is_some_and(|last| last >= key) {
            let remedy = "pair two different shapes, once";
            return Err(bad(
                element,
                "number of the second shape",
                f64::from(pair.b.0),
                remedy,
            ));
        }
        last = Some(key);
        let s = &pair.surface;
        let friction = [s.friction, s.torsional_friction, s.rolling_friction];
        surface(&element, friction, s.restitution, s.clearance)?;
        compliance(&element, s.compliance)?;
        let is_pad = |c: Compliance| matches!(c, Compliance::Pad { .. });
        if is_pad(s.compliance) && ![a, b].iter().any(|s| is_pad(s.material.compliance)) {
            let remedy = "make one of the two shapes a pad too, which has the samples";
            return Err(bad(element, "number of pads among its shapes", 0.0, remedy));
        }
    }
    Ok(())
}

fn surface(
    element: &str,
    [sliding, torsional, rolling]: [f64; 3],
    bounce: f64,
    clearance: f64,
) -> Result<(), ModelError> {
    non_negative(element, "friction", sliding)?;
    non_negative(element, "torsional friction", torsional)?;
    non_negative(element, "rolling friction", rolling)?;
    non_negative(element, "clearance", clearance)?;
    restitution(element, bounce)
}

fn compliance(element: &str, compliance: Compliance) -> Result<(), ModelError> {
    match compliance {
        Compliance::Rigid => Ok(()),
        Compliance::Physical {
            stiffness,
            dissipation_time,
        } => {
            non_negative(element, "dissipation time", dissipation_time)?;
            positive(
                element,
                "stiffness",
                stiffness,
                "it must be positive and finite (N/m)",
            )
        }
        Compliance::Pad {
            modulus,
            dissipation_time,
            spacing,
        } => {
            non_negative(element, "dissipation time", dissipation_time)?;
            positive(
                element,
                "modulus",
                modulus,
                "it must be positive and finite (N/m³)",
            )?;
            positive(
                element,
                "spacing",
                spacing,
                "it must be positive and finite (m)",
            )
        }
        Compliance::Impedance(i) => fits(element, i.misfit()),
        Compliance::Soft(soft) => {
            fits(element, soft.impedance.misfit())?;
            non_negative(
                element,
                "inverse inertia of its softness",
                soft.inverse_inertia,
            )
        }
        Compliance::Direct { normal, tangential } => {
            non_negative(element, "normal compliance", normal)?;
            non_negative(element, "tangential compliance", tangential)
        }
    }
}

fn positive(
    element: &str,
    what: &'static str,
    value: f64,
    remedy: &'static str,
) -> Result<(), ModelError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(bad(element.to_owned(), what, value, remedy))
}

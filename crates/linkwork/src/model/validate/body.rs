//! The checks of bodies.

use super::{bad, finite_pose};
use crate::math::principal_moments;
use crate::model::{BodyDef, ModelError};

pub(in crate::model) fn body_def(def: &BodyDef) -> Result<(), ModelError> {
    let element = format!("body '{}'", def.name);
    let m = &def.mass;
    if !(m.mass > 0.0 && m.mass.is_finite()) {
        return Err(bad(
            element,
            "mass",
            m.mass,
            "it must be positive and finite (kg); weld massless parts to another body instead",
        ));
    }
    if let Some(&x) = m
        .com
        .iter()
        .chain(m.inertia.iter())
        .find(|x| !x.is_finite())
    {
        return Err(bad(
            element,
            "centre of mass or inertia",
            x,
            "every component must be finite",
        ));
    }
    finite_pose(&element, "initial pose", &def.pose)?;
    if !def.twist.is_finite() {
        return Err(bad(
            element,
            "initial velocity",
            f64::NAN,
            "every component must be finite",
        ));
    }
    if !def.gravity_scale.is_finite() {
        return Err(bad(
            element,
            "gravity scale",
            def.gravity_scale,
            "it must be finite",
        ));
    }
    inertia(def)
}

fn inertia(def: &BodyDef) -> Result<(), ModelError> {
    let i = &def.mass.inertia;
    let moments = principal_moments(&(0.5 * (i + i.transpose())));
    let fail = |why, remedy| {
        Err(ModelError::ImpossibleInertia {
            body: def.name.clone(),
            moments: [moments[0], moments[1], moments[2]],
            why,
            remedy,
        })
    };
    if (i - i.transpose()).amax() > 1e-9 * i.amax() {
        return fail(
            "the matrix is not symmetric",
            "give Ixy = Iyx, Ixz = Izx, Iyz = Izy",
        );
    }
    if moments[0] <= 0.0 {
        return fail(
            "a principal moment is not positive",
            "compute it from the body's shape (MassProperties::solid_box and its like)",
        );
    }
    // Rounded files often sit on the boundary (thin plates): allow the last printed digits.
    if moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-6) {
        return fail(
            "the largest moment exceeds the sum of the others (triangle inequality)",
            "check the units and that the inertia is about the centre of mass",
        );
    }
    Ok(())
}

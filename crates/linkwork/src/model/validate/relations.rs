//! The checks of couplings and tendons.

use super::{acting, bad, fits, path, unique};
use crate::model::{Coupling, Curve, Joint, ModelError, Tendon, Term};

pub(in crate::model) fn couplings(
    couplings: &[Coupling],
    joints: &[Joint],
) -> Result<(), ModelError> {
    for coupling in couplings {
        let element = format!("coupling '{}'", coupling.name);
        if !coupling.offset.is_finite() {
            return Err(bad(element, "offset", coupling.offset, "it must be finite"));
        }
        fits(&element, coupling.softness.and_then(|s| s.misfit()))?;
        terms(&element, &coupling.terms, joints)?;
    }
    unique("coupling", couplings.iter().map(|c| c.name.as_str()))
}

pub(in crate::model) fn tendons(
    tendons: &[Tendon],
    joints: &[Joint],
    bodies: usize,
) -> Result<(), ModelError> {
    for tendon in tendons {
        let element = format!("tendon '{}'", tendon.name);
        if tendon.path.is_empty() {
            terms(&element, &tendon.terms, joints)?;
        } else {
            let each = |t: &Term| term(&element, t, joints);
            tendon.terms.iter().try_for_each(each)?;
            path::check(&element, &tendon.path, bodies)?;
        }
        let curve = tendon.terms.iter().find_map(|term| term.curve);
        if let Some(curve) = curve {
            let remedy = "the terms of a tendon are linear: leave curves to couplings";
            return Err(bad(element, "a power of a curve", curve.powers[0], remedy));
        }
        acting(&element, &tendon.axis)?;
    }
    unique("tendon", tendons.iter().map(|t| t.name.as_str()))
}

fn terms(element: &str, terms: &[Term], joints: &[Joint]) -> Result<(), ModelError> {
    if terms.is_empty() {
        let remedy = "name at least one joint coordinate";
        return Err(bad(element.to_owned(), "number of terms", 0.0, remedy));
    }
    terms.iter().try_for_each(|t| term(element, t, joints))
}

fn term(element: &str, term: &Term, joints: &[Joint]) -> Result<(), ModelError> {
    let Some(joint) = joints.get(term.joint.index()) else {
        return Err(ModelError::MissingReference {
            element: element.to_owned(),
            what: format!("joint number {}", term.joint.0),
        });
    };
    if term.coordinate >= joint.axes.len() {
        return Err(ModelError::NoSuchCoordinate {
            joint: joint.name.clone(),
            kind: joint.kind.name(),
            have: joint.axes.len(),
            asked: term.coordinate,
        });
    }
    let curve = term.curve.unwrap_or(Curve {
        reference: 0.0,
        powers: [0.0; 3],
    });
    let mut numbers = curve.powers.iter().chain([&curve.reference]);
    if let Some(&value) = numbers.find(|x| !x.is_finite()) {
        let remedy = "reference and powers must be finite";
        return Err(bad(
            element.to_owned(),
            "a number of a curve",
            value,
            remedy,
        ));
    }
    let bent = curve.powers.iter().any(|p| *p != 0.0);
    if !term.factor.is_finite() || (term.factor == 0.0 && !bent) {
        let remedy = "it must be finite, and not zero unless the term has a curve";
        return Err(bad(element.to_owned(), "a factor", term.factor, remedy));
    }
    Ok(())
}

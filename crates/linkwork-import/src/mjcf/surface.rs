//! Surfaces: friction, softness and what touches what.

use super::impedance::compliance;
use super::scene::Scene;
use crate::ImportError;
use crate::draft::Filter;
use crate::xml::Element;
use linkwork::model::{Combine, Material};

/// `contype` and `conaffinity`; nothing where contacts are switched off.
pub(super) fn filter(scene: &Scene<'_>, e: &Element) -> Result<Filter, ImportError> {
    if !scene.main().switches.contact {
        return Ok(Filter::VISUAL);
    }
    let bits = |name: &str| Ok(e.integer(name)?.map_or(1, |x| x as u32));
    Ok(Filter {
        contype: bits("contype")?,
        conaffinity: bits("conaffinity")?,
    })
}

/// Friction, softness, margin and priority. Of two surfaces the larger friction counts; a frictionless one
/// (condim 1) is taken as friction 0, so that it yields to the other as in MuJoCo.
pub(super) fn material(scene: &mut Scene<'_>, e: &Element) -> Result<Material, ImportError> {
    let given = e.numbers("friction")?.unwrap_or_default();
    let condim = condim(scene, e)?;
    let friction = given.first().copied().unwrap_or(1.0);
    Ok(Material {
        friction: if condim == 1 { 0.0 } else { friction.max(0.0) },
        friction_combine: Combine::Max,
        compliance: compliance(scene, e)?,
        clearance: clearance(e)?,
        priority: priority(e)?,
        ..Material::default()
    })
}

/// `condim`; what is not carried of it is listed.
pub(super) fn condim(scene: &mut Scene<'_>, e: &Element) -> Result<i64, ImportError> {
    let condim = e.integer("condim")?.unwrap_or(3);
    if let (4 | 6, Some(a)) = (condim, e.attribute("condim")) {
        let what = "torsional and rolling friction (condim 4 and 6) are left out; sliding friction \
                    is carried";
        scene.draft.notices.ignored(&a.place, what);
    } else if let (false, Some(a)) = ([1, 3].contains(&condim), e.attribute("condim")) {
        return Err(a.bad("is no contact dimension", "give 1, 3, 4 or 6"));
    }
    Ok(condim)
}

/// `margin`: the distance at which contacts hold, m.
pub(super) fn clearance(e: &Element) -> Result<f64, ImportError> {
    Ok(e.not_negative("margin")?.unwrap_or(0.0))
}

fn priority(e: &Element) -> Result<i32, ImportError> {
    let Some(a) = e.attribute("priority") else {
        return Ok(0);
    };
    let value = e.integer("priority")?.unwrap_or(0);
    i32::try_from(value).map_err(|_| a.bad("is out of range", "give a small whole number"))
}

//! Surfaces: friction, softness and what touches what.

use super::impedance::compliance;
use super::scene::Scene;
use crate::ImportError;
use crate::draft::Filter;
use crate::xml::Element;
use linkwork::model::{Combine, Material};

/// `contype` and `conaffinity`; none if contacts are switched off.
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

/// Friction, softness, margin and priority. Of two surfaces the larger friction is used; friction that a surface's
/// condim excludes (all of it for condim 1) is 0, so that the value of the other surface is used as in MuJoCo.
pub(super) fn material(scene: &mut Scene<'_>, e: &Element) -> Result<Material, ImportError> {
    let given = e.up_to("friction", [1.0, 0.005, 1e-4])?;
    let [friction, torsional_friction, rolling_friction] = acting(condim(e)?, given);
    Ok(Material {
        friction,
        torsional_friction,
        rolling_friction,
        friction_combine: Combine::Max,
        compliance: compliance(scene, e)?,
        clearance: clearance(e)?,
        priority: priority(e)?,
        ..Material::default()
    })
}

/// Sliding, torsional and rolling friction, as far as `condim` includes them.
pub(super) fn acting(condim: i64, [sliding, torsional, rolling]: [f64; 3]) -> [f64; 3] {
    let from = |least: i64, x: f64| if condim >= least { x.max(0.0) } else { 0.0 };
    [from(3, sliding), from(4, torsional), from(6, rolling)]
}

/// `condim`: 1, 3, 4 or 6.
pub(super) fn condim(e: &Element) -> Result<i64, ImportError> {
    let condim = e.integer("condim")?.unwrap_or(3);
    match e.attribute("condim") {
        Some(a) if ![1, 3, 4, 6].contains(&condim) => {
            Err(a.bad("is no contact dimension", "give 1, 3, 4 or 6"))
        }
        _ => Ok(condim),
    }
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

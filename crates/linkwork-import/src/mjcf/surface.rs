//! Surfaces: friction, softness and what touches what.

use super::scene::Scene;
use crate::ImportError;
use crate::draft::Filter;
use crate::xml::Element;
use linkwork::model::{Combine, Compliance, Impedance, Material};

/// MuJoCo's bounds on impedance.
const IMPEDANCE: (f64, f64) = (1e-4, 0.9999);

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

/// Friction and softness. Of two surfaces the larger friction counts; a frictionless one (condim 1) is
/// taken as friction 0, so that it yields to the other as in MuJoCo.
pub(super) fn material(scene: &mut Scene<'_>, e: &Element) -> Result<Material, ImportError> {
    let given = e.numbers("friction")?.unwrap_or_default();
    let condim = e.integer("condim")?.unwrap_or(3);
    if let (4 | 6, Some(a)) = (condim, e.attribute("condim")) {
        let what = "torsional and rolling friction (condim 4 and 6) are left out; sliding friction \
                    is carried";
        scene.draft.notices.ignored(&a.place, what);
    } else if let (false, Some(a)) = ([1, 3].contains(&condim), e.attribute("condim")) {
        return Err(a.bad("is no contact dimension", "give 1, 3, 4 or 6"));
    }
    let friction = given.first().copied().unwrap_or(1.0);
    Ok(Material {
        friction: if condim == 1 { 0.0 } else { friction.max(0.0) },
        friction_combine: Combine::Max,
        compliance: if scene.options.soft {
            Compliance::Impedance(impedance(scene, e)?)
        } else {
            Compliance::Rigid
        },
        ..Material::default()
    })
}

/// `solref` and `solimp`.
fn impedance(scene: &mut Scene<'_>, e: &Element) -> Result<Impedance, ImportError> {
    let mut i = Impedance::default();
    let solref = e.numbers("solref")?.unwrap_or_default();
    if let Some(a) = e.attribute("solref")
        && solref.iter().any(|x| *x <= 0.0)
    {
        let what =
            "solref as stiffness and damping (negative) is not carried: the default is taken";
        let remedy = "give a time constant and a damping ratio";
        scene.draft.notices.warn(&a.place, what, remedy);
    } else {
        if let Some(t) = solref.first() {
            // MuJoCo keeps the time constant above two steps (refsafe).
            i.time_constant = t.max(2.0 * scene.main().switches.timestep);
        }
        i.damping_ratio = solref.get(1).copied().unwrap_or(i.damping_ratio);
    }
    let solimp = e.numbers("solimp")?.unwrap_or_default();
    let within = |x: &f64| x.clamp(IMPEDANCE.0, IMPEDANCE.1);
    i.at_zero = solimp.first().map_or(i.at_zero, within);
    i.at_width = solimp.get(1).map_or(i.at_width, within);
    i.width = solimp.get(2).map_or(i.width, |w| w.max(1e-15));
    i.midpoint = solimp.get(3).map_or(i.midpoint, within);
    i.power = solimp.get(4).map_or(i.power, |p| p.max(1.0));
    Ok(i)
}

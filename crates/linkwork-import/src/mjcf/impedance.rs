//! `solref` and `solimp` of contacts, equalities and limits.

use super::scene::Scene;
use crate::ImportError;
use crate::xml::Element;
use linkwork::model::{Compliance, Impedance, Reference, Softness};

/// MuJoCo's bounds on impedance.
const BOUNDS: (f64, f64) = (1e-4, 0.9999);

/// The two attributes of these names, with MuJoCo's defaults and bounds.
pub(super) fn impedance(
    scene: &mut Scene<'_>,
    e: &Element,
    [solref, solimp]: [&str; 2],
) -> Result<Impedance, ImportError> {
    let reference = reference(scene, e, solref)?;
    let mut i = Impedance {
        reference,
        ..Impedance::default()
    };
    let solimp = e.numbers(solimp)?.unwrap_or_default();
    let within = |x: &f64| x.clamp(BOUNDS.0, BOUNDS.1);
    i.at_zero = solimp.first().map_or(i.at_zero, within);
    i.at_width = solimp.get(1).map_or(i.at_width, within);
    i.width = solimp.get(2).map_or(i.width, |w| w.max(1e-15));
    i.midpoint = solimp.get(3).map_or(i.midpoint, within);
    i.power = solimp.get(4).map_or(i.power, |p| p.max(1.0));
    Ok(i)
}

/// Compliance of a surface: `solref` and `solimp` if softness is requested. The inertia of its body in the home pose is
/// not known yet.
pub(super) fn compliance(scene: &mut Scene<'_>, e: &Element) -> Result<Compliance, ImportError> {
    if !scene.options.soft {
        return Ok(Compliance::Rigid);
    }
    Ok(Compliance::Soft(Softness {
        impedance: impedance(scene, e, ["solref", "solimp"])?,
        inverse_inertia: 0.0,
    }))
}

/// Time constant and damping ratio, or with the signs changed stiffness and damping.
fn reference(scene: &mut Scene<'_>, e: &Element, name: &str) -> Result<Reference, ImportError> {
    let Some(a) = e.attribute(name) else {
        return Ok(Reference::default());
    };
    match e.up_to(name, [0.02, 1.0])? {
        // MuJoCo keeps the time constant above two steps (refsafe).
        [time, ratio] if time > 0.0 && ratio > 0.0 => Ok(Reference::Time {
            time_constant: time.max(2.0 * scene.main().switches.timestep),
            damping_ratio: ratio,
        }),
        [stiffness, damping] if stiffness <= 0.0 && damping <= 0.0 => Ok(Reference::Direct {
            stiffness: -stiffness,
            damping: -damping,
        }),
        _ => {
            let what = format!("{name} mixes signs: the default 0.02 1 is taken, as MuJoCo does");
            let remedy = "give a time constant and a damping ratio, or both numbers negative";
            scene.draft.notices.warn(&a.place, what, remedy);
            Ok(Reference::default())
        }
    }
}

//! `impedance` of a surface, and `softness` of joints, couplings and limits.

use super::table::{Done, Table};
use linkwork::model::{Impedance, JointSoftness, Reference, Softness};

/// The numbers of an impedance; those that a file does not give are MuJoCo's. All are written.
pub(super) fn impedance(t: &mut Table, i: &mut Impedance) -> Done {
    let values = [
        ("at_zero", &mut i.at_zero),
        ("at_width", &mut i.at_width),
        ("width", &mut i.width),
        ("midpoint", &mut i.midpoint),
        ("power", &mut i.power),
    ];
    for (key, value) in values {
        all(t, key, value)?;
    }
    reference(t, &mut i.reference)
}

/// A value with a default that is written all the same.
fn all(t: &mut Table, key: &'static str, value: &mut f64) -> Done {
    let mut given = Some(*value);
    t.some(key, &mut given)?;
    *value = given.unwrap_or(*value);
    Ok(())
}

/// `time_constant` and `damping_ratio`, or `stiffness` and `damping`.
fn reference(t: &mut Table, reference: &mut Reference) -> Done {
    let [mut time, mut ratio, mut stiffness, mut damping] = match *reference {
        Reference::Time {
            time_constant,
            damping_ratio,
        } => [Some(time_constant), Some(damping_ratio), None, None],
        Reference::Direct { stiffness, damping } => [None, None, Some(stiffness), Some(damping)],
    };
    t.some("time_constant", &mut time)?;
    t.some("damping_ratio", &mut ratio)?;
    t.some("stiffness", &mut stiffness)?;
    t.some("damping", &mut damping)?;
    let timed = time.is_some() || ratio.is_some();
    let direct = stiffness.is_some() || damping.is_some();
    let what = || "an impedance is given both by times and by stiffness and damping".to_owned();
    let remedy = "give 'time_constant' and 'damping_ratio', or 'stiffness' and 'damping'";
    t.check(!timed || !direct, "stiffness", what, remedy)?;
    *reference = if direct {
        Reference::Direct {
            stiffness: stiffness.unwrap_or(0.0),
            damping: damping.unwrap_or(0.0),
        }
    } else {
        Reference::Time {
            time_constant: time.unwrap_or(0.02),
            damping_ratio: ratio.unwrap_or(1.0),
        }
    };
    Ok(())
}

/// `softness` of a coupling, of limits or of a surface.
pub(super) fn softness(t: &mut Table, softness: &mut Option<Softness>) -> Done {
    let blank = Softness {
        impedance: Impedance::default(),
        inverse_inertia: 0.0,
    };
    t.table("softness", softness, blank, |t, softness| {
        impedance(t, &mut softness.impedance)?;
        t.need("inverse_inertia", &mut softness.inverse_inertia)
    })
}

/// `softness` of a joint.
pub(super) fn of_joint(t: &mut Table, softness: &mut Option<JointSoftness>) -> Done {
    let blank = JointSoftness {
        impedance: Impedance::default(),
        inverse_mass: 0.0,
        inverse_inertia: 0.0,
        radius: 0.0,
    };
    t.table("softness", softness, blank, |t, softness| {
        impedance(t, &mut softness.impedance)?;
        t.need("inverse_mass", &mut softness.inverse_mass)?;
        t.need("inverse_inertia", &mut softness.inverse_inertia)?;
        t.or("radius", &mut softness.radius, 0.0)
    })
}

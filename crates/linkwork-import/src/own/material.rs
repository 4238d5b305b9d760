//! `material` of a shape, and the surface of a pair.

use super::impedance;
use super::table::{Done, Table};
use linkwork::model::{Combine, Compliance, Impedance, Material};

const RULES: [(&str, Combine); 5] = [
    ("average", Combine::Average),
    ("geometric_mean", Combine::GeometricMean),
    ("min", Combine::Min),
    ("multiply", Combine::Multiply),
    ("max", Combine::Max),
];

/// A material.
pub(super) fn material(t: &mut Table, m: &mut Material) -> Done {
    let default = Material::default();
    t.or("friction", &mut m.friction, default.friction)?;
    t.or("torsional_friction", &mut m.torsional_friction, 0.0)?;
    t.or("rolling_friction", &mut m.rolling_friction, 0.0)?;
    t.or("restitution", &mut m.restitution, default.restitution)?;
    for (key, rule, default) in [
        (
            "friction_combine",
            &mut m.friction_combine,
            default.friction_combine,
        ),
        (
            "restitution_combine",
            &mut m.restitution_combine,
            default.restitution_combine,
        ),
    ] {
        t.word(key, rule, &RULES, Some(default))?;
    }
    compliance(t, &mut m.compliance)?;
    t.or("clearance", &mut m.clearance, 0.0)?;
    t.or("priority", &mut m.priority, 0)
}

/// The keys determine its kind: `softness`, `impedance`, or `compliance` with stiffness, modulus (of a pad), or normal
/// and tangential R.
pub(super) fn compliance(t: &mut Table, compliance: &mut Compliance) -> Done {
    let (mut soft, mut impeded, mut direct) = (None, None, None);
    match *compliance {
        Compliance::Rigid => {}
        Compliance::Soft(softness) => soft = Some(softness),
        Compliance::Impedance(impedance) => impeded = Some(impedance),
        other => direct = Some(other),
    }
    impedance::softness(t, &mut soft)?;
    if soft.is_none() {
        let blank = Impedance::default();
        t.table("impedance", &mut impeded, blank, impedance::impedance)?;
    }
    if soft.is_none() && impeded.is_none() {
        t.table("compliance", &mut direct, Compliance::Rigid, by_numbers)?;
    }
    let impeded = impeded.map(Compliance::Impedance);
    *compliance = soft
        .map(Compliance::Soft)
        .or(impeded)
        .or(direct)
        .unwrap_or(Compliance::Rigid);
    Ok(())
}

fn by_numbers(t: &mut Table, compliance: &mut Compliance) -> Done {
    let (mut k, mut e) = match *compliance {
        Compliance::Physical { stiffness, .. } => (Some(stiffness), None),
        Compliance::Pad { modulus, .. } => (None, Some(modulus)),
        _ => (None, None),
    };
    t.some("stiffness", &mut k)?;
    t.some("modulus", &mut e)?;
    if let Table::Read(_) = t {
        let dissipation_time = 0.0;
        *compliance = match (k, e) {
            (Some(stiffness), _) => Compliance::Physical {
                stiffness,
                dissipation_time,
            },
            (None, Some(modulus)) => Compliance::Pad {
                modulus,
                dissipation_time,
                spacing: 0.0,
            },
            (None, None) => Compliance::Direct {
                normal: 0.0,
                tangential: 0.0,
            },
        };
    }
    match compliance {
        Compliance::Physical {
            dissipation_time, ..
        } => t.or("dissipation_time", dissipation_time, 0.0),
        Compliance::Pad {
            dissipation_time,
            spacing,
            ..
        } => {
            t.or("dissipation_time", dissipation_time, 0.0)?;
            t.or("spacing", spacing, 0.0)
        }
        Compliance::Direct { normal, tangential } => {
            t.or("normal", normal, 0.0)?;
            t.or("tangential", tangential, 0.0)
        }
        _ => Ok(()),
    }
}

//! `material` of a shape.

use super::fields::Fields;
use super::impedance;
use super::tree::Entries;
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::model::{Combine, Compliance, Material};

const RULES: [(&str, Combine); 5] = [
    ("average", Combine::Average),
    ("geometric_mean", Combine::GeometricMean),
    ("min", Combine::Min),
    ("multiply", Combine::Multiply),
    ("max", Combine::Max),
];

/// Read a material.
pub(super) fn read(fields: &mut Fields) -> Result<Material, ImportError> {
    let default = Material::default();
    let Some(mut table) = fields.table("material")? else {
        return Ok(default);
    };
    let material = Material {
        friction: table.number_or("friction", default.friction)?,
        torsional_friction: table.number_or("torsional_friction", 0.0)?,
        rolling_friction: table.number_or("rolling_friction", 0.0)?,
        restitution: table.number_or("restitution", default.restitution)?,
        friction_combine: rule(&mut table, "friction_combine", default.friction_combine)?,
        restitution_combine: rule(
            &mut table,
            "restitution_combine",
            default.restitution_combine,
        )?,
        compliance: compliance(&mut table)?,
        clearance: table.number_or("clearance", 0.0)?,
        priority: priority(&mut table)?,
    };
    table.finish()?;
    Ok(material)
}

fn rule(fields: &mut Fields, key: &'static str, default: Combine) -> Result<Combine, ImportError> {
    let Some(name) = fields.text(key)? else {
        return Ok(default);
    };
    let found = RULES.iter().find(|(n, _)| *n == name);
    found.map(|(_, rule)| *rule).ok_or_else(|| {
        let what = format!("there is no rule '{name}'");
        let remedy = suggest::remedy(name, &RULES.map(|r| r.0));
        fields.fail_at(key, Fault::BadValue, what, remedy)
    })
}

fn priority(fields: &mut Fields) -> Result<i32, ImportError> {
    let value = fields.number_or("priority", 0.0)?;
    if value.fract() == 0.0 && value.abs() <= f64::from(i32::MAX) {
        return Ok(value as i32);
    }
    let what = format!("'priority' is {value}");
    Err(fields.fail_at(
        "priority",
        Fault::BadValue,
        what,
        "give a small whole number",
    ))
}

/// The keys of `compliance` determine its kind: stiffness, modulus (of a pad), or normal and tangential R; or
/// `impedance`, or `softness`.
pub(super) fn compliance(fields: &mut Fields) -> Result<Compliance, ImportError> {
    if let Some(softness) = impedance::read_softness(fields)? {
        return Ok(Compliance::Soft(softness));
    }
    if let Some(mut table) = fields.table("impedance")? {
        let impedance = impedance::read(&mut table)?;
        table.finish()?;
        return Ok(Compliance::Impedance(impedance));
    }
    let Some(mut table) = fields.table("compliance")? else {
        return Ok(Compliance::Rigid);
    };
    let compliance = match (table.number("stiffness")?, table.number("modulus")?) {
        (Some(stiffness), _) => Compliance::Physical {
            stiffness,
            dissipation_time: table.number_or("dissipation_time", 0.0)?,
        },
        (None, Some(modulus)) => Compliance::Pad {
            modulus,
            dissipation_time: table.number_or("dissipation_time", 0.0)?,
            spacing: table.number_or("spacing", 0.0)?,
        },
        (None, None) => Compliance::Direct {
            normal: table.number_or("normal", 0.0)?,
            tangential: table.number_or("tangential", 0.0)?,
        },
    };
    table.finish()?;
    Ok(compliance)
}

/// Write a material unless it is the default one.
pub(super) fn write(entries: &mut Entries, material: &Material) {
    let default = Material::default();
    let mut table = Entries::default();
    table.put_unless("friction", material.friction, default.friction);
    table.put_unless("torsional_friction", material.torsional_friction, 0.0);
    table.put_unless("rolling_friction", material.rolling_friction, 0.0);
    table.put_unless("restitution", material.restitution, default.restitution);
    for (key, rule, default) in [
        (
            "friction_combine",
            material.friction_combine,
            default.friction_combine,
        ),
        (
            "restitution_combine",
            material.restitution_combine,
            default.restitution_combine,
        ),
    ] {
        let name = RULES.iter().find(|(_, r)| *r == rule && rule != default);
        table.put_some(key, name.map(|(name, _)| *name));
    }
    write_compliance(&mut table, material.compliance);
    table.put_unless("clearance", material.clearance, 0.0);
    table.put_unless("priority", f64::from(material.priority), 0.0);
    if !table.is_empty() {
        entries.put("material", table);
    }
}

/// Write `compliance` or `impedance`, unless rigid.
pub(super) fn write_compliance(table: &mut Entries, compliance: Compliance) {
    let mut soft = Entries::default();
    match compliance {
        Compliance::Rigid => {}
        Compliance::Physical {
            stiffness,
            dissipation_time,
        } => {
            soft.put("stiffness", stiffness);
            soft.put_unless("dissipation_time", dissipation_time, 0.0);
            table.put("compliance", soft);
        }
        Compliance::Pad {
            modulus,
            dissipation_time,
            spacing,
        } => {
            soft.put("modulus", modulus);
            soft.put_unless("dissipation_time", dissipation_time, 0.0);
            soft.put("spacing", spacing);
            table.put("compliance", soft);
        }
        Compliance::Direct { normal, tangential } => {
            soft.put("normal", normal);
            soft.put("tangential", tangential);
            table.put("compliance", soft);
        }
        Compliance::Soft(softness) => impedance::write_softness(table, Some(&softness)),
        Compliance::Impedance(i) => {
            impedance::write(&mut soft, &i);
            table.put("impedance", soft);
        }
    }
}

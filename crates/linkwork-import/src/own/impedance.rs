//! `impedance` of a surface, and `softness` of joints, couplings and limits.

use super::fields::Fields;
use super::tree::Entries;
use crate::{Fault, ImportError};
use linkwork::model::{Impedance, JointSoftness, Reference, Softness};

/// Read the numbers of an impedance; those not given are MuJoCo's.
pub(super) fn read(fields: &mut Fields) -> Result<Impedance, ImportError> {
    let default = Impedance::default();
    Ok(Impedance {
        at_zero: fields.number_or("at_zero", default.at_zero)?,
        at_width: fields.number_or("at_width", default.at_width)?,
        width: fields.number_or("width", default.width)?,
        midpoint: fields.number_or("midpoint", default.midpoint)?,
        power: fields.number_or("power", default.power)?,
        reference: reference(fields)?,
    })
}

/// `time_constant` and `damping_ratio`, or `stiffness` and `damping`.
fn reference(fields: &mut Fields) -> Result<Reference, ImportError> {
    let (time, ratio) = (
        fields.number("time_constant")?,
        fields.number("damping_ratio")?,
    );
    let (stiffness, damping) = (fields.number("stiffness")?, fields.number("damping")?);
    let timed = time.is_some() || ratio.is_some();
    let direct = stiffness.is_some() || damping.is_some();
    if timed && direct {
        let what = "an impedance is given both by times and by stiffness and damping";
        let remedy = "give 'time_constant' and 'damping_ratio', or 'stiffness' and 'damping'";
        return Err(fields.fail_at("stiffness", Fault::BadValue, what, remedy));
    }
    if direct {
        return Ok(Reference::Direct {
            stiffness: stiffness.unwrap_or(0.0),
            damping: damping.unwrap_or(0.0),
        });
    }
    Ok(Reference::Time {
        time_constant: time.unwrap_or(0.02),
        damping_ratio: ratio.unwrap_or(1.0),
    })
}

/// Write all numbers of an impedance.
pub(super) fn write(entries: &mut Entries, i: &Impedance) {
    entries.put("at_zero", i.at_zero);
    entries.put("at_width", i.at_width);
    entries.put("width", i.width);
    entries.put("midpoint", i.midpoint);
    entries.put("power", i.power);
    match i.reference {
        Reference::Time {
            time_constant,
            damping_ratio,
        } => {
            entries.put("time_constant", time_constant);
            entries.put("damping_ratio", damping_ratio);
        }
        Reference::Direct { stiffness, damping } => {
            entries.put("stiffness", stiffness);
            entries.put("damping", damping);
        }
    }
}

/// Read `softness` of a coupling or of limits.
pub(super) fn read_softness(fields: &mut Fields) -> Result<Option<Softness>, ImportError> {
    let Some(mut table) = fields.table("softness")? else {
        return Ok(None);
    };
    let inverse_inertia = table.number("inverse_inertia")?;
    let softness = Softness {
        impedance: read(&mut table)?,
        inverse_inertia: table.require("inverse_inertia", inverse_inertia)?,
    };
    table.finish()?;
    Ok(Some(softness))
}

/// Write `softness` of a coupling or of limits.
pub(super) fn write_softness(entries: &mut Entries, softness: Option<&Softness>) {
    if let Some(softness) = softness {
        let mut table = Entries::default();
        write(&mut table, &softness.impedance);
        table.put("inverse_inertia", softness.inverse_inertia);
        entries.put("softness", table);
    }
}

/// Read `softness` of a joint.
pub(super) fn read_joint(fields: &mut Fields) -> Result<Option<JointSoftness>, ImportError> {
    let Some(mut table) = fields.table("softness")? else {
        return Ok(None);
    };
    let (mass, inertia) = (
        table.number("inverse_mass")?,
        table.number("inverse_inertia")?,
    );
    let softness = JointSoftness {
        impedance: read(&mut table)?,
        inverse_mass: table.require("inverse_mass", mass)?,
        inverse_inertia: table.require("inverse_inertia", inertia)?,
        radius: table.number_or("radius", 0.0)?,
    };
    table.finish()?;
    Ok(Some(softness))
}

/// Write `softness` of a joint.
pub(super) fn write_joint(entries: &mut Entries, softness: Option<&JointSoftness>) {
    if let Some(softness) = softness {
        let mut table = Entries::default();
        write(&mut table, &softness.impedance);
        table.put("inverse_mass", softness.inverse_mass);
        table.put("inverse_inertia", softness.inverse_inertia);
        table.put_unless("radius", softness.radius, 0.0);
        entries.put("softness", table);
    }
}

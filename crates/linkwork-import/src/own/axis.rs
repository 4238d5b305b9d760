//! Elements on a joint coordinate: limits, drive, spring, armature, friction.

use super::fields::Fields;
use super::impedance;
use super::tree::Entries;
use crate::{Fault, ImportError};
use linkwork::model::{Axis, Drive, Limits, Spring};

/// Read what acts on a coordinate.
pub(super) fn read(fields: &mut Fields) -> Result<Axis, ImportError> {
    Ok(Axis {
        limits: limits(fields)?,
        drive: drive(fields)?,
        spring: spring(fields)?,
        armature: fields.number_or("armature", 0.0)?,
        friction: fields.number_or("friction", 0.0)?,
    })
}

fn limits(fields: &mut Fields) -> Result<Option<Limits>, ImportError> {
    let Some(mut table) = fields.table("limits")? else {
        return Ok(None);
    };
    let limits = Limits {
        min: table.number_or("min", f64::NEG_INFINITY)?,
        max: table.number_or("max", f64::INFINITY)?,
        restitution: table.number_or("restitution", 0.0)?,
        softness: impedance::read_softness(&mut table)?,
    };
    if limits.min > limits.max {
        let what = format!("'min' is {}, 'max' {}", limits.min, limits.max);
        return Err(table.fail_at("min", Fault::BadValue, what, "exchange them"));
    }
    table.finish()?;
    Ok(Some(limits))
}

/// Read the limit of the whole angle of a ball joint.
pub(super) fn read_turn(fields: &mut Fields) -> Result<Option<Limits>, ImportError> {
    let Some(mut table) = fields.table("turn_limit")? else {
        return Ok(None);
    };
    let max = table.number("max")?;
    let limits = Limits {
        min: f64::NEG_INFINITY,
        max: table.require("max", max)?,
        restitution: table.number_or("restitution", 0.0)?,
        softness: impedance::read_softness(&mut table)?,
    };
    table.finish()?;
    Ok(Some(limits))
}

/// Write it.
pub(super) fn write_turn(entries: &mut Entries, limits: Option<&Limits>) {
    if let Some(limits) = limits {
        let mut table = Entries::default();
        table.put("max", limits.max);
        table.put_unless("restitution", limits.restitution, 0.0);
        impedance::write_softness(&mut table, limits.softness.as_ref());
        entries.put("turn_limit", table);
    }
}

fn drive(fields: &mut Fields) -> Result<Option<Drive>, ImportError> {
    let Some(mut table) = fields.table("drive")? else {
        return Ok(None);
    };
    let rigid = table.flag("rigid")?;
    let mut drive = Drive {
        stiffness: table.number_or("stiffness", 0.0)?,
        damping: table.number_or("damping", 0.0)?,
        effort_limit: table.number("effort_limit")?,
    };
    if rigid {
        let plain = Drive {
            stiffness: 0.0,
            damping: 0.0,
            effort_limit: None,
        };
        if drive != plain {
            let what = "a rigid drive has no gains and no effort limit";
            let remedy = "leave them out, or 'rigid'";
            return Err(table.fail_at("rigid", Fault::BadValue, what, remedy));
        }
        drive = Drive::RIGID;
    }
    table.finish()?;
    Ok(Some(drive))
}

fn spring(fields: &mut Fields) -> Result<Spring, ImportError> {
    let Some(mut table) = fields.table("spring")? else {
        return Ok(Spring::default());
    };
    let spring = Spring {
        stiffness: table.number_or("stiffness", 0.0)?,
        rest: table.number_or("rest", 0.0)?,
        damping: table.number_or("damping", 0.0)?,
        band: table.number_or("band", 0.0)?,
    };
    table.finish()?;
    Ok(spring)
}

/// Write what acts on a coordinate.
pub(super) fn write(entries: &mut Entries, axis: &Axis) {
    if let Some(limits) = &axis.limits {
        let mut table = Entries::default();
        table.put_unless("min", limits.min, f64::NEG_INFINITY);
        table.put_unless("max", limits.max, f64::INFINITY);
        table.put_unless("restitution", limits.restitution, 0.0);
        impedance::write_softness(&mut table, limits.softness.as_ref());
        entries.put("limits", table);
    }
    if let Some(drive) = &axis.drive {
        let mut table = Entries::default();
        if drive.is_rigid() {
            table.put("rigid", true);
        } else {
            table.put_unless("stiffness", drive.stiffness, 0.0);
        }
        table.put_unless("damping", drive.damping, 0.0);
        table.put_some("effort_limit", drive.effort_limit);
        entries.put("drive", table);
    }
    let mut table = Entries::default();
    table.put_unless("stiffness", axis.spring.stiffness, 0.0);
    table.put_unless("rest", axis.spring.rest, 0.0);
    table.put_unless("damping", axis.spring.damping, 0.0);
    table.put_unless("band", axis.spring.band, 0.0);
    if !table.is_empty() {
        entries.put("spring", table);
    }
    entries.put_unless("armature", axis.armature, 0.0);
    entries.put_unless("friction", axis.friction, 0.0);
}

//! Elements on a joint coordinate: limits, drive, spring, armature, friction.

use super::impedance;
use super::table::{Done, Table};
use linkwork::model::{Axis, Drive, Limits, Spring};

const FREE: Limits = Limits {
    min: f64::NEG_INFINITY,
    max: f64::INFINITY,
    restitution: 0.0,
    softness: None,
};

const PLAIN: Drive = Drive {
    stiffness: 0.0,
    damping: 0.0,
    effort_limit: None,
};

/// What acts on a coordinate.
pub(super) fn axis(t: &mut Table, axis: &mut Axis) -> Done {
    t.table("limits", &mut axis.limits, FREE, limits)?;
    t.table("drive", &mut axis.drive, PLAIN, drive)?;
    t.part("spring", &mut axis.spring, spring)?;
    t.or("armature", &mut axis.armature, 0.0)?;
    t.or("friction", &mut axis.friction, 0.0)
}

fn limits(t: &mut Table, limits: &mut Limits) -> Done {
    t.or("min", &mut limits.min, FREE.min)?;
    t.or("max", &mut limits.max, FREE.max)?;
    let what = || format!("'min' is {}, 'max' {}", limits.min, limits.max);
    t.check(limits.min <= limits.max, "min", what, "exchange them")?;
    stops(t, limits)
}

/// `turn_limit`: the limit of the whole angle of a ball joint.
pub(super) fn turn(t: &mut Table, limit: &mut Option<Limits>) -> Done {
    t.table("turn_limit", limit, FREE, |t, limit| {
        t.need("max", &mut limit.max)?;
        stops(t, limit)
    })
}

fn stops(t: &mut Table, limits: &mut Limits) -> Done {
    t.or("restitution", &mut limits.restitution, 0.0)?;
    impedance::softness(t, &mut limits.softness)
}

fn drive(t: &mut Table, drive: &mut Drive) -> Done {
    let mut rigid = drive.is_rigid();
    let mut gains = if rigid { PLAIN } else { *drive };
    t.or("rigid", &mut rigid, false)?;
    t.or("stiffness", &mut gains.stiffness, 0.0)?;
    t.or("damping", &mut gains.damping, 0.0)?;
    t.some("effort_limit", &mut gains.effort_limit)?;
    let what = || "a rigid drive has no gains and no effort limit".to_owned();
    t.check(
        !rigid || gains == PLAIN,
        "rigid",
        what,
        "leave them out, or 'rigid'",
    )?;
    *drive = if rigid { Drive::RIGID } else { gains };
    Ok(())
}

fn spring(t: &mut Table, spring: &mut Spring) -> Done {
    t.or("stiffness", &mut spring.stiffness, 0.0)?;
    t.or("rest", &mut spring.rest, 0.0)?;
    t.or("damping", &mut spring.damping, 0.0)?;
    t.or("band", &mut spring.band, 0.0)
}

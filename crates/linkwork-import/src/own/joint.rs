//! `[[joint]]`.

use super::fields::Fields;
use super::names::Names;
use super::pose::{self, Spot};
use super::tree::{Content, Entries};
use super::{axis, impedance, kind};
use crate::{Fault, ImportError};
use linkwork::joints::{MAX_COORDINATES, Placement, Row};
use linkwork::math::{Pose, Vec3, rotation_between};
use linkwork::model::{Axis, Body, BodyId, Joint};

/// A joint as a file describes it.
pub(super) struct Described {
    pub joint: Joint,
    /// Initial coordinates, m or rad.
    pub coordinates: Vec<f64>,
    /// Whether the two bodies may collide.
    pub collide: bool,
}

/// Given coordinates this close to the measured ones (m or rad) are used exactly; others only determine the whole
/// turns.
const NEAR: f64 = 1e-9;

/// Read a joint whose first coordinate is number `first`.
pub(super) fn read(
    fields: &mut Fields,
    name: String,
    names: &Names,
    bodies: &[Body],
    first: usize,
) -> Result<Described, ImportError> {
    let kind = kind::read(fields)?;
    let base = names.get(fields, "base")?;
    let follower = names.get(fields, "follower")?;
    let follower = fields.require("follower", follower)?;
    let (frame_base, frame_follower) = frames(fields, base.map(|b| &bodies[b]), &bodies[follower])?;
    let n = kind.coordinates().len();
    let (axes, values) = coordinates(fields, n)?;
    let joint = Joint {
        name,
        kind,
        base: base.map(|b| BodyId(b as u32)),
        follower: BodyId(follower as u32),
        frame_base,
        frame_follower,
        first_coordinate: first,
        axes,
        turn_limits: axis::read_turn(fields)?,
        softness: impedance::read_joint(fields)?,
        labels: match fields.get("labels") {
            None => None,
            Some(_) => Some(texts(fields, "labels")?),
        },
    };
    Ok(Described {
        coordinates: settled(&joint, bodies, &values),
        joint,
        collide: fields.flag("collide")?,
    })
}

/// Joint frames relative to the centres of mass: given in each body, or once in the world.
fn frames(
    fields: &mut Fields,
    base: Option<&Body>,
    follower: &Body,
) -> Result<(Pose, Pose), ImportError> {
    let (anchor, axis) = (fields.vector("anchor")?, fields.direction("axis")?);
    let (in_base, in_follower) = (fields.table("in_base")?, fields.table("in_follower")?);
    let turned = fields.get("rotation").is_some();
    if in_base.is_some() || in_follower.is_some() {
        if anchor.is_some() || axis.is_some() || turned {
            let what = "frames are given both in the bodies and in the world";
            let remedy = "give 'in_base' and 'in_follower', or 'anchor' and 'axis'";
            return Err(fields.fail_at("anchor", Fault::BadValue, what, remedy));
        }
        let zero = Vec3::zeros();
        return Ok((
            spot(in_base, base.map_or(&zero, |b| &b.com))?,
            spot(in_follower, &follower.com)?,
        ));
    }
    let rotation = match axis {
        Some(_) if turned => return Err(pose::both(fields, "axis", "rotation")),
        Some(axis) => rotation_between(&Vec3::z(), &axis),
        None => pose::rotation(fields)?,
    };
    let world = Pose::new(anchor.unwrap_or_default(), rotation);
    Ok((
        base.map_or(world, |b| b.pose.inverse().compose(&world)),
        follower.pose.inverse().compose(&world),
    ))
}

fn spot(table: Option<Fields>, com: &Vec3) -> Result<Pose, ImportError> {
    let Some(mut table) = table else {
        return Ok(Spot::Frame(Pose::identity()).local(com));
    };
    let spot = Spot::read(&mut table)?;
    table.finish()?;
    Ok(spot.local(com))
}

/// The elements on the coordinates, and their values if given. A single coordinate may be part of the joint's own
/// table.
fn coordinates(
    fields: &mut Fields,
    n: usize,
) -> Result<(Vec<Axis>, Vec<Option<f64>>), ImportError> {
    if n == 1 && fields.get("coordinate").is_none() {
        return Ok((vec![axis::read(fields)?], vec![fields.number("value")?]));
    }
    let tables = fields.tables("coordinate")?;
    if tables.len() > n {
        let what = format!("{} coordinates are described", tables.len());
        let remedy = format!("this joint type has {n}");
        return Err(fields.fail_at("coordinate", Fault::BadValue, what, remedy));
    }
    let (mut axes, mut values) = (vec![Axis::default(); n], vec![None; n]);
    for (i, mut table) in tables.into_iter().enumerate() {
        axes[i] = axis::read(&mut table)?;
        values[i] = table.number("value")?;
        table.finish()?;
    }
    Ok((axes, values))
}

/// The coordinates at the bodies' initial poses, whole turns as in `values`.
fn settled(joint: &Joint, bodies: &[Body], values: &[Option<f64>]) -> Vec<f64> {
    let turns: Vec<f64> = values.iter().map(|v| v.unwrap_or(0.0)).collect();
    let measured = measure(joint, bodies, &turns);
    let pairs = values.iter().zip(measured);
    let settle = |(given, measured): (&Option<f64>, f64)| match given {
        Some(v) if (v - measured).abs() <= NEAR => *v,
        _ => measured,
    };
    pairs.map(settle).collect()
}

fn measure(joint: &Joint, bodies: &[Body], turns: &[f64]) -> Vec<f64> {
    let base = joint
        .base
        .map_or(Pose::identity(), |b| bodies[b.index()].pose);
    let follower = &bodies[joint.follower.index()].pose;
    let place = Placement::new(&base, &joint.frame_base, follower, &joint.frame_follower);
    let mut rows = [Row::ZERO; MAX_COORDINATES];
    joint
        .kind
        .measure(&place.relative, turns, &mut rows[..turns.len()]);
    rows[..turns.len()].iter().map(|r| r.value).collect()
}

fn texts(fields: &mut Fields, key: &'static str) -> Result<Vec<String>, ImportError> {
    let list = fields.list(key)?.iter();
    let texts = list.map(|node| match &node.content {
        Content::Text(text) => Ok(text.clone()),
        other => {
            let what = format!("'{key}' has {} in it", other.kind());
            Err(fields.fail(node.at, Fault::BadValue, what, "give texts"))
        }
    });
    texts.collect()
}

/// Write a joint with its initial coordinates.
pub(super) fn write(joint: &Joint, bodies: &[Body], initial: &[f64], collide: bool) -> Entries {
    let mut entries = Entries::default();
    entries.put("name", joint.name.as_str());
    kind::write(&mut entries, &joint.kind);
    let base = joint.base.map(|b| &bodies[b.index()]);
    let follower = &bodies[joint.follower.index()];
    entries.put_some("base", base.map(|b| b.name.as_str()));
    entries.put("follower", follower.name.as_str());
    for (key, frame, com) in [
        ("in_base", &joint.frame_base, base.map(|b| &b.com)),
        ("in_follower", &joint.frame_follower, Some(&follower.com)),
    ] {
        let mut table = Entries::default();
        pose::write(&mut table, frame, com);
        entries.put(key, table);
    }
    let n = joint.axes.len();
    let measured = measure(joint, bodies, &vec![0.0; n]);
    // All or none: an omitted one would be measured from other whole turns.
    let differ = |(a, b): (&f64, &f64)| a.to_bits() != b.to_bits();
    let given = initial.iter().zip(&measured).any(differ);
    let write_axis = |entries: &mut Entries, i: usize| {
        axis::write(entries, &joint.axes[i]);
        entries.put_some("value", given.then_some(initial[i]));
    };
    if n == 1 {
        write_axis(&mut entries, 0);
    } else {
        let mut tables = Vec::new();
        for i in 0..n {
            let mut table = Entries::default();
            write_axis(&mut table, i);
            tables.push(table);
        }
        if tables.iter().any(|t| !t.is_empty()) {
            entries.put("coordinate", tables);
        }
    }
    axis::write_turn(&mut entries, joint.turn_limits.as_ref());
    if let Some(labels) = &joint.labels {
        let labels: Vec<_> = labels.iter().map(String::as_str).collect();
        entries.put("labels", labels);
    }
    entries.put_unless("collide", collide, false);
    impedance::write_joint(&mut entries, joint.softness.as_ref());
    entries
}

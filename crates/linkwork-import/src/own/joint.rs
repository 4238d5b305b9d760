//! `[[joint]]`.

use super::fields::Fields;
use super::names::Known;
use super::pose::{self, Spot};
use super::table::{Done, Table};
use super::{axis, impedance, kind};
use crate::{Fault, ImportError};
use linkwork::joints::{MAX_COORDINATES, Placement, Revolute, Row};
use linkwork::math::{Pose, Vec3, rotation_between};
use linkwork::model::{Axis, Body, BodyId, Joint};
use std::sync::Arc;

/// A joint as a file describes it.
pub(super) struct Described {
    pub joint: Joint,
    /// Its coordinates, m or rad, as far as they are given.
    pub values: Vec<Option<f64>>,
    /// Whether the two bodies may collide.
    pub collide: bool,
}

/// Given coordinates this close to the measured ones (m or rad) are used exactly; others only determine the whole
/// turns.
const NEAR: f64 = 1e-9;

impl Described {
    /// A joint before it is read.
    pub fn blank() -> Self {
        Self {
            joint: Joint {
                name: String::new(),
                kind: Arc::new(Revolute),
                base: None,
                follower: BodyId(0),
                frame_base: Pose::identity(),
                frame_follower: Pose::identity(),
                first_coordinate: 0,
                axes: Vec::new(),
                turn_limits: None,
                softness: None,
                labels: None,
            },
            values: Vec::new(),
            collide: false,
        }
    }

    /// A joint with its initial coordinates.
    pub fn of(joint: &Joint, bodies: &[Body], initial: &[f64], collide: bool) -> Self {
        let measured = measure(joint, bodies, &vec![0.0; joint.axes.len()]);
        // All or none: an omitted one would be measured from other whole turns.
        let differ = |(a, b): (&f64, &f64)| a.to_bits() != b.to_bits();
        let given = initial.iter().zip(&measured).any(differ);
        Self {
            joint: joint.clone(),
            values: initial.iter().map(|q| given.then_some(*q)).collect(),
            collide,
        }
    }
}

/// A joint.
pub(super) fn joint(t: &mut Table, d: &mut Described, known: &Known, bodies: &[Body]) -> Done {
    let j = &mut d.joint;
    t.need("name", &mut j.name)?;
    kind::kind(t, &mut j.kind)?;
    t.name("base", &mut j.base, &known.bodies)?;
    t.named("follower", &mut j.follower, &known.bodies)?;
    let base = j.base.map(|b| &bodies[b.index()]);
    let follower = &bodies[j.follower.index()];
    if let Table::Read(fields) = t {
        (j.frame_base, j.frame_follower) = frames(fields, base, follower)?;
    } else {
        let com = base.map_or(Vec3::zeros(), |b| b.com);
        for (key, frame, com) in [
            ("in_base", j.frame_base, com),
            ("in_follower", j.frame_follower, follower.com),
        ] {
            let place = |t: &mut Table, frame: &mut Pose| pose::local(t, frame, &com);
            t.table(key, &mut Some(frame), Pose::identity(), place)?;
        }
    }
    coordinates(t, d)?;
    let j = &mut d.joint;
    axis::turn(t, &mut j.turn_limits)?;
    t.some("labels", &mut j.labels)?;
    t.or("collide", &mut d.collide, false)?;
    impedance::of_joint(t, &mut j.softness)
}

/// Joint frames relative to the centres of mass: given in each body, or once in the world.
fn frames(
    fields: &mut Fields,
    base: Option<&Body>,
    follower: &Body,
) -> Result<(Pose, Pose), ImportError> {
    let (anchor, axis) = (fields.value("anchor")?, fields.direction("axis")?);
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
        None => pose::read_rotation(fields)?,
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
fn coordinates(t: &mut Table, d: &mut Described) -> Done {
    let n = d.joint.kind.coordinates().len();
    let one = |t: &mut Table, (axis, value): &mut (Axis, Option<f64>)| {
        axis::axis(t, axis)?;
        t.some("value", value)
    };
    let pairs = d.joint.axes.drain(..).zip(d.values.drain(..));
    let mut list: Vec<(Axis, Option<f64>)> = pairs.collect();
    list.resize(n, Default::default());
    if n == 1 && !t.has("coordinate") {
        one(t, &mut list[0])?;
    } else {
        t.tables("coordinate", &mut list, &Default::default(), one)?;
    }
    let what = || format!("{} coordinates are described", list.len());
    let remedy = format!("this joint type has {n}");
    t.check(list.len() <= n, "coordinate", what, remedy)?;
    list.resize(n, Default::default());
    (d.joint.axes, d.values) = list.into_iter().unzip();
    Ok(())
}

/// The coordinates at the bodies' initial poses, whole turns as in `values`.
pub(super) fn settled(joint: &Joint, bodies: &[Body], values: &[Option<f64>]) -> Vec<f64> {
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

//! Poses, in forms that are convenient by hand and a form that loses no bits.

use super::fields::Fields;
use super::table::{Done, Table};
use super::tree::Content;
use super::values::Value;
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Quat, Twist, Vec3, exp};
use nalgebra::{Quaternion, Unit};

/// A pose on a body, given from the body frame or from the centre of mass; in the world both are one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spot {
    Frame(Pose),
    Centre(Pose),
}

impl Spot {
    /// `position` or `from_centre`, and `rotation`.
    pub fn read(fields: &mut Fields) -> Result<Self, ImportError> {
        let (position, centre) = (fields.value("position")?, fields.value("from_centre")?);
        let rotation = read_rotation(fields)?;
        match (position, centre) {
            (Some(_), Some(_)) => Err(both(fields, "position", "from_centre")),
            (_, Some(centre)) => Ok(Spot::Centre(Pose::new(centre, rotation))),
            (position, None) => Ok(Spot::Frame(Pose::new(
                position.unwrap_or_default(),
                rotation,
            ))),
        }
    }

    /// The pose from the centre of mass `com` (in the body frame).
    pub fn local(&self, com: &Vec3) -> Pose {
        match self {
            Spot::Frame(pose) => Pose::new(pose.position - com, pose.rotation),
            Spot::Centre(pose) => *pose,
        }
    }
}

/// A pose relative to the centre of mass `com` of a body. It is written from the body frame if that loses no bits.
pub(super) fn local(t: &mut Table, local: &mut Pose, com: &Vec3) -> Done {
    if let Table::Read(fields) = t {
        *local = Spot::read(fields)?.local(com);
        return Ok(());
    }
    let mut position = local.position + com;
    if same(&(position - com), &local.position) {
        t.or("position", &mut position, Vec3::zeros())?;
    } else {
        t.need("from_centre", &mut local.position)?;
    }
    rotation(t, &mut local.rotation)
}

/// Where a body is and how it moves: pose and twist of its centre of mass, which is at `com` in the body frame. It is
/// written by the body frame if that loses no bits.
pub(super) fn motion(t: &mut Table, pose: &mut Pose, twist: &mut Twist, com: &Vec3) -> Done {
    let (mut position, mut centre) = (None, Some(pose.position));
    if let Table::Write(_) = t {
        let at = pose.transform_point(&-com);
        let again = Pose::new(at, pose.rotation).transform_point(com);
        if same(&again, &pose.position) {
            centre = None;
            position = Some(at).filter(|at| !same(at, &Vec3::zeros()));
        }
    }
    t.some("position", &mut position)?;
    t.some("centre", &mut centre)?;
    rotation(t, &mut pose.rotation)?;
    if let Table::Read(fields) = t {
        pose.position = match (position, centre) {
            (Some(_), Some(_)) => return Err(both(fields, "position", "centre")),
            (_, Some(centre)) => centre,
            (position, None) => {
                Pose::new(position.unwrap_or_default(), pose.rotation).transform_point(com)
            }
        };
    }
    t.or("velocity", &mut twist.linear, Vec3::zeros())?;
    t.or("angular_velocity", &mut twist.angular, Vec3::zeros())
}

/// `rotation`, not written if there is none: the list w, x, y, z.
pub(super) fn rotation(t: &mut Table, rotation: &mut Quat) -> Done {
    match t {
        Table::Read(fields) => *rotation = read_rotation(fields)?,
        Table::Write(entries) => {
            let list = |q: &Quat| [q.w, q.i, q.j, q.k].content();
            entries.put_unless("rotation", list(rotation), &list(&Quat::identity()));
        }
    }
    Ok(())
}

/// `rotation`: a quaternion w, x, y, z, or an axis and an angle.
pub(super) fn read_rotation(fields: &mut Fields) -> Result<Quat, ImportError> {
    let Some(node) = fields.get("rotation") else {
        return Ok(Quat::identity());
    };
    if let Content::Table(_) = node.content {
        let mut turn = fields.table("rotation")?.expect("it is there");
        let axis = turn.direction("axis")?;
        let axis = turn.require("axis", axis)?;
        let (angle, degrees) = (turn.value("angle")?, turn.value("degrees")?);
        let Some(angle) = angle.or(degrees.map(f64::to_radians)) else {
            let what = "the angle is missing";
            let remedy = "give 'angle' (rad) or 'degrees'";
            return Err(turn.missing(&["angle", "degrees"], what, remedy));
        };
        turn.finish()?;
        return Ok(exp(&(axis * angle)));
    }
    let [w, x, y, z] = <[f64; 4]>::read(fields, "rotation", node)?;
    let q = Quaternion::new(w, x, y, z);
    let off = (q.norm() - 1.0).abs();
    if off > 1e-2 {
        let what = format!("'rotation' is a quaternion of length {}", q.norm());
        let remedy = "give w, x, y, z of length 1, or { axis = [x, y, z], degrees = d }";
        return Err(fields.fail(node.at, Fault::BadValue, what, remedy));
    }
    // Values written by a program keep their bits; values written by hand are rounded.
    Ok(if off < 1e-10 {
        Unit::new_unchecked(q)
    } else {
        Unit::new_normalize(q)
    })
}

/// Whether two vectors are the same to the bit.
pub(super) fn same(a: &Vec3, b: &Vec3) -> bool {
    a.iter()
        .zip(b.iter())
        .all(|(a, b)| a.to_bits() == b.to_bits())
}

/// Two keys that exclude each other.
pub(super) fn both(fields: &Fields, a: &'static str, b: &'static str) -> ImportError {
    let what = format!("both '{a}' and '{b}' are given");
    fields.fail_at(b, Fault::BadValue, what, "give one of the two")
}

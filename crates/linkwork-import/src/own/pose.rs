//! Poses, in forms that are convenient by hand and a form that loses no bits.

use super::fields::Fields;
use super::tree::{Content, Entries, numbers};
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Quat, Vec3, exp};
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
        let (position, centre) = (fields.vector("position")?, fields.vector("from_centre")?);
        let rotation = rotation(fields)?;
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

/// Writes a pose relative to the centre of mass: from the body frame if that loses no bits.
pub(super) fn write(entries: &mut Entries, local: &Pose, com: Option<&Vec3>) {
    let zero = Vec3::zeros();
    let com = com.unwrap_or(&zero);
    let position = local.position + com;
    if same(&(position - com), &local.position) {
        entries.put_unless("position", &position, &zero);
    } else {
        entries.put("from_centre", &local.position);
    }
    write_rotation(entries, &local.rotation);
}

/// Write a rotation unless it is none.
pub(super) fn write_rotation(entries: &mut Entries, rotation: &Quat) {
    entries.put_unless(
        "rotation",
        quaternion(rotation),
        quaternion(&Quat::identity()),
    );
}

/// The rotation as the list w, x, y, z.
fn quaternion(q: &Quat) -> Content {
    numbers([q.w, q.i, q.j, q.k])
}

/// `rotation`: a quaternion w, x, y, z, or an axis and an angle.
pub(super) fn rotation(fields: &mut Fields) -> Result<Quat, ImportError> {
    let Some(node) = fields.get("rotation") else {
        return Ok(Quat::identity());
    };
    if let Content::Table(_) = node.content {
        let mut turn = fields.table("rotation")?.expect("it is there");
        let axis = turn.direction("axis")?;
        let axis = turn.require("axis", axis)?;
        let (angle, degrees) = (turn.number("angle")?, turn.number("degrees")?);
        let Some(angle) = angle.or(degrees.map(f64::to_radians)) else {
            let what = "the angle is missing";
            let remedy = "give 'angle' (rad) or 'degrees'";
            return Err(turn.missing(&["angle", "degrees"], what, remedy));
        };
        turn.finish()?;
        return Ok(exp(&(axis * angle)));
    }
    let [w, x, y, z] = fields.array_in("rotation", node)?;
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

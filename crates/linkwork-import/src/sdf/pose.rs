//! A `<pose>`.

use crate::robot::from_rpy;
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Quat, Vec3};
use nalgebra::Quaternion;

/// A pose and its reference frame; the default frame depends on the element.
pub(super) struct Given<'a> {
    pub pose: Pose,
    pub relative_to: Option<&'a str>,
}

/// The `<pose>` of an element; identity without one.
pub(super) fn read(owner: &Element) -> Result<Given<'_>, ImportError> {
    let Some(element) = owner.child("pose") else {
        return Ok(Given {
            pose: Pose::identity(),
            relative_to: None,
        });
    };
    if element.get("frame").is_some_and(|f| !f.is_empty()) {
        let what = "<pose frame=\"…\"> of SDF 1.5 and 1.6 has no defined meaning";
        let remedy = "use SDF 1.7 and relative_to, or give the pose in its usual frame";
        return Err(element.error(Fault::Unsupported, what, remedy));
    }
    Ok(Given {
        pose: value(element)?,
        relative_to: element.get("relative_to").filter(|f| !f.is_empty()),
    })
}

/// The pose of an element that may only be given in the link's frame.
pub(super) fn in_link(owner: &Element) -> Result<Pose, ImportError> {
    let given = read(owner)?;
    match given.relative_to {
        None => Ok(given.pose),
        Some(frame) => {
            let what = format!("<{}> placed relative to '{frame}'", owner.name);
            let remedy = "give its pose in the link's frame, without relative_to";
            Err(owner.error(Fault::Unsupported, what, remedy))
        }
    }
}

fn value(element: &Element) -> Result<Pose, ImportError> {
    let degrees = element
        .get("degrees")
        .is_some_and(|d| matches!(d.trim(), "true" | "1"));
    let numbers = element.text_numbers()?;
    let format = element.get("rotation_format").unwrap_or("euler_rpy");
    match (format, &numbers[..]) {
        (_, []) => Ok(Pose::identity()),
        ("euler_rpy", &[x, y, z, roll, pitch, yaw]) => {
            let rpy = Vec3::new(roll, pitch, yaw);
            let rpy = if degrees {
                rpy.map(f64::to_radians)
            } else {
                rpy
            };
            Ok(from_rpy(Vec3::new(x, y, z), rpy))
        }
        ("quat_xyzw", &[x, y, z, qx, qy, qz, qw]) => {
            let q = Quaternion::new(qw, qx, qy, qz);
            if !(q.norm() > 1e-6 && q.norm().is_finite()) {
                let what = "a quaternion of length zero";
                return Err(element.error(Fault::BadValue, what, "write 0 0 0 1 for no turn"));
            }
            Ok(Pose::new(Vec3::new(x, y, z), Quat::from_quaternion(q)))
        }
        _ => {
            let what = format!("<pose> has {} number(s)", numbers.len());
            let remedy =
                "write x y z roll pitch yaw (7 numbers with rotation_format=\"quat_xyzw\")";
            Err(element.error(Fault::BadValue, what, remedy))
        }
    }
}

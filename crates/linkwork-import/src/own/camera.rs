//! `[[camera]]`.

use super::fields::Fields;
use super::names::Names;
use super::{frame, tree::Entries};
use crate::{Fault, ImportError};
use linkwork::model::{Aim, Body, BodyId, Camera, Lens, Model};

/// Vertical field of view of a camera that gives none, rad.
const FIELD_OF_VIEW: f64 = std::f64::consts::FRAC_PI_4;

/// Read a camera.
pub(super) fn read(
    fields: &mut Fields,
    bodies: &Names,
    own: &[Body],
) -> Result<Camera, ImportError> {
    let name = fields.text("name")?;
    let name = fields.require("name", name)?.to_owned();
    let (angle, height) = (fields.number("field_of_view")?, fields.number("height")?);
    let lens = match (angle, height) {
        (Some(_), Some(_)) => {
            let what = "both 'field_of_view' and 'height' are given";
            let remedy = "give the angle with perspective, or the height without";
            return Err(fields.fail_at("height", Fault::BadValue, what, remedy));
        }
        (_, Some(height)) => Lens::Orthographic { height },
        (angle, None) => Lens::Perspective {
            field_of_view: angle.unwrap_or(FIELD_OF_VIEW),
        },
    };
    let target = bodies.get(fields, "look_at")?;
    let aim = match (target, fields.flag("follow")?) {
        (Some(_), true) => {
            let what = "both 'look_at' and 'follow' are given";
            return Err(fields.fail_at("follow", Fault::BadValue, what, "remove one of them"));
        }
        (Some(target), false) => Aim::LookAt {
            target: BodyId(target as u32),
        },
        (None, true) => Aim::Follow,
        (None, false) => Aim::Fixed,
    };
    let frame = frame::read(fields, name, bodies, own)?;
    Ok(Camera { frame, lens, aim })
}

/// Write a camera.
pub(super) fn write(camera: &Camera, model: &Model) -> Entries {
    let mut entries = frame::write(&camera.frame, model);
    match camera.lens {
        Lens::Perspective { field_of_view } => entries.put("field_of_view", field_of_view),
        Lens::Orthographic { height } => entries.put("height", height),
    }
    match camera.aim {
        Aim::Fixed => {}
        Aim::Follow => entries.put("follow", true),
        Aim::LookAt { target } => entries.put("look_at", model.body(target).name.as_str()),
    }
    entries
}

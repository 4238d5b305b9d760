//! `[[sensor]]`.

use super::coupling::{coordinate, write_coordinate};
use super::fields::Fields;
use super::names::Names;
use super::tree::{Content, Entries};
use crate::mechanism::{Mechanism, Reading, Sensor};
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::model::BodyId;

const TYPES: [&str; 9] = [
    "position",
    "velocity",
    "frame_position",
    "frame_orientation",
    "frame_axis",
    "linear_velocity",
    "angular_velocity",
    "centre_of_mass",
    "clock",
];

/// Read a sensor.
pub(super) fn read(
    fields: &mut Fields,
    bodies: &Names,
    joints: &Names,
    frames: &Names,
) -> Result<Sensor, ImportError> {
    let name = fields.text("name")?;
    let name = fields.require("name", name)?.to_owned();
    let kind = fields.text("type")?;
    let kind = fields.require("type", kind)?;
    let reading = match kind {
        "position" => {
            let (joint, coordinate) = coordinate(fields, joints)?;
            Reading::Position { joint, coordinate }
        }
        "velocity" => {
            let (joint, coordinate) = coordinate(fields, joints)?;
            Reading::Velocity { joint, coordinate }
        }
        "centre_of_mass" => Reading::CentreOfMass {
            bodies: several(fields, bodies)?,
        },
        "clock" => Reading::Clock,
        _ => of_frame(fields, kind, frames)?,
    };
    Ok(Sensor { name, reading })
}

fn of_frame(fields: &mut Fields, kind: &str, frames: &Names) -> Result<Reading, ImportError> {
    if !TYPES.contains(&kind) {
        let what = format!("there is no sensor type '{kind}'");
        let remedy = suggest::remedy(kind, &TYPES);
        return Err(fields.fail_at("type", Fault::BadValue, what, remedy));
    }
    let frame = frames.get(fields, "frame")?;
    let frame = fields.require("frame", frame)?;
    Ok(match kind {
        "frame_position" => Reading::FramePosition { frame },
        "frame_orientation" => Reading::FrameOrientation { frame },
        "linear_velocity" => Reading::LinearVelocity {
            frame,
            local: fields.flag("local")?,
        },
        "angular_velocity" => Reading::AngularVelocity {
            frame,
            local: fields.flag("local")?,
        },
        _ => Reading::FrameAxis {
            frame,
            axis: letter(fields)?,
        },
    })
}

fn letter(fields: &mut Fields) -> Result<usize, ImportError> {
    let axis = fields.text("axis")?;
    let axis = fields.require("axis", axis)?;
    ["x", "y", "z"]
        .iter()
        .position(|a| *a == axis)
        .ok_or_else(|| {
            let what = format!("'axis' is '{axis}'");
            fields.fail_at(
                "axis",
                Fault::BadValue,
                what,
                "it must be \"x\", \"y\" or \"z\"",
            )
        })
}

fn several(fields: &mut Fields, names: &Names) -> Result<Vec<BodyId>, ImportError> {
    let list = fields.list("bodies")?;
    if list.is_empty() {
        let what = "'bodies' is missing or empty";
        return Err(fields.fail_at("bodies", Fault::Missing, what, "name the bodies"));
    }
    let bodies = list.iter().map(|n| names.in_node(fields, n));
    bodies.map(|b| Ok(BodyId(b? as u32))).collect()
}

/// Write a sensor.
pub(super) fn write(sensor: &Sensor, mechanism: &Mechanism) -> Entries {
    let model = &mechanism.model;
    let mut entries = Entries::default();
    entries.put("name", sensor.name.as_str());
    let frame = |entries: &mut Entries, kind: &str, frame: usize| {
        entries.put("type", kind);
        entries.put("frame", mechanism.frames[frame].name.as_str());
    };
    match &sensor.reading {
        Reading::Position { joint, coordinate } => {
            entries.put("type", "position");
            write_coordinate(&mut entries, model.joint(*joint), *coordinate);
        }
        Reading::Velocity { joint, coordinate } => {
            entries.put("type", "velocity");
            write_coordinate(&mut entries, model.joint(*joint), *coordinate);
        }
        Reading::FramePosition { frame: f } => frame(&mut entries, "frame_position", *f),
        Reading::FrameOrientation { frame: f } => frame(&mut entries, "frame_orientation", *f),
        Reading::FrameAxis { frame: f, axis } => {
            frame(&mut entries, "frame_axis", *f);
            entries.put("axis", ["x", "y", "z"][*axis]);
        }
        Reading::LinearVelocity { frame: f, local } => {
            frame(&mut entries, "linear_velocity", *f);
            entries.put_unless("local", *local, false);
        }
        Reading::AngularVelocity { frame: f, local } => {
            frame(&mut entries, "angular_velocity", *f);
            entries.put_unless("local", *local, false);
        }
        Reading::CentreOfMass { bodies } => {
            entries.put("type", "centre_of_mass");
            let names = bodies.iter().map(|b| model.body(*b).name.as_str());
            entries.put("bodies", Content::from(names.collect::<Vec<_>>()));
        }
        Reading::Clock => entries.put("type", "clock"),
    }
    entries
}

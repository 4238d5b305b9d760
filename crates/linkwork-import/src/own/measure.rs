//! `[[sensor]]` of limits, energies, volumes, cameras and distances.

use super::coupling::{coordinate, write_coordinate};
use super::fields::Fields;
use super::geometry;
use super::read::check_coordinate;
use super::sensor::{Known, shapes, write_shape_names};
use super::tree::Entries;
use crate::{Fault, ImportError};
use linkwork::model::{FrameId, Model, TendonId};
use linkwork::sensors::{LimitOf, Nearest, Reading};

/// The types of this file.
pub(super) const TYPES: [&str; 10] = [
    "limit_gap",
    "limit_rate",
    "limit_force",
    "potential_energy",
    "kinetic_energy",
    "inside",
    "projection",
    "distance",
    "direction",
    "nearest_points",
];

/// Reads the quantity of a sensor of such a type.
pub(super) fn read(fields: &mut Fields, kind: &str, known: &Known) -> Result<Reading, ImportError> {
    Ok(match kind {
        "limit_gap" => Reading::LimitGap {
            limit: limit(fields, known)?,
        },
        "limit_rate" => Reading::LimitRate {
            limit: limit(fields, known)?,
        },
        "limit_force" => Reading::LimitForce {
            limit: limit(fields, known)?,
        },
        "potential_energy" => Reading::PotentialEnergy {
            fixed: fields.number_or("fixed", 0.0)?,
        },
        "kinetic_energy" => Reading::KineticEnergy,
        "inside" => {
            let volume = fields.table("volume")?;
            let mut volume = fields.require("volume", volume)?;
            let form = geometry::volume(&mut volume)?;
            volume.finish()?;
            Reading::Inside {
                frame: frame(fields, known, "frame")?,
                volume: form,
                object: frame(fields, known, "object")?,
            }
        }
        "projection" => {
            let (focal, size) = (fields.array("focal")?, fields.array("size")?);
            Reading::Projection {
                frame: frame(fields, known, "frame")?,
                camera: frame(fields, known, "camera")?,
                focal: fields.require("focal", focal)?,
                size: fields.require("size", size)?,
            }
        }
        _ => Reading::Nearest {
            from: shapes(fields, "from", known.shapes)?,
            to: shapes(fields, "to", known.shapes)?,
            within: fields.number_or("within", 0.0)?,
            value: match kind {
                "distance" => Nearest::Distance,
                "direction" => Nearest::Direction,
                _ => Nearest::Points,
            },
        },
    })
}

fn frame(fields: &mut Fields, known: &Known, key: &'static str) -> Result<FrameId, ImportError> {
    let frame = known.frames.get(fields, key)?;
    Ok(FrameId(fields.require(key, frame)? as u32))
}

/// A tendon, the whole turn of a joint, or one of its coordinates.
fn limit(fields: &mut Fields, known: &Known) -> Result<LimitOf, ImportError> {
    if let Some(tendon) = known.tendons.get(fields, "tendon")? {
        let tendon = TendonId(tendon as u32);
        return Ok(LimitOf::Tendon { tendon });
    }
    let turn = fields.flag("turn")?;
    let (joint, coordinate) = coordinate(fields, known.joints)?;
    if !turn {
        check_coordinate(fields, known.model, joint, coordinate)?;
        return Ok(LimitOf::Coordinate { joint, coordinate });
    }
    if known.model.joints[joint.index()]
        .kind
        .rotation_vector()
        .is_none()
    {
        let what = "the joint has no whole turn";
        let remedy = "only spherical and free joints have one: name a coordinate";
        return Err(fields.fail_at("turn", Fault::BadValue, what, remedy));
    }
    Ok(LimitOf::Turn { joint })
}

/// Write such a reading.
pub(super) fn write(to: &mut Entries, reading: &Reading, model: &Model) {
    let name = |frame: &FrameId| model.frame(*frame).name.as_str();
    let limit = |to: &mut Entries, kind: &str, limit: LimitOf| {
        to.put("type", kind);
        match limit {
            LimitOf::Tendon { tendon } => to.put("tendon", model.tendon(tendon).name.as_str()),
            LimitOf::Coordinate { joint, coordinate } => {
                write_coordinate(to, model.joint(joint), coordinate);
            }
            LimitOf::Turn { joint } => {
                write_coordinate(to, model.joint(joint), 0);
                to.put("turn", true);
            }
        }
    };
    match reading {
        Reading::LimitGap { limit: l } => limit(to, "limit_gap", *l),
        Reading::LimitRate { limit: l } => limit(to, "limit_rate", *l),
        Reading::LimitForce { limit: l } => limit(to, "limit_force", *l),
        Reading::PotentialEnergy { fixed } => {
            to.put("type", "potential_energy");
            to.put_unless("fixed", *fixed, 0.0);
        }
        Reading::KineticEnergy => to.put("type", "kinetic_energy"),
        Reading::Inside {
            frame,
            volume,
            object,
        } => {
            to.put("type", "inside");
            to.put("frame", name(frame));
            let mut form = Entries::default();
            geometry::write(&mut form, volume);
            to.put("volume", form);
            to.put("object", name(object));
        }
        Reading::Projection {
            frame,
            camera,
            focal,
            size,
        } => {
            to.put("type", "projection");
            to.put("frame", name(frame));
            to.put("camera", name(camera));
            to.put("focal", *focal);
            to.put("size", *size);
        }
        Reading::Nearest {
            from,
            to: others,
            within,
            value,
        } => {
            let kind = match value {
                Nearest::Distance => "distance",
                Nearest::Direction => "direction",
                Nearest::Points => "nearest_points",
            };
            to.put("type", kind);
            for (key, shapes) in [("from", from), ("to", others)] {
                write_shape_names(to, key, shapes, model);
            }
            to.put_unless("within", *within, 0.0);
        }
        _ => {}
    }
}

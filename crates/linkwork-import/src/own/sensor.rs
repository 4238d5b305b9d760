//! `[[sensor]]`.

use super::coupling::{coordinate, write_coordinate};
use super::fields::Fields;
use super::names::Names;
use super::read::check_coordinate;
use super::tree::{Content, Entries};
use super::{contacts, geometry, measure, section};
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;
use linkwork::model::{ActuatorId, BodyId, FrameId, Model, ModelData, ShapeId, TendonId};
use linkwork::sensors::{Reading, Sensor};

/// The types, except those of [`measure`].
const TYPES: [&str; 29] = [
    "position",
    "velocity",
    "effort",
    "ball_orientation",
    "ball_velocity",
    "range",
    "tendon_position",
    "tendon_velocity",
    "tendon_effort",
    "actuator_position",
    "actuator_velocity",
    "actuator_effort",
    "actuator_activation",
    "frame_position",
    "frame_orientation",
    "frame_axis",
    "linear_velocity",
    "angular_velocity",
    "acceleration",
    "angular_acceleration",
    "force",
    "torque",
    "touch",
    "field",
    "centre_of_mass",
    "centre_velocity",
    "angular_momentum",
    "contacts",
    "clock",
];

/// Elements by the names in a sensor.
pub(super) struct Known<'a> {
    pub model: &'a ModelData,
    pub bodies: &'a Names,
    pub joints: &'a Names,
    pub tendons: &'a Names,
    pub actuators: &'a Names,
    pub frames: &'a Names,
    pub shapes: &'a Names,
}

/// Read a sensor.
pub(super) fn read(fields: &mut Fields, known: &Known) -> Result<Sensor, ImportError> {
    let name = fields.text("name")?;
    let name = fields.require("name", name)?.to_owned();
    let kind = fields.text("type")?;
    let kind = fields.require("type", kind)?;
    let reading = match kind {
        "position" | "velocity" | "effort" => {
            let (joint, coordinate) = coordinate(fields, known.joints)?;
            check_coordinate(fields, known.model, joint, coordinate)?;
            match kind {
                "position" => Reading::Position { joint, coordinate },
                "velocity" => Reading::Velocity { joint, coordinate },
                _ => Reading::Effort { joint, coordinate },
            }
        }
        "ball_orientation" => {
            let (joint, coordinate) = coordinate(fields, known.joints)?;
            // A rotation vector has three coordinates.
            check_coordinate(fields, known.model, joint, coordinate.saturating_add(2))?;
            Reading::BallOrientation { joint, coordinate }
        }
        "ball_velocity" => {
            let (joint, _) = coordinate(fields, known.joints)?;
            Reading::BallVelocity { joint }
        }
        "tendon_position" | "tendon_velocity" | "tendon_effort" => {
            let tendon = known.tendons.get(fields, "tendon")?;
            let tendon = TendonId(fields.require("tendon", tendon)? as u32);
            match kind {
                "tendon_position" => Reading::TendonPosition { tendon },
                "tendon_velocity" => Reading::TendonVelocity { tendon },
                _ => Reading::TendonEffort { tendon },
            }
        }
        "actuator_position" | "actuator_velocity" | "actuator_effort" | "actuator_activation" => {
            let actuator = known.actuators.get(fields, "actuator")?;
            let actuator = ActuatorId(fields.require("actuator", actuator)? as u32);
            match kind {
                "actuator_position" => Reading::ActuatorPosition { actuator },
                "actuator_velocity" => Reading::ActuatorVelocity { actuator },
                "actuator_activation" => Reading::ActuatorActivation { actuator },
                _ => {
                    alone(fields, known.model, actuator)?;
                    Reading::ActuatorEffort { actuator }
                }
            }
        }
        "centre_of_mass" | "centre_velocity" | "angular_momentum" => {
            let bodies = several(fields, known.bodies)?;
            match kind {
                "centre_of_mass" => Reading::CentreOfMass { bodies },
                "centre_velocity" => Reading::CentreVelocity { bodies },
                _ => Reading::AngularMomentum { bodies },
            }
        }
        "contacts" => Reading::Contacts {
            query: Box::new(contacts::read(fields, known)?),
        },
        "clock" => Reading::Clock,
        _ if measure::TYPES.contains(&kind) => measure::read(fields, kind, known)?,
        _ => of_frame(fields, kind, known)?,
    };
    let cutoff = fields.number("cutoff")?;
    if let Some(cutoff) = cutoff.filter(|c| *c <= 0.0) {
        let what = format!("'cutoff' is {cutoff}");
        return Err(fields.fail_at("cutoff", Fault::BadValue, what, "it must be positive"));
    }
    Ok(Sensor {
        name,
        reading,
        cutoff,
    })
}

/// Refuses an actuator that acts together with others, because steps report the sum of all.
fn alone(fields: &Fields, model: &ModelData, id: ActuatorId) -> Result<(), ImportError> {
    let actuator = &model.actuators[id.index()];
    if actuator.is_alone(&model.actuators) {
        return Ok(());
    }
    let name = &actuator.name;
    let what = format!("actuator '{name}' is not the only one on a coordinate or tendon");
    let remedy = "read the effort of the joint or tendon instead";
    Err(fields.fail_at("actuator", Fault::BadValue, what, remedy))
}

fn of_frame(fields: &mut Fields, kind: &str, known: &Known) -> Result<Reading, ImportError> {
    if !TYPES.contains(&kind) {
        let what = format!("there is no sensor type '{kind}'");
        let remedy = suggest::remedy(kind, &[&TYPES[..], &measure::TYPES].concat());
        return Err(fields.fail_at("type", Fault::BadValue, what, remedy));
    }
    let frame = known.frames.get(fields, "frame")?;
    let frame = FrameId(fields.require("frame", frame)? as u32);
    Ok(match kind {
        "acceleration" => Reading::Acceleration {
            frame,
            local: fields.flag("local")?,
        },
        "angular_acceleration" => Reading::AngularAcceleration { frame },
        "range" => Reading::Range { frame },
        "force" => Reading::Force {
            frame,
            section: section::read(fields, known)?,
        },
        "torque" => Reading::Torque {
            frame,
            section: section::read(fields, known)?,
        },
        "touch" => {
            let volume = fields.table("volume")?;
            let mut volume = fields.require("volume", volume)?;
            let form = geometry::volume(&mut volume)?;
            volume.finish()?;
            Reading::Touch {
                frame,
                volume: form,
                shapes: shapes(fields, "shapes", known.shapes)?,
            }
        }
        "field" => {
            let field = fields.vector("field")?;
            Reading::Field {
                frame,
                field: fields.require("field", field)?,
            }
        }
        _ => seen(fields, kind, known, frame)?,
    })
}

/// Place and velocity of a frame, as seen from another.
fn seen(
    fields: &mut Fields,
    kind: &str,
    known: &Known,
    frame: FrameId,
) -> Result<Reading, ImportError> {
    let reference = known.frames.get(fields, "reference")?;
    let reference = reference.map(|r| FrameId(r as u32));
    Ok(match kind {
        "frame_position" => Reading::FramePosition { frame, reference },
        "frame_orientation" => Reading::FrameOrientation { frame, reference },
        "linear_velocity" => Reading::LinearVelocity {
            frame,
            local: fields.flag("local")?,
            reference,
        },
        "angular_velocity" => Reading::AngularVelocity {
            frame,
            local: fields.flag("local")?,
            reference,
        },
        _ => Reading::FrameAxis {
            frame,
            axis: letter(fields)?,
            reference,
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

/// Names of shapes.
pub(super) fn shapes(
    fields: &mut Fields,
    key: &'static str,
    names: &Names,
) -> Result<Vec<ShapeId>, ImportError> {
    let list = fields.list(key)?.iter();
    let shapes = list.map(|n| names.in_node(fields, n));
    shapes.map(|s| Ok(ShapeId(s? as u32))).collect()
}

/// Write `shapes`, where there are any.
pub(super) fn write_shapes(entries: &mut Entries, shapes: &[ShapeId], model: &Model) {
    if !shapes.is_empty() {
        write_shape_names(entries, "shapes", shapes, model);
    }
}

/// Write the names of shapes.
pub(super) fn write_shape_names(
    entries: &mut Entries,
    key: &str,
    shapes: &[ShapeId],
    model: &Model,
) {
    let name = |s: &ShapeId| model.shapes()[s.index()].name.as_str();
    entries.put(
        key,
        Content::from(shapes.iter().map(name).collect::<Vec<_>>()),
    );
}

/// Write a sensor.
pub(super) fn write(sensor: &Sensor, model: &Model) -> Entries {
    let mut entries = Entries::default();
    entries.put("name", sensor.name.as_str());
    write_reading(&mut entries, &sensor.reading, model);
    entries.put_some("cutoff", sensor.cutoff);
    entries
}

fn write_reading(to: &mut Entries, reading: &Reading, model: &Model) {
    let name = |frame: &FrameId| model.frame(*frame).name.as_str();
    let of = |to: &mut Entries, kind: &str, frame: &FrameId| {
        to.put("type", kind);
        to.put("frame", name(frame));
    };
    let seen = |to: &mut Entries, kind: &str, frame: &FrameId, from: &Option<FrameId>| {
        of(to, kind, frame);
        to.put_some("reference", from.as_ref().map(name));
    };
    let tendon = |to: &mut Entries, kind: &str, tendon: TendonId| {
        to.put("type", kind);
        to.put("tendon", model.tendon(tendon).name.as_str());
    };
    let actuator = |to: &mut Entries, kind: &str, actuator: ActuatorId| {
        to.put("type", kind);
        to.put("actuator", model.actuator(actuator).name.as_str());
    };
    let bodies = |to: &mut Entries, kind: &str, bodies: &[BodyId]| {
        to.put("type", kind);
        let names = bodies.iter().map(|b| model.body(*b).name.as_str());
        to.put("bodies", Content::from(names.collect::<Vec<_>>()));
    };
    match reading {
        Reading::Position { joint, coordinate } => {
            to.put("type", "position");
            write_coordinate(to, model.joint(*joint), *coordinate);
        }
        Reading::Velocity { joint, coordinate } => {
            to.put("type", "velocity");
            write_coordinate(to, model.joint(*joint), *coordinate);
        }
        Reading::Effort { joint, coordinate } => {
            to.put("type", "effort");
            write_coordinate(to, model.joint(*joint), *coordinate);
        }
        Reading::BallOrientation { joint, coordinate } => {
            to.put("type", "ball_orientation");
            write_coordinate(to, model.joint(*joint), *coordinate);
        }
        Reading::BallVelocity { joint } => {
            to.put("type", "ball_velocity");
            write_coordinate(to, model.joint(*joint), 0);
        }
        Reading::Range { frame } => of(to, "range", frame),
        Reading::TendonPosition { tendon: t } => tendon(to, "tendon_position", *t),
        Reading::TendonVelocity { tendon: t } => tendon(to, "tendon_velocity", *t),
        Reading::TendonEffort { tendon: t } => tendon(to, "tendon_effort", *t),
        Reading::ActuatorPosition { actuator: a } => actuator(to, "actuator_position", *a),
        Reading::ActuatorVelocity { actuator: a } => actuator(to, "actuator_velocity", *a),
        Reading::ActuatorEffort { actuator: a } => actuator(to, "actuator_effort", *a),
        Reading::ActuatorActivation { actuator: a } => actuator(to, "actuator_activation", *a),
        Reading::Contacts { query } => contacts::write(to, query, model),
        Reading::FramePosition { frame, reference } => seen(to, "frame_position", frame, reference),
        Reading::FrameOrientation { frame, reference } => {
            seen(to, "frame_orientation", frame, reference);
        }
        Reading::FrameAxis {
            frame,
            axis,
            reference,
        } => {
            seen(to, "frame_axis", frame, reference);
            to.put("axis", ["x", "y", "z"][*axis]);
        }
        Reading::LinearVelocity {
            frame,
            local,
            reference,
        } => {
            seen(to, "linear_velocity", frame, reference);
            to.put_unless("local", *local, false);
        }
        Reading::AngularVelocity {
            frame,
            local,
            reference,
        } => {
            seen(to, "angular_velocity", frame, reference);
            to.put_unless("local", *local, false);
        }
        Reading::Acceleration { frame, local } => {
            of(to, "acceleration", frame);
            to.put_unless("local", *local, false);
        }
        Reading::AngularAcceleration { frame } => of(to, "angular_acceleration", frame),
        Reading::Force { frame, section } => {
            of(to, "force", frame);
            section::write(to, section, model);
        }
        Reading::Torque { frame, section } => {
            of(to, "torque", frame);
            section::write(to, section, model);
        }
        Reading::Touch {
            frame,
            volume,
            shapes,
        } => {
            of(to, "touch", frame);
            let mut form = Entries::default();
            geometry::write(&mut form, volume);
            to.put("volume", form);
            write_shapes(to, shapes, model);
        }
        Reading::Field { frame, field } => {
            of(to, "field", frame);
            to.put("field", field as &Vec3);
        }
        Reading::CentreOfMass { bodies: b } => bodies(to, "centre_of_mass", b),
        Reading::CentreVelocity { bodies: b } => bodies(to, "centre_velocity", b),
        Reading::AngularMomentum { bodies: b } => bodies(to, "angular_momentum", b),
        Reading::Clock => to.put("type", "clock"),
        other => measure::write(to, other, model),
    }
}

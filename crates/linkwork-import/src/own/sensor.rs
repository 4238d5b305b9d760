//! `[[sensor]]`.

use super::coupling::{coordinate, known_coordinate};
use super::names::Known;
use super::table::{Done, Table};
use super::{contacts, geometry, section};
use crate::Fault;
use linkwork::math::Vec3;
use linkwork::model::{ActuatorId, BodyId, FrameId, Geometry, JointId, ModelData, TendonId};
use linkwork::sensors::{ContactQuery, LimitOf, Nearest, Reading, Section, Sensor};
use std::mem::discriminant;

/// A sensor.
pub(super) fn sensor(t: &mut Table, s: &mut Sensor, known: &Known, model: &ModelData) -> Done {
    t.need("name", &mut s.name)?;
    t.kind_by(&mut s.reading, &types(), same_type)?;
    reading(t, &mut s.reading, known, model)?;
    t.some("cutoff", &mut s.cutoff)?;
    t.positive("cutoff", s.cutoff, "")
}

fn same_type(a: &Reading, b: &Reading) -> bool {
    match (a, b) {
        (Reading::Nearest { value: a, .. }, Reading::Nearest { value: b, .. }) => a == b,
        _ => discriminant(a) == discriminant(b),
    }
}

/// The types of sensors, with what is read before their keys.
fn types() -> Vec<(&'static str, Reading)> {
    let (joint, coordinate) = (JointId(0), 0);
    let (tendon, actuator) = (TendonId(0), ActuatorId(0));
    let (frame, reference, local) = (FrameId(0), None, false);
    let limit = LimitOf::Tendon { tendon };
    let section = || Section {
        parts: Vec::new(),
        closures: Vec::new(),
    };
    let (bodies, shapes) = (Vec::new, Vec::new);
    let volume = || Geometry::HalfSpace;
    let nearest = |value| Reading::Nearest {
        from: Vec::new(),
        to: Vec::new(),
        within: 0.0,
        value,
    };
    vec![
        ("position", Reading::Position { joint, coordinate }),
        ("velocity", Reading::Velocity { joint, coordinate }),
        ("effort", Reading::Effort { joint, coordinate }),
        (
            "ball_orientation",
            Reading::BallOrientation { joint, coordinate },
        ),
        ("ball_velocity", Reading::BallVelocity { joint }),
        ("range", Reading::Range { frame }),
        ("tendon_position", Reading::TendonPosition { tendon }),
        ("tendon_velocity", Reading::TendonVelocity { tendon }),
        ("tendon_effort", Reading::TendonEffort { tendon }),
        ("actuator_position", Reading::ActuatorPosition { actuator }),
        ("actuator_velocity", Reading::ActuatorVelocity { actuator }),
        ("actuator_effort", Reading::ActuatorEffort { actuator }),
        (
            "actuator_activation",
            Reading::ActuatorActivation { actuator },
        ),
        (
            "frame_position",
            Reading::FramePosition { frame, reference },
        ),
        (
            "frame_orientation",
            Reading::FrameOrientation { frame, reference },
        ),
        (
            "frame_axis",
            Reading::FrameAxis {
                frame,
                axis: 0,
                reference,
            },
        ),
        (
            "linear_velocity",
            Reading::LinearVelocity {
                frame,
                local,
                reference,
            },
        ),
        (
            "angular_velocity",
            Reading::AngularVelocity {
                frame,
                local,
                reference,
            },
        ),
        ("acceleration", Reading::Acceleration { frame, local }),
        (
            "angular_acceleration",
            Reading::AngularAcceleration { frame },
        ),
        (
            "force",
            Reading::Force {
                frame,
                section: section(),
            },
        ),
        (
            "torque",
            Reading::Torque {
                frame,
                section: section(),
            },
        ),
        (
            "touch",
            Reading::Touch {
                frame,
                volume: volume(),
                shapes: shapes(),
            },
        ),
        (
            "field",
            Reading::Field {
                frame,
                field: Vec3::zeros(),
            },
        ),
        ("centre_of_mass", Reading::CentreOfMass { bodies: bodies() }),
        (
            "centre_velocity",
            Reading::CentreVelocity { bodies: bodies() },
        ),
        (
            "angular_momentum",
            Reading::AngularMomentum { bodies: bodies() },
        ),
        (
            "contacts",
            Reading::Contacts {
                query: Box::new(ContactQuery {
                    slots: 1,
                    ..ContactQuery::default()
                }),
            },
        ),
        ("clock", Reading::Clock),
        ("limit_gap", Reading::LimitGap { limit }),
        ("limit_rate", Reading::LimitRate { limit }),
        ("limit_force", Reading::LimitForce { limit }),
        ("potential_energy", Reading::PotentialEnergy { fixed: 0.0 }),
        ("kinetic_energy", Reading::KineticEnergy),
        (
            "inside",
            Reading::Inside {
                frame,
                volume: volume(),
                object: frame,
            },
        ),
        (
            "projection",
            Reading::Projection {
                frame,
                camera: frame,
                focal: [0.0; 2],
                size: [0.0; 2],
            },
        ),
        ("distance", nearest(Nearest::Distance)),
        ("direction", nearest(Nearest::Direction)),
        ("nearest_points", nearest(Nearest::Points)),
    ]
}

fn reading(t: &mut Table, reading: &mut Reading, known: &Known, model: &ModelData) -> Done {
    let frames = &known.frames;
    match reading {
        Reading::Position { joint, coordinate }
        | Reading::Velocity { joint, coordinate }
        | Reading::Effort { joint, coordinate } => {
            known_coordinate(t, joint, coordinate, known, model)
        }
        Reading::BallOrientation { joint, coordinate } => {
            known_coordinate(t, joint, coordinate, known, model)?;
            // A rotation vector has three coordinates.
            let have = model.joints[joint.index()].axes.len();
            let what = || format!("there are no three coordinates from {coordinate}");
            t.check(
                *coordinate + 2 < have,
                "coordinate",
                what,
                "give the first of a ball",
            )
        }
        Reading::BallVelocity { joint } => t.named("joint", joint, &known.joints),
        Reading::TendonPosition { tendon }
        | Reading::TendonVelocity { tendon }
        | Reading::TendonEffort { tendon } => t.named("tendon", tendon, &known.tendons),
        Reading::ActuatorPosition { actuator }
        | Reading::ActuatorVelocity { actuator }
        | Reading::ActuatorActivation { actuator } => {
            t.named("actuator", actuator, &known.actuators)
        }
        Reading::ActuatorEffort { actuator } => {
            t.named("actuator", actuator, &known.actuators)?;
            alone(t, *actuator, model)
        }
        Reading::FramePosition { frame, reference }
        | Reading::FrameOrientation { frame, reference } => {
            t.named("frame", frame, frames)?;
            t.name("reference", reference, frames)
        }
        Reading::FrameAxis {
            frame,
            axis,
            reference,
        } => {
            t.named("frame", frame, frames)?;
            t.name("reference", reference, frames)?;
            t.word("axis", axis, &[("x", 0), ("y", 1), ("z", 2)], None)
        }
        Reading::LinearVelocity {
            frame,
            local,
            reference,
        }
        | Reading::AngularVelocity {
            frame,
            local,
            reference,
        } => {
            t.named("frame", frame, frames)?;
            t.name("reference", reference, frames)?;
            t.or("local", local, false)
        }
        Reading::Acceleration { frame, local } => {
            t.named("frame", frame, frames)?;
            t.or("local", local, false)
        }
        Reading::AngularAcceleration { frame } | Reading::Range { frame } => {
            t.named("frame", frame, frames)
        }
        Reading::Force { frame, section } | Reading::Torque { frame, section } => {
            t.named("frame", frame, frames)?;
            section::section(t, section, known, model)
        }
        Reading::Touch {
            frame,
            volume,
            shapes,
        } => {
            t.named("frame", frame, frames)?;
            self::volume(t, volume)?;
            t.names("shapes", shapes, &known.shapes)
        }
        Reading::Field { frame, field } => {
            t.named("frame", frame, frames)?;
            t.need("field", field)
        }
        Reading::CentreOfMass { bodies }
        | Reading::CentreVelocity { bodies }
        | Reading::AngularMomentum { bodies } => several(t, bodies, known),
        Reading::Contacts { query } => contacts::query(t, query, known),
        Reading::LimitGap { limit }
        | Reading::LimitRate { limit }
        | Reading::LimitForce { limit } => self::limit(t, limit, known, model),
        Reading::PotentialEnergy { fixed } => t.or("fixed", fixed, 0.0),
        Reading::Inside {
            frame,
            volume,
            object,
        } => {
            t.named("frame", frame, frames)?;
            self::volume(t, volume)?;
            t.named("object", object, frames)
        }
        Reading::Projection {
            frame,
            camera,
            focal,
            size,
        } => {
            t.named("frame", frame, frames)?;
            t.named("camera", camera, frames)?;
            t.need("focal", focal)?;
            t.need("size", size)
        }
        Reading::Nearest {
            from, to, within, ..
        } => {
            t.names("from", from, &known.shapes)?;
            t.names("to", to, &known.shapes)?;
            t.or("within", within, 0.0)
        }
        Reading::KineticEnergy | Reading::Clock => Ok(()),
    }
}

/// A volume that must be there.
fn volume(t: &mut Table, volume: &mut Geometry) -> Done {
    let mut given = Some(volume.clone());
    geometry::volume(t, &mut given)?;
    if let Table::Read(fields) = t {
        *volume = fields.require("volume", given)?;
    }
    Ok(())
}

/// Refuses an actuator that acts together with others, because steps report the sum of all.
fn alone(t: &Table, id: ActuatorId, model: &ModelData) -> Done {
    let actuator = &model.actuators[id.index()];
    let name = &actuator.name;
    let what = || format!("actuator '{name}' is not the only one on a coordinate or tendon");
    let remedy = "read the effort of the joint or tendon instead";
    t.check(
        actuator.is_alone(&model.actuators),
        "actuator",
        what,
        remedy,
    )
}

/// `bodies`, at least one.
fn several(t: &mut Table, bodies: &mut Vec<BodyId>, known: &Known) -> Done {
    t.names("bodies", bodies, &known.bodies)?;
    match t {
        Table::Read(fields) if bodies.is_empty() => {
            let what = "'bodies' is missing or empty";
            Err(fields.fail_at("bodies", Fault::Missing, what, "name the bodies"))
        }
        _ => Ok(()),
    }
}

/// A tendon, the whole turn of a joint, or one of its coordinates.
fn limit(t: &mut Table, limit: &mut LimitOf, known: &Known, model: &ModelData) -> Done {
    let (mut tendon, mut joint, mut index, mut turn) = match *limit {
        LimitOf::Tendon { tendon } => (Some(tendon), JointId(0), 0, false),
        LimitOf::Turn { joint } => (None, joint, 0, true),
        LimitOf::Coordinate { joint, coordinate } => (None, joint, coordinate, false),
    };
    t.name("tendon", &mut tendon, &known.tendons)?;
    if let Some(tendon) = tendon {
        *limit = LimitOf::Tendon { tendon };
        return Ok(());
    }
    t.or("turn", &mut turn, false)?;
    if !turn {
        known_coordinate(t, &mut joint, &mut index, known, model)?;
        *limit = LimitOf::Coordinate {
            joint,
            coordinate: index,
        };
        return Ok(());
    }
    coordinate(t, &mut joint, &mut index, known)?;
    let turns = model.joints[joint.index()].kind.rotation_vector().is_some();
    let what = || "the joint has no whole turn".to_owned();
    let remedy = "only spherical and free joints have one: name a coordinate";
    t.check(turns, "turn", what, remedy)?;
    *limit = LimitOf::Turn { joint };
    Ok(())
}

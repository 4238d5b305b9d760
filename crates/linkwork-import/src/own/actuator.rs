//! `[[actuator]]`.

use super::coupling::{coordinate, write_coordinate};
use super::fields::Fields;
use super::names::Names;
use super::read::check_coordinate;
use super::sensor;
use super::tree::Entries;
use crate::{Fault, ImportError};
use linkwork::actuators::{Actuator, Dynamics, Muscle, MuscleLag, Transmission};
use linkwork::model::{FrameId, Model, ModelData, TendonId};

/// Read an actuator.
pub(super) fn read(
    fields: &mut Fields,
    model: &ModelData,
    joints: &Names,
    tendons: &Names,
    frames: &Names,
    shapes: &Names,
) -> Result<Actuator, ImportError> {
    let name = fields.text("name")?;
    let name = fields.require("name", name)?.to_owned();
    let transmission = match fields.get("shapes") {
        Some(_) => Transmission::Adhesion {
            shapes: sensor::shapes(fields, "shapes", shapes)?,
        },
        None => transmission(fields, joints, tendons, frames)?,
    };
    if let Transmission::Coordinate {
        joint, coordinate, ..
    } = transmission
    {
        check_coordinate(fields, model, joint, coordinate)?;
    }
    let bias: [f64; 3] = fields.array("bias")?.unwrap_or_default();
    if bias[1] > 0.0 || bias[2] > 0.0 {
        let what = format!("'bias' is {bias:?}");
        let remedy = "its second and third number must not be positive: they would drive it away";
        return Err(fields.fail_at("bias", Fault::BadValue, what, remedy));
    }
    if let Transmission::Coordinate { gear, .. } | Transmission::Tendon { gear, .. } = transmission
        && !bias.iter().all(|b| (b * gear * gear).is_finite())
    {
        let what = format!("'gear' is {gear:e}: the drive it makes is not finite");
        let remedy = "correct gear, bias or force_range";
        return Err(fields.fail_at("gear", Fault::BadValue, what, remedy));
    }
    Ok(Actuator {
        name,
        transmission,
        gain: fields.number_or("gain", 1.0)?,
        bias,
        muscle: muscle(fields)?,
        dynamics: dynamics(fields)?,
        control_range: fields.range("control_range")?,
        force_range: fields.range("force_range")?,
    })
}

/// A lag (`lag`, s) or an integrator (`integrates`) between control and force.
fn dynamics(fields: &mut Fields) -> Result<Option<Dynamics>, ImportError> {
    let lag = fields.number("lag")?;
    if let Some(time) = lag.filter(|t| *t <= 0.0) {
        let what = format!("'lag' is {time}");
        return Err(fields.fail_at("lag", Fault::BadValue, what, "it must be positive (s)"));
    }
    let integrates = fields.flag("integrates")?;
    let range = fields.range("activation_range")?;
    let mut release = None;
    if let Some(deactivation) = fields.number("release")? {
        if lag.is_none() {
            let what = "'release' is given without 'lag'";
            return Err(fields.fail_at("release", Fault::Missing, what, "give both, s"));
        }
        release = Some(MuscleLag {
            deactivation,
            smoothing: fields.number_or("smoothing", 0.0)?,
        });
    }
    Ok((lag.is_some() || integrates).then_some(Dynamics {
        time_constant: lag,
        muscle: release,
        range,
    }))
}

/// The curves of a muscle.
fn muscle(fields: &mut Fields) -> Result<Option<Muscle>, ImportError> {
    let Some(mut table) = fields.table("muscle")? else {
        return Ok(None);
    };
    let force = table.number("force")?;
    let length_range = table.range("length_range")?;
    let muscle = Muscle {
        force: table.require("force", force)?,
        length_range: table.require("length_range", length_range)?,
        range: table.range("range")?.unwrap_or([0.75, 1.05]),
        active: table.range("active")?.unwrap_or([0.5, 1.6]),
        fastest: table.number_or("fastest", 1.5)?,
        passive: table.number_or("passive", 1.3)?,
        lengthening: table.number_or("lengthening", 1.2)?,
    };
    table.finish()?;
    Ok(Some(muscle))
}

/// Write the curves of a muscle.
fn write_muscle(entries: &mut Entries, muscle: &Muscle) {
    let mut table = Entries::default();
    table.put("force", muscle.force);
    table.put("length_range", muscle.length_range);
    table.put_unless("range", muscle.range, [0.75, 1.05]);
    table.put_unless("active", muscle.active, [0.5, 1.6]);
    table.put_unless("fastest", muscle.fastest, 1.5);
    table.put_unless("passive", muscle.passive, 1.3);
    table.put_unless("lengthening", muscle.lengthening, 1.2);
    entries.put("muscle", table);
}

/// What it pulls on: a frame, a tendon or a joint coordinate.
fn transmission(
    fields: &mut Fields,
    joints: &Names,
    tendons: &Names,
    frames: &Names,
) -> Result<Transmission, ImportError> {
    if let Some(frame) = frames.get(fields, "frame")? {
        let gear = fields.array("gear")?;
        let gear = fields.require("gear", gear)?;
        return Ok(Transmission::Frame {
            frame: FrameId(frame as u32),
            gear,
        });
    }
    if let Some(tendon) = tendons.get(fields, "tendon")? {
        let gear = fields.number_or("gear", 1.0)?;
        return Ok(Transmission::Tendon {
            tendon: TendonId(tendon as u32),
            gear,
        });
    }
    let (joint, coordinate) = coordinate(fields, joints)?;
    Ok(Transmission::Coordinate {
        joint,
        coordinate,
        gear: fields.number_or("gear", 1.0)?,
    })
}

/// Write an actuator.
pub(super) fn write(actuator: &Actuator, model: &Model) -> Entries {
    let mut entries = Entries::default();
    entries.put("name", actuator.name.as_str());
    match &actuator.transmission {
        &Transmission::Coordinate {
            joint,
            coordinate,
            gear,
        } => {
            write_coordinate(&mut entries, model.joint(joint), coordinate);
            entries.put_unless("gear", gear, 1.0);
        }
        &Transmission::Tendon { tendon, gear } => {
            let name = model.tendon(tendon).name.as_str();
            entries.put("tendon", name);
            entries.put_unless("gear", gear, 1.0);
        }
        &Transmission::Frame { frame, gear } => {
            entries.put("frame", model.frame(frame).name.as_str());
            entries.put("gear", gear);
        }
        Transmission::Adhesion { shapes } => {
            sensor::write_shapes(&mut entries, shapes, model);
        }
    }
    entries.put_unless("gain", actuator.gain, 1.0);
    entries.put_unless("bias", actuator.bias, [0.0; 3]);
    if let Some(muscle) = &actuator.muscle {
        write_muscle(&mut entries, muscle);
    }
    if let Some(dynamics) = actuator.dynamics {
        entries.put_some("lag", dynamics.time_constant);
        if let Some(muscle) = dynamics.muscle {
            entries.put("release", muscle.deactivation);
            entries.put_unless("smoothing", muscle.smoothing, 0.0);
        }
        entries.put_unless("integrates", dynamics.time_constant.is_none(), false);
        entries.put_some("activation_range", dynamics.range);
    }
    entries.put_some("control_range", actuator.control_range);
    entries.put_some("force_range", actuator.force_range);
    entries
}

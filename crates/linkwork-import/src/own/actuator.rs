//! `[[actuator]]`.

use super::coupling::known_coordinate;
use super::names::Known;
use super::table::{Done, Table};
use crate::Fault;
use linkwork::actuators::{Actuator, Dynamics, Muscle, MuscleLag, Transmission};
use linkwork::model::{FrameId, JointId, ModelData, TendonId};

/// An actuator.
pub(super) fn actuator(t: &mut Table, a: &mut Actuator, known: &Known, model: &ModelData) -> Done {
    t.need("name", &mut a.name)?;
    transmission(t, &mut a.transmission, known, model)?;
    t.or("gain", &mut a.gain, 1.0)?;
    t.or("bias", &mut a.bias, [0.0; 3])?;
    let bias = a.bias;
    let what = || format!("'bias' is {bias:?}");
    let remedy = "its second and third number must not be positive: they would drive it away";
    t.check(bias[1] <= 0.0 && bias[2] <= 0.0, "bias", what, remedy)?;
    if let Transmission::Coordinate { gear, .. } | Transmission::Tendon { gear, .. } =
        a.transmission
    {
        let finite = bias.iter().all(|b| (b * gear * gear).is_finite());
        let what = || format!("'gear' is {gear:e}: the drive it makes is not finite");
        t.check(finite, "gear", what, "correct gear, bias or force_range")?;
    }
    t.table("muscle", &mut a.muscle, MUSCLE, muscle)?;
    dynamics(t, &mut a.dynamics)?;
    t.range("control_range", &mut a.control_range)?;
    t.range("force_range", &mut a.force_range)
}

/// A lag (`lag`, s) or an integrator (`integrates`) between control and force.
fn dynamics(t: &mut Table, dynamics: &mut Option<Dynamics>) -> Done {
    let mut lag = dynamics.and_then(|d| d.time_constant);
    let mut integrates = dynamics.is_some() && lag.is_none();
    let mut range = dynamics.and_then(|d| d.range);
    let muscle = dynamics.and_then(|d| d.muscle);
    let mut release = muscle.map(|m| m.deactivation);
    t.some("lag", &mut lag)?;
    t.positive("lag", lag, " (s)")?;
    t.or("integrates", &mut integrates, false)?;
    t.range("activation_range", &mut range)?;
    t.some("release", &mut release)?;
    if let (Table::Read(fields), Some(_), None) = (&*t, release, lag) {
        let what = "'release' is given without 'lag'";
        return Err(fields.fail_at("release", Fault::Missing, what, "give both, s"));
    }
    let mut smoothing = muscle.map_or(0.0, |m| m.smoothing);
    if release.is_some() {
        t.or("smoothing", &mut smoothing, 0.0)?;
    }
    *dynamics = (lag.is_some() || integrates).then_some(Dynamics {
        time_constant: lag,
        muscle: release.map(|deactivation| MuscleLag {
            deactivation,
            smoothing,
        }),
        range,
    });
    Ok(())
}

const MUSCLE: Muscle = Muscle {
    force: 0.0,
    length_range: [0.0; 2],
    range: [0.75, 1.05],
    active: [0.5, 1.6],
    fastest: 1.5,
    passive: 1.3,
    lengthening: 1.2,
};

/// The curves of a muscle.
fn muscle(t: &mut Table, m: &mut Muscle) -> Done {
    t.need("force", &mut m.force)?;
    t.need("length_range", &mut m.length_range)?;
    t.or("range", &mut m.range, MUSCLE.range)?;
    t.or("active", &mut m.active, MUSCLE.active)?;
    for (key, range) in [
        ("length_range", m.length_range),
        ("range", m.range),
        ("active", m.active),
    ] {
        t.ordered(key, range)?;
    }
    t.or("fastest", &mut m.fastest, MUSCLE.fastest)?;
    t.or("passive", &mut m.passive, MUSCLE.passive)?;
    t.or("lengthening", &mut m.lengthening, MUSCLE.lengthening)
}

/// What it pulls on: shapes, a frame, a tendon or a joint coordinate.
fn transmission(
    t: &mut Table,
    transmission: &mut Transmission,
    known: &Known,
    model: &ModelData,
) -> Done {
    if t.has("shapes") {
        *transmission = Transmission::Adhesion { shapes: Vec::new() };
    } else if t.has("frame") {
        *transmission = Transmission::Frame {
            frame: FrameId(0),
            gear: [0.0; 6],
        };
    } else if t.has("tendon") {
        *transmission = Transmission::Tendon {
            tendon: TendonId(0),
            gear: 1.0,
        };
    }
    match transmission {
        Transmission::Adhesion { shapes } => t.names("shapes", shapes, &known.shapes),
        Transmission::Frame { frame, gear } => {
            t.named("frame", frame, &known.frames)?;
            t.need("gear", gear)
        }
        Transmission::Tendon { tendon, gear } => {
            t.named("tendon", tendon, &known.tendons)?;
            t.or("gear", gear, 1.0)
        }
        Transmission::Coordinate {
            joint,
            coordinate,
            gear,
        } => {
            known_coordinate(t, joint, coordinate, known, model)?;
            t.or("gear", gear, 1.0)
        }
    }
}

/// An actuator before it is read.
pub(super) fn blank() -> Actuator {
    Actuator::motor("", JointId(0))
}

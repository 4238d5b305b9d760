//! `/linkwork/joints`: targets, efforts and reactions of the joints.

use super::{Channel, MessageError, StepChannel, expect, vec3};
use crate::cdr::{Decoder, Encoder};
use crate::step::StepRecord;
use linkwork::model::{JointId, Model};
use linkwork::reactions::{Effort, Reaction};

pub(super) const CHANNEL: StepChannel = StepChannel {
    channel: Channel::ros2("/linkwork/joints", "linkwork_msgs/msg/Joints", SCHEMA),
    encode,
};

const SCHEMA: &str = "\
# Joints during a step. Coordinates and joints in the order of the attachment model.json.
uint64 step            # steps since the start of the run
float64 time           # s
float64[] targets      # position target of every coordinate's drive (m, rad)
float64[] efforts      # 5 per coordinate, along growing q (N, N m): drive, limit, friction, passive, coupling
uint32[] joints        # the joints that lock anything; empty before the first step
float64[] reactions    # 9 for each of these: anchor (m), force on the follower (N), torque about the anchor (N m)
float64[] applied      # applied force of every coordinate, along growing q (N, N m): motors, muscles, scripts
";

/// What this channel holds of a step.
pub(super) struct JointsMessage {
    pub targets: Vec<f64>,
    pub efforts: Vec<Effort>,
    pub applied: Vec<f64>,
    pub reactions: Vec<Reaction>,
}

fn encode(record: &StepRecord, out: &mut Vec<u8>) {
    let mut e = Encoder::new(out);
    e.u64(record.step);
    e.f64(record.state.time);
    e.numbers(record.targets.iter().map(|q| [*q]));
    let efforts = record.efforts.iter();
    e.numbers(efforts.map(|f| [f.drive, f.limit, f.friction, f.passive, f.coupling]));
    e.counts(record.reactions.iter().map(|r| r.joint.0));
    e.numbers(record.reactions.iter().map(|r| {
        let (p, f, t) = (&r.point, &r.force, &r.torque);
        [p.x, p.y, p.z, f.x, f.y, f.z, t.x, t.y, t.z]
    }));
    e.numbers(record.applied.iter().map(|f| [*f]));
}

pub(super) fn decode(message: &[u8], model: &Model) -> Result<JointsMessage, MessageError> {
    let coordinates = model.coordinate_count();
    let mut d = Decoder::new(message)?;
    let (_step, _time) = (d.u64()?, d.f64()?);
    let targets = expect("targets", d.numbers()?, coordinates)?;
    let efforts = expect("efforts", d.numbers()?, 5 * coordinates)?;
    let joints = d.counts()?;
    let reactions = expect("reactions", d.numbers()?, 9 * joints.len())?;
    // Recordings of earlier versions end here.
    let applied = match d.is_at_end() {
        true => vec![f64::NAN; coordinates],
        false => expect("applied", d.numbers()?, coordinates)?,
    };
    if let Some(&joint) = joints.iter().find(|&&j| j as usize >= model.joints().len()) {
        let (what, value) = ("joint", u64::from(joint));
        return Err(MessageError::Meaning { what, value });
    }
    let effort = |x: &[f64]| Effort {
        drive: x[0],
        limit: x[1],
        friction: x[2],
        passive: x[3],
        coupling: x[4],
    };
    let reaction = |(&joint, x): (&u32, &[f64])| Reaction {
        joint: JointId(joint),
        point: vec3(x),
        force: vec3(&x[3..]),
        torque: vec3(&x[6..]),
    };
    let reactions = joints.iter().zip(reactions.chunks_exact(9));
    Ok(JointsMessage {
        targets,
        efforts: efforts.chunks_exact(5).map(effort).collect(),
        applied,
        reactions: reactions.map(reaction).collect(),
    })
}

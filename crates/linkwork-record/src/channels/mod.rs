//! The channels of a recording: topic, schema, and conversion of a step to and from each.

pub(crate) mod checkpoint;
mod contacts;
mod joints;
pub(crate) mod report;
mod state;

use crate::cdr::CdrError;
use crate::step::StepRecord;
use linkwork::model::Model;

/// A channel as MCAP describes it.
#[derive(Clone, Copy)]
pub(crate) struct Channel {
    /// Topic.
    pub topic: &'static str,
    /// How its messages are written: `cdr` or `json`.
    pub encoding: &'static str,
    /// Name of the type of its messages.
    pub schema_name: &'static str,
    /// Language of the definition: `ros2msg` or `jsonschema`.
    pub schema_encoding: &'static str,
    /// Definition of that type.
    pub schema: &'static str,
}

impl Channel {
    /// A channel of ROS 2 messages.
    pub const fn ros2(
        topic: &'static str,
        schema_name: &'static str,
        schema: &'static str,
    ) -> Self {
        Self {
            topic,
            encoding: "cdr",
            schema_name,
            schema_encoding: "ros2msg",
            schema,
        }
    }
}

/// A channel that gets one message a step.
pub(crate) struct StepChannel {
    /// Its description.
    pub channel: Channel,
    /// Append the message of a step.
    pub encode: fn(&StepRecord, &mut Vec<u8>),
}

/// Messages a step is made of, in the order they are written.
pub(crate) const STEP_CHANNELS: [StepChannel; 4] = [
    state::CHANNEL,
    joints::CHANNEL,
    contacts::CHANNEL,
    report::CHANNEL,
];

/// Why a message is not a step of the model.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// The bytes are no such message.
    #[error(transparent)]
    Cdr(#[from] CdrError),
    /// A list does not have the length required by the model.
    #[error("{what} has {have} numbers, the model asks for {want}")]
    Length {
        /// The list.
        what: &'static str,
        /// Its length.
        have: usize,
        /// The length expected.
        want: usize,
    },
    /// A number is none of those with a meaning.
    #[error("{what} {value} has no meaning")]
    Meaning {
        /// What was read.
        what: &'static str,
        /// Its value.
        value: u64,
    },
}

/// Read a step from its messages, in the order of [`STEP_CHANNELS`].
pub(crate) fn decode(messages: [&[u8]; 4], model: &Model) -> Result<StepRecord, MessageError> {
    let [state, joints, contacts, report] = messages;
    let state = state::decode(state, model)?;
    let joints = joints::decode(joints, model)?;
    let (energy, report) = report::decode(report)?;
    Ok(StepRecord {
        step: state.step,
        dt: state.dt,
        state: state.state,
        targets: joints.targets,
        efforts: joints.efforts,
        applied: joints.applied,
        reactions: joints.reactions,
        contacts: contacts::decode(contacts, model)?,
        net_forces: state.net_forces,
        signals: state.signals,
        energy,
        report,
    })
}

/// Step and time at the start of every step message.
pub(crate) fn stamp(message: &[u8]) -> Result<(u64, f64), CdrError> {
    let mut d = crate::cdr::Decoder::new(message)?;
    Ok((d.u64()?, d.f64()?))
}

/// The list, if it has the length required by the model.
fn expect(what: &'static str, list: Vec<f64>, want: usize) -> Result<Vec<f64>, MessageError> {
    match list.len() {
        have if have == want => Ok(list),
        have => Err(MessageError::Length { what, have, want }),
    }
}

/// Vectors of three numbers each.
fn vec3(x: &[f64]) -> linkwork::math::Vec3 {
    linkwork::math::Vec3::new(x[0], x[1], x[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkwork::Run;
    use linkwork_scenes::scene;

    /// Any bytes of a message lead to a step or an error.
    #[test]
    fn damaged_messages_are_refused_or_read_but_never_panic() {
        let mut run = Run::of(scene("nunchuk", &[]).unwrap()).unwrap();
        let report = (0..700).map(|_| run.step().unwrap()).last().unwrap();
        let step = StepRecord::of(&run.moment(700, Some(&report)));
        assert!(!step.contacts.is_empty() && !step.reactions.is_empty());
        let model = run.simulator().model();
        let messages = STEP_CHANNELS.map(|c| {
            let mut out = Vec::new();
            (c.encode)(&step, &mut out);
            out
        });
        let whole = messages.each_ref().map(Vec::as_slice);
        assert_eq!(decode(whole, model).as_ref(), Ok(&step));
        let mut refused = 0;
        for (slot, message) in messages.iter().enumerate() {
            for at in 0..message.len() {
                let mut wrong = message.clone();
                wrong[at] ^= 0xff;
                for bytes in [&message[..at], &wrong] {
                    let mut messages = whole;
                    messages[slot] = bytes;
                    refused += u32::from(decode(messages, model).is_err());
                }
            }
        }
        assert!(refused > 1000, "{refused}");
    }

    /// Messages of recordings from versions without signals end after the forces.
    #[test]
    fn states_without_signals_are_read() {
        let run = Run::of(scene("pendulum", &[]).unwrap()).unwrap();
        let mut step = StepRecord::of(&run.moment(0, None));
        let model = run.simulator().model();
        let read = |step: &StepRecord, cut: usize| {
            let mut messages = STEP_CHANNELS.map(|c| {
                let mut out = Vec::new();
                (c.encode)(step, &mut out);
                out
            });
            let length = messages[0].len();
            messages[0].truncate(length - cut);
            decode(messages.each_ref().map(Vec::as_slice), model)
        };
        // The count of no signals takes four bytes.
        assert!(read(&step, 4).is_ok_and(|s| s.signals.is_empty() && s.state == step.state));
        step.signals = vec![1.5, f64::INFINITY];
        assert_eq!(read(&step, 0).as_ref(), Ok(&step));
        assert!(read(&step, 8).is_err());
    }
}

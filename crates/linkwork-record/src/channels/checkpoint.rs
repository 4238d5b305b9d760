//! `/linkwork/checkpoint`: the data from which a run can be resumed, as JSON.

use super::Channel;
use linkwork::Checkpoint;
use serde::{Deserialize, Serialize};

pub(crate) const CHANNEL: Channel = Channel {
    topic: "/linkwork/checkpoint",
    encoding: "json",
    schema_name: "linkwork.Checkpoint",
    schema_encoding: "jsonschema",
    schema: SCHEMA,
};

const SCHEMA: &str = r#"{
  "title": "linkwork.Checkpoint",
  "description": "Everything a run goes on from with the same bits. SI units and radians.",
  "type": "object",
  "required": ["step", "time", "checkpoint"],
  "properties": {
    "step": {"type": "integer", "description": "steps since the start of the run"},
    "time": {"type": "number", "description": "s"},
    "checkpoint": {
      "type": "object",
      "properties": {
        "model_hash": {"type": "integer", "description": "of the model it belongs to"},
        "settings": {"type": "object"},
        "state": {"type": "object", "description": "time, poses, twists, coordinates over whole turns"},
        "control": {"type": "object", "description": "targets and forces of the last step"},
        "memory": {"type": "object", "description": "impulses and hidden velocities the next solve starts from, books of energy"}
      }
    }
  }
}
"#;

/// A checkpoint and when it was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedCheckpoint {
    /// Steps since the start of the run.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// The data from which a run continues.
    pub checkpoint: Checkpoint,
}

/// When a checkpoint was taken, without the checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckpointInfo {
    /// Steps since the start of the run.
    pub step: u64,
    /// Time, s.
    pub time: f64,
}

/// Append the message.
pub(crate) fn encode(step: u64, checkpoint: &Checkpoint, out: &mut Vec<u8>) {
    #[derive(Serialize)]
    struct Message<'a> {
        step: u64,
        time: f64,
        checkpoint: &'a Checkpoint,
    }
    let time = checkpoint.state.time;
    let message = Message {
        step,
        time,
        checkpoint,
    };
    serde_json::to_writer(out, &message).expect("a checkpoint is plain data");
}

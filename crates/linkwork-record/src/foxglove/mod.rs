//! Data for Foxglove's 3D panel, without a plugin: `/tf`, the frames of the bodies, and `/scene`, their shapes as
//! markers fixed to these frames.

mod markers;
mod mesh;
mod schemas;

use crate::batch::Batch;
use crate::cdr::Encoder;
use crate::channels::Channel;
use crate::step::StepRecord;
use linkwork::math::Pose;
use linkwork::model::Model;

/// Frame of the world.
const WORLD: &str = "world";
/// Minimum time between two messages on `/tf`, s: screens are not faster. Slightly less than 1/60 s, because steps that
/// do not divide 1/60 s use the next one.
const TF_PERIOD: f64 = 0.999 / 60.0;

/// Writes both channels.
pub(crate) struct Foxglove {
    /// Names of the bodies, which are those of their frames.
    frames: Vec<String>,
    /// Number of the first of the two channels.
    first_channel: u16,
    last: Option<f64>,
}

impl Foxglove {
    /// `/tf` and `/scene`.
    pub const CHANNELS: [Channel; 2] = [
        Channel::ros2("/tf", "tf2_msgs/msg/TFMessage", schemas::TF),
        Channel::ros2(
            "/scene",
            "visualization_msgs/msg/MarkerArray",
            schemas::MARKERS,
        ),
    ];

    /// The two channels are numbered from `first_channel`.
    pub fn new(model: &Model, first_channel: u16) -> Self {
        Self {
            frames: model.bodies().iter().map(|b| b.name.clone()).collect(),
            first_channel,
            last: None,
        }
    }

    /// All shapes, once.
    pub fn scene(&self, model: &Model, batch: &mut Batch) {
        let encode = |out: &mut Vec<u8>| markers::encode(model, out);
        batch.push(self.first_channel + 1, 0, 0.0, encode);
    }

    /// The frames of all bodies, if the last ones are old enough.
    pub fn transforms(&mut self, record: &StepRecord, batch: &mut Batch) {
        let time = record.state.time;
        if self.last.is_some_and(|last| time < last + TF_PERIOD) {
            return;
        }
        self.last = Some(time);
        let frames = &self.frames;
        batch.push(self.first_channel, record.step, time, |out| {
            let mut e = Encoder::new(out);
            e.length(frames.len());
            for (name, pose) in frames.iter().zip(&record.state.poses) {
                stamp(&mut e, time, WORLD);
                e.string(name);
                place(&mut e, pose);
            }
        });
    }
}

/// `std_msgs/Header`.
fn stamp(e: &mut Encoder, time: f64, frame: &str) {
    let nanoseconds = crate::batch::nanoseconds(time);
    e.i32((nanoseconds / 1_000_000_000) as i32);
    e.u32((nanoseconds % 1_000_000_000) as u32);
    e.string(frame);
}

/// Translation and rotation: `geometry_msgs/Transform` and `Pose` are alike.
fn place(e: &mut Encoder, pose: &Pose) {
    pose.position.iter().for_each(|&x| e.f64(x));
    pose.rotation.coords.iter().for_each(|&x| e.f64(x));
}

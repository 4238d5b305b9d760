//! Recordings and checkpoints of simulations: MCAP files (<https://mcap.dev>) that hold the model, every
//! step and what a run can be taken up from. `docs/guide/recording.md` describes the channels.
//!
//! | module | what it holds |
//! |---|---|
//! | [`Recorder`] | writes a recording while a run goes on |
//! | [`Recording`] | reads one, whole or damaged |
//! | [`save_checkpoint`], [`load_checkpoint`] | checkpoints as files of their own, or out of a recording |
//! | [`Recording::invert`] | the forces that made a recorded motion |
//! | [`Quantity`] | numbers of a step by name, for plots and tables |
//! | [`Signals`] | controls and sensors that a program adds to the steps it records |

mod batch;
mod cdr;
mod channels;
mod checkpoint;
mod container;
mod date;
mod error;
mod foxglove;
mod header;
mod invert;
mod options;
mod quantities;
mod read;
mod recorder;
mod signals;
mod step;

pub use cdr::CdrError;
pub use channels::MessageError;
pub use channels::checkpoint::{CheckpointInfo, TimedCheckpoint};
pub use checkpoint::{load_checkpoint, save_checkpoint};
pub use error::RecordError;
pub use header::{FORMAT, Header, Source};
pub use invert::{Gap, InvertError};
pub use options::{Compression, RecordOptions};
pub use quantities::{Quantity, UnknownQuantity, all_quantities, scalar_quantities};
pub use read::{ChannelInfo, Loss, Recording};
pub use recorder::{Recorder, RecordingStats};
pub use signals::{SignalInfo, SignalKind, Signals};
pub use step::StepRecord;

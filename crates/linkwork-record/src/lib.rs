//! Recordings and checkpoints of simulations: MCAP files (<https://mcap.dev>) with the model, every step and
//! checkpoints. `docs/guide/recording.md` describes the channels.
//!
//! | item | purpose |
//! |---|---|
//! | [`Recorder`] | writes a recording during a run |
//! | [`Recording`] | reads one, even if it is damaged |
//! | [`save_checkpoint`], [`load_checkpoint`] | checkpoints in separate files, or from a recording |
//! | [`Recording::invert`] | the forces behind a recorded motion |
//! | [`Quantity`] | values of a step by name, for plots and tables |
//! | [`Signals`] | controls and sensors that a program adds to recorded steps |

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
pub use quantities::{Quantity, UnknownQuantity, all_quantities, scalar_quantities, trajectory};
pub use read::{ChannelInfo, Loss, Recording};
pub use recorder::{Recorder, RecordingStats};
pub use signals::{SignalInfo, SignalKind, Signals};
pub use step::StepRecord;

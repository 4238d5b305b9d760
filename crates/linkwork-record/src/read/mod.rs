//! Reads recordings, whole or damaged.

mod chunk;
mod fields;
mod file;
mod head;
mod recording;
mod scan;
mod store;

pub use recording::Recording;
pub use scan::{ChannelInfo, Loss};

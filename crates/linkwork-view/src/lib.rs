//! Simulations in the browser: live, replayed from a recording, or as one self-contained page.
//!
//! The page is built from `viewer/` when this crate is built and is part of the program. What page and
//! server say to each other is in docs/protocol.md.
//!
//! | module | what it holds |
//! |---|---|
//! | [`server`] | the page and the WebSockets of its viewers |
//! | [`live`] | the loop of a simulation that is watched and controlled |
//! | [`replay`] | recordings that are watched |
//! | [`clip`] | pages with frames in them |
//! | [`shot`] | pictures of such pages by a headless browser |
//! | [`film`] | the same as a film |
//! | [`frame`], [`hello`], [`scalars`], [`command`] | the messages |
//! | [`grab`] | pulling at a body with the pointer |

pub mod clip;
pub mod command;
pub mod film;
pub mod frame;
pub mod grab;
pub mod hello;
pub mod live;
pub mod replay;
pub mod scalars;
pub mod server;
pub mod shot;

mod page;
mod series;
mod write;

pub use page::{PageMissing, page};
pub use write::write_whole;

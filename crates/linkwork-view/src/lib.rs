//! Simulations in the browser: live, replayed from a recording, or as one self-contained page.
//!
//! The page is built from `viewer/` together with this crate and is part of the program. docs/protocol.md describes the
//! messages between page and server.
//!
//! | module | purpose |
//! |---|---|
//! | [`server`] | the page and the WebSockets of its viewers |
//! | [`live`] | the loop of a simulation that is watched and controlled |
//! | [`replay`] | recordings |
//! | [`clip`] | pages with embedded frames |
//! | [`shot`] | pictures of such pages by a headless browser |
//! | [`film`] | videos |
//! | [`frame`], [`hello`], [`scalars`], [`command`] | the messages |
//! | [`grab`] | pulling a body with the pointer |

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

//! Damaged input for everything that Linkwork reads: every parser, every container, and the solvers.
//!
//! A [`Target`] has seeds, small valid inputs, and a function that feeds bytes to one reader. [`campaign`] damages seeds
//! ([`mutate`]) and watches for panics, slow inputs and memory. Any `Result` is fine: an error is what
//! a reader owes to bad input.

pub mod campaign;
pub mod mutate;
mod seeds;
pub mod targets;

pub use campaign::{Findings, campaign};
pub use targets::{TARGETS, Target};

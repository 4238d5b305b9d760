//! Damaged input for everything that Linkwork reads: every parser, every container, and the solvers.
//!
//! A [`Target`] has seeds, small valid inputs, and a function that passes bytes to one reader. [`supervise()`] runs
//! workers that damage seeds ([`mutate`]) and read them; it detects panics, slow inputs, hangs, and inputs that need
//! too much memory. Any `Result` is acceptable: an error is the correct response to bad input.

pub mod broken;
mod corpus;
mod coverage;
pub mod mutate;
pub mod progress;
mod seeds;
pub mod supervise;
pub mod targets;
pub mod worker;

pub use supervise::{Campaign, Finding, supervise};
pub use targets::{TARGETS, Target};

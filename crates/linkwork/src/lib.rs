//! The simulator.

pub mod collision;
pub mod joints;
pub mod math;
pub mod model;

//! Recordings of simulations: MCAP files that hold the model, every step and checkpoints.

mod step;

pub use step::StepRecord;

//! The simulator.

pub mod assemble;
pub mod collision;
pub mod joints;
pub mod math;
pub mod metrics;
pub mod mobility;
pub mod model;
pub mod reactions;
pub mod rows;
pub mod scenes;

mod closure;
mod control;
mod integrate;
mod locked;
mod report;
mod run;
mod settings;
mod state;
mod step;
mod warm;

pub use control::Control;
pub use report::{Outcome, StepError, StepReport, Timings, Work};
pub use run::{Moment, Run, RunSummary, StatusCounts};
pub use settings::{
    ClosureSettings, ContactSettings, FailurePolicy, FirstKick, Gyroscopic, RestitutionRule,
    Settings, Stabilization,
};
pub use state::State;
pub use step::{SetupError, Simulator};

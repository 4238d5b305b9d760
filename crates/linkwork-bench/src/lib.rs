//! The benchmark: which solver is accurate, fast and robust on which kind of problem.
//!
//! [`SYSTEMS`] is the suite, [`Folder`] the storage of results, [`papers`] the experiments of the papers by name,
//! [`order`] measures integrators, [`speed`] the speed of scenes, [`report`] writes the page with all results.

pub mod inputs;
pub mod order;
pub mod papers;
pub mod report;
pub mod speed;

mod class;
mod error;
mod facts;
mod folder;
mod lines;
mod machine;
mod pin;
mod plot;
mod progress;
mod results;
mod sample;
mod score;
mod select;
mod simulate;
mod spectrum;
mod spread;
mod stats;
mod suite;
mod table;
mod trial;

pub use class::{Class, Counts};
pub use error::BenchError;
pub use facts::Facts;
pub use folder::Folder;
pub use lines::read_lines;
pub use machine::Machine;
pub use plot::{Axis, Plot, Series, Style};
pub use progress::{Progress, Quiet};
pub use results::{SampleInfo, Score, Simulation, Start};
pub use sample::{Sample, SampleOptions, load_index, load_samples, sample};
pub use score::{ScoreOptions, Tally, score};
pub use select::{classes_named, solvers_named, systems_named};
pub use simulate::{SimulateOptions, simulate};
pub use stats::median;
pub use suite::{Category, SYSTEMS, System, system};
pub use table::{Align, Table};
pub use trial::{Effort, Judgement, Trial, UNSUPPORTED, claim};

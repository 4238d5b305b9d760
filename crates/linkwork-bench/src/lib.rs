//! The benchmark: which solver is accurate, fast and robust on which kind of problem.
//!
//! [`SYSTEMS`] is the suite, [`Folder`] where results are kept, [`papers`] the experiments of the papers
//! by name, [`report`] the page that shows it all.

pub mod papers;
pub mod report;

mod class;
mod error;
mod facts;
mod folder;
mod machine;
mod plot;
mod progress;
mod results;
mod suite;
mod table;

pub use class::Class;
pub use error::BenchError;
pub use facts::Facts;
pub use folder::Folder;
pub use machine::Machine;
pub use plot::{Axis, Plot, Series, Style};
pub use progress::{Progress, Quiet};
pub use results::{SampleInfo, Score, Simulation, Start};
pub use suite::{Category, SYSTEMS, System, system};
pub use table::{Align, Table};

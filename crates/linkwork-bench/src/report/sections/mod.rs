//! The sections of the page, one file each. Every plot and table is introduced by a paragraph that explains it.

mod accuracy;
mod classes;
mod closed_loop;
mod curves;
mod failures;
mod fclib;
mod measures;
mod papers;
mod printed;
mod profiles;
mod samples;
mod speed;
mod summary;
mod systems;
mod violations;

use super::data::Data;
use super::html::Section;
use super::table_two::Check;
use crate::folder::Folder;
use crate::machine::Machine;

/// All sections in order.
pub fn all(data: &Data, checks: &[Check], folder: &Folder, machine: &Machine) -> Vec<Section> {
    vec![
        ("summary", "Summary", summary::section(data, machine)),
        ("systems", "Systems", systems::section(checks)),
        ("samples", "Samples", samples::section(data)),
        ("classes", "Solvers by class", classes::section(data)),
        ("profiles", "Performance profiles", profiles::section(data)),
        ("accuracy", "Accuracy over time", accuracy::section(data)),
        (
            "measures",
            "Measures of the papers",
            measures::section(data),
        ),
        ("printed", "As printed", printed::section(data)),
        ("fclib", "FCLIB", fclib::section(data)),
        ("closed-loop", "Closed loop", closed_loop::section(data)),
        ("speed", "Speed", speed::section(data)),
        ("failures", "Failures", failures::section(data, folder)),
        ("papers", "Experiments of the papers", papers::section(data)),
    ]
}

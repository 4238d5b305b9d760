//! The report: one self-contained page, and tables as CSV.
//!
//! | file | contents |
//! |---|---|
//! | `data/` | data read from the folder, and statistics of it |
//! | `sections/` | one file per section of the page |
//! | `html/` | elements, tables, heat maps, the page around the sections |
//! | `svg/` | drawings |
//! | `csv.rs` | the tables as CSV |
//! | `table_two.rs` | sizes of the scenes compared with the paper's |
//! | `pictures.rs`, `numbers.rs` | pictures of scenes, number formats |

mod csv;
mod data;
mod html;
mod numbers;
mod pictures;
mod sections;
mod svg;
mod table_two;

use crate::error::BenchError;
use crate::folder::Folder;
use crate::machine::Machine;
use crate::speed::Speed;
use data::Data;
use std::path::PathBuf;
use table_two::Check;

/// Writes `report.html`, `scores.csv`, `simulations.csv`, `speed.csv`, `classes.csv` and `systems.csv` from the content
/// of the folder, and returns the path of the page. The section of a part that has not been run states how to run it.
pub fn write(folder: &Folder) -> Result<PathBuf, BenchError> {
    let data = Data::read(folder)?;
    let checks = Check::all();
    for (name, text) in csv::files(&data, &checks) {
        let path = folder.root().join(name);
        std::fs::write(&path, text).map_err(BenchError::io("write", &path))?;
    }
    let names: Vec<&str> = data.solvers.iter().map(|s| s.name.as_str()).collect();
    let sections = sections::all(&data, &checks, folder, &Machine::here());
    let page = html::page("Linkwork benchmark", &names, sections);
    let path = folder.report();
    std::fs::write(&path, page).map_err(BenchError::io("write", &path))?;
    Ok(path)
}

/// Write `speed.csv` alone.
pub(crate) fn write_speeds(folder: &Folder, records: &[Speed]) -> Result<(), BenchError> {
    let path = folder.root().join(csv::SPEED);
    std::fs::write(&path, csv::speeds(records)).map_err(BenchError::io("write", &path))
}

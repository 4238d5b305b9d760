//! `linkwork record`: the content of a recording.

mod csv;
mod info;

use crate::args::RecordCommand;
use crate::failure::{Failure, usage};
use linkwork_record::{Recording, all_quantities};
use serde_json::json;
use std::io::Write;
use std::path::Path;

/// Look into a recording.
pub fn record(out: &mut dyn Write, command: &RecordCommand) -> Result<(), Failure> {
    match command {
        RecordCommand::Info { file, json } => info::info(out, &open(file)?, *json),
        RecordCommand::Csv(args) => csv::csv(out, &open(&args.file)?, args),
        RecordCommand::Quantities { file, json } => quantities(out, &open(file)?, *json),
    }
}

/// Opens a recording and reports on standard error if it is not complete.
fn open(path: &Path) -> Result<Recording, Failure> {
    let recording = Recording::open(path).map_err(usage)?;
    if let Some(warning) = recording.warning() {
        // Nothing is lost if standard error is closed.
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
    Ok(recording)
}

/// List what can be plotted.
fn quantities(out: &mut dyn Write, recording: &Recording, json: bool) -> Result<(), Failure> {
    let all = all_quantities(recording.model(), &recording.header().signals);
    if json {
        let list: Vec<_> = all
            .iter()
            .map(|q| json!({"name": q.name(), "unit": q.unit(), "label": q.label()}))
            .collect();
        serde_json::to_writer_pretty(&mut *out, &list)?;
        return Ok(writeln!(out)?);
    }
    let name = all.iter().map(|q| q.name().chars().count()).max();
    let name = name.unwrap_or(0);
    for q in &all {
        writeln!(out, "{:<name$}  {:<8}  {}", q.name(), q.unit(), q.label())?;
    }
    Ok(())
}

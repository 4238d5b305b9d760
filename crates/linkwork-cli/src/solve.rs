//! `linkwork solve`: problems from files, solved by one or more solvers and judged from outside.

mod outcome;
mod profile;
mod rows;
mod summary;
mod tables;

use crate::args::SolveArgs;
use crate::failure::{Failure, usage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use linkwork_bench::inputs::{self, BadFile, Note};
use linkwork_bench::{Trial, solvers_named};
use linkwork_solve::DEFAULT_SOLVER;
use outcome::Outcome;
use rows::CsvFile;
use serde::Serialize;
use std::io::{IsTerminal, Write};
use summary::Summary;

/// Results of `linkwork solve`. Fields are the keys of the JSON object.
#[derive(Serialize)]
struct Report<'a> {
    tolerance: f64,
    absolute: bool,
    limit_s: f64,
    max_iterations: u32,
    results: &'a [Outcome],
    solvers: &'a [Summary],
    notes: &'a [Note],
    bad_files: &'a [BadFile],
}

/// Solve and compare.
pub fn solve(out: &mut dyn Write, args: &SolveArgs) -> Result<(), Failure> {
    let solvers = solvers_named(&args.solver, &[DEFAULT_SOLVER]).map_err(usage)?;
    let inputs = inputs::find(&args.paths).map_err(usage)?;
    let refused =
        |path: &std::path::Path, e| usage(format!("cannot write '{}': {e}", path.display()));
    let mut csv = None;
    if let Some(path) = &args.csv {
        csv = Some(CsvFile::create(path).map_err(|e| refused(path, e))?);
    }
    // Checked before the work, so that a mistyped folder does not waste it.
    if let Some(path) = &args.profile {
        std::fs::File::create(path).map_err(|e| refused(path, e))?;
    }

    let trial = Trial::new(
        args.tolerance,
        args.absolute,
        args.limit,
        args.max_iterations as usize,
    )
    .reduced(args.reduced);
    let bar = progress(inputs.len() * solvers.len());
    let (mut outcomes, mut notes, mut bad_files) = (Vec::new(), Vec::new(), Vec::new());
    for input in &inputs {
        let problem = match input.load() {
            Ok((problem, changes)) => {
                notes.extend(changes);
                problem
            }
            Err(bad) => {
                let _ = bar.suspend(|| writeln!(std::io::stderr(), "error: {}", bad.error));
                bar.inc(solvers.len() as u64);
                bad_files.push(bad);
                continue;
            }
        };
        let subject = trial.prepare(&problem);
        for entry in &solvers {
            bar.set_message(format!("{}  {}", entry.name, input.name));
            let came = trial.run(&subject, &[], entry);
            let outcome = Outcome::new(&input.name, &subject, entry.name, args.tolerance, came);
            if let Some(csv) = &mut csv {
                let failed = |e| Failure::Run(format!("writing the CSV file failed: {e}"));
                csv.row(&outcome).map_err(failed)?;
            }
            outcomes.push(outcome);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();

    let summaries: Vec<Summary> = solvers
        .iter()
        .map(|entry| Summary::of(entry, &outcomes, args.absolute))
        .collect();
    if args.json {
        let report = Report {
            tolerance: args.tolerance,
            absolute: args.absolute,
            limit_s: args.limit,
            max_iterations: args.max_iterations,
            results: &outcomes,
            solvers: &summaries,
            notes: &notes,
            bad_files: &bad_files,
        };
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else if bad_files.len() < inputs.len() {
        tables::print(out, args, &outcomes, &summaries, &notes)?;
    }
    if let Some(path) = &args.profile {
        profile::draw(path, args, &outcomes, &summaries)
            .map_err(|e| Failure::Run(format!("drawing '{}' failed: {e}", path.display())))?;
    }
    verdict(&summaries, &bad_files, inputs.len())
}

/// False convergences and unreadable files make the command fail at its end.
fn verdict(summaries: &[Summary], bad: &[BadFile], files: usize) -> Result<(), Failure> {
    let mut faults = Vec::new();
    for s in summaries.iter().filter(|s| s.false_convergences > 0) {
        let n = s.false_convergences;
        faults.push(format!(
            "{} claimed convergence falsely {n} times",
            s.solver
        ));
    }
    if !bad.is_empty() {
        faults.push(format!("{} of {files} files could not be read", bad.len()));
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(Failure::Run(faults.join("; "))),
    }
}

/// A bar on a terminal, otherwise nothing.
fn progress(solves: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    }
    let template = "{bar:30} {pos} of {len}  {elapsed}, {eta} left  {wide_msg}";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(solves as u64)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

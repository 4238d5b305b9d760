//! `linkwork bench`: the benchmark, whole or in parts.

mod all;
mod order;
mod papers;
mod plan;
mod progress;
mod speed;
mod summary;

use crate::args::{BenchArgs, BenchCommand, SampleArgs, ScoreArgs, SimulateArgs};
use crate::failure::{Failure, usage};
use linkwork_bench::{
    BenchError, Folder, SampleOptions, ScoreOptions, SimulateOptions, Start, Tally, classes_named,
    read_lines, report, sample, score, simulate, solvers_named, systems_named,
};
use plan::Plan;
use progress::Reporter;
use std::io::Write;
use std::path::Path;

/// Number of samples of each class whose residual histories are kept.
const HISTORIES: usize = 2;

/// Run the benchmark, or a part of it.
pub fn bench(out: &mut dyn Write, args: &BenchArgs) -> Result<(), Failure> {
    match &args.command {
        None => all::all(out, &args.all),
        Some(BenchCommand::Sample(args)) => take(out, args),
        Some(BenchCommand::Score(args)) => measure(out, args),
        Some(BenchCommand::Simulate(args)) => run(out, args),
        Some(BenchCommand::Speed(args)) => speed::speed(out, args),
        Some(BenchCommand::Steps(args)) => speed::steps(args),
        Some(BenchCommand::Order(args)) => order::order(out, args),
        Some(BenchCommand::Paper(args)) => papers::papers(out, args),
        Some(BenchCommand::Report(args)) => page(out, &open(&args.out)?),
    }
}

/// Invalid input (a name, an unreadable file) ends with exit code 2, a failure during the work with 1.
fn failure(error: BenchError) -> Failure {
    use BenchError::{Io, Missing, Solver, Unknown};
    match error {
        Unknown { .. } | Solver(_) | Missing { .. } => usage(error),
        Io { action, .. } if action != "write" => usage(error),
        error => Failure::Run(error.to_string()),
    }
}

fn open(path: &Path) -> Result<Folder, Failure> {
    Folder::create(path).map_err(usage)
}

fn take(out: &mut dyn Write, args: &SampleArgs) -> Result<(), Failure> {
    let plan = Plan::new(args.quick);
    let options = SampleOptions {
        systems: systems_named(&args.systems.systems).map_err(failure)?,
        time_s: plan.sample_time,
        most: plan.samples,
        reuse: false,
    };
    let index = sample(&open(&args.out.out)?, &options, &Reporter::new()).map_err(failure)?;
    summary::samples(out, &index)
}

fn measure(out: &mut dyn Write, args: &ScoreArgs) -> Result<(), Failure> {
    let starts = match (args.cold, args.warm) {
        (true, _) => vec![Start::Cold],
        (_, true) => vec![Start::Warm],
        _ => vec![Start::Cold, Start::Warm],
    };
    let options = ScoreOptions {
        solvers: solvers_named(&args.solvers.solvers, &["all"]).map_err(usage)?,
        starts,
        tolerance: args.solvers.tolerance,
        limit_s: args.limit,
        systems: systems_named(&args.systems.systems).map_err(failure)?,
        classes: classes_named(&args.classes).map_err(failure)?,
        fclib: args.fclib.clone(),
        histories: HISTORIES,
        deadline: None,
    };
    let folder = open(&args.out.out)?;
    let tally = score(&folder, &options, &Reporter::new()).map_err(failure)?;
    counted(out, "solves", tally)?;
    let scores = read_lines(&folder.scores()).map_err(failure)?;
    summary::scores(out, &scores, &options)
}

fn run(out: &mut dyn Write, args: &SimulateArgs) -> Result<(), Failure> {
    let options = SimulateOptions {
        solvers: solvers_named(&args.solvers.solvers, &["own"]).map_err(usage)?,
        systems: systems_named(&args.systems.systems).map_err(failure)?,
        time_s: args.time,
        tolerance: args.solvers.tolerance,
        limit_s: args.limit,
        deadline: None,
    };
    let folder = open(&args.out.out)?;
    let tally = simulate(&folder, &options, &Reporter::new()).map_err(failure)?;
    counted(out, "runs", tally)?;
    let runs = read_lines(&folder.simulations()).map_err(failure)?;
    summary::simulations(out, &runs, &options)
}

/// Write the report.
fn page(out: &mut dyn Write, folder: &Folder) -> Result<(), Failure> {
    let path = report::write(folder).map_err(failure)?;
    Ok(writeln!(
        out,
        "report: {} and CSV files beside it",
        path.display()
    )?)
}

/// Prints the result of a session.
fn counted(out: &mut dyn Write, what: &str, tally: Tally) -> Result<(), Failure> {
    let Tally {
        earlier,
        done,
        left,
    } = tally;
    write!(out, "{what}: {done} done")?;
    if earlier > 0 {
        write!(out, ", {earlier} were there already")?;
    }
    if left > 0 {
        write!(out, ", {left} left as time was up: run it again to go on")?;
    }
    Ok(writeln!(out)?)
}

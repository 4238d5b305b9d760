//! The benchmark from end to end.

use super::plan::Plan;
use super::progress::Reporter;
use super::{HISTORIES, counted, failure, open, page, papers, summary};
use crate::args::AllArgs;
use crate::failure::Failure;
use crate::table::duration;
use linkwork_bench::papers::Context;
use linkwork_bench::{
    Class, Folder, SYSTEMS, SampleOptions, ScoreOptions, SimulateOptions, Start, read_lines,
    sample, score, simulate,
};
use linkwork_solve::{all_solvers, known_solvers};
use std::io::Write;
use std::time::{Duration, Instant};

/// Residual to reach, N s and m/s.
const TOLERANCE: f64 = 1e-6;

/// Samples, scores, simulates, repeats the papers' experiments and writes the report. An interrupted session is
/// continued.
pub fn all(out: &mut dyn Write, args: &AllArgs) -> Result<(), Failure> {
    let start = Instant::now();
    let plan = Plan::new(args.quick);
    let folder = open(&args.out.out)?;
    plan.print(out)?;
    out.flush()?;
    let reporter = Reporter::new();

    samples(out, &plan, &folder, &reporter)?;
    out.flush()?;
    scores(out, &plan, &folder, &reporter)?;
    fclib(out, &plan, &folder, &reporter)?;
    out.flush()?;
    simulations(out, &plan, &folder, &reporter)?;
    out.flush()?;
    let verdict = papers::run(out, papers::every(), plan.quick, &folder, &reporter);
    page(out, &folder)?;
    let took = duration(start.elapsed().as_secs_f64());
    writeln!(out, "done in {took}")?;
    verdict
}

fn samples(
    out: &mut dyn Write,
    plan: &Plan,
    folder: &Folder,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let options = SampleOptions {
        systems: SYSTEMS.iter().collect(),
        time_s: plan.sample_time,
        most: plan.samples,
        reuse: true,
    };
    let index = sample(folder, &options, reporter).map_err(failure)?;
    summary::samples(out, &index)
}

fn scores(
    out: &mut dyn Write,
    plan: &Plan,
    folder: &Folder,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let options = ScoreOptions {
        systems: SYSTEMS.iter().collect(),
        starts: vec![Start::Cold, Start::Warm],
        ..solving(plan.solve_limit(), plan.score_budget)
    };
    let tally = score(folder, &options, reporter).map_err(failure)?;
    counted(out, "solves", tally)?;
    let scores = read_lines(&folder.scores()).map_err(failure)?;
    summary::scores(out, &scores, &options)
}

/// FCLIB problems, if there are any and time is left.
fn fclib(
    out: &mut dyn Write,
    plan: &Plan,
    folder: &Folder,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let Some(problems) = Context::find_fclib().filter(|_| plan.fclib_budget > 0.0) else {
        return Ok(());
    };
    let options = ScoreOptions {
        fclib: vec![problems],
        ..solving(Plan::FCLIB_LIMIT, plan.fclib_budget)
    };
    let tally = score(folder, &options, reporter).map_err(failure)?;
    counted(out, "solves of FCLIB problems", tally)
}

/// Missing cold solves by all solvers, at most `limit_s` each and `budget_s` in total.
fn solving(limit_s: f64, budget_s: f64) -> ScoreOptions {
    ScoreOptions {
        solvers: known_solvers().collect(),
        starts: vec![Start::Cold],
        tolerance: TOLERANCE,
        limit_s,
        systems: Vec::new(),
        classes: Class::ALL.to_vec(),
        fclib: Vec::new(),
        histories: HISTORIES,
        deadline: Some(Instant::now() + Duration::from_secs_f64(budget_s)),
    }
}

fn simulations(
    out: &mut dyn Write,
    plan: &Plan,
    folder: &Folder,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let options = SimulateOptions {
        solvers: all_solvers().iter().collect(),
        systems: SYSTEMS.iter().collect(),
        time_s: plan.simulate_time,
        tolerance: TOLERANCE,
        limit_s: plan.run_limit(),
        deadline: Some(Instant::now() + Duration::from_secs_f64(plan.simulate_budget)),
    };
    let tally = simulate(folder, &options, reporter).map_err(failure)?;
    counted(out, "runs", tally)?;
    let runs = read_lines(&folder.simulations()).map_err(failure)?;
    summary::simulations(out, &runs, &options)
}

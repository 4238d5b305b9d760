//! Results of a session as text; the report has the complete results.

use crate::failure::Failure;
use crate::table::{duration, number};
use linkwork_bench::{
    Class, SampleInfo, Score, ScoreOptions, SimulateOptions, Simulation, Table, UNSUPPORTED,
};
use linkwork_solve::larger;
use std::collections::BTreeMap;
use std::io::Write;

/// How many samples of each class every system gave.
pub fn samples(out: &mut dyn Write, index: &[SampleInfo]) -> Result<(), Failure> {
    let classes = Class::ALL.map(Class::name);
    let head = ["system", "rows", "κ(D)"].into_iter().chain(classes);
    let mut table = Table::new("Samples", &head.collect::<Vec<_>>());
    for of_system in index.chunk_by(|a, b| a.system == b.system) {
        let facts = || of_system.iter().map(|i| &i.facts);
        let rows = facts().map(|f| f.rows).max().unwrap_or(0);
        let condition = facts().map(|f| f.condition).fold(1.0, f64::max);
        let mut row = vec![
            of_system[0].system.clone(),
            rows.to_string(),
            number(condition),
        ];
        for class in Class::ALL {
            let n = facts().filter(|f| f.class == class).count();
            row.push(if n == 0 { String::new() } else { n.to_string() });
        }
        table.row(row);
    }
    Ok(write!(out, "\n{}", table.text())?)
}

/// Solved problems of every solver among those requested.
pub fn scores(
    out: &mut dyn Write,
    scores: &[Score],
    options: &ScoreOptions,
) -> Result<(), Failure> {
    let columns = [
        "solver",
        "problems",
        "solved",
        "false",
        "unsupported",
        "median time",
    ];
    let title = format!(
        "Scores at {:e}, at most {} a solve",
        options.tolerance,
        duration(options.limit_s)
    );
    let mut table = Table::new(title, &columns);
    for entry in &options.solvers {
        let of_solver = |s: &&Score| {
            s.solver == entry.name
                && (s.tolerance, s.limit_s) == (options.tolerance, options.limit_s)
                && options.starts.contains(&s.start)
        };
        let mine: Vec<&Score> = scores.iter().filter(of_solver).collect();
        let count = |what: fn(&Score) -> bool| mine.iter().filter(|s| what(s)).count();
        let mut times: Vec<f64> = mine.iter().filter(|s| s.solved).map(|s| s.wall_s).collect();
        times.sort_by(f64::total_cmp);
        let median = times.get(times.len() / 2).map(|t| duration(*t));
        table.row([
            entry.name.to_owned(),
            mine.len().to_string(),
            count(|s| s.solved).to_string(),
            count(|s| s.false_convergence).to_string(),
            count(|s| s.claimed == UNSUPPORTED).to_string(),
            median.unwrap_or_else(|| "-".to_owned()),
        ]);
    }
    Ok(write!(out, "\n{}", table.text())?)
}

/// How the closed-loop runs of every solver went.
pub fn simulations(
    out: &mut dyn Write,
    runs: &[Simulation],
    options: &SimulateOptions,
) -> Result<(), Failure> {
    let columns = [
        "solver",
        "runs",
        "to the end",
        "steps",
        "failed solves",
        "worst r_pen",
    ];
    let title = format!("Closed loop, {}", duration(options.time_s));
    let mut table = Table::new(title, &columns);
    for entry in &options.solvers {
        // For a run repeated with another time limit, the last result counts.
        let mut mine: BTreeMap<&str, &Simulation> = BTreeMap::new();
        for run in runs.iter().filter(|r| r.solver == entry.name) {
            let steps = options.time_s / run.dt;
            let same =
                run.tolerance == options.tolerance && (run.steps as f64 - steps).abs() <= 1.0;
            if same && options.systems.iter().any(|s| s.name == run.system) {
                mine.insert(&run.system, run);
            }
        }
        let mine: Vec<&Simulation> = mine.into_values().collect();
        // What a run that ended early kept together until then says nothing of the rest.
        let whole = mine.iter().filter(|r| r.ended.is_empty()).count();
        let worst = mine.iter().map(|r| r.r_pen_max).fold(0.0, larger);
        let worst = match whole == mine.len() {
            true => number(worst),
            false => "ended early".to_owned(),
        };
        table.row([
            entry.name.to_owned(),
            mine.len().to_string(),
            whole.to_string(),
            mine.iter().map(|r| r.steps_done).sum::<u64>().to_string(),
            mine.iter().map(|r| r.failures).sum::<u64>().to_string(),
            worst,
        ]);
    }
    Ok(write!(out, "\n{}", table.text())?)
}

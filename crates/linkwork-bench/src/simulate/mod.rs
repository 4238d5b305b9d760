//! `linkwork bench simulate`: every solver runs every system closed loop.

mod closed_loop;
mod course;

use crate::error::BenchError;
use crate::folder::Folder;
use crate::lines::Appender;
use crate::machine::stamp;
use crate::pin::pinned;
use crate::progress::Progress;
use crate::results::Simulation;
use crate::score::Tally;
use crate::suite::System;
use closed_loop::{prepare, simulate_one, time_limit};
use linkwork_scenes::all_scenes;
use linkwork_solve::SolverEntry;
use std::time::Instant;

/// What is simulated.
pub struct SimulateOptions {
    /// The solvers.
    pub solvers: Vec<&'static SolverEntry>,
    /// The systems.
    pub systems: Vec<&'static System>,
    /// Simulated time, s.
    pub time_s: f64,
    /// Tolerance of each solve, N s and m/s.
    pub tolerance: f64,
    /// Wall time for a run, s; looked at after every step.
    pub limit_s: f64,
    /// When to leave the rest for another session.
    pub deadline: Option<Instant>,
}

/// Runs missing simulations, one at a time; every run is on disk as soon as it ends.
pub fn simulate(
    folder: &Folder,
    options: &SimulateOptions,
    progress: &dyn Progress,
) -> Result<Tally, BenchError> {
    let there = |s: &&System| all_scenes().iter().any(|scene| scene.name == s.name);
    let systems: Vec<&System> = options.systems.iter().copied().filter(there).collect();
    let (mut file, earlier) = Appender::<Simulation>::open(&folder.simulations())?;
    stamp(folder, progress)?;
    // Every solver in one system, then in the next, so that at a deadline all solvers are equally complete.
    let mut jobs = Vec::new();
    for round in 0..systems.len() {
        for (i, &entry) in options.solvers.iter().enumerate() {
            let system = systems[(i + round) % systems.len()];
            let (_, wanted) = prepare(system, entry, options)?;
            jobs.push((system, entry, wanted));
        }
    }
    let all = jobs.len();
    jobs.retain(|(_, _, wanted)| !earlier.iter().any(|run| is_done(run, wanted, options)));
    let mut tally = Tally {
        earlier: all - jobs.len(),
        ..Tally::default()
    };
    progress.stage("simulate", all, tally.earlier);
    pinned(|| {
        for (i, (system, entry, _)) in jobs.iter().enumerate() {
            if options.deadline.is_some_and(|end| Instant::now() > end) {
                tally.left = jobs.len() - i;
                break;
            }
            progress.job(&format!("{}  {}", entry.name, system.name));
            file.push(&simulate_one(system, entry, options)?)?;
            tally.done += 1;
            progress.done();
        }
        Ok(())
    })?;
    Ok(tally)
}

/// Whether an earlier run answers the job: a run ended by another time limit does not.
fn is_done(run: &Simulation, wanted: &Simulation, options: &SimulateOptions) -> bool {
    let same = (&run.system, &run.solver, run.steps)
        == (&wanted.system, &wanted.solver, wanted.steps)
        && (run.tolerance, run.dt) == (wanted.tolerance, wanted.dt);
    same && (!run.ended.starts_with("time limit") || run.ended == time_limit(options.limit_s))
}

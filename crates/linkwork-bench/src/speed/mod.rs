//! `linkwork bench speed`: speed of scenes with the default solver, time by phase, and growth with the size.
//!
//! | file | contents |
//! |---|---|
//! | `case.rs` | the cases and their duration |
//! | `watch.rs` | a run for statistics: values that do not depend on the clock, and the time of rest |
//! | `timed.rs` | a run for timing only |
//! | `count.rs` | instructions per step, by callgrind |
//! | `record.rs` | stored records |
//! | `growth.rs` | cost against size |
//! | `tables.rs` | tables and plots |

mod case;
mod count;
mod growth;
mod record;
mod tables;
mod timed;
mod watch;

pub use case::{Arguments, SpeedCase, cases_named, sizes};
pub use count::{Counter, Window, count_steps};
pub use growth::{Growth, exponent};
pub(crate) use record::PARTS;
pub use record::{Part, Phases, Speed};
pub use tables::{cost_plot, tables};

use crate::error::BenchError;
use crate::folder::Folder;
use crate::lines::{read_lines, write_lines};
use crate::machine::{Machine, stamp};
use crate::pin::pinned;
use crate::progress::Progress;
use crate::report::write_speeds;
use crate::stats::median;
use timed::{Timed, time};
use watch::{Watched, watch};

/// How it is measured.
pub struct SpeedOptions {
    /// Timed runs of each case; the median counts.
    pub repeats: usize,
    /// Counts instructions, if requested.
    pub counter: Option<Counter>,
}

/// Measures the cases one after the other; other cases in the folder are kept. Each case is on disk as soon as it is
/// measured.
pub fn speed(
    folder: &Folder,
    cases: &[SpeedCase],
    options: &SpeedOptions,
    progress: &dyn Progress,
) -> Result<Vec<Speed>, BenchError> {
    stamp(folder, progress)?;
    // Before a thread is bound to one core.
    let machine = Machine::here();
    let path = folder.speed();
    let mut kept: Vec<Speed> = read_lines(&path)?;
    let mut measured = Vec::new();
    progress.stage("speed", cases.len(), 0);
    for case in cases {
        progress.job(&case.name);
        let record = pinned(|| measure(case, options, &machine))?;
        kept.retain(|s| s.name != record.name);
        kept.push(record.clone());
        write_lines(&path, &kept)?;
        write_speeds(folder, &kept)?;
        measured.push(record);
        progress.done();
    }
    Ok(measured)
}

fn measure(
    case: &SpeedCase,
    options: &SpeedOptions,
    machine: &Machine,
) -> Result<Speed, BenchError> {
    let watched = watch(case)?;
    let runs: Result<Vec<Timed>, _> = (0..options.repeats.max(1))
        .map(|_| time(case, &watched))
        .collect();
    let runs = runs?;
    let mut record = record(case, &watched, &runs, machine);
    if let Some(counter) = &options.counter {
        count::count(counter, case, &watched, &mut record)?;
    }
    Ok(record)
}

fn record(case: &SpeedCase, watched: &Watched, runs: &[Timed], machine: &Machine) -> Speed {
    let part = |at: usize| {
        let counts = &watched.parts[at];
        (counts.steps > 0).then(|| {
            let a_step = 1e6 / counts.steps as f64;
            let of_runs = |pick: &dyn Fn(&Timed) -> f64| {
                let values: Vec<f64> = runs.iter().map(pick).collect();
                a_step * median(&values).unwrap_or(f64::NAN)
            };
            Part {
                steps: counts.steps,
                step_us: of_runs(&|r| r.cpu_s[at]),
                phases_us: std::array::from_fn(|p| of_runs(&|r| r.phases_s[at][p])),
                iterations: counts.mean(counts.iterations),
                factorizations: counts.mean(counts.factorizations),
                closure_passes: counts.mean(counts.closure_passes),
                contacts: counts.mean(counts.contacts),
                instructions: None,
            }
        })
    };
    let steps = watched.steps();
    let rate = |r: &Timed| steps as f64 / (r.cpu_s[0] + r.cpu_s[1]);
    let rates: Vec<f64> = runs.iter().map(rate).collect();
    let ends = |(a, b): (f64, f64), r: &f64| (a.min(*r), b.max(*r));
    let (least, most) = rates.iter().fold((f64::INFINITY, 0.0), ends);
    Speed {
        name: case.name.clone(),
        scene: case.scene.clone(),
        parameters: case.parameters.clone(),
        bodies: watched.bodies,
        joint_rows: watched.joint_rows,
        dt: watched.settings.dt,
        solver: watched.settings.solver.clone(),
        tolerance: watched.settings.solve.tolerance,
        steps,
        ended: watched.ended.clone(),
        repeats: runs.len(),
        steps_per_cpu_s: median(&rates).unwrap_or(f64::NAN),
        rate_least: least,
        rate_most: most,
        moving: part(0),
        rest: part(1),
        failed: watched.failed,
        residual_max: watched.residual,
        closure_max: watched.closure,
        penetration_rest: watched.penetration_rest,
        machine: machine.clone(),
    }
}

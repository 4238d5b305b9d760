//! `linkwork campaign`: runs random mechanisms, judges them, and minimises and stores those that fail.

mod generate;
mod minimise;
mod random;
mod recipe;
mod trial;

use crate::args::CampaignArgs;
use crate::failure::{Failure, usage};
use generate::generate;
use linkwork::mobility::mobility;
use linkwork_import::own;
use recipe::Recipe;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use trial::{Conditions, Fault, Trial};

/// Maximum number of repetitions of a mechanism with a slow step.
const REPEATS: usize = 8;

/// The record of a mechanism: one line of `results.jsonl`.
#[derive(Debug, Serialize)]
struct Entry {
    seed: u64,
    index: u64,
    dt: f64,
    bodies: usize,
    joints: usize,
    loops: usize,
    /// Redundant rows at the start.
    redundant: usize,
    passive: bool,
    #[serde(flatten)]
    trial: Trial,
    /// The file that shows the fault.
    file: Option<PathBuf>,
}

/// Run a campaign and report; fails if something worse than a failed solve was found.
pub fn campaign(out: &mut dyn Write, args: &CampaignArgs) -> Result<(), Failure> {
    let refused = |e: std::io::Error| {
        let folder = args.out.display();
        usage(format!("cannot write to folder '{folder}': {e}"))
    };
    std::fs::create_dir_all(&args.out).map_err(refused)?;
    let results = File::create(args.out.join("results.jsonl")).map_err(refused)?;
    let mut results = BufWriter::new(results);
    let mut worst = None;
    for &dt in &args.dt {
        let conditions = Conditions {
            dt,
            steps: args.steps,
            solver: args.solver.clone(),
            limit: args.limit,
        };
        linkwork_solve::solver_entry(&args.solver).map_err(usage)?;
        let mut entries = Vec::new();
        for index in args.first..args.first + args.count {
            let entry = examine(args, &conditions, index)?;
            serde_json::to_writer(&mut results, &entry)?;
            writeln!(results)?;
            results.flush()?;
            tell(&entry);
            worst = worst.into_iter().chain(entry.trial.worst()).min();
            entries.push(entry);
        }
        print(out, args, dt, &entries)?;
        out.flush()?;
    }
    match worst {
        Some(fault) if fault < Fault::Failed => Err(Failure::Run(format!(
            "worst finding: {}; the files are in '{}'",
            fault.name(),
            args.out.display()
        ))),
        _ => Ok(()),
    }
}

fn examine(args: &CampaignArgs, conditions: &Conditions, index: u64) -> Result<Entry, Failure> {
    let recipe = generate(args.seed, index);
    let mut trial = trial::run(&recipe, conditions);
    // The processor is shared: of 2000 mechanisms on a busy one, some have a step that is interrupted three times out
    // of three.
    for _ in 0..REPEATS {
        if !trial.has(Fault::Slow) || trial.has(Fault::Endless) {
            break;
        }
        let again = trial::run(&recipe, conditions);
        trial.confirm_times(&again);
    }
    let redundant = recipe.build().map_or(0, |model| {
        mobility(&model, &model.initial_state()).redundant_rows
    });
    let mut file = None;
    if let Some(fault) = trial.worst() {
        let minimal = if args.no_minimise || fault >= Fault::Endless && !args.minimise_failed {
            recipe.clone()
        } else {
            // Nothing after the fault matters.
            let shorter = Conditions {
                steps: (trial.first + 1).min(conditions.steps),
                ..conditions.clone()
            };
            let whole = matches!(fault, Fault::Gain | Fault::Panic | Fault::Slow);
            let conditions = if whole { conditions } else { &shorter };
            minimise::minimise(&recipe, conditions, fault).0
        };
        let name = format!(
            "{}-{}-{index}-{}ms.linkwork.toml",
            fault.slug(),
            args.seed,
            1e3 * conditions.dt
        );
        file = save(args, &minimal, conditions, &name, &trial)?;
    }
    Ok(Entry {
        seed: args.seed,
        index,
        dt: conditions.dt,
        bodies: recipe.parts.len(),
        joints: recipe.links.len(),
        loops: recipe.loops(),
        redundant,
        passive: recipe.is_passive(),
        trial,
        file,
    })
}

/// Write a mechanism as a file of the own format, with its step size.
fn save(
    args: &CampaignArgs,
    recipe: &Recipe,
    conditions: &Conditions,
    name: &str,
    trial: &Trial,
) -> Result<Option<PathBuf>, Failure> {
    let Ok(model) = recipe.build() else {
        return Ok(None);
    };
    let plain = name.trim_end_matches(".linkwork.toml");
    let model = model.named(plain, Some(conditions.dt));
    let path = args.out.join(name);
    let text = format!(
        "# {} in step {} of the whole mechanism: {}\n{}",
        trial.worst().map_or("", Fault::name),
        trial.first,
        trial.message.replace('\n', " "),
        own::to_toml(&model)
    );
    let written = std::fs::write(&path, text);
    written.map_err(|e| usage(format!("cannot write '{}': {e}", path.display())))?;
    Ok(Some(path))
}

/// Reports on standard error what a mechanism showed, if it is worse than a failed solve.
fn tell(entry: &Entry) {
    let Some(fault) = entry.trial.worst().filter(|f| *f != Fault::Failed) else {
        return;
    };
    let (index, dt, first) = (entry.index, 1e3 * entry.dt, entry.trial.first);
    let message = &entry.trial.message;
    // Nothing is lost if standard error is closed.
    let _ = writeln!(
        std::io::stderr(),
        "mechanism {index} at {dt} ms, step {first}: {}: {message}",
        fault.name()
    );
}

fn print(
    out: &mut dyn Write,
    args: &CampaignArgs,
    dt: f64,
    entries: &[Entry],
) -> Result<(), Failure> {
    let share = |n: usize| 100.0 * n as f64 / entries.len().max(1) as f64;
    let count = |is: &dyn Fn(&Entry) -> bool| entries.iter().filter(|e| is(e)).count();
    let steps: u64 = entries.iter().map(|e| e.trial.steps).sum();
    let sum = |of: &dyn Fn(&Trial) -> u64| entries.iter().map(|e| of(&e.trial)).sum::<u64>();
    let part = |n: u64| 100.0 * n as f64 / steps.max(1) as f64;
    writeln!(
        out,
        "{} mechanisms x {} steps at {} ms, seed {}, solver {}",
        entries.len(),
        args.steps,
        1e3 * dt,
        args.seed,
        args.solver
    )?;
    let loops = count(&|e| e.loops > 0);
    let hyperstatic = count(&|e| e.redundant > 0);
    let passive = count(&|e| e.passive);
    writeln!(
        out,
        "  with loops {:.0} %, hyperstatic {:.0} %, passive {:.0} %",
        share(loops),
        share(hyperstatic),
        share(passive)
    )?;
    for fault in Fault::ALL {
        let n = count(&|e| e.trial.has(fault));
        writeln!(out, "  {:<22} {n:>5} mechanisms", fault.name())?;
    }
    let (failed, substepped) = (sum(&|t| t.failed), sum(&|t| t.substepped));
    writeln!(
        out,
        "  of {steps} steps {failed} failed ({:.3} %), {substepped} were substepped ({:.3} %)",
        part(failed),
        part(substepped)
    )?;
    let laborious = sum(&|t| t.laborious);
    let several = count(&|e| e.trial.laborious > 0);
    writeln!(
        out,
        "  {laborious} took more than 100 times the median for a known reason (substeps, iterations), in {several} mechanisms"
    )?;
    Ok(())
}

#[cfg(test)]
mod tests;

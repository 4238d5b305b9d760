//! `linkwork bench speed`: how fast scenes and models run.

use super::progress::Reporter;
use super::{failure, open};
use crate::args::{ControlArgs, FileArgs, SceneArgs, SpeedArgs, StepsArgs};
use crate::failure::{Failure, usage};
use crate::{import, scene};
use linkwork::Settings;
use linkwork_bench::speed::{
    Counter, SpeedCase, SpeedOptions, Window, cases_named, count_steps, sizes, speed as measure,
    tables,
};
use linkwork_bench::{Folder, Machine};
use std::io::Write;
use std::path::Path;

/// Time for a model file, s.
const FILE_TIME: f64 = 2.0;

/// Measures, prints the tables, and reports where the other results are.
pub fn speed(out: &mut dyn Write, args: &SpeedArgs) -> Result<(), Failure> {
    let folder = open(&args.out.out)?;
    let options = SpeedOptions {
        repeats: args.repeats as usize,
        counter: counter(args, &folder)?,
    };
    let cases = cases(args)?;
    let machine = Machine::here();
    writeln!(
        out,
        "{}, {} cores, commit {}, {}; medians of {}\n",
        machine.processor, machine.cores, machine.commit, machine.profile, options.repeats
    )?;
    out.flush()?;
    let records = measure(&folder, &cases, &options, &Reporter::new()).map_err(failure)?;
    for table in tables(&records) {
        writeln!(out, "{}", table.text())?;
    }
    let root = folder.root().display();
    Ok(writeln!(
        out,
        "{root}: speed.jsonl and speed.csv; linkwork bench report shows them"
    )?)
}

fn counter(args: &SpeedArgs, folder: &Folder) -> Result<Option<Counter>, Failure> {
    let Some(steps) = args.instructions else {
        return Ok(None);
    };
    let program = std::env::current_exe().map_err(|e| Failure::Run(e.to_string()))?;
    let counter = Counter::new(program, u64::from(steps), folder.root());
    Ok(Some(counter.map_err(failure)?))
}

/// The requested cases, with the requested settings.
fn cases(args: &SpeedArgs) -> Result<Vec<SpeedCase>, Failure> {
    let mut cases = Vec::new();
    let others = !args.model.is_empty() || !args.sizes.is_empty();
    if !args.scenes.is_empty() || !others {
        cases.extend(cases_named(&args.scenes).map_err(usage)?);
    }
    for (scene, list) in &args.sizes {
        cases.extend(sizes(scene, list).map_err(usage)?);
    }
    for file in &args.model {
        cases.push(model(file)?);
    }
    let (dt, solver, tolerance) = (args.dt, args.solver.clone(), args.tolerance);
    let change = move |settings: &mut Settings| {
        settings.dt = dt.unwrap_or(settings.dt);
        if let Some(solver) = &solver {
            settings.solver.clone_from(solver);
        }
        settings.solve.tolerance = tolerance.unwrap_or(settings.solve.tolerance);
    };
    let changed = cases.into_iter().map(|mut case| {
        case.time_s = args.time.unwrap_or(case.time_s);
        case.with(change.clone())
    });
    Ok(changed.collect())
}

/// The case of a model file, `FILE` or `FILE@KEY`. It is read once.
fn model(text: &str) -> Result<SpeedCase, Failure> {
    // A path may have an @ of its own.
    let (file, key) = match text.rsplit_once('@') {
        Some((file, key)) if !Path::new(text).exists() => (file, Some(key.to_owned())),
        _ => (text, None),
    };
    let mut arguments = vec![file.to_owned()];
    if let Some(key) = &key {
        arguments.extend(["--key".to_owned(), key.clone()]);
    }
    let asked = SceneArgs {
        scene: file.to_owned(),
        set: Vec::new(),
        file: FileArgs {
            key,
            ..FileArgs::default()
        },
    };
    let robot = import::robot(&asked, &ControlArgs::default(), false)?;
    let build = move || {
        robot
            .scene(None)
            .map_err(|e| linkwork_bench::BenchError::Missing {
                what: e.to_string(),
                remedy: "correct the file".to_owned(),
            })
    };
    Ok(SpeedCase {
        name: text.to_owned(),
        scene: file.to_owned(),
        parameters: Default::default(),
        time_s: FILE_TIME,
        arguments,
        build: Box::new(build),
    })
}

/// `linkwork bench steps`.
pub fn steps(args: &StepsArgs) -> Result<(), Failure> {
    let built = scene::build(&args.scene, &ControlArgs::default(), false)?;
    let scene = built.scene()?;
    let window = Window {
        from: args.from.clone(),
        steps: args.steps,
    };
    count_steps(scene, &window).map_err(failure)
}

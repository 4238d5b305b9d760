//! `linkwork inverse`: the forces behind a recorded motion.

mod columns;
mod summary;

use crate::args::{ContactChoice, InverseArgs};
use crate::failure::{Failure, usage};
use columns::Columns;
use linkwork::inverse::{Actuated, Inverse, InverseSettings};
use linkwork::model::Model;
use linkwork_record::Recording;
use std::io::Write;
use std::ops::ControlFlow;
use summary::Summary;

/// Inverts a recording, and reports.
pub fn inverse(out: &mut dyn Write, args: &InverseArgs) -> Result<(), Failure> {
    let recording = Recording::open(&args.recording).map_err(usage)?;
    if let Some(warning) = recording.warning() {
        // Nothing is lost if standard error is closed.
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
    let model = recording.model().clone();
    let mut options = InverseSettings::default();
    options.actuated = actuated(&model, &args.actuated)?;
    options.still = args.still;
    let settings = recording.settings();
    let mut finder = Inverse::new(model.clone(), settings, options.clone()).map_err(usage)?;
    let range = recording.between(
        args.from.unwrap_or(f64::NEG_INFINITY),
        args.to.unwrap_or(f64::INFINITY),
    );
    if range.is_empty() && !recording.is_empty() {
        let times = recording.times();
        let (first, last) = (times[0], times[times.len() - 1]);
        return Err(usage(format!(
            "nothing was recorded in that time; there is {first} s to {last} s"
        )));
    }
    let mut csv = match &args.csv {
        Some(path) => Some(Columns::create(path, &model)?),
        None => None,
    };
    let mut summary = Summary::new(&model, &options.actuated);
    let mut failure = None;
    let near = args.contacts == ContactChoice::Recorded;
    let done = recording.invert(&mut finder, range, near, |_, record, found| {
        if let (Some(csv), Ok(found)) = (&mut csv, &found)
            && let Err(e) = csv.row(record, found)
        {
            failure = Some(e);
            return ControlFlow::Break(());
        }
        summary.add(record, found);
        ControlFlow::Continue(())
    });
    done.map_err(usage)?;
    let finished = match (failure, csv) {
        (Some(failure), _) => Err(failure),
        (None, Some(csv)) => csv.finish(),
        (None, None) => Ok(()),
    };
    finished?;
    match args.json {
        true => summary.json(out, args),
        false => Ok(summary.text(out, args)?),
    }
}

/// The coordinates that are named.
fn actuated(model: &Model, names: &[String]) -> Result<Actuated, Failure> {
    match names {
        [one] if one == "drives" => return Ok(Actuated::Drives),
        [one] if one == "all" => return Ok(Actuated::All),
        _ => {}
    }
    let mut list = Vec::new();
    for name in names {
        let Some(id) = model.joint_named(name.trim()) else {
            let known: Vec<&str> = model.joints().iter().map(|j| j.name.as_str()).collect();
            return Err(usage(format!(
                "there is no joint '{name}' to actuate; use drives, all or some of: {}",
                known.join(", ")
            )));
        };
        let joint = model.joint(id);
        let first = joint.first_coordinate;
        list.extend(first..first + joint.axes.len());
    }
    Ok(Actuated::Coordinates(list))
}

//! `linkwork bench paper`: the experiments of the papers.

use super::progress::Reporter;
use super::{failure, open};
use crate::args::PaperArgs;
use crate::failure::Failure;
use linkwork_bench::papers::{Context, EXPERIMENTS, Experiment, Finding, Verdict, experiment};
use linkwork_bench::{BenchError, Folder, Progress};
use std::io::Write;

/// List or run experiments.
pub fn papers(out: &mut dyn Write, args: &PaperArgs) -> Result<(), Failure> {
    if args.list {
        return list(out);
    }
    let chosen: Result<Vec<_>, _> = args.names.iter().map(|n| experiment(n)).collect();
    let chosen = match args.all {
        true => every(),
        false => chosen.map_err(failure)?,
    };
    let folder = open(&args.out.out)?;
    run(out, chosen, args.quick, &folder, &Reporter::new())
}

/// Every experiment, those that wait included.
pub fn every() -> Vec<&'static Experiment> {
    EXPERIMENTS.iter().collect()
}

/// Runs experiments one after the other. One that cannot run does not stop the others, but the command then fails at
/// the end. Disagreement with a paper is a result, not a failure.
pub fn run(
    out: &mut dyn Write,
    experiments: Vec<&'static Experiment>,
    quick: bool,
    folder: &Folder,
    reporter: &Reporter,
) -> Result<(), Failure> {
    let context = Context {
        quick,
        fclib: Context::find_fclib(),
        progress: reporter,
    };
    let count = experiments.len();
    let (mut verdicts, mut broken) = (Vec::new(), Vec::new());
    for (i, experiment) in experiments.into_iter().enumerate() {
        // Experiments report their own stages.
        let name = experiment.name;
        reporter.note(&format!("paper {} of {count}: {name}", i + 1));
        head(out, experiment)?;
        match experiment.perform(&context) {
            None => {
                writeln!(out, "pending")?;
                verdicts.push((name, "pending".to_owned()));
            }
            Some(Ok(mut finding)) => {
                drop_unplottable(&mut finding);
                save(folder, name, &finding).map_err(failure)?;
                verdicts.push((name, show(out, &finding)?));
            }
            Some(Err(error)) => {
                writeln!(out, "could not run: {error}")?;
                broken.push(format!("{name} could not run: {error}"));
            }
        }
        out.flush()?;
    }
    writeln!(out, "\nPapers")?;
    for (name, verdict) in verdicts {
        writeln!(out, "  {name:<24}{verdict}")?;
    }
    match broken.is_empty() {
        true => Ok(()),
        false => Err(Failure::Run(broken.join("; "))),
    }
}

fn list(out: &mut dyn Write) -> Result<(), Failure> {
    for experiment in EXPERIMENTS {
        let pending = match experiment.run {
            Some(_) => "",
            None => ", pending",
        };
        let (name, source) = (experiment.name, experiment.source);
        writeln!(out, "{name} ({source}{pending})")?;
        writeln!(out, "  {}", experiment.criterion)?;
    }
    Ok(())
}

fn head(out: &mut dyn Write, experiment: &Experiment) -> std::io::Result<()> {
    writeln!(out, "\n{} ({})", experiment.name, experiment.source)?;
    writeln!(out, "claim: {}", experiment.claim)?;
    writeln!(out, "criterion: {}", experiment.criterion)
}

/// Writes the finding; the verdict in one line.
fn show(out: &mut dyn Write, finding: &Finding) -> std::io::Result<String> {
    for table in &finding.tables {
        write!(out, "\n{}", table.text())?;
    }
    for note in &finding.notes {
        writeln!(out, "note: {note}")?;
    }
    let word = finding.verdict.name();
    let verdict = match &finding.verdict {
        Verdict::Agree | Verdict::NotContradicted => word.to_owned(),
        Verdict::Disagree(why) | Verdict::Skipped(why) => format!("{word}: {why}"),
    };
    writeln!(out, "verdict: {verdict}")?;
    Ok(verdict)
}

/// JSON has no NaN and no infinity, and a plot omits such points.
fn drop_unplottable(finding: &mut Finding) {
    for series in finding.plots.iter_mut().flat_map(|p| &mut p.series) {
        series
            .points
            .retain(|(x, y)| x.is_finite() && y.is_finite());
    }
}

fn save(folder: &Folder, name: &str, finding: &Finding) -> Result<(), BenchError> {
    let path = folder.papers().join(format!("{name}.json"));
    let text = serde_json::to_vec(finding);
    let text = text.map_err(|e| BenchError::io("write", &path)(e.into()))?;
    std::fs::write(&path, text).map_err(BenchError::io("write", &path))
}

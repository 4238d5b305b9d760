//! The comparison as text.

use super::outcome::Outcome;
use super::summary::Summary;
use crate::args::SolveArgs;
use crate::table::{alarm, count, duration, has_colour, heading, number, thousands};
use linkwork_bench::inputs::Note;
use std::io::{Result, Write};

/// More rows than this are for the CSV file.
const MOST_ROWS: usize = 60;
/// More notes than this are counted only.
const MOST_NOTES: usize = 5;

/// Write the tables: every problem and solver where they are few, and the solvers' totals.
pub fn print(
    out: &mut dyn Write,
    args: &SolveArgs,
    outcomes: &[Outcome],
    summaries: &[Summary],
    notes: &[Note],
) -> Result<()> {
    let unit = if args.absolute {
        "N s and m/s"
    } else {
        "of |q|"
    };
    let problems = summaries.first().map_or(0, |s| s.problems);
    let problems = count(problems as u64, "problem");
    writeln!(
        out,
        "{problems}, tolerance {:e} {unit}, cold starts",
        args.tolerance
    )?;
    match notes {
        notes if notes.len() <= MOST_NOTES => {
            for note in notes {
                writeln!(out, "note: {}: {}", note.problem, note.note)?;
            }
        }
        notes => {
            let n = notes.len();
            writeln!(
                out,
                "note: {n} changes on reading, such as: {}",
                notes[0].note
            )?;
        }
    }
    if outcomes.len() <= MOST_ROWS {
        heading(out, "Problems")?;
        write_rows(out, &problem_rows(outcomes, args.absolute))?;
    }
    let laws = [
        ("ncp", "Solvers of Coulomb's law (NCP)"),
        ("ccp", "Solvers of its convex relaxation (CCP)"),
    ];
    for (law, title) in laws {
        let of_law: Vec<&Summary> = summaries.iter().filter(|s| s.law == law).collect();
        if !of_law.is_empty() {
            heading(out, title)?;
            write_rows(out, &summary_rows(&of_law))?;
        }
    }
    if outcomes.iter().any(|o| o.effort.is_none()) {
        heading(out, "Unsupported")?;
        for reason in reasons(outcomes) {
            writeln!(out, "  {reason}")?;
        }
    }
    Ok(())
}

/// Cells, and whether they are highlighted.
struct Row {
    cells: Vec<String>,
    alarm: bool,
}

fn titles(titles: &[&str]) -> Row {
    Row {
        cells: titles.iter().map(|t| (*t).to_owned()).collect(),
        alarm: false,
    }
}

fn problem_rows(outcomes: &[Outcome], absolute: bool) -> Vec<Row> {
    let mut rows = vec![titles(&[
        "problem",
        "solver",
        "rows",
        "ended",
        "residual",
        "solved",
        "iterations",
        "time",
    ])];
    for o in outcomes {
        let effort = o.effort;
        let text = |f: &dyn Fn(linkwork_bench::Effort) -> String| effort.map_or("-".to_owned(), f);
        rows.push(Row {
            cells: vec![
                o.problem.clone(),
                o.solver.to_owned(),
                thousands(o.rows as u64),
                o.claimed.to_owned(),
                text(&|e| number(e.judged(absolute))),
                if o.solved { "yes" } else { "no" }.to_owned(),
                text(&|e| thousands(e.iterations as u64)),
                text(&|e| duration(1e-3 * e.wall_ms)),
            ],
            alarm: o.is_false(),
        });
    }
    rows
}

fn summary_rows(summaries: &[&Summary]) -> Vec<Row> {
    let mut rows = vec![titles(&[
        "solver",
        "solved",
        "claimed",
        "false claims",
        "unsupported",
        "median time",
        "total time",
        "worst residual",
    ])];
    for s in summaries {
        let time = |ms: f64| duration(1e-3 * ms);
        rows.push(Row {
            cells: vec![
                s.solver.to_owned(),
                format!("{} of {}", s.solved, s.problems),
                s.claimed.to_string(),
                s.false_convergences.to_string(),
                s.unsupported.to_string(),
                s.median_ms.map_or("-".to_owned(), time),
                time(s.total_ms),
                s.worst_residual.map_or("-".to_owned(), number),
            ],
            alarm: s.false_convergences > 0,
        });
    }
    rows
}

/// Unsupported problems, once for every solver and reason.
fn reasons(outcomes: &[Outcome]) -> Vec<String> {
    let mut reasons = Vec::new();
    for o in outcomes {
        if let Some(reason) = &o.reason {
            let text = format!("{}: {reason}", o.solver);
            if !reasons.contains(&text) {
                reasons.push(text);
            }
        }
    }
    reasons
}

/// Columns to the width of their widest cell; numbers to the right, which is all but names and words.
fn write_rows(out: &mut dyn Write, rows: &[Row]) -> Result<()> {
    let columns = rows.first().map_or(0, |r| r.cells.len());
    let width = |c: usize| rows.iter().map(|r| r.cells[c].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0)).collect();
    let left = |c: usize| matches!(rows[0].cells[c].as_str(), "problem" | "solver" | "ended");
    let colour = has_colour();
    for row in rows {
        let mut text = String::new();
        for (c, (cell, &width)) in row.cells.iter().zip(&widths).enumerate() {
            text += &match left(c) {
                true => format!("  {cell:<width$}"),
                false => format!("  {cell:>width$}"),
            };
        }
        let text = text.trim_end();
        alarm(out, text, row.alarm && colour)?;
    }
    Ok(())
}

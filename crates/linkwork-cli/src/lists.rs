//! `linkwork scenes` and `linkwork solvers`.

use crate::failure::Failure;
use linkwork_scenes::all_scenes;
use linkwork_solve::{DEFAULT_SOLVER, SolverEntry, all_solvers, known_solvers, printed_solvers};
use serde_json::json;
use std::io::Write;

/// List the scenes.
pub fn scenes(out: &mut dyn Write, json: bool) -> Result<(), Failure> {
    if json {
        let list: Vec<_> = all_scenes()
            .iter()
            .map(|e| {
                let params: Vec<_> = e
                    .params
                    .iter()
                    .map(|p| {
                        json!({"name": p.name, "default": p.default, "min": p.min, "max": p.max,
                            "doc": p.doc})
                    })
                    .collect();
                json!({"name": e.name, "summary": e.summary, "parameters": params})
            })
            .collect();
        serde_json::to_writer_pretty(&mut *out, &list)?;
        return Ok(writeln!(out)?);
    }
    for entry in all_scenes() {
        writeln!(out, "{}\n  {}", entry.name, entry.summary)?;
        let name = entry.params.iter().map(|p| p.name.len()).max().unwrap_or(0);
        let values: Vec<String> = entry.params.iter().map(|p| p.default.to_string()).collect();
        let value = values.iter().map(String::len).max().unwrap_or(0);
        let docs = entry.params.iter().map(|p| p.doc.chars().count());
        let doc = docs.max().unwrap_or(0);
        for (p, v) in entry.params.iter().zip(&values) {
            let (n, d) = (p.name, p.doc);
            let range = format!("{} … {}", plain(p.min), plain(p.max));
            writeln!(out, "    {n:<name$} = {v:<value$}  {d:<doc$}  {range}")?;
        }
    }
    writeln!(
        out,
        "\nRun one with: linkwork run NAME --set parameter=value"
    )?;
    Ok(())
}

/// List the solvers.
pub fn solvers(out: &mut dyn Write, json: bool) -> Result<(), Failure> {
    if json {
        let list: Vec<_> = known_solvers()
            .map(|e| {
                json!({"name": e.name, "summary": e.summary, "default": e.name == DEFAULT_SOLVER,
                    "printed": printed_solvers().iter().any(|p| p.name == e.name)})
            })
            .collect();
        serde_json::to_writer_pretty(&mut *out, &list)?;
        return Ok(writeln!(out)?);
    }
    list(out, all_solvers())?;
    writeln!(out, "\nAs printed in the papers, to compare:")?;
    list(out, printed_solvers())
}

fn list(out: &mut dyn Write, entries: &[SolverEntry]) -> Result<(), Failure> {
    let width = entries.iter().map(|e| e.name.len()).max().unwrap_or(0);
    for e in entries {
        let default = if e.name == DEFAULT_SOLVER {
            " (default)"
        } else {
            ""
        };
        writeln!(out, "{:<width$}  {}{default}", e.name, e.summary)?;
    }
    Ok(())
}

/// A bound: large and small ones with an exponent.
fn plain(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e6).contains(&x.abs()) {
        format!("{x:e}")
    } else {
        x.to_string()
    }
}

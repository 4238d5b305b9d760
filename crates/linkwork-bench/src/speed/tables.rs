//! How it is shown.

use super::growth::{Growth, exponent};
use super::record::{PARTS, PHASES, Part, Speed};
use crate::plot::{Axis, Plot, Style};
use crate::table::Table;

/// Rates and errors; time by phase; moving and at rest; cost against size, if there are several sizes.
pub fn tables(records: &[Speed]) -> Vec<Table> {
    let mut tables = vec![rates(records), phases(records), parts(records)];
    tables.extend(sizes(records));
    tables
}

fn rates(records: &[Speed]) -> Table {
    let mut table = Table::new(
        "Speed and errors",
        &[
            "scene",
            "bodies",
            "dt (ms)",
            "steps",
            "steps a CPU s",
            "instructions a step",
            "failed solves",
            "residual (N s, m/s)",
            "closure (m, rad)",
            "penetration at rest (m)",
        ],
    );
    for r in records {
        let name = match r.ended.as_str() {
            "" => r.name.clone(),
            why => format!("{} (ended: {why})", r.name),
        };
        table.row([
            name,
            r.bodies.to_string(),
            short(1e3 * r.dt),
            r.steps.to_string(),
            short(r.steps_per_cpu_s),
            r.instructions().map_or_else(missing, engineering),
            r.failed.to_string(),
            short(r.residual_max),
            match r.joint_rows {
                0 => missing(),
                _ => short(r.closure_max),
            },
            short(r.penetration_rest),
        ]);
    }
    table
}

fn phases(records: &[Speed]) -> Table {
    let mut heads = vec!["scene".to_owned(), "CPU".to_owned()];
    heads.extend(PHASES.map(str::to_owned));
    heads.extend(["iterations", "factorisations", "closure passes"].map(str::to_owned));
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = Table::new(
        "Where the time goes: µs per step, and counts per step",
        &heads,
    );
    for r in records {
        let mut cells = vec![r.name.clone(), short(r.mean(|p| p.step_us))];
        cells.extend((0..PHASES.len()).map(|i| short(r.mean(|p| p.phases_us[i]))));
        let counts: [fn(&Part) -> f64; 3] =
            [|p| p.iterations, |p| p.factorizations, |p| p.closure_passes];
        cells.extend(counts.map(|pick| short(r.mean(pick))));
        table.row(cells);
    }
    table
}

fn parts(records: &[Speed]) -> Table {
    let mut table = Table::new(
        "Moving and at rest, a step",
        &[
            "scene",
            "part",
            "steps",
            "CPU (µs)",
            "solve (µs)",
            "instructions",
            "iterations",
            "factorisations",
            "contacts",
        ],
    );
    for r in records {
        for (at, name) in PARTS.iter().enumerate() {
            let Some(part) = r.part(at) else {
                continue;
            };
            table.row([
                r.name.clone(),
                (*name).to_owned(),
                part.steps.to_string(),
                short(part.step_us),
                short(part.phases_us[2]),
                part.instructions.map_or_else(missing, engineering),
                short(part.iterations),
                short(part.factorizations),
                short(part.contacts),
            ]);
        }
    }
    table
}

/// One row per size and part, and the fitted exponents; `None` if no scene has two sizes.
fn sizes(records: &[Speed]) -> Option<Table> {
    let growths = Growth::all(records);
    if growths.is_empty() {
        return None;
    }
    let mut table = Table::new(
        "Cost against size: cost ∝ nᵖ, fitted in logarithms",
        &[
            "scene",
            "part",
            "n",
            "CPU (µs per step)",
            "instructions a step",
        ],
    );
    for g in &growths {
        for &(n, time) in &g.time_us {
            let counted = g.instructions.iter().find(|p| p.0 == n);
            table.row([
                g.scene.clone(),
                g.part.to_owned(),
                n.to_string(),
                short(time),
                counted.map_or_else(missing, |p| engineering(p.1)),
            ]);
        }
        let fitted = |points| exponent(points).map_or_else(missing, |p| format!("p = {p:.2}"));
        table.row([
            g.scene.clone(),
            g.part.to_owned(),
            "fit".to_owned(),
            fitted(&g.time_us),
            fitted(&g.instructions),
        ]);
    }
    Some(table)
}

/// CPU time per step against the size, one curve per scene and part; `None` if no scene has two sizes.
pub fn cost_plot(records: &[Speed]) -> Option<Plot> {
    let growths = Growth::all(records);
    if growths.is_empty() {
        return None;
    }
    let plot = Plot::new(
        "Cost against size",
        "CPU time of a step over the parameter n of the scene. A straight line is a power law; a slope of one is a cost \
         in proportion to the size.",
        Axis::log("n"),
        Axis::log("CPU time a step (µs)"),
    );
    let add = |plot: Plot, g: &Growth| {
        let p = exponent(&g.time_us).map_or(String::new(), |p| format!(", n^{p:.2}"));
        let name = format!("{}, {}{p}", g.scene, g.part);
        plot.with(name, Style::Line, g.time_us.clone())
    };
    Some(growths.iter().fold(plot, add))
}

fn missing() -> String {
    "–".to_owned()
}

/// Three significant digits; a power of ten where it is far from one.
fn short(x: f64) -> String {
    match x.abs() {
        _ if x.is_nan() => missing(),
        0.0 => "0".to_owned(),
        size if !(1e-2..1e6).contains(&size) => format!("{x:.1e}"),
        size => {
            let decimals = (2 - size.log10().floor() as i32).max(0) as usize;
            format!("{x:.decimals$}")
        }
    }
}

/// A count in thousands or millions.
fn engineering(x: f64) -> String {
    match x {
        x if x < 1e6 => format!("{} k", short(1e-3 * x)),
        x => format!("{} M", short(1e-6 * x)),
    }
}

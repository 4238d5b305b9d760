//! Every solver in every system: the effect of its errors on a simulation.

use super::violations;
use crate::report::data::Data;
use crate::report::html::{Cell, Grid, Html, heat_cell, scale_bar};
use crate::report::numbers::{percent, seconds, short};
use crate::results::Simulation;
use crate::suite::SYSTEMS;

/// Violations at which the scale of colours ends, as powers of ten.
const BEST: f64 = -12.0;
const WORST: f64 = 0.0;

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "Here each solver runs each system by itself, so that errors of one step are felt in the next. What counts is \
         r_pen, the largest violation of the mechanism after a step: joints that have come apart (m, rad), limits \
         that are exceeded, bodies that overlap [Tsounis §VII-D].",
    );
    if data.simulations.is_empty() {
        html.missing(
            "No closed-loop run has been made yet.",
            "linkwork bench simulate",
        );
        return html;
    }
    html.p(
        "The largest r_pen of each run, in m or rad. Colours go by powers of ten, bright is good. Below it the number \
         of steps whose solve did not converge, if any. A run that ended early is in a dashed frame and has the worst \
         colour, whatever its r_pen was until then: what is shown is the share of the steps it took, and below it \
         r_pen of that part; point at it for the reason. Contact is linearised at the start of a step, so that the \
         overlap of bodies that meet at speed has a floor that no solver can go below.",
    );
    html.add(scale_bar("1 m or rad ", " 1e-12 m or rad"));
    html.add(heat_map(data));
    html.element("p", &[], |h| {
        h.text("All runs with joint, limit and overlap apart: ");
        h.leaf("a", &[("href", "simulations.csv")], "simulations.csv");
        h.text(".");
    });
    html.add(violations::over_time(data));
    html.add(violations::phases(data));
    html
}

/// Systems that were run, those of the suite first.
pub fn systems(data: &Data) -> Vec<&str> {
    let mut all: Vec<&str> = SYSTEMS.iter().map(|s| s.name).collect();
    for run in &data.simulations {
        if !all.contains(&run.system.as_str()) {
            all.push(&run.system);
        }
    }
    all.retain(|name| data.simulations.iter().any(|r| r.system == *name));
    all
}

fn heat_map(data: &Data) -> Html {
    let systems = systems(data);
    let mut head = vec!["solver"];
    head.extend(&systems);
    let mut grid = Grid::new(
        "Largest violation r_pen of each closed-loop run, m or rad",
        &head,
        1,
    );
    grid.class = "heat";
    let runs = data.runs();
    let has_run = |k: &usize| {
        data.simulations
            .iter()
            .any(|r| r.solver == data.solvers[*k].name)
    };
    let keys: Vec<usize> = (0..data.solvers.len()).filter(has_run).collect();
    for (law, keys) in data.solvers.by_law(&keys) {
        grid.group(law);
        for key in keys {
            let solver = &data.solvers[key];
            let mut cells = vec![Cell::new(&solver.name).title(&solver.summary)];
            cells.extend(systems.iter().map(|system| {
                let run = runs.get(&(*system, solver.name.as_str()));
                run.map_or_else(|| not_run(system, &solver.name), |run| run_cell(run))
            }));
            grid.row_of(format!("k{key}"), cells);
        }
    }
    grid.html()
}

/// The cell of a run that was not made.
fn not_run(system: &str, solver: &str) -> Cell {
    let command = format!("linkwork bench simulate --systems {system} --solvers {solver}");
    let title = format!("{solver} was not run on {system}: {command}");
    Cell::new("not run").class("soft").title(title)
}

fn run_cell(run: &Simulation) -> Cell {
    // A solver that refuses a system took no step of it, and has no violation.
    if run.steps_done == 0 && run.ended.contains("refused") {
        return Cell::new("refused").class("refused").title(&run.ended);
    }
    let ended = !run.ended.is_empty();
    let mut notes = Vec::new();
    let mut cell = if ended {
        // The rest of the run is not known: it is not compared with complete runs.
        let share = percent(run.steps_done as usize, run.steps as usize);
        notes.push(short(run.r_pen_max));
        heat_cell(format!("ended at {share}"), 0.0).class("cut")
    } else {
        heat_cell(short(run.r_pen_max), goodness(run.r_pen_max))
    };
    if run.failures > 0 {
        notes.push(format!("{} failed", run.failures));
    }
    cell.small = notes.join(", ");
    let mut title = format!(
        "{} in {}: joints {}, limits {}, overlap {} m or rad; residual {} N s or m/s; energy drift {}; {} of {} steps \
         of {}, {} not converged, {} iterations per step, {} wall time",
        run.solver,
        run.system,
        short(run.closure_max),
        short(run.limit_max),
        short(run.penetration_max),
        short(run.residual_max),
        short(run.energy_drift),
        run.steps_done,
        run.steps,
        seconds(run.dt),
        run.failures,
        short(run.iterations_mean),
        seconds(run.wall_s),
    );
    if ended {
        title += &format!("; ended early: {}", run.ended);
    }
    cell.title(title)
}

/// Position of a violation between the worst, 0, and the best, 1; one that is not finite is the worst.
fn goodness(violation: f64) -> f64 {
    if !violation.is_finite() {
        return 0.0;
    }
    (WORST - violation.max(1e-300).log10()) / (WORST - BEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::data::fixture::simulation;

    /// A solver that stopped after a tenth of the run without a violation is not shown as better than one that
    /// completed it with 1e-3 m.
    #[test]
    fn a_run_that_ended_early_has_the_worst_colour() {
        let mut early = simulation("fourbar_free", "admm", 1e-15);
        (early.steps, early.steps_done) = (1000, 100);
        early.ended = "the step was refused".to_owned();
        let (early, whole) = (
            run_cell(&early),
            run_cell(&simulation("fourbar_free", "pgs", 1e-3)),
        );
        let worst = heat_cell("", 0.0).style;
        assert_eq!(early.style, worst);
        assert_ne!(whole.style, worst);
        assert!(early.text.contains("10 %"), "{}", early.text);
    }
}

//! Courses of closed-loop runs: violation and energy over time, and where the time goes.

use super::closed_loop::systems;
use super::curves::solver_curve;
use crate::plot::{Axis, Style};
use crate::report::data::{Data, quantile};
use crate::report::html::{Html, figure};
use crate::report::svg::{Bar, Chart, Curve, bars};
use crate::results::Simulation;
use crate::suite::SYSTEMS;
use linkwork_solve::DEFAULT_SOLVER;

/// Phases of a step, in the order of [`Simulation::phases_s`].
const PHASES: [&str; 5] = ["collision", "rows", "solve", "closure", "integrate"];

/// r_pen and energy over time for some systems.
pub fn over_time(data: &Data) -> Html {
    let mut html = Html::new();
    html.leaf("h3", &[], "Violation and energy over time");
    html.p(
        "For the last system of each category that was run (they are in order of size): r_pen after the steps (a \
         solver that keeps the mechanism together is a flat, low line; peaks are impacts; a line that climbs is \
         drift), and the total energy (solvers that agree lie on one line; one that leaves the others has lost or \
         invented energy; drives and friction change it for all). Energies far beyond those of all others are \
         drawn at the edge. A curve that stops is a run that ended early.",
    );
    for system in chosen(data) {
        let violation = Axis::log("r_pen (m or rad)");
        html.add(course(data, system, "violation", violation, |(t, r, _)| {
            (t, r)
        }));
        html.add(course(
            data,
            system,
            "energy",
            Axis::linear("energy (J)"),
            |(t, _, e)| (t, e),
        ));
    }
    html
}

/// The time that a step takes, by phase: the default solver on all systems, all solvers on the last.
pub fn phases(data: &Data) -> Html {
    let mut html = Html::new();
    html.leaf("h3", &[], "Where the time goes");
    html.p(
        "Wall time of a step, split into its phases: finding contacts (collision), building the problem (rows), \
         solving it, closing the joints exactly (closure), and moving the bodies (integrate). First all systems with \
         the default solver, then all solvers on the last system: there only solve and closure should \
         differ. The number is the sum; an arrow marks a bar that is cut because it is much longer than most.",
    );
    let runs = data.runs();
    let of_default = systems(data)
        .into_iter()
        .filter_map(|s| runs.get(&(s, DEFAULT_SOLVER)));
    let title = format!("Time per step, {DEFAULT_SOLVER} on each system");
    html.add(stack(&title, of_default.filter_map(|r| bar(r, &r.system))));
    if let Some(system) = chosen(data).last() {
        let names = data
            .solvers
            .iter()
            .filter_map(|s| runs.get(&(*system, s.name.as_str())));
        let title = format!("Time per step, each solver on {system}");
        html.add(stack(&title, names.filter_map(|r| bar(r, &r.solver))));
    }
    html
}

/// The last system of each category that was run; any, if none is of the suite.
fn chosen(data: &Data) -> Vec<&str> {
    let run = systems(data);
    let mut found: Vec<&str> = Vec::new();
    let mut category = None;
    for system in SYSTEMS.iter().rev().filter(|s| run.contains(&s.name)) {
        if category != Some(system.category) {
            category = Some(system.category);
            found.insert(0, system.name);
        }
    }
    if found.is_empty() {
        run.into_iter().take(1).collect()
    } else {
        found
    }
}

type Point = fn((f64, f64, f64)) -> (f64, f64);

fn course(data: &Data, system: &str, what: &str, y: Axis, point: Point) -> Html {
    let title = format!("{system}: {what} over time");
    let mut chart = Chart::new(title.clone(), Axis::linear("simulated time (s)"), y);
    chart.by_solver = true;
    let runs = data.runs();
    let curve = |key: usize| -> Option<Curve> {
        let run = runs.get(&(system, data.solvers[key].name.as_str()))?;
        let points: Vec<_> = run.course.iter().map(|c| point(*c)).collect();
        let note = if run.ended.is_empty() { "" } else { "ended" };
        (!points.is_empty())
            .then(|| solver_curve(&data.solvers, key, note.to_owned(), Style::Line, points))
    };
    chart.curves = (0..data.solvers.len()).filter_map(curve).collect();
    chart.y_range = if chart.y.log {
        None
    } else {
        usual_range(&chart.curves)
    };
    figure(&title, chart.html(), "")
}

/// Where nearly all values are, if a few are so far off that the others would look flat.
fn usual_range(curves: &[Curve]) -> Option<(f64, f64)> {
    let values: Vec<f64> = curves.iter().flat_map(|c| &c.points).map(|p| p.1).collect();
    let [least, low, high, most] = [0.0, 0.02, 0.98, 1.0].map(|q| quantile(&values, q));
    let (low, high) = (low?, high?);
    let spread = (high - low).max(1e-3 * low.abs().max(high.abs()));
    let is_far = most? - least? > 4.0 * spread;
    (is_far && spread > 0.0).then_some((low - 0.5 * spread, high + 0.5 * spread))
}

/// Milliseconds a step; none of a run without steps.
fn bar(run: &Simulation, name: &str) -> Option<Bar> {
    let steps = run.steps_done as f64;
    (run.steps_done > 0).then(|| Bar {
        name: name.to_owned(),
        parts: run.phases_s.map(|s| 1e3 * s / steps).to_vec(),
    })
}

fn stack(title: &str, all: impl Iterator<Item = Bar>) -> Html {
    let all: Vec<Bar> = all.collect();
    if all.is_empty() {
        return Html::new();
    }
    let axis = Axis::linear("wall time per step (ms)");
    figure(title, bars(title, &axis, &PHASES, &all), "")
}

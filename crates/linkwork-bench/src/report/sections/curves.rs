//! Curves of solvers: the same stroke, name and family in every plot.

use crate::plot::{Axis, Style};
use crate::report::data::{Profile, Solvers};
use crate::report::svg::{Chart, Curve, Size};

/// The curve of the solver `key`.
pub fn solver_curve(
    solvers: &Solvers,
    key: usize,
    note: String,
    style: Style,
    points: Vec<(f64, f64)>,
) -> Curve {
    let solver = &solvers[key];
    let law = if solver.is_convex() { "CCP" } else { "" };
    Curve {
        key,
        name: solver.name.clone(),
        note: format!("{law} {note}").trim().to_owned(),
        family: solver.family.to_owned(),
        points,
        style,
        stroke: solver.stroke,
    }
}

/// Performance profiles of some solvers, with the share each solves in the legend.
pub fn profile_chart(title: String, solvers: &Solvers, profiles: &[Profile], size: Size) -> Chart {
    let x = match size {
        Size::Large => "τ: time relative to the fastest solver of the problem",
        Size::Small => "τ: time relative to the fastest",
    };
    let mut chart = Chart::new(title, Axis::log(x), Axis::linear("share solved within τ"));
    chart.y_range = Some((0.0, 1.0));
    chart.by_solver = true;
    chart.size = size;
    let curve = |p: &Profile| {
        let share = p.corners.last().map_or(0.0, |c| c.1);
        let note = format!("{:.0} %", 100.0 * share);
        solver_curve(solvers, p.solver, note, Style::Steps, p.corners.clone())
    };
    chart.curves = profiles.iter().map(curve).collect();
    chart
}

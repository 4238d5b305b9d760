//! How the cells are shown.

use super::super::Context;
use super::{Cell, Compared, Condition, FRICTION, STEPS, TOLERANCE, measure};
use crate::plot::{Axis, Plot, Style};
use crate::table::Table;

/// His table and ours, side by side.
pub(super) fn table(cells: &[Compared]) -> Table {
    let mut table = Table::new(
        "Iterations a step (median of a run, mean over runs) and share of iterations that accept the Newton point",
        &[
            "balls, friction",
            "contacts",
            "paper",
            "iterations",
            "paper",
            "Newton, %",
            "paper, %",
            "unsolved steps, %",
        ],
    );
    for cell in cells {
        let ours = &cell.ours;
        table.row([
            format!("{:2}, μ = {:.1}", cell.column.balls, cell.friction),
            format!("{:.1}", ours.contacts),
            format!("{:.0}", cell.column.contacts),
            format!("{:.1}", ours.iterations),
            format!("{:.1}", cell.paper.0),
            format!("{:.0}", ours.newton),
            format!("{:.0}", cell.paper.1),
            format!("{:.1}", ours.unsolved),
        ]);
    }
    table
}

/// What differs, and what he leaves open.
pub(super) fn notes(ctx: &Context) -> Vec<String> {
    let runs = match ctx.quick {
        true => {
            "5, 3 and 1 runs for 5, 10 and 15 balls (quick; the paper has 10, and so has the full run)"
        }
        false => "10 runs a cell",
    };
    vec![
        format!(
            "{runs}, 200 steps of 5 ms, cold start from sticking, b = 0, the last iterate is taken whether solved or \
             not, no restarts: as in the paper."
        ),
        "The paper does not give radii, density, box, tolerance or limit of iterations. Ours: 8 to 16 cm, 1000 kg/m³, \
         the box that gives about the paper's contacts, 1e-6 N s and m/s, 50. Our solver scales impulses against \
         velocities, which the paper does not do."
            .to_owned(),
        "The paper's text has friction 0.2 where its table has 0.5; the table is followed.".to_owned(),
        "Unsolved steps are those that miss the tolerance when the residual is computed anew. The paper calls local \
         minima very rare and does not count them. In use our solver leaves them by restarts, which are off here."
            .to_owned(),
    ]
}

/// Iterations and Newton points over the friction.
pub(super) fn plots(cells: &[Compared]) -> Vec<Plot> {
    let draw = |title: &str, y: Axis, ours: fn(&Cell) -> f64, paper: fn((f64, f64)) -> f64| {
        let caption = "Lines are ours, dots the paper's, one colour for each number of balls.";
        let plot = Plot::new(title, caption, Axis::log("friction coefficient"), y);
        cells.chunks(FRICTION.len()).fold(plot, |plot, cells| {
            let name = format!("{} balls", cells[0].column.balls);
            let lines = cells.iter().map(|c| (c.friction, ours(&c.ours)));
            let dots = cells.iter().map(|c| (c.friction, paper(c.paper)));
            plot.with(&name, Style::Line, lines.collect()).with(
                format!("{name}, paper"),
                Style::Dots,
                dots.collect(),
            )
        })
    };
    vec![
        draw(
            "Iterations a step",
            Axis::linear("iterations, median"),
            |c| c.iterations,
            |p| p.0,
        ),
        draw(
            "Newton points accepted",
            Axis::linear("share of iterations, %"),
            |c| c.newton,
            |p| p.1,
        ),
    ]
}

/// The crowded cells in another box and to another tolerance.
pub(super) fn crowded() -> Table {
    let (runs, steps) = (3, STEPS);
    let mut table = Table::new(
        format!(
            "15 balls again, in another box and to another tolerance ({runs} runs of {steps} steps)"
        ),
        &[
            "friction",
            "edge of the box, m",
            "tolerance",
            "contacts",
            "iterations",
            "Newton, %",
            "unsolved steps, %",
        ],
    );
    for friction in [0.5, 1.0] {
        for (edge, tolerance) in [
            (0.73, TOLERANCE),
            (0.73, 1e-4),
            (0.76, TOLERANCE),
            (0.76, 1e-4),
        ] {
            let cell = measure(Condition {
                balls: 15,
                edge,
                friction,
                tolerance,
                runs,
                steps,
            });
            table.row([
                format!("μ = {friction:.1}"),
                format!("{edge:.2}"),
                format!("{tolerance:.0e}"),
                format!("{:.1}", cell.contacts),
                format!("{:.1}", cell.iterations),
                format!("{:.0}", cell.newton),
                format!("{:.1}", cell.unsolved),
            ]);
        }
    }
    table
}

//! Tables and plots of `castro-clutter`.

use super::Drop;
use crate::plot::{Axis, Plot, Style};
use crate::table::Table;

pub(super) fn iteration_table(drops: &[Drop]) -> Table {
    let mut table = Table::new(
        "Fig. 9, 11, 12: iterations per step and speed (paper, 40 bodies with walls: SAP about 3 at rest, Gurobi 9 throughout; SAP up to \
         25 times as fast with walls and 50 without below 40 bodies, with walls slower beyond 80)",
        &[
            "place",
            "bodies",
            "contacts at the end",
            "SAP, first quarter",
            "SAP, last quarter",
            "Clarabel, first",
            "Clarabel, last",
            "time, Clarabel/SAP",
            "steps failed",
        ],
    );
    for d in drops {
        let (early, rest) = (
            d.iterations_within(0.0, 0.25),
            d.iterations_within(0.75, 1.0),
        );
        table.row([
            d.pile.place().to_owned(),
            d.pile.bodies.to_string(),
            d.contacts.to_string(),
            format!("{:.1}", early.0),
            format!("{:.1}", rest.0),
            format!("{:.1}", early.1),
            format!("{:.1}", rest.1),
            format!("{:.1}", d.speedup()),
            d.failed.to_string(),
        ]);
    }
    table
}

pub(super) fn error_table(drops: &[Drop]) -> Table {
    let mut table = Table::new(
        "Fig. 13: mean momentum error e_m and complementarity error e_μ (paper: SAP's e_m below 1e-5 and its e_μ at round-off)",
        &[
            "place",
            "bodies",
            "e_m, SAP",
            "e_m, Clarabel",
            "e_μ of λ, SAP",
            "e_μ of λ, Clarabel",
            "e_μ of P(y(u)), largest",
            "velocities apart, m/s",
        ],
    );
    let number = |x: f64| format!("{x:.1e}");
    for d in drops {
        table.row([
            d.pile.place().to_owned(),
            d.pile.bodies.to_string(),
            number(d.mean_of(|c| c.sap.errors.momentum)),
            number(d.mean_of(|c| c.clarabel.errors.momentum)),
            number(d.mean_of(|c| c.sap.errors.complementarity)),
            number(d.mean_of(|c| c.clarabel.errors.complementarity)),
            number(d.worst(|c| c.sap.errors.implied)),
            number(d.worst(|c| c.apart)),
        ]);
    }
    table
}

pub(super) fn plots(drops: &[Drop]) -> Vec<Plot> {
    vec![iteration_plot(drops), speed_plot(drops)]
}

/// Of the pile in the middle, with walls.
fn iteration_plot(drops: &[Drop]) -> Plot {
    let walled: Vec<&Drop> = drops.iter().filter(|d| d.pile.walls).collect();
    let shown = walled[walled.len() / 2];
    let sap = shown.iterations.iter().map(|(t, n)| (*t, *n as f64));
    let clarabel = shown.compared.iter();
    let clarabel = clarabel.map(|c| (c.time, c.clarabel.iterations as f64));
    Plot::new(
        format!("Fig. 9: iterations per step, {} bodies with walls", shown.pile.bodies),
        "SAP starts warm and needs fewer iterations as the pile comes to rest; an interior-point method starts anew every step.",
        Axis::linear("time, s"),
        Axis::linear("iterations"),
    )
    .with("SAP", Style::Line, sap.collect())
    .with("Clarabel", Style::Dots, clarabel.collect())
}

fn speed_plot(drops: &[Drop]) -> Plot {
    let of = |walls: bool| {
        let of = drops.iter().filter(|d| d.pile.walls == walls);
        of.map(|d| (d.pile.bodies as f64, d.speedup())).collect()
    };
    Plot::new(
        "Fig. 12: speed-up of SAP against Clarabel",
        "Time of Clarabel over time of SAP on the same problems; above 1 SAP is faster.",
        Axis::log("bodies"),
        Axis::log("time, Clarabel/SAP"),
    )
    .with("walls", Style::Line, of(true))
    .with("no walls", Style::Line, of(false))
}

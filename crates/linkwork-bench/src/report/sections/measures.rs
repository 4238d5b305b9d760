//! The measures by which the papers compare solvers.

use crate::report::data::{Data, Selection, Solvers, median, quantile};
use crate::report::html::{Cell, Grid, Html};
use crate::report::numbers::short;
use linkwork_solve::Measures;

/// Name, unit and value of each measure.
type Column = (&'static str, fn(&Measures) -> f64);

const COLUMNS: [Column; 5] = [
    ("r_dual (m/s)", |m| m.r_dual),
    ("r_ncp (J)", |m| m.r_ncp),
    ("r_nat", |m| m.r_nat),
    ("e_m", |m| m.e_m),
    ("e_μ", |m| m.e_mu),
];

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "Every answer measured as the papers do, whether it counts as solved or not, and always under the exact law: the dual, \
         complementarity and natural-map residual of [Tsounis eq. 174–176] with unit step, the momentum and complementarity \
         errors of [Castro eq. 32–33] relative to the momenta and the primal cost. A cell has the median and the 95th percentile. \
         Solvers of the convex relaxation leave r_dual and r_nat where contacts slide: that is their law, not their error. e_m \
         compares velocities with the impulses they imply, which hard rows do not; where all rows are hard it is round-off.",
    );
    let suite = data.suite();
    if !suite.scores.iter().any(|s| s.measures.is_some()) {
        html.missing(
            "No score has the measures of the papers yet.",
            "linkwork bench score",
        );
        return html;
    }
    html.add(grid(&suite, &data.solvers).html());
    html
}

fn grid(suite: &Selection, solvers: &Solvers) -> Grid {
    let mut head = vec!["solver"];
    head.extend(COLUMNS.map(|(name, _)| name));
    let mut grid = Grid::new("Measures of the papers".to_owned(), &head, 1);
    for (law, keys) in solvers.by_law(&suite.solvers(solvers)) {
        grid.group(law);
        for key in keys {
            let name = &solvers[key].name;
            let mine = suite.scores.iter().filter(|s| s.solver == *name);
            let found: Vec<Measures> = mine.filter_map(|s| s.measures).collect();
            let cell = |value: fn(&Measures) -> f64| {
                let values: Vec<f64> = found.iter().map(value).collect();
                let (Some(middle), Some(high)) = (median(&values), quantile(&values, 0.95)) else {
                    let title = "no answer of this solver has this measure";
                    return Cell::new("none").class("soft").title(title);
                };
                let mut cell = Cell::new(short(middle));
                cell.small = short(high);
                cell
            };
            let mut cells = vec![Cell::new(name).title(&solvers[key].summary)];
            cells.extend(COLUMNS.map(|(_, value)| cell(value)));
            grid.row_of(format!("k{key}"), cells);
        }
    }
    grid
}

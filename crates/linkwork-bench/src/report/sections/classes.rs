//! Which solver solves which class: a heat map for cold and one for warm starts.

use crate::class::Class;
use crate::report::data::{Data, Selection, Solvers, Tally, fastest};
use crate::report::html::{Cell, Grid, Html, heat_cell, scale_bar};
use crate::report::numbers::{percent, seconds, short, times};
use crate::results::{Score, Start};

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "Each cell is a solver on a class of samples: the share it solves of those it accepts, their number, and \
         the median wall time of those solved. Bright is good. A hatched cell is a class that the solver does not \
         support, which is not a failure. A line in red counts false convergences. \"Not scored\" means that the \
         solver was given no sample of the class. Point at a cell for more.",
    );
    html.p(
        "According to the papers, splitting methods (Gauss-Seidel, RaiSim) fail on dense joints and high \
         mass ratios, ADMM on the exact law solves them. \"cold\" starts from zero impulses, \"warm\" from those of \
         the step before, as a simulation does.",
    );
    let suite = data.suite();
    if suite.scores.is_empty() {
        html.missing(
            "No solver has been scored on the samples yet.",
            "linkwork bench score",
        );
        return html;
    }
    html.add(scale_bar("0 % solved ", " 100 % solved"));
    for start in suite.starts() {
        html.leaf("h3", &[], &format!("From a {} start", start.name()));
        html.add(heat_map(&suite, &data.solvers, start).html());
    }
    html.element("p", &[], |h| {
        h.text("The same numbers for machines, with times in seconds and ratios to the fastest: ");
        h.leaf("a", &[("href", "classes.csv")], "classes.csv");
        h.text(" (solver, class and start), ");
        h.leaf("a", &[("href", "scores.csv")], "scores.csv");
        h.text(" (every solve).");
    });
    html
}

fn heat_map(suite: &Selection, solvers: &Solvers, start: Start) -> Grid {
    let mut head = vec!["solver"];
    head.extend(Class::ALL.map(Class::name));
    head.push("all");
    let caption = format!(
        "Share solved to {} within {} and median time, {} start",
        short(suite.tolerance),
        seconds(suite.limit_s),
        start.name()
    );
    let mut grid = Grid::new(caption, &head, 1);
    grid.class = "heat";
    let scores = suite.starting(start);
    for (law, keys) in solvers.by_law(&suite.solvers(solvers)) {
        grid.group(law);
        let names: Vec<&str> = keys.iter().map(|k| solvers[*k].name.as_str()).collect();
        let group = scores
            .iter()
            .copied()
            .filter(|s| names.contains(&s.solver.as_str()));
        let best = fastest(group);
        for key in keys {
            let solver = &solvers[key];
            let mine = |s: &&Score| s.solver == solver.name;
            let of = |class: Option<Class>| {
                let scores = scores.iter().copied().filter(mine);
                Tally::of(
                    scores.filter(|s| class.is_none() || s.class == class),
                    &best,
                )
            };
            let classes = Class::ALL.map(Some).into_iter().chain([None]);
            let mut cells = vec![Cell::new(&solver.name).title(&solver.summary)];
            cells.extend(classes.map(|class| tally_cell(&of(class), &solver.name, class)));
            grid.row_of(format!("k{key}"), cells);
        }
    }
    grid
}

fn tally_cell(tally: &Tally, solver: &str, class: Option<Class>) -> Cell {
    if tally.problems == 0 {
        let title = format!("{solver} was given no problem of it: linkwork bench score");
        return Cell::new("not scored").class("soft").title(title);
    }
    let class = class.map_or("all classes", Class::name);
    if tally.tried() == 0 {
        let title = format!("{solver} refuses {class}: {} problems", tally.refused);
        return Cell::new("refused").class("refused").title(title);
    }
    let mut title = format!(
        "{solver} on {class}: solves {} of {} it takes ({} refused); median time {}, {} the fastest of its law",
        tally.solved,
        tally.tried(),
        tally.refused,
        tally.time().map_or_else(|| "–".to_owned(), seconds),
        times(tally.ratio()),
    );
    let mut cell = heat_cell(percent(tally.solved, tally.tried()), tally.share());
    let time = tally
        .time()
        .map_or_else(String::new, |t| format!(" · {}", seconds(t)));
    cell.small = format!("{}/{}{time}", tally.solved, tally.tried());
    if tally.false_claims > 0 {
        cell.alarm = format!("{} false", tally.false_claims);
        title += &format!("; {} false convergences", tally.false_claims);
    }
    cell.title(title)
}

//! Performance profiles over the samples.

use super::curves::profile_chart;
use crate::class::Class;
use crate::report::data::{Data, Selection, Solvers, Tally, profiles};
use crate::report::html::{Cell, Grid, Html, figure, figures};
use crate::report::numbers::{percent, short};
use crate::report::svg::Size;
use crate::results::Score;
use std::collections::HashMap;

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "A performance profile [Dolan & Moré 2002] shows speed and robustness at once. Follow a solver's curve: at \
         the left edge, τ = 1, is the share of problems on which it is the fastest; at τ = 10 the share it solves \
         within ten times the time of the fastest solver of each problem; where the curve ends on the right, the \
         share it solves at all. Higher is better, everywhere. Shares are of all problems: one that a solver \
         refuses counts as not solved here. The number in the legend is the share at the right end. Point at a \
         curve or a name to see it alone, or choose a solver at the top of the page.",
    );
    html.p(
        "Solvers of the exact law of friction (NCP) and of its convex relaxation (CCP) solve different problems, and \
         are compared among themselves.",
    );
    let suite = data.suite();
    if suite.scores.is_empty() {
        html.missing(
            "No solver has been scored on the samples yet.",
            "linkwork bench score",
        );
        return html;
    }
    let solvers = &data.solvers;
    let groups = solvers.by_law(&suite.solvers(solvers));
    for start in suite.starts() {
        let scores = suite.starting(start);
        for (law, keys) in groups.iter().filter(|(_, keys)| !keys.is_empty()) {
            let title = format!("All samples, {} start, {law}", start.name());
            html.add(profile(title, &scores, keys, solvers, Size::Large));
        }
    }
    html.leaf("h3", &[], "By class");
    html.p("The same for each class, cold starts where they were scored; strokes are those of the legends above.");
    let start = suite.starts()[0];
    let scores = suite.starting(start);
    for (law, keys) in groups.iter().filter(|(_, keys)| !keys.is_empty()) {
        let of = |class: Class| {
            let mine: Vec<&Score> = scores
                .iter()
                .copied()
                .filter(|s| s.class == Some(class))
                .collect();
            let title = format!("{}, {law}", class.name());
            (!mine.is_empty()).then(|| profile(title, &mine, keys, solvers, Size::Small))
        };
        html.add(figures(Class::ALL.into_iter().filter_map(of)));
    }
    convex_answers(&mut html, &suite, solvers, &groups[1].1);
    html
}

fn profile(
    title: String,
    scores: &[&Score],
    keys: &[usize],
    solvers: &Solvers,
    size: Size,
) -> Html {
    let found = profiles(scores, keys, solvers);
    figure(
        &title,
        profile_chart(title.clone(), solvers, &found, size).html(),
        "",
    )
}

/// How many answers to the relaxed problem satisfy the exact law.
fn convex_answers(html: &mut Html, suite: &Selection, solvers: &Solvers, keys: &[usize]) {
    if keys.is_empty() {
        return;
    }
    html.leaf(
        "h3",
        &[],
        "Do answers to the convex relaxation satisfy the exact law?",
    );
    html.p(
        "A solver of the relaxation can be right about its own problem and wrong about friction: where a contact \
         slides, the relaxed law lifts it off with a speed of μ times the sliding speed. The table gives, of the \
         problems each solves by its own law, the share whose answer also satisfies the exact law to the same \
         tolerance. Without contacts, and where all contacts stick, the two laws agree.",
    );
    let mut head = vec!["solver"];
    head.extend(Class::ALL.map(Class::name));
    head.push("all");
    let caption = format!(
        "Share of solved problems whose answer satisfies the exact law to {}",
        short(suite.tolerance)
    );
    let mut grid = Grid::new(caption, &head, 1);
    for key in keys {
        let name = &solvers[*key].name;
        let of = |class: Option<Class>| {
            let mine = suite.scores.iter().copied().filter(|s| s.solver == *name);
            let tally = Tally::of(
                mine.filter(|s| class.is_none() || s.class == class),
                &HashMap::new(),
            );
            let mut cell = Cell::new(percent(tally.exact, tally.solved));
            if tally.solved > 0 {
                cell.small = format!("{} of {}", tally.exact, tally.solved);
            }
            cell
        };
        let classes = Class::ALL.map(Some).into_iter().chain([None]);
        let cells = std::iter::once(Cell::new(name))
            .chain(classes.map(of))
            .collect();
        grid.row_of(format!("k{key}"), cells);
    }
    html.add(grid.html());
}

//! Effect of Linkwork's changes: each solver as printed in its paper, beside its counterpart.

use crate::report::data::{Data, Fastest, Selection, Tally};
use crate::report::html::{Cell, Grid, Html};
use crate::report::numbers::{percent, seconds, short};
use crate::results::Score;
use linkwork_solve::{counterpart, printed_solvers};

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "Solvers with a slash in their name follow a paper to the letter: its steps, its penalty, its stopping test, no \
         acceleration. Each stands here beside the solver of Linkwork that it became, on the samples that both were scored on; \
         the difference is what the changes gain. \"own test\" is the share of solves that ended because the paper's test held: \
         where it is larger than the share solved, that test accepts answers that the recomputed natural map does not.",
    );
    let suite = data.suite();
    let pairs = pairs(&suite);
    if pairs.is_empty() {
        html.missing(
            "No printed solver has been scored beside its counterpart yet.",
            "linkwork bench score",
        );
        return html;
    }
    html.add(grid(&suite, &pairs).html());
    html
}

/// Printed solvers and counterparts that were both scored.
fn pairs(suite: &Selection) -> Vec<(&'static str, &'static str)> {
    let scored = |name: &str| suite.scores.iter().any(|s| s.solver == name);
    let pair = |name: &'static str| Some((name, counterpart(name)?));
    let all = printed_solvers().iter().filter_map(|e| pair(e.name));
    all.filter(|(printed, ours)| scored(printed) && scored(ours))
        .collect()
}

fn grid(suite: &Selection, pairs: &[(&str, &str)]) -> Grid {
    let head = [
        "as printed",
        "solved",
        "own test",
        "median time",
        "Linkwork's",
        "solved",
        "median time",
    ];
    let caption = format!(
        "As printed and as changed, tolerance {}, all starts",
        short(suite.tolerance)
    );
    let mut grid = Grid::new(caption, &head, 1);
    for (printed, ours) in pairs {
        let of = |name: &str| -> Vec<&Score> {
            let mine = suite.scores.iter().copied();
            mine.filter(|s| s.solver == name).collect()
        };
        let (a, b) = (of(printed), of(ours));
        let tested = a.iter().filter(|s| s.own_test.is_some()).count();
        let held = a.iter().filter(|s| s.own_test == Some(true)).count();
        let tally = |scores: &[&Score]| Tally::of(scores.iter().copied(), &Fastest::new());
        let (a, b) = (tally(&a), tally(&b));
        let share = |t: &Tally| {
            Cell::new(percent(t.solved, t.tried())).title(format!(
                "{} of {}, {} refused",
                t.solved,
                t.tried(),
                t.refused
            ))
        };
        let time = |t: &Tally| Cell::new(t.time().map_or_else(|| "–".to_owned(), seconds));
        let own = match tested {
            0 => Cell::new("–").title("it stops on the recomputed natural map"),
            _ => Cell::new(percent(held, tested)),
        };
        grid.row(vec![
            Cell::new(*printed),
            share(&a),
            own,
            time(&a),
            Cell::new(*ours),
            share(&b),
            time(&b),
        ]);
    }
    grid
}

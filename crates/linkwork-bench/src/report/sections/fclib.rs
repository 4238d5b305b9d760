//! Problems of the frictional contact library.

use super::curves::profile_chart;
use super::summary::headline;
use crate::report::data::{Data, profiles};
use crate::report::html::{Html, figure};
use crate::report::numbers::{seconds, short};
use crate::report::svg::Size;

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "FCLIB [Acary et al. 2014] is a public collection of frictional contact problems from other simulators: \
         problems we did not make. They come in all units and scales, so that each is solved in its own, and the \
         tolerance is relative to |q|, the velocity without impulses.",
    );
    let fclib = data.fclib();
    if fclib.scores.is_empty() {
        html.missing(
            "No solver has been scored on FCLIB problems yet.",
            "linkwork bench score --fclib FOLDER",
        );
        return html;
    }
    html.p(&format!(
        "{} problems at tolerance {} of |q|, {} a solve. The columns are those of the headline table, the plots \
         performance profiles as above.",
        fclib.problems(),
        short(fclib.tolerance),
        seconds(fclib.limit_s),
    ));
    html.add(headline(&fclib, &data.solvers).html());
    for start in fclib.starts() {
        let scores = fclib.starting(start);
        for (law, keys) in data.solvers.by_law(&fclib.solvers(&data.solvers)) {
            if keys.is_empty() {
                continue;
            }
            let title = format!("FCLIB, {} start, {law}", start.name());
            let found = profiles(&scores, &keys, &data.solvers);
            let chart = profile_chart(title.clone(), &data.solvers, &found, Size::Large);
            html.add(figure(&title, chart.html(), ""));
        }
    }
    html
}

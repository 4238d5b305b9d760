//! How fast scenes run with the default solver.

use crate::report::data::Data;
use crate::report::html::{Grid, Html, figure};
use crate::report::numbers::date;
use crate::report::svg::Chart;
use crate::speed::{cost_plot, tables};

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "How many steps per second of processor time scenes take with their own settings on one thread: medians over several \
         runs. A run is watched once, for counts and errors, and then timed. A scene moves up to its last step with more \
         than a thousandth of its largest kinetic energy (and more than that of all its mass at 1 mm/s); after that it is \
         at rest. Times of phases are wall times, in proportion to the CPU time.",
    );
    let (Some(first), Some(last)) = (
        data.speeds.iter().map(|s| s.machine.unix_s).min(),
        data.speeds.iter().max_by_key(|s| s.machine.unix_s),
    ) else {
        html.missing("No scene has been timed yet.", "linkwork bench speed");
        return html;
    };
    let m = &last.machine;
    html.p(&format!(
        "Measured on {} (the first on {}) on {}, {} cores, commit {}, {}, {}.",
        date(m.unix_s),
        date(first),
        m.processor,
        m.cores,
        m.commit,
        m.profile,
        m.rustc,
    ));
    if data.speeds.iter().any(|s| s.machine.commit != m.commit) {
        html.p("Some were measured by another commit: speed.csv lists it.");
    }
    for table in tables(&data.speeds) {
        html.add(Grid::from(&table).html());
    }
    if let Some(plot) = cost_plot(&data.speeds) {
        html.add(figure(&plot.title, Chart::of(&plot).html(), &plot.caption));
    }
    html.element("p", &[], |h| {
        h.text("All of it: ");
        h.leaf("a", &[("href", "speed.csv")], "speed.csv");
        h.text(".");
    });
    html
}

//! Residual over time: the median over samples, and single solves.

use super::curves::solver_curve;
use crate::class::Class;
use crate::plot::{Axis, Style};
use crate::report::data::{Data, Solvers, median};
use crate::report::html::{Html, figure, figures};
use crate::report::svg::{Chart, Size};
use crate::results::Score;
use std::collections::BTreeMap;

/// Points of a median curve, at even steps of the logarithm of time.
const GRID: usize = 60;
/// Residuals below this are rounding, and drawn here: a logarithm has no place for zero.
const FLOOR: f64 = 1e-16;

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "Some solves were watched: the residual after each of some iterations, over the wall time since the start of \
         the solve. Time runs right and the residual down, both in powers of ten; a curve that is lower and further \
         left is better, a flat one has stalled. The dashed line is the tolerance.",
    );
    let suite = data.suite();
    let watched: Vec<&Score> = suite
        .scores
        .iter()
        .copied()
        .filter(|s| !s.history.is_empty())
        .collect();
    // A median over both starts would mix them: the first (cold) if there are both.
    let start = watched.iter().map(|s| s.start).min();
    let watched: Vec<&Score> = watched
        .into_iter()
        .filter(|s| Some(s.start) == start)
        .collect();
    let Some(start) = start else {
        html.missing(
            "No solve on a sample was watched yet.",
            "linkwork bench score",
        );
        return html;
    };
    let solvers = &data.solvers;
    html.leaf("h3", &[], "Median over samples");
    html.p(&format!(
        "How accurate an answer to expect for the time one is ready to spend: at each time, the median over the \
         watched samples of the least residual that the solver had reached by then, {} start. The first plot is over all \
         classes and has the legend; the others are over one class each. A curve begins when more than half of the \
         samples have a first residual; residuals below {FLOOR:e} are drawn there.",
        start.name()
    ));
    let chart = |scores: &[&Score], name: &str, size| {
        let title = format!("Median residual over time, {name}");
        figure(
            name,
            residual_chart(title, scores, solvers, suite.tolerance, size, best_so_far).html(),
            "",
        )
    };
    html.add(chart(&watched, "all classes", Size::Large));
    html.add(figures(by_class(&watched, |class, scores| {
        chart(&scores, class.name(), Size::Small)
    })));
    html.leaf("h3", &[], "Residual histories");
    html.p(
        "Single solves: for each class the watched sample that took the solvers the most iterations, and every \
         solver's residual on it as it rose and fell. Strokes are those of the legend above.",
    );
    html.add(figures(by_class(&watched, |class, scores| {
        let problem = longest(&scores);
        let mine: Vec<&Score> = scores
            .iter()
            .copied()
            .filter(|s| s.problem == problem)
            .collect();
        let title = format!("{}: {problem}", class.name());
        let chart = residual_chart(
            title.clone(),
            &mine,
            solvers,
            suite.tolerance,
            Size::Small,
            as_it_was,
        );
        figure(&title, chart.html(), "")
    })));
    html
}

/// The problem with the longest histories, the first of those.
fn longest<'a>(scores: &[&'a Score]) -> &'a str {
    let mut lengths: BTreeMap<&str, usize> = BTreeMap::new();
    for score in scores {
        *lengths.entry(&score.problem).or_default() += score.history.len();
    }
    let most = lengths.values().copied().max();
    let found = scores.iter().map(|s| s.problem.as_str());
    let mut found = found.filter(|name| lengths.get(name).copied() == most);
    found.next().unwrap_or_default()
}

fn by_class(scores: &[&Score], draw: impl Fn(Class, Vec<&Score>) -> Html) -> Vec<Html> {
    let of = |class| {
        let mine: Vec<&Score> = scores
            .iter()
            .copied()
            .filter(|s| s.class == Some(class))
            .collect();
        (!mine.is_empty()).then(|| draw(class, mine))
    };
    Class::ALL.into_iter().filter_map(of).collect()
}

fn residual_chart(
    title: String,
    scores: &[&Score],
    solvers: &Solvers,
    tolerance: f64,
    size: Size,
    points: fn(&[&Score]) -> Vec<(f64, f64)>,
) -> Chart {
    let (x, y) = (Axis::log("wall time (s)"), Axis::log("residual (N s, m/s)"));
    let mut chart = Chart::new(title, x, y);
    chart.mark = Some(tolerance);
    chart.by_solver = true;
    chart.size = size;
    for key in 0..solvers.len() {
        let mine: Vec<&Score> = scores
            .iter()
            .copied()
            .filter(|s| s.solver == solvers[key].name)
            .collect();
        if !mine.is_empty() {
            let curve = solver_curve(solvers, key, String::new(), Style::Line, points(&mine));
            chart.curves.push(curve);
        }
    }
    chart
}

/// The history of a single solve.
fn as_it_was(scores: &[&Score]) -> Vec<(f64, f64)> {
    let histories = scores.iter().take(1).flat_map(|s| &s.history);
    histories
        .map(|(t, r)| (*t, if r.is_nan() { *r } else { r.max(FLOOR) }))
        .collect()
}

/// At times on a logarithmic grid, the median over solves of the least residual so far.
fn best_so_far(scores: &[&Score]) -> Vec<(f64, f64)> {
    let times = || {
        scores
            .iter()
            .flat_map(|s| &s.history)
            .map(|(t, _)| *t)
            .filter(|t| *t > 0.0)
    };
    let (first, last) = (
        times().fold(f64::INFINITY, f64::min),
        times().fold(0.0, f64::max),
    );
    if first > last {
        return Vec::new();
    }
    let at = |i: usize| first * (last / first).powf(i as f64 / (GRID - 1) as f64);
    let least = |score: &&Score, t: f64| {
        // Times on the grid are rounded: without a little slack the last of all would be missed.
        let seen = score
            .history
            .iter()
            .filter(|(time, _)| *time <= t * (1.0 + 1e-12));
        seen.map(|(_, r)| *r).fold(f64::INFINITY, f64::min)
    };
    let value = |t: f64| {
        let all: Vec<f64> = scores.iter().map(|s| least(s, t)).collect();
        let begun: Vec<f64> = all.iter().copied().filter(|r| r.is_finite()).collect();
        // Solves without a residual yet are worse than all others.
        let unknown = all.len() - begun.len();
        (2 * unknown < all.len()).then(|| median_with(&begun, unknown).max(FLOOR))
    };
    (0..GRID)
        .filter_map(|i| value(at(i)).map(|r| (at(i), r)))
        .collect()
}

/// Median of `values` and of `above` more that are larger than all of them, fewer than half.
fn median_with(values: &[f64], above: usize) -> f64 {
    let most = values.iter().copied().fold(0.0, f64::max);
    let all: Vec<f64> = values
        .iter()
        .copied()
        .chain(std::iter::repeat_n(most, above))
        .collect();
    median(&all).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::data::fixture::score;

    /// Two solves; the first has a residual from the start and rises once, the other begins later.
    #[test]
    fn the_median_is_of_the_least_residuals_so_far() {
        let mut scores = [
            score("a", "newton", 1.0, true),
            score("b", "newton", 1.0, true),
        ];
        scores[0].history = vec![(1.0, 1e-2), (10.0, 1e-4), (100.0, 1.0)];
        scores[1].history = vec![(100.0, 3e-4)];
        let points = best_so_far(&scores.each_ref());
        // Before the second has a residual there is no median of two.
        assert_eq!(points.len(), 1);
        let (t, r) = points[0];
        assert!(
            (t - 100.0).abs() < 1e-9 && (r - 2e-4).abs() < 1e-12,
            "{t} {r}"
        );
        assert_eq!(as_it_was(&scores.each_ref())[2], (100.0, 1.0));
    }
}

//! Tables and the performance profile of `carpentier-fclib`.

use super::{CATEGORIES, Case, Outcome, SOLVERS};
use crate::papers::rules::RULES;
use crate::plot::{Axis, Plot, Style};
use crate::stats::{deviation, mean};
use crate::table::Table;

/// Table III: mean ± deviation of the Cholesky updates, a row a category, a column a rule.
const PAPER_UPDATES: [[&str; 7]; 3] = [
    [
        "9.20 ± 2.48",
        "6.12 ± 1.75",
        "5.85 ± 2.47",
        "6.12 ± 2.40",
        "11.26 ± 4.99",
        "5.02 ± 2.40",
        "3.97 ± 1.76",
    ],
    [
        "5.74 ± 1.53",
        "8.76 ± 69.9",
        "33.7 ± 213",
        "25.5 ± 155",
        "7.87 ± 6.55",
        "2.76 ± 1.65",
        "3.61 ± 20.5",
    ],
    [
        "4.58 ± 1.71",
        "3.09 ± 2.01",
        "3.60 ± 2.94",
        "4.60 ± 2.06",
        "5.57 ± 4.85",
        "2.30 ± 1.50",
        "2.12 ± 1.01",
    ],
];
/// Table III, the means of the spectral rule with 0.05 by category.
pub(super) const SPECTRAL_UPDATES: [f64; 3] = [5.02, 2.76, 2.30];
/// Table IV: mean times, ms.
const PAPER_TIMES: [[f64; 7]; 3] = [
    [2.16, 1.73, 1.76, 1.95, 2.56, 1.55, 1.51],
    [0.527, 0.637, 1.61, 1.34, 0.445, 0.321, 0.494],
    [2.86, 2.50, 1.95, 1.69, 2.17, 1.72, 1.63],
];

fn of_category(cases: &[Case], category: usize) -> Vec<&Case> {
    let of = cases.iter().filter(|c| c.category == category);
    of.collect()
}

pub(super) fn solved_table(cases: &[Case]) -> Table {
    let mut table = Table::new(
        "Fig. 7: problems solved to 1e-6 of |q| (paper: PGS runs into its limit on BoxesStack and Capsules)",
        &["solver", "BoxesStack", "Chain", "Capsules"],
    );
    for (k, (name, ..)) in SOLVERS.iter().enumerate() {
        let mut row = vec![(*name).to_owned()];
        row.extend((0..CATEGORIES.len()).map(|category| {
            let of = of_category(cases, category);
            let solved = of.iter().filter(|c| c.solvers[k].solved).count();
            format!("{solved} of {}", of.len())
        }));
        table.row(row);
    }
    table
}

pub(super) fn factorization_table(cases: &[Case]) -> Table {
    let mut table = Table::new(
        "Table III: factorisations, mean ± standard deviation over all problems, and how many were solved",
        &[
            "rule",
            "category",
            "paper",
            "carpentier/admm",
            "meets eq. 43",
            "Linkwork, not accelerated",
            "solved",
            "Linkwork, accelerated",
            "solved",
        ],
    );
    for (category, name) in CATEGORIES.iter().enumerate() {
        let of = of_category(cases, category);
        for (k, rule) in RULES.iter().enumerate() {
            let spread = |outcomes: Vec<Outcome>| {
                let counts: Vec<f64> = outcomes.iter().map(|o| o.factorizations as f64).collect();
                let solved = outcomes.iter().filter(|o| o.solved).count();
                [
                    format!("{:.2} ± {:.2}", mean(&counts), deviation(&counts)),
                    format!("{solved} of {}", outcomes.len()),
                ]
            };
            let printed = spread(of.iter().map(|c| c.printed[k]).collect());
            let plain = spread(of.iter().map(|c| c.plain[k]).collect());
            let accelerated = spread(of.iter().map(|c| c.accelerated[k]).collect());
            let head = [rule.name, name, PAPER_UPDATES[category][k]].map(str::to_owned);
            table.row(
                head.into_iter()
                    .chain(printed)
                    .chain(plain)
                    .chain(accelerated),
            );
        }
    }
    table
}

pub(super) fn time_table(cases: &[Case]) -> Table {
    let mut table = Table::new(
        "Table IV: mean time relative to the linear rule with τ = 2",
        &[
            "rule",
            "category",
            "paper",
            "Linkwork, not accelerated",
            "Linkwork, accelerated",
        ],
    );
    for (category, name) in CATEGORIES.iter().enumerate() {
        let of = of_category(cases, category);
        let time = |k: usize, which: fn(&Case) -> &Vec<Outcome>| {
            mean(&of.iter().map(|c| which(c)[k].ms).collect::<Vec<_>>())
        };
        for (k, rule) in RULES.iter().enumerate() {
            let ratio = |which| format!("{:.2}", time(k, which) / time(0, which));
            table.row([
                rule.name.to_owned(),
                (*name).to_owned(),
                format!("{:.2}", PAPER_TIMES[category][k] / PAPER_TIMES[category][0]),
                ratio(|c| &c.plain),
                ratio(|c| &c.accelerated),
            ]);
        }
    }
    table
}

/// [Dolan & Moré 2002].
pub(super) fn profile(cases: &[Case]) -> Plot {
    let plot = Plot::new(
        "Fig. 7: performance profile at 1e-6",
        "The share of problems that a solver solves within τ times the time of the fastest; higher and further left is better.",
        Axis::log("τ: time relative to the fastest solver of the problem"),
        Axis::linear("share of problems solved"),
    );
    let fastest = |case: &Case| {
        let solved = case.solvers.iter().filter(|o| o.solved);
        solved.fold(f64::INFINITY, |ms, o| ms.min(o.ms))
    };
    SOLVERS
        .iter()
        .enumerate()
        .fold(plot, |plot, (k, (name, ..))| {
            let solved = cases.iter().filter(|c| c.solvers[k].solved);
            let mut ratios: Vec<f64> = solved.map(|c| c.solvers[k].ms / fastest(c)).collect();
            ratios.sort_by(f64::total_cmp);
            let share = |n: usize| (n + 1) as f64 / cases.len() as f64;
            let points = ratios.iter().enumerate().map(|(n, r)| (*r, share(n)));
            plot.with(*name, Style::Steps, points.collect())
        })
}

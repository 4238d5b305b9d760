//! Tables and plots of `carpentier-wall`.

use super::{CONTENDERS, Case, SETTINGS};
use crate::papers::history::history;
use crate::papers::printed_admm::Mark;
use crate::plot::{Axis, Plot, Style};
use crate::table::Table;
use linkwork_solve::{Problem, SolveReport, SolverSettings, Status};

pub(super) fn solver_table(cases: &[Case]) -> Table {
    let mut table = Table::new(
        "Fig. 4: Linkwork's solvers to 1e-9, at most 20 000 iterations (paper: ADMM gets there, PGS loops)",
        &[
            "solver",
            "problem",
            "status",
            "iterations",
            "factorisations",
            "scaled natural map",
            "dual, m/s",
            "complementarity, J",
        ],
    );
    for case in cases {
        for ((solver, _), end) in CONTENDERS.iter().zip(&case.ends) {
            let r = &end.residuals;
            table.row([
                (*solver).to_owned(),
                case.name.clone(),
                end.status.to_string(),
                end.iterations.to_string(),
                end.factorizations.to_string(),
                format!("{:.1e}", r.scaled()),
                format!("{:.1e}", r.dual),
                format!("{:.1e}", r.complementarity),
            ]);
        }
    }
    table
}

pub(super) fn rule_table(cases: &[Case]) -> Table {
    let mut table = Table::new(
        "Fig. 4: penalty rules to 1e-9 (paper: spectral converges faster than linear)",
        &[
            "rule",
            "problem",
            "paper's algorithm: iterations",
            "factorisations",
            "meets eq. 43",
            "recomputed natural map",
            "Linkwork's ADMM: iterations",
            "factorisations",
            "converged",
        ],
    );
    let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
    for case in cases {
        for trial in &case.rules {
            let mut row = vec![trial.rule.name.to_owned(), case.name.clone()];
            row.extend(match &trial.printed {
                Some(run) => [
                    run.end().iteration.to_string(),
                    run.factorizations.to_string(),
                    yes(trial.meets()),
                    format!("{:.1e}", trial.judged),
                ],
                None => ["–", "–", "factorisation failed", "–"].map(str::to_owned),
            });
            row.extend([
                trial.ours.iterations.to_string(),
                trial.ours.factorizations.to_string(),
                yes(trial.ours.status == Status::Converged),
            ]);
            table.row(row);
        }
    }
    table
}

/// `length`: iterations of the longest run.
pub(super) fn solver_plot((name, problem): &(String, Problem), length: usize) -> Plot {
    let settings = SolverSettings {
        max_iterations: length,
        ..SETTINGS
    };
    let plot = Plot::new(
        format!("The wall, {name}: residual against iterations"),
        "Scaled natural map recomputed from masses and Jacobian after as many iterations; lower is better. After Fig. 4, top row.",
        Axis::log("iterations"),
        Axis::log("scaled natural map, N s or m/s"),
    );
    CONTENDERS.iter().fold(plot, |plot, (name, build)| {
        let point = |r: &SolveReport| (r.iterations as f64, r.residuals.scaled());
        let history = history(*build, problem, settings);
        plot.with(*name, Style::Line, history.iter().map(point).collect())
    })
}

pub(super) fn rule_plot(case: &Case) -> Plot {
    let plot = Plot::new(
        format!(
            "The wall, {}: the paper's algorithm under its penalty rules",
            case.name
        ),
        "The largest of the iterates' own primal, dual and complementarity residuals (eq. 40–42). After Fig. 4, top row.",
        Axis::log("iterations"),
        Axis::log("largest residual of eq. 43"),
    );
    let runs = case.rules.iter();
    let runs = runs.filter_map(|t| Some((t.rule.name, t.printed.as_ref()?)));
    runs.fold(plot, |plot, (name, run)| {
        let point = |m: &Mark| (m.iteration as f64, m.residuals.largest());
        let points = run.marks.iter().map(point);
        plot.with(name, Style::Line, points.collect())
    })
}

//! `carpentier-fclib`: ADMM and projected Gauss-Seidel on FCLIB problems, and the cost of the penalty rules.

mod files;
mod show;

use super::carpentier_wall::unaccelerated_pgs;
use super::history::Build;
use super::printed_admm::printed_admm;
use super::rules::{RULES, Rule, SPECTRAL, accelerated, plain};
use super::{Context, Experiment, Finding, Verdict};
use crate::error::BenchError;
use crate::stats::mean;
use files::Entry;
use linkwork_solve::solvers::Hybrid;
use linkwork_solve::{Problem, Solution, Solver, SolverSettings, relative_residual};
use std::time::Instant;

/// ε_abs of §V-C, here relative to the free velocity |q|: the problems have no common unit.
const TOLERANCE: f64 = 1e-6;
/// n_iter of §V-C for Gauss-Seidel.
const SWEEPS: usize = 20_000;
/// Limit of iterations of ADMM; the paper states none for it.
const ITERATIONS: usize = 2000;
/// The categories of Table II.
const CATEGORIES: [&str; 3] = ["BoxesStack", "Chain", "Capsules"];

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "carpentier-fclib",
    source: "Carpentier 2024, Fig. 7, Tables II–IV",
    claim: "On FCLIB problems ADMM outperforms projected Gauss-Seidel, which misses 1e-6 on BoxesStack and Capsules, and \
            the spectral penalty rule needs fewer factorisations than the linear one.",
    criterion: "At 1e-6 of |q|, recomputed: (1) Linkwork's ADMM with the spectral rule (0.05) solves more problems than Gauss-Seidel \
                without acceleration, and at least 90 %; (2) Gauss-Seidel misses some in BoxesStack and in Capsules; (3) Table III, \
                with the paper's algorithm (`carpentier/admm`) stopped on its eq. 43: in every category the spectral rule (0.05) takes fewer \
                factorisations in the mean than the linear one (τ = 2), and its mean is within a factor of 3 of the paper's.",
    run: Some(run),
};

/// The solvers of the profile, with their limits of iterations.
const SOLVERS: [(&str, Build, usize); 4] = [
    (
        "admm, spectral 0.05",
        |s| accelerated(SPECTRAL.rule, s),
        ITERATIONS,
    ),
    (
        "admm, spectral 0.05, not accelerated",
        |s| plain(SPECTRAL.rule, s),
        ITERATIONS,
    ),
    ("pgs-ncp, not accelerated", unaccelerated_pgs, SWEEPS),
    ("hybrid", |s| Box::new(Hybrid::new(s)), ITERATIONS),
];
/// Places in [`SOLVERS`].
const ADMM: usize = 0;
const PGS: usize = 2;

/// A solver on a problem.
#[derive(Clone, Copy)]
struct Outcome {
    solved: bool,
    iterations: usize,
    factorizations: usize,
    /// Wall time, ms: the least of a few runs.
    ms: f64,
}

/// Everything that was tried on a problem.
struct Case {
    category: usize,
    /// [`SOLVERS`].
    solvers: Vec<Outcome>,
    /// [`RULES`]: the paper's algorithm, judged by its own eq. 43; Linkwork's without and with acceleration.
    printed: Vec<Outcome>,
    plain: Vec<Outcome>,
    accelerated: Vec<Outcome>,
}

fn run(ctx: &Context) -> Result<Finding, BenchError> {
    let Some(folder) = ctx.fclib() else {
        let why =
            "there is no folder with FCLIB problems; set LINKWORK_DATA to the folder above 'fclib'";
        return Ok(Finding::skipped(why));
    };
    let rows = if ctx.quick { 160 } else { usize::MAX };
    let (entries, mut notes) = files::load(folder, rows)?;
    if entries.is_empty() {
        let folder = folder.display();
        let why = format!("no problem of the paper's categories in {folder}");
        return Ok(Finding::skipped(why));
    }
    ctx.progress.stage(EXPERIMENT.name, entries.len(), 0);
    let mut cases = Vec::new();
    for entry in &entries {
        ctx.progress.job(&entry.name);
        cases.push(Case::of(entry));
        ctx.progress.done();
    }
    notes.extend(remarks(entries.len()));
    Ok(Finding {
        tables: vec![
            show::solved_table(&cases),
            show::factorization_table(&cases),
            show::time_table(&cases),
        ],
        plots: vec![show::profile(&cases)],
        notes,
        verdict: verdict(&cases),
    })
}

impl Case {
    fn of(entry: &Entry) -> Self {
        let problem = &entry.problem;
        let under =
            |build: fn(linkwork_solve::solvers::PenaltyRule, SolverSettings) -> Box<dyn Solver>| {
                let of = |r: &Rule| attempt(&|s| build(r.rule, s), problem, ITERATIONS);
                RULES.iter().map(of).collect()
            };
        let solvers = SOLVERS.iter();
        Self {
            category: entry.category,
            solvers: solvers
                .map(|(_, build, limit)| attempt(build, problem, *limit))
                .collect(),
            printed: RULES.iter().map(|r| printed(r, problem)).collect(),
            plain: under(plain),
            accelerated: under(accelerated),
        }
    }
}

/// The paper's algorithm on a problem; solved means that eq. 43 is met at 1e-6, as in the paper.
fn printed(rule: &Rule, problem: &Problem) -> Outcome {
    let start = Instant::now();
    let run = printed_admm(problem, rule.rule, TOLERANCE, ITERATIONS);
    let ms = 1e3 * start.elapsed().as_secs_f64();
    let meets = run.as_ref().is_some_and(|r| r.end().meets(TOLERANCE));
    Outcome {
        solved: meets,
        iterations: run.as_ref().map_or(0, |r| r.end().iteration),
        factorizations: run.map_or(0, |r| r.factorizations),
        ms,
    }
}

/// Solve from λ = 0 and judge by the recomputed residual.
fn attempt(
    build: &dyn Fn(SolverSettings) -> Box<dyn Solver>,
    problem: &Problem,
    max_iterations: usize,
) -> Outcome {
    // Solves shorter than this, ms, are repeated, because the clock is that coarse on a shared machine.
    const SHORT: f64 = 5.0;
    // A block of three rows may differ by √3 between the solver's norm and the judge's.
    let tolerance = TOLERANCE / 3f64.sqrt();
    let settings = SolverSettings {
        tolerance,
        max_iterations,
    };
    let solve = || {
        let (mut solver, mut x) = (build(settings), Solution::default());
        let start = Instant::now();
        let report = solver.solve(problem, &mut x, &mut ());
        let ms = 1e3 * start.elapsed().as_secs_f64();
        let residual = relative_residual(problem, &x.lambda, solver.model());
        Outcome {
            solved: residual <= TOLERANCE,
            iterations: report.iterations,
            factorizations: report.factorizations,
            ms,
        }
    };
    let first = solve();
    let repeats = if first.ms < SHORT { 2 } else { 0 };
    let ms = (0..repeats).fold(first.ms, |ms, _| ms.min(solve().ms));
    Outcome { ms, ..first }
}

fn verdict(cases: &[Case]) -> Verdict {
    let solved = |k: usize| cases.iter().filter(|c| c.solvers[k].solved).count();
    let (admm, pgs) = (solved(ADMM), solved(PGS));
    let share = admm as f64 / cases.len() as f64;
    let mut checks = vec![
        (
            admm > pgs && share >= 0.9,
            format!(
                "(1) of {} problems ADMM solves {admm}, Gauss-Seidel {pgs}",
                cases.len()
            ),
        ),
        misses(cases, 0),
        misses(cases, 2),
    ];
    let present = |k: &usize| cases.iter().any(|c| c.category == *k);
    checks.extend(
        (0..CATEGORIES.len())
            .filter(present)
            .map(|k| updates(cases, k)),
    );
    Verdict::of(&checks)
}

/// Whether Table III is reproduced in a category, and the explanation if not.
fn updates(cases: &[Case], category: usize) -> (bool, String) {
    // τ = 2 is the first rule, 0.05 the sixth.
    let of = |rule: usize| {
        let mine = cases.iter().filter(|c| c.category == category);
        let counts = mine.map(|c| c.printed[rule].factorizations as f64);
        mean(&counts.collect::<Vec<_>>())
    };
    let (linear, spectral) = (of(0), of(5));
    let paper = show::SPECTRAL_UPDATES[category];
    let near = (spectral / paper).max(paper / spectral) <= 3.0;
    let text = format!(
        "(3) {}: {spectral:.2} factorisations with the spectral rule (paper: {paper}), {linear:.2} with the linear one",
        CATEGORIES[category]
    );
    (spectral < linear && near, text)
}

/// Whether Gauss-Seidel fails on some problem of a category, and the explanation if not.
fn misses(cases: &[Case], category: usize) -> (bool, String) {
    let of = cases.iter().filter(|c| c.category == category);
    let of: Vec<Outcome> = of.map(|c| c.solvers[PGS]).collect();
    let sweeps = of.iter().map(|o| o.iterations).max().unwrap_or(0);
    let text = format!(
        "(2) Gauss-Seidel solves all {} of {}, in at most {sweeps} sweeps",
        of.len(),
        CATEGORIES[category]
    );
    (of.iter().any(|o| !o.solved), text)
}

fn remarks(problems: usize) -> [String; 5] {
    [
        format!(
            "The paper's 746 problems are not at hand; these are {problems} of the same categories: 4 of the 9 Capsules and 1 of the 7 BoxesStack are original FCLIB files, the others regenerated with \
             Siconos. They are solved in their own units (|q| = 1, mean diag D = 1), from λ = 0, with at most {ITERATIONS} \
             iterations of ADMM and {SWEEPS} sweeps."
        ),
        "Linkwork's ADMM has a weight a block instead of one ρ, begins at ρ = 0.01 of it, and stops on the recomputed \
         residual. \"Not accelerated\" is without Anderson acceleration and over-relaxation and looks at ρ in every iteration, as \
         the paper does; accelerated looks every ten."
            .to_owned(),
        "Table III counts the factorisations of the paper's algorithm to the letter, the first included, over all problems; its authors' \
         first ρ is not in the paper, ours is that of their implementation."
            .to_owned(),
        "That Gauss-Seidel solves Capsules is no lax judge: the residual is recomputed. It is the goal that it can reach in about 2500 \
         sweeps; of the four larger files three are not solved to 1e-10 of |q| in 20 000. The paper, with other problems, an absolute \
         tolerance and an over-relaxed sweep of its own, sees that at 1e-6."
            .to_owned(),
        "Times are of a shared machine and only their ratios count; the paper's are of an Apple M1 Max.".to_owned(),
    ]
}

//! Scores: judged from outside, and taken up where an interruption left them.

mod support;

use linkwork_bench::{
    BenchError, Class, Folder, Quiet, Score, ScoreOptions, Start, Tally, Trial, claim,
    load_samples, read_lines, score, solvers_named, systems_named,
};
use linkwork_solve::{
    ContactModel, Observer, Problem, Residuals, Solution, SolveReport, Solver, SolverEntry, Status,
    Unsupported,
};
use std::collections::BTreeSet;
use std::time::Instant;
use support::{Scratch, sampled};

/// Reports convergence without an answer.
struct Liar;

static LIAR: SolverEntry = SolverEntry {
    name: "liar",
    summary: "claims to have converged",
    build: |_| Box::new(Liar),
};

impl Solver for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn model(&self) -> ContactModel {
        ContactModel::Ncp
    }

    fn supports(&self, _: &Problem) -> Result<(), Unsupported> {
        Ok(())
    }

    fn solve(&mut self, problem: &Problem, x: &mut Solution, _: &mut dyn Observer) -> SolveReport {
        x.lambda = vec![0.0; problem.rows()];
        SolveReport {
            status: Status::Converged,
            iterations: 1,
            factorizations: 0,
            residuals: Residuals::default(),
        }
    }
}

fn options(solvers: &[&str], starts: &[Start]) -> ScoreOptions {
    let names: Vec<String> = solvers.iter().map(|&s| s.to_owned()).collect();
    ScoreOptions {
        solvers: solvers_named(&names, &[]).expect("solvers"),
        starts: starts.to_vec(),
        tolerance: 1e-6,
        limit_s: 1.0,
        systems: systems_named(&[]).expect("the suite"),
        classes: Class::ALL.to_vec(),
        fclib: Vec::new(),
        histories: 1,
        deadline: None,
    }
}

fn scores(folder: &Folder) -> Vec<Score> {
    read_lines(&folder.scores()).expect("whole lines")
}

#[test]
fn a_lying_solver_is_caught_and_the_problem_dumped() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    sampled(&folder, &["fourbar_fixed"], 0.1, 5);
    let mut options = options(&["hybrid"], &[Start::Cold]);
    options.solvers.push(&LIAR);
    score(&folder, &options, &Quiet).unwrap();
    let samples = load_samples(&folder, "fourbar_fixed").unwrap();
    for sample in &samples {
        let name = &sample.info.name;
        let all = scores(&folder);
        let of = |solver: &str| {
            all.iter()
                .find(|s| s.solver == solver && s.problem == *name)
        };
        let (honest, lie) = (of("hybrid").unwrap(), of("liar").unwrap());
        assert!(honest.solved && !honest.false_convergence && honest.residual <= 1e-6);
        assert!(!lie.solved && lie.false_convergence && lie.residual > 1e-6);
        assert_eq!(lie.claimed, "converged");
        // The file is the problem, for `linkwork solve`.
        assert!(Problem::load(&folder.problem(name)).unwrap() == sample.problem);
    }
}

#[test]
fn jobs_that_are_done_are_skipped_and_a_line_that_was_cut_off_is_done_again() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    let samples = sampled(&folder, &["nunchuk"], 0.6, 6).len();
    let options = options(
        &["hybrid", "direct", "pgs-ncp"],
        &[Start::Cold, Start::Warm],
    );
    let jobs = 6 * samples;
    let tally = |earlier, done| Tally {
        earlier,
        done,
        left: 0,
    };
    assert_eq!(score(&folder, &options, &Quiet).unwrap(), tally(0, jobs));
    assert_eq!(score(&folder, &options, &Quiet).unwrap(), tally(jobs, 0));

    // As kill -9 leaves it: the last line ends anywhere.
    let whole = std::fs::read(folder.scores()).unwrap();
    for cut in [1, 17, 60] {
        std::fs::write(folder.scores(), &whole[..whole.len() - cut]).unwrap();
        assert_eq!(
            score(&folder, &options, &Quiet).unwrap(),
            tally(jobs - 1, 1)
        );
        let keys: BTreeSet<_> = scores(&folder)
            .into_iter()
            .map(|s| (s.problem, s.solver, s.start))
            .collect();
        assert_eq!((keys.len(), scores(&folder).len()), (jobs, jobs));
    }
    // Another tolerance or limit is another job.
    let other = ScoreOptions {
        limit_s: 0.5,
        ..options
    };
    assert_eq!(score(&folder, &other, &Quiet).unwrap(), tally(0, jobs));
}

#[test]
fn a_damaged_line_is_named_and_nothing_to_score_is_an_error_with_a_remedy() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    let options = options(&["hybrid"], &[Start::Cold]);
    let error = score(&folder, &options, &Quiet).unwrap_err();
    assert!(
        error.to_string().contains("linkwork bench sample"),
        "{error}"
    );
    sampled(&folder, &["nunchuk"], 0.05, 2);
    std::fs::write(folder.scores(), "{}\n").unwrap();
    let error = score(&folder, &options, &Quiet).unwrap_err();
    assert!(
        matches!(error, BenchError::Malformed { line: 1, .. }),
        "{error}"
    );
}

#[test]
fn what_a_solver_cannot_take_is_neither_solved_nor_a_failure() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    sampled(&folder, &["box_on_plane"], 0.5, 4);
    score(&folder, &options(&["direct"], &[Start::Cold]), &Quiet).unwrap();
    let scores = scores(&folder);
    assert!(!scores.is_empty());
    for s in &scores {
        assert_eq!(s.claimed, "unsupported");
        assert!(!s.solved && !s.false_convergence && s.residual.is_nan());
        assert!(!folder.problem(&s.problem).exists());
    }
}

/// At rest the impulses of the step before are the answer; and histories go down to the tolerance.
#[test]
fn warm_starts_answer_a_problem_at_rest_and_histories_end_at_the_recomputed_residual() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    let index = sampled(&folder, &["boxes_fixed"], 1.5, 12);
    let both = [Start::Cold, Start::Warm];
    score(&folder, &options(&["pgs-ncp"], &both), &Quiet).unwrap();
    let scores = scores(&folder);
    let at_rest: BTreeSet<&str> = index
        .iter()
        .filter(|info| info.time > 0.8)
        .map(|info| info.name.as_str())
        .collect();
    assert!(!at_rest.is_empty());
    for s in scores
        .iter()
        .filter(|s| at_rest.contains(s.problem.as_str()))
    {
        assert!(s.solved, "{}", s.problem);
        assert_eq!(s.iterations == 0, s.start == Start::Warm, "{}", s.problem);
    }
    let told: Vec<&Score> = scores.iter().filter(|s| !s.history.is_empty()).collect();
    assert!(!told.is_empty());
    for s in told {
        assert!(s.history.len() <= 61);
        assert!(s.history.is_sorted_by(|a, b| a.0 <= b.0), "{:?}", s.history);
        let end = s.history.last().unwrap().1;
        assert!(!s.solved || end <= 1e-6, "{end}");
    }
}

#[test]
fn a_solve_ends_at_its_limit_and_a_session_at_its_deadline() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    let samples = sampled(&folder, &["fourbar_fixed"], 0.1, 4).len();
    let problem = &load_samples(&folder, "fourbar_fixed").unwrap()[0].problem;
    // Out of reach, and as many sweeps as it likes: the clock ends it, before it can stall.
    let trial = Trial::new(1e-30, true, 1e-9, usize::MAX);
    let entry = options(&["pgs-ncp"], &[]).solvers[0];
    let came = trial.run(problem, &[], entry);
    assert!(!came.solved);
    assert_eq!(came.claimed, claim(Status::Interrupted));
    let late = ScoreOptions {
        deadline: Some(Instant::now()),
        ..options(&["hybrid"], &[Start::Cold])
    };
    let tally = score(&folder, &late, &Quiet).unwrap();
    assert_eq!((tally.done, tally.left), (0, samples));
}

//! Every solver on problems met in the built-in scenes: no false claims, and one motion per contact law.

use linkwork::{FirstKick, Run};
use linkwork_scenes::scene;
use linkwork_solve::*;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

const TOLERANCE: f64 = 1e-9;

/// Scenes with parameters that keep them small, and the time they run, s.
type Excerpt = (&'static str, &'static [(&'static str, f64)], f64);

const SCENES: &[Excerpt] = &[
    ("box_on_plane", &[], 1.0),
    ("boxes_fixed", &[], 0.5),
    ("nunchuk", &[], 0.6),
    ("fourbar_fixed", &[], 0.3),
    ("fourbar_free", &[], 0.5),
    ("stack", &[], 0.5),
    ("clutter", &[("n", 8.0)], 1.0),
    ("slider_crank", &[], 0.3),
    ("gear_train", &[], 0.3),
];

/// Problems taken from each run, evenly in time.
const SAMPLES: u64 = 4;

/// The problems of some steps of a scene; steps without rows are left out.
fn problems((name, set, time): &Excerpt) -> Vec<Problem> {
    let mut scene = scene(name, set).unwrap();
    // The samples are those of whole kicks from the start.
    scene.settings.first_kick = FirstKick::Full;
    let mut run = Run::of(scene).unwrap();
    let every = run.steps_in(*time) / SAMPLES;
    let mut problems = Vec::new();
    for _ in 0..SAMPLES {
        let summary = run.steps(every, |_| ControlFlow::Continue(()));
        assert!(summary.error.is_none(), "{name}: {:?}", summary.error);
        let problem = run.simulator().problem();
        if problem.rows() > 0 {
            problems.push(problem.clone());
        }
    }
    problems
}

struct Deadline(Instant);

impl Observer for Deadline {
    fn iteration(&mut self, _: usize, _: f64) -> ControlFlow<()> {
        if Instant::now() < self.0 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// The answer of a solver, if it takes the problem; its claim is checked.
fn solve(entry: &SolverEntry, problem: &Problem) -> Option<(Solution, Status, ContactModel)> {
    let mut solver = (entry.build)(SolverSettings {
        tolerance: TOLERANCE,
        max_iterations: 3000,
    });
    solver.supports(problem).ok()?;
    let mut x = Solution::default();
    let mut deadline = Deadline(Instant::now() + Duration::from_secs(1));
    let report = solver.solve(problem, &mut x, &mut deadline);
    let met = residuals(problem, &x, solver.model()).meets(TOLERANCE);
    assert_eq!(report.status == Status::Converged, met, "{}", entry.name);
    Some((x, report.status, solver.model()))
}

/// The same problem with some compliance in every row, as some solvers need it.
fn softened(mut problem: Problem) -> Problem {
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    for ((_, rows), w) in problem.sets.iter().zip(&weights) {
        for r in &mut problem.compliance[rows] {
            *r += 1e-3 * w;
        }
    }
    problem
}

#[test]
fn solvers_of_one_law_agree_on_the_motion() {
    assert_agreement("hard", |problem| problem);
}

#[test]
fn solvers_of_one_law_agree_on_the_motion_of_compliant_mechanisms() {
    assert_agreement("compliant", softened);
}

/// The motion after the step must not depend on which solver of a law found it, and the default
/// solver must find it.
fn assert_agreement(title: &str, change: fn(Problem) -> Problem) {
    let mut cells = BTreeMap::new();
    for excerpt in SCENES {
        let scene = excerpt.0;
        for (sample, problem) in problems(excerpt).into_iter().map(change).enumerate() {
            // By law, the first that converged, and its answer.
            let mut first: Vec<(ContactModel, &str, Solution)> = Vec::new();
            for entry in all_solvers() {
                let Some((x, status, model)) = solve(entry, &problem) else {
                    continue;
                };
                let [done, tried] = cells.entry((entry.name, scene)).or_insert([0, 0]);
                *tried += 1;
                if status != Status::Converged {
                    assert_ne!(entry.name, DEFAULT_SOLVER, "{scene} {sample}: {status}");
                    continue;
                }
                *done += 1;
                let Some((_, other, y)) = first.iter().find(|(m, ..)| *m == model) else {
                    first.push((model, entry.name, x));
                    continue;
                };
                for (u, v) in x.u_plus.iter().zip(&y.u_plus) {
                    let apart = (u - v).abs();
                    assert!(
                        apart <= 1e-5,
                        "{scene} {sample}: {} and {other} differ by {apart}",
                        entry.name
                    );
                }
            }
        }
    }
    print(title, &cells);
}

fn print(title: &str, cells: &BTreeMap<(&str, &str), [usize; 2]>) {
    let heads: String = SCENES.iter().map(|(s, ..)| format!("{s:>14}")).collect();
    println!("{title:<14}{heads}");
    for entry in all_solvers() {
        let cell = |(scene, ..): &Excerpt| match cells.get(&(entry.name, *scene)) {
            Some([done, tried]) => format!("{:>14}", format!("{done}/{tried}")),
            None => format!("{:>14}", "refused"),
        };
        let line: String = SCENES.iter().map(cell).collect();
        println!("{:<14}{line}", entry.name);
    }
}

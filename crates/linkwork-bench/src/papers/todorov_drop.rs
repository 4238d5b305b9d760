//! [Todorov Fig. 6]: five balls, one on the other, fall together; when the lowest meets the floor the shock
//! reaches all of them within the step.

use super::balls::{Arena, Ball, Wall, advance};
use super::todorov_balls::{STEP, TOUCH, ball, solver};
use super::{Context, Experiment, Finding, Verdict};
use crate::error::BenchError;
use crate::plot::{Axis, Plot, Style};
use crate::table::Table;
use linkwork::math::Vec3;
use linkwork_solve::{Problem, Solution, Solver, SolverSettings, solver_by_name};

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "todorov-drop",
    source: "Todorov 2010, section IV, Fig. 6",
    claim: "Five balls stacked on each other are dropped. When the lowest hits the floor the shock goes through the \
            stack within a single time step and the vertical velocities of all balls become zero; the solver takes \
            one iteration.",
    criterion: "All balls fall at more than 1 m/s before the step of the impact and move at no more than 1e-6 m/s after \
                it and to the end; that step takes at most one iteration from the start that assumes sticking.",
    run: Some(run),
};

/// Steps shown in his figure.
const STEPS: usize = 100;
/// Radii from below, m, and the gap to the floor, m; not in the paper.
const RADII: [f64; 5] = [0.12, 0.10, 0.14, 0.09, 0.11];
const DROP: f64 = 0.3;
/// Solvers that are given the problem of the impact, too.
const OTHERS: [&str; 6] = [
    "implicit",
    "lcp",
    "hybrid",
    "admm-ncp-sa",
    "nbgs",
    "pgs-ncp",
];
/// Tolerance of all, N s and m/s; not in the paper.
const TOLERANCE: f64 = 1e-9;

/// What was seen of the drop.
struct Drop {
    /// Height of every ball after every step, m.
    heights: Vec<[f64; 5]>,
    /// Greatest vertical speed after every step, m/s.
    speeds: Vec<f64>,
    /// Least vertical speed before the impact, m/s.
    before: f64,
    /// The step of the impact, its problem and its iterations.
    impact: (usize, Problem, usize),
}

fn run(_: &Context) -> Result<Finding, BenchError> {
    let Some(drop) = drop() else {
        let why = format!("the stack does not reach the floor within {STEPS} steps");
        return Ok(finding(Vec::new(), Vec::new(), Verdict::Disagree(why)));
    };
    let tables = vec![table(&drop), others(&drop.impact.1)?];
    Ok(finding(tables, vec![plot(&drop)], judge(&drop)))
}

fn finding(tables: Vec<Table>, plots: Vec<Plot>, verdict: Verdict) -> Finding {
    Finding {
        tables,
        plots,
        notes: vec![
            "Radii, material and height are ours; step (5 ms), contact law (b = 0: what touches must not approach) and \
             start (all contacts stick) are the paper's. With b = 0 the lowest ball stays as deep in the floor as \
             the step of the impact found it."
                .to_owned(),
            "All contacts stick after the impact, which is what the start assumes: to a tolerance of 1e-6 the start passes \
             as the answer without an iteration, to 1e-9 it takes the one that the paper has. Other solvers find \
             the same answer."
                .to_owned(),
        ],
        verdict,
    }
}

/// Let the stack fall; `None` if it never meets the floor.
fn drop() -> Option<Drop> {
    let arena = Arena {
        walls: vec![Wall {
            point: Vec3::zeros(),
            normal: Vec3::z(),
        }],
        gravity: 9.81,
        friction: 0.5,
        dt: STEP,
        reach: TOUCH,
        gain: 0.0,
    };
    let mut balls = stack();
    let mut solver = solver(TOLERANCE, 50);
    let (mut heights, mut speeds, mut before) = (Vec::new(), Vec::new(), 0.0);
    let mut impact = None;
    for step in 0..STEPS {
        let problem = arena.problem(&balls);
        let mut x = Solution::default();
        let report = solver.solve(&problem, &mut x, &mut ());
        if impact.is_none() && balls[0].centre.z - balls[0].radius < TOUCH {
            before = speed(&balls).fold(f64::INFINITY, f64::min);
            impact = Some((step, problem, report.iterations));
        }
        advance(&mut balls, &x.u_plus, STEP);
        heights.push(std::array::from_fn(|i| balls[i].centre.z));
        speeds.push(speed(&balls).fold(0.0, f64::max));
    }
    Some(Drop {
        heights,
        speeds,
        before,
        impact: impact?,
    })
}

/// The balls, each touching the one below it.
fn stack() -> Vec<Ball> {
    let mut top = DROP;
    let place = RADII.map(|radius| {
        top += 2.0 * radius;
        ball(radius, (top - radius) * Vec3::z())
    });
    place.to_vec()
}

/// Vertical speed of every ball, m/s.
fn speed(balls: &[Ball]) -> impl Iterator<Item = f64> + '_ {
    balls.iter().map(|b| b.velocity.z.abs())
}

fn judge(drop: &Drop) -> Verdict {
    let (step, _, iterations) = &drop.impact;
    let after = drop.speeds[*step..].iter().fold(0.0, |a: f64, s| a.max(*s));
    match drop.before > 1.0 && after <= 1e-6 && *iterations <= 1 {
        true => Verdict::Agree,
        false => Verdict::Disagree(format!(
            "balls fall at {:.2} m/s before the impact and move at up to {after:.1e} m/s from then on; the impact \
             takes {iterations} iterations",
            drop.before
        )),
    }
}

fn table(drop: &Drop) -> Table {
    let (step, problem, iterations) = &drop.impact;
    let settled = drop.speeds[*step..].iter().position(|s| *s <= 1e-6);
    let settled = settled.map_or("never".to_owned(), |n| (n + 1).to_string());
    let mut table = Table::new("The impact", &["", "paper", "ours"]);
    table.row(["balls", "5", &RADII.len().to_string()]);
    table.row(["contacts", "", &problem.sets.len().to_string()]);
    table.row([
        "speed of the balls before, m/s",
        "",
        &format!("{:.2}", drop.before),
    ]);
    table.row([
        "greatest vertical speed after, m/s",
        "0",
        &format!("{:.1e}", drop.speeds[*step]),
    ]);
    table.row(["steps until all are at rest", "1", &settled]);
    table.row(["iterations of that step", "1", &iterations.to_string()]);
    table
}

/// The same problem by other solvers, from a cold start.
fn others(problem: &Problem) -> Result<Table, BenchError> {
    let mut table = Table::new(
        format!("The problem of the impact by other solvers, to {TOLERANCE:.0e}, from no guess"),
        &["solver", "iterations", "ended", "largest speed left, m/s"],
    );
    for name in OTHERS {
        let settings = SolverSettings {
            tolerance: TOLERANCE,
            max_iterations: 10_000,
        };
        let mut x = Solution::default();
        let report = solver_by_name(name, settings)?.solve(problem, &mut x, &mut ());
        let left = x.u_plus.iter().fold(0.0, |most: f64, u| most.max(u.abs()));
        table.row([
            name.to_owned(),
            report.iterations.to_string(),
            report.status.to_string(),
            format!("{left:.1e}"),
        ]);
    }
    Ok(table)
}

fn plot(drop: &Drop) -> Plot {
    let plot = Plot::new(
        "Heights of five stacked balls",
        "As in the paper's Fig. 6B: all lines bend at the same step, when the lowest ball meets the floor, and are level \
         from then on.",
        Axis::linear(format!("time steps of {:.0} ms", 1e3 * STEP)),
        Axis::linear("height of the centre, m"),
    );
    (0..RADII.len()).fold(plot, |plot, i| {
        let heights = drop.heights.iter().enumerate();
        let points = heights.map(|(step, h)| ((step + 1) as f64, h[i])).collect();
        plot.with(format!("ball {} from below", i + 1), Style::Line, points)
    })
}

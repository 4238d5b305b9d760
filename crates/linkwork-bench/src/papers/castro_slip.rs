//! `castro-slip`: the effect of the slip parameter σ on stiction, conditioning and iterations.

use super::pile::{DT, FRICTION, GRAVITY, Pile};
use super::primal::Primal;
use super::{Context, Experiment, Finding, Verdict};
use crate::error::BenchError;
use crate::plot::{Axis, Plot, Style};
use crate::stats::{mean, slope};
use crate::table::Table;
use linkwork::{Control, Simulator};
use linkwork_solve::Status;

/// Tolerance of SAP, N s and m/s: below the slip of the smallest σ.
const TOLERANCE: f64 = 1e-8;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "castro-slip",
    source: "Castro 2022, Fig. 14, 15",
    claim: "With R_t = σ w the slip of resting contacts stays below σ μ dt g, the condition number of the Hessian grows as 1/σ and \
            the number of Newton iterations as ln(1/σ).",
    criterion: "With and without walls: (1) the mean slip speed of the contacts that stick at the end ≤ σ μ dt g for every σ, as eq. 31 is for contacts whose impulse is within the cone; (2) the condition number goes as \
                σ^p with −1.2 ≤ p ≤ −0.8 over σ ≤ 1e-3; (3) mean iterations per step fall with ln σ, correlation ≤ −0.9.",
    run: Some(run),
};

/// A pile at rest.
struct Rest {
    pile: Pile,
    /// Mean slip speed of the loaded contacts, m/s.
    slip: f64,
    /// The same of those that stick.
    sticking_slip: f64,
    /// Condition number of the Hessian at the end.
    condition: f64,
    /// Newton iterations per step, mean over the run.
    iterations: f64,
    /// Fastest body at the end, m/s.
    speed: f64,
    /// Contacts that carry load at the end, and how many of them slide.
    contacts: usize,
    sliding: usize,
    /// Steps that SAP did not solve.
    failed: usize,
}

fn run(ctx: &Context) -> Result<Finding, BenchError> {
    let (bodies, time, slips) = if ctx.quick {
        (8, 3.0, &[1e-5, 1e-4, 1e-3][..])
    } else {
        (40, 10.0, &[1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1][..])
    };
    ctx.progress.stage(EXPERIMENT.name, 2 * slips.len(), 0);
    let mut rests = Vec::new();
    for walls in [true, false] {
        for &slip in slips {
            let pile = Pile {
                bodies,
                walls,
                slip,
            };
            ctx.progress.job(&format!("σ = {slip:e}, {}", pile.place()));
            rests.push(Rest::of(pile, time)?);
            ctx.progress.done();
        }
    }
    Ok(Finding {
        tables: vec![table(&rests)],
        plots: vec![
            plot(
                &rests,
                "Fig. 14: mean slip speed of sticking contacts at the end",
                Axis::log("slip speed, m/s"),
                |r| r.sticking_slip,
            )
            .with(
                "σ μ dt g",
                Style::Line,
                slips.iter().map(|s| (*s, bound(*s))).collect(),
            ),
            plot(
                &rests,
                "Fig. 15: iterations per step",
                Axis::linear("Newton iterations, mean"),
                |r| r.iterations,
            ),
            plot(
                &rests,
                "Fig. 15: condition number of the Hessian",
                Axis::log("condition number"),
                |r| r.condition,
            ),
        ],
        notes: notes(bodies, time),
        verdict: verdict(&rests),
    })
}

/// v_s = σ μ dt g [Castro eq. 31], m/s.
fn bound(slip: f64) -> f64 {
    slip * FRICTION * DT * GRAVITY
}

impl Rest {
    fn of(pile: Pile, time: f64) -> Result<Self, BenchError> {
        let mut simulator = pile.simulator(TOLERANCE)?;
        let control = Control::new(simulator.model());
        let (mut iterations, mut failed) = (Vec::new(), 0);
        for _ in 0..(time / DT).round() as usize {
            let report = simulator.step(&control)?;
            if report.rows > 0 {
                iterations.push(report.iterations as f64);
            }
            failed += usize::from(report.status != Status::Converged);
        }
        let slips = slips(&simulator);
        let all: Vec<f64> = slips.iter().map(|(slip, _)| *slip).collect();
        let sticking: Vec<f64> = slips
            .iter()
            .filter(|(_, sticks)| *sticks)
            .map(|(s, _)| *s)
            .collect();
        let twists = simulator.state().twists.iter();
        let u = &simulator.solution().u_plus;
        Ok(Self {
            pile,
            slip: mean(&all),
            sticking_slip: mean(&sticking),
            condition: Primal::of(simulator.problem()).map_or(f64::NAN, |p| p.condition(u)),
            iterations: mean(&iterations),
            speed: twists.map(|t| t.linear.norm()).fold(0.0, f64::max),
            contacts: all.len(),
            sliding: all.len() - sticking.len(),
            failed,
        })
    }
}

impl Rest {
    /// The evidence where the slip is above its bound.
    fn why_fast(&self) -> String {
        format!(
            "{:.1e} m/s at σ = {:.0e}, {}, where {:.1e} is the bound; {} of {} contacts still slide, and bodies move at up to \
             {:.0e} m/s",
            self.sticking_slip,
            self.pile.slip,
            self.pile.place(),
            bound(self.pile.slip),
            self.sliding,
            self.contacts,
            self.speed
        )
    }
}

/// ‖v_t‖ (m/s) of the contacts with an impulse in the last step, and whether the impulse lies within the cone.
fn slips(simulator: &Simulator) -> Vec<(f64, bool)> {
    let (problem, x) = (simulator.problem(), simulator.solution());
    let slip = |rows: std::ops::Range<usize>| {
        let (t, n) = (rows.start, rows.end - 1);
        // σ = J u + v* + R λ, and v* has no tangential part.
        let velocity = |i: usize| x.sigma[i] - problem.compliance[i] * x.lambda[i];
        let pull = x.lambda[t].hypot(x.lambda[t + 1]);
        let sticks = pull < (1.0 - 1e-6) * FRICTION * x.lambda[n];
        (velocity(t).hypot(velocity(t + 1)), sticks)
    };
    let carrying = problem
        .sets
        .iter()
        .filter(|(_, rows)| x.lambda[rows.end - 1] > 0.0);
    carrying.map(|(_, rows)| slip(rows)).collect()
}

/// The exponent of the condition number over σ ≤ 1e-3, and the correlation of ln σ and iterations.
fn trends(rests: &[Rest], walls: bool) -> (f64, f64) {
    let of = || rests.iter().filter(|r| r.pile.walls == walls);
    let small = of().filter(|r| r.pile.slip <= 1e-3);
    let condition: Vec<_> = small
        .map(|r| (r.pile.slip.ln(), r.condition.ln()))
        .collect();
    let iterations: Vec<_> = of().map(|r| (r.pile.slip.ln(), r.iterations)).collect();
    (slope(&condition).0, slope(&iterations).1)
}

fn verdict(rests: &[Rest]) -> Verdict {
    // A NaN, where nothing touches, does not pass.
    let slow = |r: &&Rest| r.sticking_slip <= bound(r.pile.slip);
    let fast = rests.iter().filter(|r| !slow(r));
    let fast: Vec<String> = fast.map(Rest::why_fast).collect();
    let mut checks = vec![(fast.is_empty(), format!("(1) slip {}", fast.join(", ")))];
    for walls in [true, false] {
        let (exponent, correlation) = trends(rests, walls);
        let place = if walls { "walls" } else { "no walls" };
        checks.push((
            (-1.2..=-0.8).contains(&exponent),
            format!("(2) {place}: p = {exponent:.2}"),
        ));
        checks.push((
            correlation <= -0.9,
            format!("(3) {place}: correlation {correlation:.2}"),
        ));
    }
    Verdict::of(&checks)
}

fn table(rests: &[Rest]) -> Table {
    let mut table = Table::new(
        "Fig. 14, 15 (paper: slip below σ μ dt g, condition number ~ 1/σ, iterations ~ ln(1/σ))",
        &[
            "place",
            "σ",
            "mean slip, m/s",
            "of sticking contacts",
            "σ μ dt g, m/s",
            "contacts",
            "sliding",
            "fastest body, m/s",
            "iterations per step",
            "condition number",
            "steps failed",
        ],
    );
    for r in rests {
        table.row([
            r.pile.place().to_owned(),
            format!("{:.0e}", r.pile.slip),
            format!("{:.1e}", r.slip),
            format!("{:.1e}", r.sticking_slip),
            format!("{:.1e}", bound(r.pile.slip)),
            r.contacts.to_string(),
            r.sliding.to_string(),
            format!("{:.1e}", r.speed),
            format!("{:.1}", r.iterations),
            format!("{:.1e}", r.condition),
            r.failed.to_string(),
        ]);
    }
    table
}

fn plot(rests: &[Rest], title: &str, y: Axis, what: fn(&Rest) -> f64) -> Plot {
    let caption = "Against the slip parameter σ, one point a run.";
    let of = |walls: bool| {
        let of = rests.iter().filter(|r| r.pile.walls == walls);
        of.map(|r| (r.pile.slip, what(r))).collect()
    };
    Plot::new(title, caption, Axis::log("σ"), y)
        .with("walls", Style::Line, of(true))
        .with("no walls", Style::Line, of(false))
}

fn notes(bodies: usize, time: f64) -> Vec<String> {
    vec![format!(
        "{bodies} bodies for {time} s, set up as in castro-clutter. The range of σ is ours: the figures' axes are not in the text of the paper. \
         The condition number is that at the end of the run, the slip that of contacts with an impulse in the last step. Contacts whose \
         impulse is on the cone slide: eq. 31 says nothing of them, and they are counted apart."
    )]
}

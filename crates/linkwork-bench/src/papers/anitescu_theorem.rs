//! [Anitescu Theorem 4.1]: over steps of decreasing size, the velocity stays bounded and the infeasibility after a step
//! is at most C h²‖v‖², v the velocity of that step; also the energy, which the stabilisation might increase.

use super::anitescu::settings;
use super::{Context, Experiment, Finding, Verdict, anitescu_ellipse, anitescu_pendulum};
use crate::error::BenchError;
use crate::plot::{Axis, Plot, Style};
use crate::stats::slope;
use crate::table::Table;
use linkwork::metrics::{kinetic_energy, potential_energy};
use linkwork::model::Model;
use linkwork::{Control, Simulator, State};
use std::sync::Arc;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "anitescu-theorem",
    source: "Anitescu & Hart 2004, Theorem 4.1",
    claim: "There are V and C such that for all small enough steps h the velocities stay below V and the infeasibility after every \
            step below C h²‖v‖², v the velocity of the step; so the energy that stabilisation adds vanishes with h.",
    criterion: "Pendulum and ellipse, h = 0.04 … 0.005 s, by the default solver, by `lcp` and by `anitescu/lcp`: the largest I/(h²‖v‖²) of a \
                run grows by at most a fifth from any h to its half, the largest velocity by at most a tenth, and what the energy \
                exceeds that of the start by falls as h^p with p ≥ 0.8, or is below 1e-6 of the largest exchange.",
    run: Some(run),
};

/// Steps h, s, and the time simulated, s.
const SIZES: [f64; 4] = [0.04, 0.02, 0.01, 0.005];
const TIME: f64 = 8.0;
const SOLVERS: [&str; 3] = ["condensed", "lcp", "anitescu/lcp"];
/// Speed, m/s, below which h²‖v‖² is round-off.
const STILL: f64 = 1e-4;

/// A run at one step size.
struct Outcome {
    h: f64,
    /// Largest I/(h²‖v‖²), 1/m.
    constant: f64,
    /// Largest ‖v‖, m/s and rad/s.
    speed: f64,
    /// Largest energy above that at the start, over the largest kinetic energy.
    excess: f64,
}

/// A system and a solver over all step sizes.
struct Series {
    name: String,
    outcomes: Vec<Outcome>,
}

fn run(ctx: &Context) -> Result<Finding, BenchError> {
    type System = (&'static str, Arc<Model>, fn(&State) -> f64);
    let systems: [System; 2] = [
        (
            "pendulum",
            anitescu_pendulum::pendulum()?,
            anitescu_pendulum::error,
        ),
        ("ellipse", anitescu_ellipse::ellipse_on_table()?, |state| {
            (-anitescu_ellipse::gap(state)).max(0.0)
        }),
    ];
    let time = if ctx.quick { 0.5 * TIME } else { TIME };
    ctx.progress
        .stage(EXPERIMENT.name, systems.len() * SOLVERS.len(), 0);
    let mut all = Vec::new();
    for (system, model, infeasibility) in &systems {
        for solver in SOLVERS {
            let name = format!("{system}, {solver}");
            ctx.progress.job(&name);
            let outcomes: Result<Vec<_>, _> = SIZES
                .iter()
                .map(|h| Outcome::of(model, solver, *h, time, infeasibility))
                .collect();
            all.push(Series {
                name,
                outcomes: outcomes?,
            });
            ctx.progress.done();
        }
    }
    Ok(Finding {
        tables: vec![table(&all)],
        plots: vec![plot(&all)],
        notes: vec![format!(
            "{time} s each, set up as in anitescu-pendulum and anitescu-ellipse. Steps slower than {STILL:e} m/s are left out of the \
             largest ratio: there h²‖v‖² is below the round-off of I. V and C are the table's largest: the theorem says that there are \
             some, not which. That the energy does not rise is not part of the theorem, which bounds the velocity; the paper has it as a \
             condition on what the active set may become (section 7)."
        )],
        verdict: judge(&all),
    })
}

impl Outcome {
    fn of(
        model: &Arc<Model>,
        solver: &str,
        h: f64,
        time: f64,
        infeasibility: &dyn Fn(&State) -> f64,
    ) -> Result<Self, BenchError> {
        let mut settings = settings(h, 1.0);
        solver.clone_into(&mut settings.solver);
        let mut simulator = Simulator::new(model.clone(), settings)?;
        let control = Control::new(model);
        let energy = |state: &State| kinetic_energy(model, state) + potential_energy(model, state);
        let start = energy(simulator.state());
        let (mut outcome, mut kinetic) = (
            Self {
                h,
                constant: 0.0,
                speed: 0.0,
                excess: 0.0,
            },
            0.0f64,
        );
        for _ in 0..(time / h).round() as usize {
            simulator.step(&control)?;
            let state = simulator.state();
            let squares = state.twists.iter();
            let squares = squares.map(|t| t.linear.norm_squared() + t.angular.norm_squared());
            let speed = squares.sum::<f64>().sqrt();
            outcome.speed = outcome.speed.max(speed);
            if speed > STILL {
                let ratio = infeasibility(state) / (h * speed).powi(2);
                outcome.constant = outcome.constant.max(ratio);
            }
            kinetic = kinetic.max(kinetic_energy(model, state));
            outcome.excess = outcome.excess.max(energy(state) - start);
        }
        outcome.excess /= kinetic;
        Ok(outcome)
    }
}

impl Series {
    /// Exponent of the excess energy over h; infinite if the excess is negligible.
    fn order(&self) -> f64 {
        if self.outcomes.iter().all(|o| o.excess <= 1e-6) {
            return f64::INFINITY;
        }
        let points = self.outcomes.iter();
        let points: Vec<_> = points.map(|o| (o.h.ln(), o.excess.ln())).collect();
        slope(&points).0
    }

    /// The largest growth of a quantity from one h to its half.
    fn growth(&self, of: fn(&Outcome) -> f64) -> f64 {
        let pairs = self.outcomes.windows(2);
        pairs.map(|p| of(&p[1]) / of(&p[0])).fold(0.0, f64::max)
    }
}

fn judge(all: &[Series]) -> Verdict {
    let mut checks = Vec::new();
    for series in all {
        let name = &series.name;
        let (constant, speed) = (series.growth(|o| o.constant), series.growth(|o| o.speed));
        let order = series.order();
        checks.push((
            constant <= 1.2,
            format!("{name}: I/(h²‖v‖²) grows by a factor of {constant:.2} as h is halved"),
        ));
        checks.push((
            speed <= 1.1,
            format!("{name}: the velocity grows by a factor of {speed:.2} as h is halved"),
        ));
        checks.push((
            order >= 0.8,
            format!("{name}: the excess of energy falls as h^{order:.2}"),
        ));
    }
    Verdict::of(&checks)
}

fn table(all: &[Series]) -> Table {
    let mut table = Table::new(
        "Largest I/(h²‖v‖²), velocity and excess of energy over a run (paper: the first two are bounded)",
        &[
            "system, solver",
            "h, s",
            "I/(h²‖v‖²), 1/m",
            "‖v‖",
            "energy above the start",
        ],
    );
    for series in all {
        for o in &series.outcomes {
            table.row([
                series.name.clone(),
                format!("{:.3}", o.h),
                format!("{:.3}", o.constant),
                format!("{:.2}", o.speed),
                format!("{:.1e}", o.excess),
            ]);
        }
    }
    table
}

fn plot(all: &[Series]) -> Plot {
    let plot = Plot::new(
        "Infeasibility over h²‖v‖²",
        "The largest of a run against the step; a line that does not rise to the left is what the theorem says.",
        Axis::log("h, s"),
        Axis::log("I/(h²‖v‖²), 1/m"),
    );
    all.iter().fold(plot, |plot, series| {
        let points = series.outcomes.iter().map(|o| (o.h, o.constant));
        plot.with(&series.name, Style::Line, points.collect())
    })
}

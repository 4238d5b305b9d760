//! One mechanism run and judged.

use super::recipe::Recipe;
use linkwork::metrics::kinetic_energy;
use linkwork::{Outcome, Run, Settings, Simulator};
use linkwork_solve::raise;
use serde::Serialize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Energy that a passive mechanism may gain, as a share of the scale of its energies.
pub const GAIN: f64 = 0.01;
/// Maximum opening of a joint, m or rad.
pub const OPEN: f64 = 1e-3;
/// How many times the median a step may take.
pub const SLOW: f64 = 100.0;
/// Multiple of the median of iterations, factorisations and passes above which the report of a step explains why it is
/// slow: hard solves and substeps, whose counts add up.
const EFFORT: f64 = 10.0;

/// What can be wrong with a run, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The program panicked.
    Panic,
    /// A number of the state or of a report is not finite.
    NotFinite,
    /// A step was refused.
    Refused,
    /// A passive mechanism gained energy.
    Gain,
    /// A joint is open.
    Open,
    /// The run took longer than it may.
    Endless,
    /// A solve did not converge.
    Failed,
    /// A step took many times the median without an explanation in its report.
    Slow,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Panic,
        Self::NotFinite,
        Self::Refused,
        Self::Gain,
        Self::Open,
        Self::Endless,
        Self::Failed,
        Self::Slow,
    ];

    /// What the report calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::NotFinite => "not a number",
            Self::Refused => "refused step",
            Self::Gain => "passive gain > 1 %",
            Self::Open => "joint open > 1 mm",
            Self::Endless => "over the time limit",
            Self::Failed => "failed solve",
            Self::Slow => "unexplained slow step",
        }
    }

    /// The name in file names.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::NotFinite => "nan",
            Self::Refused => "refused",
            Self::Gain => "gain",
            Self::Open => "open",
            Self::Endless => "endless",
            Self::Failed => "failed",
            Self::Slow => "slow",
        }
    }
}

/// How a run is made.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Step size, s.
    pub dt: f64,
    /// Steps.
    pub steps: u64,
    /// Solver.
    pub solver: String,
    /// Wall time after which a run is broken off, s.
    pub limit: f64,
}

/// What a run showed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trial {
    /// What was wrong.
    pub faults: Vec<Fault>,
    /// The first step at which the worst of it showed.
    pub first: u64,
    /// The report on it.
    pub message: String,
    /// Steps taken.
    pub steps: u64,
    /// Steps whose solve failed.
    pub failed: u64,
    /// Steps repeated as smaller ones.
    pub substepped: u64,
    /// Largest gain of energy over its scale.
    pub gain: f64,
    /// Largest opening of a joint, m or rad.
    pub open: f64,
    /// The longest step relative to the median, by wall time; among unexplained ones, if any.
    pub slowest: f64,
    /// That step.
    pub slowest_step: u64,
    /// Number of steps that took more than 100 times the median with an explanation.
    pub laborious: u64,
    /// Wall time of every step, s.
    #[serde(skip)]
    pub times: Vec<f64>,
    /// Iterations, factorisations and passes of every step.
    #[serde(skip)]
    pub efforts: Vec<f64>,
}

/// Run a mechanism and look at every step.
pub fn run(recipe: &Recipe, conditions: &Conditions) -> Trial {
    let attempt = catch_unwind(AssertUnwindSafe(|| observe(recipe, conditions)));
    attempt.unwrap_or_else(|cause| {
        let text = cause.downcast_ref::<String>().cloned();
        let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
        Trial {
            faults: vec![Fault::Panic],
            message: text.unwrap_or_default(),
            ..Trial::default()
        }
    })
}

fn observe(recipe: &Recipe, conditions: &Conditions) -> Trial {
    let mut trial = Trial::default();
    let settings = Settings::with(|s| {
        s.dt = conditions.dt;
        s.solver = conditions.solver.clone();
    });
    let made = recipe.build().map_err(|e| e.to_string());
    let made = made.and_then(|m| Simulator::new(m, settings).map_err(|e| e.to_string()));
    let simulator = match made {
        Ok(simulator) => simulator,
        Err(message) => {
            trial.blame(Fault::Refused, 0, &message);
            return trial;
        }
    };
    let passive = recipe.is_passive();
    let mut start = None;
    let mut exchanged = 0.0f64;
    let mut scale = 0.0f64;
    let began = Instant::now();
    let mut last = began;
    let mut run = Run::new(simulator, None);
    // The reference energy of the gain is known only at the end.
    let mut gains = Vec::new();
    let summary = run.steps(conditions.steps, |moment| {
        let now = Instant::now();
        let energy = moment.energy;
        let from = *start.get_or_insert(energy);
        raise(
            &mut exchanged,
            kinetic_energy(moment.simulator.model(), moment.simulator.state()),
        );
        let Some(report) = moment.report else {
            last = Instant::now();
            return ControlFlow::Continue(());
        };
        let step = moment.step;
        trial.steps = step;
        trial.times.push((now - last).as_secs_f64());
        let effort = report.iterations + report.factorizations + report.closure_passes;
        trial.efforts.push(effort as f64);
        if !report.status.is_solved() {
            trial.failed += 1;
            trial.blame(Fault::Failed, step, &report.status.to_string());
        }
        if let Outcome::Substepped(_) = report.outcome {
            trial.substepped += 1;
        }
        let r = &report.residuals;
        let mut largest = r.scaled();
        for x in [report.penetration, report.limit_violation, energy.abs()] {
            raise(&mut largest, x);
        }
        let mut open = report.closure_linear;
        raise(&mut open, report.closure_angular);
        raise(&mut trial.open, open);
        if !moment.simulator.state().is_finite() || !largest.is_finite() || !open.is_finite() {
            trial.blame(Fault::NotFinite, step, "a number is not finite");
            return ControlFlow::Break(());
        }
        if open > OPEN {
            trial.blame(Fault::Open, step, &format!("a joint is open by {open:e}"));
        }
        let mut gain = energy - from;
        // Mid-step energies cannot be compared between steps of different sizes where velocities jump.
        if passive && gain > GAIN * exchanged {
            gain = gain.min(moment.synchronised().1 - from);
        }
        gains.push(gain);
        if began.elapsed().as_secs_f64() > conditions.limit {
            trial.blame(Fault::Endless, step, "the run was broken off");
            return ControlFlow::Break(());
        }
        last = Instant::now();
        ControlFlow::Continue(())
    });
    raise(&mut scale, summary.energy_scale);
    if let Some(error) = summary.error {
        trial.blame(Fault::Refused, trial.steps, &error.to_string());
    }
    for gain in &gains {
        raise(&mut trial.gain, gain / scale);
    }
    if passive && trial.gain > GAIN {
        let step = gains.iter().position(|g| g / scale > GAIN).unwrap_or(0) as u64 + 1;
        let message = format!("it gained {:.3} of {scale:e} J", trial.gain);
        trial.blame(Fault::Gain, step, &message);
    }
    trial.look_at_times();
    trial
}

impl Trial {
    /// Enter a fault; the worst one gets the message.
    fn blame(&mut self, fault: Fault, step: u64, message: &str) {
        if self.faults.contains(&fault) {
            return;
        }
        if self.faults.iter().all(|f| fault < *f) {
            self.first = step;
            message.clone_into(&mut self.message);
        }
        self.faults.push(fault);
    }

    /// Whether it shows the fault.
    pub fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    /// The worst fault, if any.
    pub fn worst(&self) -> Option<Fault> {
        self.faults.iter().min().copied()
    }

    /// Another run of the same steps: interruptions by other programs occur in one of them only.
    pub fn confirm_times(&mut self, again: &Trial) {
        for (t, other) in self.times.iter_mut().zip(&again.times) {
            *t = t.min(*other);
        }
        self.faults.retain(|f| *f != Fault::Slow);
        self.look_at_times();
    }

    /// Finds steps that took many times the median, and whether their report explains it.
    fn look_at_times(&mut self) {
        let (usual, effort) = (median(&self.times), median(&self.efforts).max(1.0));
        let slow = |i: &usize| self.times[*i] > SLOW * usual;
        let told = |i: &usize| self.efforts[*i] > EFFORT * effort;
        let steps = 0..self.times.len();
        let longest = |a: usize, b: usize| if self.times[b] > self.times[a] { b } else { a };
        let unexplained = steps
            .clone()
            .filter(slow)
            .filter(|i| !told(i))
            .reduce(longest);
        self.laborious = steps.clone().filter(slow).filter(told).count() as u64;
        let Some(step) = unexplained.or_else(|| steps.reduce(longest)) else {
            return;
        };
        self.slowest = self.times[step] / usual;
        self.slowest_step = step as u64 + 1;
        if unexplained.is_some() {
            let message = format!("step {} took {:.1} ms", step + 1, 1e3 * self.times[step]);
            self.blame(Fault::Slow, step as u64 + 1, &message);
        }
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

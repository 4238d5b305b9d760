//! Settings of the solver, and its counters.

use crate::solvers::SolverSettings;

/// Settings of [`super::Implicit`]. λ is relative to the scaled D, whose diagonal blocks have mean 1; no unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitSettings {
    /// Tolerance and iteration limit.
    pub common: SolverSettings,
    /// Levenberg's λ at the start. Nominal 1e-8 … 1e-2.
    pub damping: f64,
    /// Least and greatest λ. Nominal 1e-14 … 1.
    pub damping_range: (f64, f64),
    /// λ is divided by this where the Newton point is accepted, and multiplied where it is not.
    /// Nominal 2 … 10.
    pub damping_factor: f64,
    /// Share of the predicted decrease that the Newton point must achieve, in (0, 1); the paper has 0.5.
    pub acceptance: f64,
    /// Maximum number of restarts from a local minimum of ½‖r‖²; 0 stops there, as in the paper. Nominal 0 … 50.
    pub restarts: usize,
    /// How to begin.
    pub start: Start,
    /// Whether blocks are scaled so that impulses and velocities are comparable; the x = v − f of the paper adds them
    /// unscaled, in N s and m/s.
    pub scaled: bool,
}

impl ImplicitSettings {
    /// As in [Todorov §III]: from sticking, not scaled, ends in the first local minimum.
    pub fn printed(common: SolverSettings) -> Self {
        Self {
            common,
            restarts: 0,
            start: Start::Stick,
            scaled: false,
            ..Self::default()
        }
    }
}

/// Where the iteration begins [Todorov §III-F].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// From the guess, x = σ − λ; from sticking where there is none.
    #[default]
    Guess,
    /// All contacts stick: v = 0, x = D⁺ (v_f + v*). Any guess is ignored.
    Stick,
}

impl Default for ImplicitSettings {
    fn default() -> Self {
        Self {
            common: SolverSettings::default(),
            damping: 1e-6,
            damping_range: (1e-13, 1.0),
            damping_factor: 10.0,
            acceptance: 0.5,
            restarts: 40,
            start: Start::Guess,
            scaled: true,
        }
    }
}

/// Which points a solve accepted, one an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImplicitSteps {
    /// Newton points.
    pub newton: usize,
    /// Points between x and the Cauchy point.
    pub cauchy: usize,
    /// Points between the Cauchy and the Newton point.
    pub interpolated: usize,
    /// Those of the last two kinds that are on an edge.
    pub on_edge: usize,
}

impl ImplicitSteps {
    /// Share of the Newton points, 0 … 1; 1 where there was no iteration.
    pub fn newton_share(&self) -> f64 {
        match self.total() {
            0 => 1.0,
            total => self.newton as f64 / total as f64,
        }
    }

    /// Iterations.
    pub fn total(&self) -> usize {
        self.newton + self.cauchy + self.interpolated
    }
}

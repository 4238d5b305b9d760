//! Measured records: one per solve, one per closed-loop run. Stored as lines of JSON.

use crate::class::Class;
use crate::facts::Facts;
use linkwork_solve::Measures;
use serde::{Deserialize, Serialize};

/// Where a solve starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// From λ = 0.
    Cold,
    /// From the impulses of the step before, matched by joint and contact.
    Warm,
}

impl Start {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Start::Cold => "cold",
            Start::Warm => "warm",
        }
    }
}

/// A sample as the index lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleInfo {
    /// `SYSTEM/stepNNNNN`.
    pub name: String,
    /// The system.
    pub system: String,
    /// Steps since the start of its run.
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// What was measured of it.
    pub facts: Facts,
}

/// One solver on one sample or FCLIB problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Name of the problem: `SYSTEM/stepNNNNN`, or the path of an FCLIB file below its folder.
    pub problem: String,
    /// The system, or the folder of the FCLIB problem.
    pub system: String,
    /// Its class; `None` for FCLIB.
    pub class: Option<Class>,
    /// The solver.
    pub solver: String,
    /// The start of the solve.
    pub start: Start,
    /// The residual at which a problem counts as solved, N s and m/s; FCLIB: relative to |q|.
    pub tolerance: f64,
    /// Wall time it was given, s.
    pub limit_s: f64,
    /// The solver's own status; "unsupported" if it does not support the problem.
    pub claimed: String,
    /// Whether the recomputed residual meets the tolerance.
    pub solved: bool,
    /// Claimed converged, and not solved.
    pub false_convergence: bool,
    /// Scaled natural map under the solver's own contact law, recomputed, N s or m/s (the larger).
    #[serde(with = "nan_as_null")]
    pub residual: f64,
    /// The same under the exact law (NCP), for every solver.
    #[serde(with = "nan_as_null")]
    pub residual_ncp: f64,
    /// The papers' measures: r_dual, r_ncp, r_nat [Tsounis eq. 174–176], e_m, e_μ [Castro eq. 32–33]. None where the
    /// problem is not supported, and in scores from before they were recorded.
    #[serde(default, with = "measured")]
    pub measures: Option<Measures>,
    /// Whether the stopping test of the paper held at the end, for solvers that stop on one.
    #[serde(default)]
    pub own_test: Option<bool>,
    /// Wall time, s: the minimum of several runs for short solves.
    pub wall_s: f64,
    /// Iterations.
    pub iterations: usize,
    /// Factorisations.
    pub factorizations: usize,
    /// Bodies, rows and contacts of the problem.
    pub bodies: usize,
    /// All rows.
    pub rows: usize,
    /// Contact points.
    pub contacts: usize,
    /// (wall time in s, residual) at iterations spread over the solve; kept for some problems only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<(f64, f64)>,
}

/// One solver in one system, in closed loop. Violations are at position level, **after** a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Simulation {
    /// The system.
    pub system: String,
    /// The solver.
    pub solver: String,
    /// Tolerance of each solve, N s and m/s.
    pub tolerance: f64,
    /// Step size, s.
    pub dt: f64,
    /// Requested steps.
    pub steps: u64,
    /// Steps taken before the run ended.
    pub steps_done: u64,
    /// Why it ended early: time limit, not finite, refused; empty if it did not.
    pub ended: String,
    /// Solves that did not converge.
    pub failures: u64,
    /// Largest r_pen: joints (m, rad), limits and overlap, after a step [Tsounis §VII-D].
    #[serde(with = "nan_as_null")]
    pub r_pen_max: f64,
    /// Largest joint residual, m or rad.
    #[serde(with = "nan_as_null")]
    pub closure_max: f64,
    /// Deepest overlap, m.
    #[serde(with = "nan_as_null")]
    pub penetration_max: f64,
    /// Largest violation of a limit, m or rad.
    #[serde(with = "nan_as_null")]
    pub limit_max: f64,
    /// Largest scaled natural map, N s or m/s.
    #[serde(with = "nan_as_null")]
    pub residual_max: f64,
    /// Drift of the energy balance, as [`linkwork::RunSummary::energy_drift`].
    #[serde(with = "nan_as_null")]
    pub energy_drift: f64,
    /// Mean iterations per step.
    pub iterations_mean: f64,
    /// Wall time, s.
    pub wall_s: f64,
    /// Time in collision, rows, solve, closure, integrate, s.
    pub phases_s: [f64; 5],
    /// (time, r_pen, energy) at some steps: s, m or rad, J.
    pub course: Vec<(f64, f64, f64)>,
}

/// JSON has no NaN and no infinity: both are null there, and NaN here.
pub(crate) mod nan_as_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(x: &f64, s: S) -> Result<S::Ok, S::Error> {
        x.is_finite().then_some(*x).serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(d)?.unwrap_or(f64::NAN))
    }
}

/// Measures as five numbers, null where one is none.
mod measured {
    use linkwork_solve::Measures;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(x: &Option<Measures>, s: S) -> Result<S::Ok, S::Error> {
        let numbers = |m: &Measures| {
            [m.r_dual, m.r_ncp, m.r_nat, m.e_m, m.e_mu].map(|x| x.is_finite().then_some(x))
        };
        x.as_ref().map(numbers).serialize(s)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Measures>, D::Error> {
        let numbers: Option<[Option<f64>; 5]> = Option::deserialize(d)?;
        Ok(numbers.map(|numbers| {
            let [r_dual, r_ncp, r_nat, e_m, e_mu] = numbers.map(|x| x.unwrap_or(f64::NAN));
            Measures {
                r_dual,
                r_ncp,
                r_nat,
                e_m,
                e_mu,
            }
        }))
    }
}

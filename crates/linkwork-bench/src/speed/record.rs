//! What is kept of a case. Stored as lines of JSON.

use crate::machine::Machine;
use crate::results::nan_as_null;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Collision, rows, solve, closure, integrate, as in [`linkwork::Timings`].
pub type Phases = [f64; 5];

/// Names of [`Phases`].
pub(crate) const PHASES: [&str; 5] = ["collision", "rows", "solve", "closure", "integrate"];

/// Names of the parts of a run.
pub(crate) const PARTS: [&str; 2] = ["moving", "at rest"];

/// Steps while the scene moves, or while it is at rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// How many steps.
    pub steps: u64,
    /// CPU time a step, µs, median of the runs.
    pub step_us: f64,
    /// Time per step in each phase, µs: wall times scaled to the CPU time, medians of the runs.
    pub phases_us: Phases,
    /// Mean iterations per step.
    pub iterations: f64,
    /// Mean factorisations per step.
    pub factorizations: f64,
    /// Mean closure passes per step.
    pub closure_passes: f64,
    /// Mean contact points per step.
    pub contacts: f64,
    /// Instructions per step in a window in the middle of the part, if counted.
    pub instructions: Option<f64>,
}

/// A scene or model, measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speed {
    /// Scene and parameters that were set, or name of the file.
    pub name: String,
    /// The scene, or the file.
    pub scene: String,
    /// Parameters that were set.
    pub parameters: BTreeMap<String, f64>,
    /// Bodies.
    pub bodies: usize,
    /// Rows that joints lock.
    pub joint_rows: usize,
    /// Step size, s.
    pub dt: f64,
    /// The solver.
    pub solver: String,
    /// Its tolerance, N s and m/s.
    pub tolerance: f64,
    /// Steps taken.
    pub steps: u64,
    /// Why it ended early; empty if it did not.
    pub ended: String,
    /// Timed runs.
    pub repeats: usize,
    /// Steps a CPU second, median of the runs.
    pub steps_per_cpu_s: f64,
    /// Of the slowest run.
    pub rate_least: f64,
    /// Of the fastest run.
    pub rate_most: f64,
    /// While it moves: all steps up to the last with a kinetic energy above 10⁻³ of the maximum, and above that of its
    /// total mass at 1 mm/s.
    pub moving: Option<Part>,
    /// While it is at rest: the steps after.
    pub rest: Option<Part>,
    /// Solves that did not converge.
    pub failed: u64,
    /// Largest scaled natural map, N s or m/s.
    #[serde(with = "nan_as_null")]
    pub residual_max: f64,
    /// Largest joint residual after a step, m or rad.
    #[serde(with = "nan_as_null")]
    pub closure_max: f64,
    /// Deepest overlap at rest, m; NaN if it is never at rest or has no contacts.
    #[serde(with = "nan_as_null")]
    pub penetration_rest: f64,
    /// What it was measured on, and when.
    pub machine: Machine,
}

impl Speed {
    /// The part of the index of its name in [`PARTS`].
    pub(crate) fn part(&self, at: usize) -> Option<&Part> {
        [&self.moving, &self.rest][at].as_ref()
    }

    /// Both parts, those there are.
    fn parts(&self) -> impl Iterator<Item = &Part> {
        [&self.moving, &self.rest].into_iter().flatten()
    }

    /// Mean over all steps of the value `pick` of a part.
    pub fn mean(&self, pick: impl Fn(&Part) -> f64) -> f64 {
        let sum: f64 = self.parts().map(|p| p.steps as f64 * pick(p)).sum();
        sum / self.steps.max(1) as f64
    }

    /// Instructions per step over both parts, if all were counted.
    pub fn instructions(&self) -> Option<f64> {
        let counted = self.parts().all(|p| p.instructions.is_some());
        (counted && self.steps > 0).then(|| self.mean(|p| p.instructions.unwrap_or(0.0)))
    }

    /// Number of bodies requested by the parameter n, if the scene has one.
    pub fn size(&self) -> Option<f64> {
        self.parameters.get("n").copied()
    }
}

//! How a simulation is run, from keywords.

use crate::errors::value;
use linkwork::{Adaptive, FailurePolicy, Settings, UnknownIntegrator};
use pyo3::prelude::*;

/// Keywords that change settings.
pub struct Chosen {
    pub dt: Option<f64>,
    pub integrator: Option<String>,
    pub adaptive: Option<f64>,
    pub solver: Option<String>,
    pub tolerance: Option<f64>,
    pub max_iterations: Option<i64>,
    pub failure: Option<String>,
}

impl Chosen {
    /// The settings with these changes.
    pub fn over(self, settings: &Settings) -> PyResult<Settings> {
        let mut settings = settings.clone();
        if let Some(dt) = self.dt {
            settings.dt = dt;
        }
        if let Some(integrator) = self.integrator {
            let parsed = integrator.parse();
            settings.integrator = parsed.map_err(|e: UnknownIntegrator| value(e.to_string()))?;
        }
        if let Some(tolerance) = self.adaptive {
            settings.adaptive = Some(Adaptive::new(tolerance));
        }
        if let Some(solver) = self.solver {
            settings.solver = solver;
        }
        if let Some(tolerance) = self.tolerance {
            settings.solve.tolerance = tolerance;
        }
        if let Some(n) = self.max_iterations {
            settings.solve.max_iterations = usize::try_from(n)
                .map_err(|_| value(format!("max_iterations is {n}; it must be at least 1")))?;
        }
        if let Some(failure) = self.failure {
            settings.failure = match failure.as_str() {
                "substep" => Settings::default().failure,
                "accept" => FailurePolicy::Accept,
                "hold" => FailurePolicy::Hold,
                "error" => FailurePolicy::Error,
                _ => {
                    return Err(value(format!(
                        "failure is '{failure}'; choose one of: substep, accept, hold, error"
                    )));
                }
            };
        }
        Ok(settings)
    }
}

/// A number of threads.
pub fn threads(n: i64) -> PyResult<usize> {
    usize::try_from(n)
        .ok()
        .filter(|n| (1..=1024).contains(n))
        .ok_or_else(|| value(format!("threads is {n}; it must be 1 … 1024")))
}

/// A range of factors, least and greatest.
pub fn range(given: Option<[f64; 2]>, what: &str, least: f64) -> PyResult<Option<[f64; 2]>> {
    match given {
        Some([low, high]) if !(low >= least && low <= high && high.is_finite()) => {
            Err(value(format!(
                "{what} is ({low}, {high}); give the least and greatest factor, positive, finite and in order"
            )))
        }
        range => Ok(range),
    }
}

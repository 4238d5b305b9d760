//! Reports of steps as Python objects.

use linkwork::StepReport;
use linkwork_solve::{Residuals, Status};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Residuals by name.
pub fn residuals<'py>(py: Python<'py>, r: &Residuals) -> PyResult<Bound<'py, PyDict>> {
    let d = PyDict::new(py);
    d.set_item("natural_unit", r.natural_unit)?;
    d.set_item("natural_scaled", r.natural_scaled)?;
    d.set_item("natural_velocity", r.natural_velocity)?;
    d.set_item("dual", r.dual)?;
    d.set_item("complementarity", r.complementarity)?;
    d.set_item("momentum", r.momentum)?;
    Ok(d)
}

/// What a step said of itself.
#[pyclass(frozen, name = "StepReport", module = "linkwork")]
pub struct PyStepReport {
    pub report: StepReport,
}

#[pymethods]
impl PyStepReport {
    /// How the solve ended: "converged", "iteration limit", "stalled", "numerical failure", …
    #[getter]
    fn status(&self) -> String {
        self.report.status.to_string()
    }

    /// Whether the solve met its tolerance.
    #[getter]
    fn converged(&self) -> bool {
        self.report.status == Status::Converged
    }

    /// "applied", "substepped n" or "held".
    #[getter]
    fn outcome(&self) -> String {
        self.report.outcome.to_string()
    }

    /// The larger of the scaled natural map as impulse (N s) and velocity (m/s), recomputed from M and J.
    #[getter]
    fn residual(&self) -> f64 {
        self.report.residuals.scaled()
    }

    /// All residuals by name, recomputed from M and J.
    #[getter]
    fn residuals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        residuals(py, &self.report.residuals)
    }

    /// Solver iterations.
    #[getter]
    fn iterations(&self) -> usize {
        self.report.iterations
    }

    /// Closure passes.
    #[getter]
    fn closure_passes(&self) -> usize {
        self.report.closure_passes
    }

    /// Constraint rows.
    #[getter]
    fn rows(&self) -> usize {
        self.report.rows
    }

    /// Contact points.
    #[getter]
    fn contacts(&self) -> usize {
        self.report.contacts
    }

    /// Largest translational joint residual after the step, m.
    #[getter]
    fn closure_linear(&self) -> f64 {
        self.report.closure_linear
    }

    /// Largest rotational joint or coupling residual after the step, rad.
    #[getter]
    fn closure_angular(&self) -> f64 {
        self.report.closure_angular
    }

    /// Largest violation of a limit after the step, m or rad.
    #[getter]
    fn limit_violation(&self) -> f64 {
        self.report.limit_violation
    }

    /// Deepest overlap at the start of the step, m.
    #[getter]
    fn penetration(&self) -> f64 {
        self.report.penetration
    }

    /// Work done on the mechanism, J: joints, limits, friction, drives, contacts, applied.
    #[getter]
    fn work<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (d, w) = (PyDict::new(py), &self.report.work);
        d.set_item("joints", w.joints)?;
        d.set_item("limits", w.limits)?;
        d.set_item("friction", w.friction)?;
        d.set_item("drives", w.drives)?;
        d.set_item("contacts", w.contacts)?;
        d.set_item("applied", w.applied)?;
        Ok(d)
    }

    fn __repr__(&self) -> String {
        let r = &self.report;
        format!(
            "StepReport({}, residual {:.2e}, closure {:.2e} m {:.2e} rad, {} rows, {} contacts, {} iterations)",
            r.status,
            r.residuals.scaled(),
            r.closure_linear,
            r.closure_angular,
            r.rows,
            r.contacts,
            r.iterations
        )
    }
}

//! Problems of single steps and their solvers.

use crate::arrays::view;
use crate::attention::Attention;
use crate::errors::{SolveError, guard, setup, value};
use crate::report::residuals;
use linkwork_solve::{
    Operator, Problem, Solution, SolveReport, SolverSettings, Status, all_solvers, fclib,
    solver_entry,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// The complementarity problem of a step: find impulses λ with K* ∋ σ + Γ(σ) ⟂ λ ∈ K, σ = (D + R) λ + v_f + v*.
///
/// From Simulator.problem, Problem.from_fclib(path) or Problem.load(path).
#[pyclass(frozen, name = "Problem", module = "linkwork")]
pub struct PyProblem {
    problem: Problem,
    title: String,
}

impl PyProblem {
    /// Of a step.
    pub fn new(problem: Problem) -> Self {
        Self {
            problem,
            title: String::new(),
        }
    }
}

#[pymethods]
impl PyProblem {
    /// from_fclib(path): a problem of the library FCLIB, from its HDF5 file.
    #[staticmethod]
    fn from_fclib(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| {
            guard(|| {
                let read = fclib::read(&path).map_err(|e| SolveError::new_err(e.to_string()))?;
                Ok(Self {
                    problem: read.problem,
                    title: read.title,
                })
            })
        })
    }

    /// load(path): a problem that save(), or `linkwork run --dump`, wrote.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| {
            guard(|| {
                let problem =
                    Problem::load(&path).map_err(|e| SolveError::new_err(e.to_string()))?;
                Ok(Self::new(problem))
            })
        })
    }

    /// save(path): as JSON, to the bit.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        guard(|| {
            self.problem
                .save(&path)
                .map_err(|e| SolveError::new_err(e.to_string()))
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let text = guard(|| serde_json::to_string(&self.problem).map_err(setup))?;
        let make = py.import("linkwork._linkwork")?.getattr("_problem_from")?;
        Ok((make, (text, self.title.clone())))
    }

    /// Number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.problem.rows()
    }

    /// Number of bodies; 0 where only the Delassus matrix is known.
    #[getter]
    fn bodies(&self) -> usize {
        self.problem.bodies()
    }

    /// Step size, s.
    #[getter]
    fn dt(&self) -> f64 {
        self.problem.dt
    }

    fn __repr__(&self) -> String {
        let (rows, sets) = (self.problem.rows(), self.problem.sets.len());
        let on = match &self.problem.operator {
            Operator::Bodies { mass, .. } => format!("on {} bodies", mass.len()),
            Operator::Delassus { .. } => "on its Delassus matrix".to_owned(),
        };
        let title = if self.title.is_empty() {
            String::new()
        } else {
            format!("'{}': ", self.title)
        };
        format!("Problem({title}{rows} rows in {sets} blocks, {on})")
    }
}

/// A problem that was pickled.
#[pyfunction]
#[pyo3(name = "_problem_from")]
pub fn problem_from(text: &str, title: String) -> PyResult<PyProblem> {
    guard(|| {
        let problem: Problem = serde_json::from_str(text).map_err(setup)?;
        problem
            .check()
            .map_err(|e| SolveError::new_err(e.to_string()))?;
        Ok(PyProblem { problem, title })
    })
}

/// What a solver found, judged from outside it.
#[pyclass(frozen, name = "Solution", module = "linkwork")]
pub struct PySolution {
    solver: String,
    solution: Solution,
    report: SolveReport,
}

#[pymethods]
impl PySolution {
    /// Impulses λ, N s or N m s. A read-only view.
    #[getter]
    fn impulses<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        view(slf, |s| &s.solution.lambda)
    }

    /// Velocities u⁺ of the bodies, six a body, m/s and rad/s; empty where only D is known. A read-only
    /// view.
    #[getter]
    fn velocities<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        view(slf, |s| &s.solution.u_plus)
    }

    /// Biased constraint velocities σ(λ), m/s or rad/s. A read-only view.
    #[getter]
    fn sigma<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        view(slf, |s| &s.solution.sigma)
    }

    /// How it ended: "converged", "iteration limit", "stalled", …
    #[getter]
    fn status(&self) -> String {
        self.report.status.to_string()
    }

    /// Whether the recomputed residual meets the tolerance.
    #[getter]
    fn converged(&self) -> bool {
        self.report.status == Status::Converged
    }

    /// Iterations.
    #[getter]
    fn iterations(&self) -> usize {
        self.report.iterations
    }

    /// Name of the solver.
    #[getter]
    fn solver(&self) -> &str {
        &self.solver
    }

    /// The larger of the scaled natural map as impulse (N s) and velocity (m/s).
    #[getter]
    fn residual(&self) -> f64 {
        self.report.residuals.scaled()
    }

    /// All residuals by name.
    #[getter]
    fn residuals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        residuals(py, &self.report.residuals)
    }

    fn __repr__(&self) -> String {
        format!(
            "Solution('{}': {}, residual {:.2e}, {} iterations)",
            self.solver,
            self.report.status,
            self.report.residuals.scaled(),
            self.report.iterations
        )
    }
}

/// solve(problem, solver="condensed", tolerance=1e-9, max_iterations=1000): solve a Problem by itself. Runs without the
/// GIL; Ctrl-C ends it. Returns a Solution with recomputed residuals.
#[pyfunction]
#[pyo3(signature = (problem, solver="condensed", tolerance=1e-9, max_iterations=1000))]
pub fn solve(
    py: Python<'_>,
    problem: &PyProblem,
    solver: &str,
    tolerance: f64,
    max_iterations: i64,
) -> PyResult<PySolution> {
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(value(format!(
            "tolerance is {tolerance}; it must be positive and finite"
        )));
    }
    let max_iterations = usize::try_from(max_iterations)
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| {
            value(format!(
                "max_iterations is {max_iterations}; it must be at least 1"
            ))
        })?;
    py.detach(|| {
        guard(|| {
            let entry = solver_entry(solver).map_err(|e| value(e.to_string()))?;
            let settings = SolverSettings {
                tolerance,
                max_iterations,
            };
            let problem = &problem.problem;
            problem
                .check()
                .map_err(|e| SolveError::new_err(e.to_string()))?;
            let mut made = entry.make(settings, false);
            made.supports(problem)
                .map_err(|e| SolveError::new_err(e.to_string()))?;
            let mut solution = Solution::default();
            let mut attention = Attention::new();
            let report = made.solve(problem, &mut solution, &mut attention);
            attention.end()?;
            Ok(PySolution {
                solver: solver.to_owned(),
                solution,
                report,
            })
        })
    })
}

/// solvers(): name and summary of every solver.
#[pyfunction]
pub fn solvers(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let d = PyDict::new(py);
    for entry in all_solvers() {
        d.set_item(entry.name, entry.summary).map_err(setup)?;
    }
    Ok(d)
}

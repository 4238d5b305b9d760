//! The simulator.

mod acting;
mod reading;
pub mod saving;

use crate::arrays::floats;
use crate::errors::{AssembleError, StepError, setup, value};
use crate::inputs::{Asked, Inputs};
use crate::model::{Key, PyModel};
use crate::report::PyStepReport;
use crate::settings::{Chosen, threads};
use crate::shared::Shared;
use crate::state::PyState;
use linkwork::assemble::{AssembleSettings, Targets, assemble, project_velocities};
use linkwork::model::{BodyId, Model};
use linkwork::{Run, Settings, Simulator, StepReport};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A run with what drives it.
pub struct Sim {
    pub model: Arc<Model>,
    pub run: Run,
    pub inputs: Inputs,
    /// Steps taken since the start or the last reset.
    pub steps: u64,
    pub report: Option<StepReport>,
}

impl Sim {
    /// A simulator of `model` at its start.
    pub fn new(model: &PyModel, settings: Settings) -> PyResult<Self> {
        let simulator = Simulator::new(model.model.clone(), settings).map_err(setup)?;
        let asked = Asked::new(&model.model, &model.controls);
        let inputs = Inputs::new(model.model.clone(), model.script()?, asked);
        Ok(Self {
            model: model.model.clone(),
            run: Run::new(simulator, Some(inputs.script())),
            inputs,
            steps: 0,
            report: None,
        })
    }

    fn step(&mut self) -> PyResult<StepReport> {
        let report = self
            .run
            .step()
            .map_err(|e| StepError::new_err(e.to_string()))?;
        self.steps += 1;
        self.report = Some(report);
        Ok(report)
    }

    fn set_controls(&self, controls: Option<Vec<f64>>) {
        if let Some(controls) = controls {
            self.inputs.asked(|a| {
                a.controls = controls;
                a.manual = true;
            });
        }
    }
}

/// Simulator(model, *, dt=None, integrator=None, adaptive=None, solver=None, tolerance=None, max_iterations=None, failure=None, threads=1, key=None)
///
/// Steps a mechanism through time. dt in s and the solver are those that suit the model unless given; tolerance is that
/// of the scaled natural map (N s and m/s, 1e-9 unless given); failure is what a failed solve does: "substep" (repeat in
/// halves), "accept", "hold" or "error". adaptive takes steps as substeps whose estimated errors add up to no more than that a second, m/s. key starts in a stored state of the file. Steps run without the GIL. Several
/// threads may share a simulator; they take turns.
#[pyclass(frozen, name = "Simulator", module = "linkwork")]
pub struct PySimulator {
    pub model: Py<PyModel>,
    pub sim: Shared<Sim>,
}

impl PySimulator {
    fn model_of(&self) -> &PyModel {
        self.model.get()
    }

    /// Controls from an array in order, or from a dictionary by name on top of the present ones.
    fn read_controls(
        &self,
        py: Python<'_>,
        given: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<f64>>> {
        let Some(given) = given else {
            return Ok(None);
        };
        let names = self.model_of().actuator_names();
        let Ok(by_name) = given.cast::<PyDict>() else {
            return floats(given, "control", &[names.len()]).map(Some);
        };
        let mut controls = self
            .sim
            .with(py, |s| Ok(s.inputs.asked(|a| a.controls.clone())))?;
        for (name, number) in by_name {
            let name: Key = name.extract()?;
            let number: f64 = number.extract()?;
            let at = name.find("actuator", &names)?;
            if !number.is_finite() {
                let name = names[at];
                return Err(value(format!(
                    "the control of '{name}' is {number}; it must be finite"
                )));
            }
            controls[at] = number;
        }
        Ok(Some(controls))
    }
}

#[pymethods]
impl PySimulator {
    #[new]
    #[pyo3(signature = (model, *, dt=None, integrator=None, adaptive=None, solver=None, tolerance=None, max_iterations=None, failure=None, threads=1, key=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        model: Py<PyModel>,
        dt: Option<f64>,
        integrator: Option<String>,
        adaptive: Option<f64>,
        solver: Option<String>,
        tolerance: Option<f64>,
        max_iterations: Option<i64>,
        failure: Option<String>,
        #[pyo3(from_py_with = thread_count)] threads: usize,
        key: Option<String>,
    ) -> PyResult<Self> {
        let chosen = Chosen {
            dt,
            integrator,
            adaptive,
            solver,
            tolerance,
            max_iterations,
            failure,
        };
        let of = model.get();
        let mut settings = chosen.over(&of.settings)?;
        settings.threads = threads;
        let sim = py.detach(|| {
            crate::errors::guard(|| {
                let mut sim = Sim::new(of, settings)?;
                if let Some(key) = &key {
                    let (state, controls) = of.keyframe_state(key)?;
                    sim.run.simulator_mut().set_state(state).map_err(setup)?;
                    sim.inputs.asked(|a| a.controls = controls);
                }
                Ok(sim)
            })
        })?;
        Ok(Self {
            model,
            sim: Shared::new("simulator", sim, threads),
        })
    }

    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<PyModel> {
        self.model.clone_ref(py)
    }

    /// step(control=None): advance by dt. control is one number per actuator in the order of model.actuators, or a
    /// dictionary by name; what is not given stays. A scene with a script of its own moves by it until controls are
    /// given. Returns the StepReport.
    #[pyo3(signature = (control=None))]
    fn step(&self, py: Python<'_>, control: Option<&Bound<'_, PyAny>>) -> PyResult<PyStepReport> {
        let controls = self.read_controls(py, control)?;
        let report = self.sim.with(py, |s| {
            s.set_controls(controls);
            s.step()
        })?;
        Ok(PyStepReport { report })
    }

    /// run(seconds, control=None, *, progress=False, every=None): simulate for a time. progress shows a line on standard
    /// error; every=k keeps every k-th step for plots in the .history of the RunSummary that is returned. Can be
    /// interrupted with Ctrl-C between steps.
    #[pyo3(signature = (seconds, control=None, *, progress=false, every=None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        seconds: f64,
        control: Option<&Bound<'_, PyAny>>,
        progress: bool,
        every: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::run::run(
            self,
            py,
            seconds,
            self.read_controls(py, control)?,
            progress,
            every,
        )
    }

    /// The report of the last step; None before the first.
    #[getter]
    fn report(&self, py: Python<'_>) -> PyResult<Option<PyStepReport>> {
        let report = self.sim.with(py, |s| Ok(s.report))?;
        Ok(report.map(|report| PyStepReport { report }))
    }

    /// Time, s.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.sim.with(py, |s| Ok(s.run.simulator().state().time))
    }

    /// Step size, s.
    #[getter]
    fn dt(&self, py: Python<'_>) -> PyResult<f64> {
        self.sim.with(py, |s| Ok(s.run.simulator().settings().dt))
    }

    /// Name of the solver.
    #[getter]
    fn solver(&self, py: Python<'_>) -> PyResult<String> {
        self.sim
            .with(py, |s| Ok(s.run.simulator().settings().solver.clone()))
    }

    /// Steps taken since the start or the last reset.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<u64> {
        self.sim.with(py, |s| Ok(s.steps))
    }

    /// reset(state=None): go on from a state, or from the model's initial one, with the controls, forces and wrenches of
    /// the start.
    #[pyo3(signature = (state=None))]
    fn reset(&self, py: Python<'_>, state: Option<&PyState>) -> PyResult<()> {
        let model = self.model_of();
        let state = state.map_or_else(|| model.model.initial_state(), |s| s.state.clone());
        self.sim.with(py, |s| {
            s.run.simulator_mut().set_state(state).map_err(setup)?;
            s.inputs
                .asked(|a| *a = Asked::new(&s.model, &model.controls));
            s.run
                .control_mut()
                .clone_from(&linkwork::Control::new(&s.model));
            (s.steps, s.report) = (0, None);
            Ok(())
        })
    }

    /// set_state(state): go on from another state; controls stay.
    fn set_state(&self, py: Python<'_>, state: &PyState) -> PyResult<()> {
        let state = state.state.clone();
        self.sim.with(py, |s| {
            s.run.simulator_mut().set_state(state).map_err(setup)
        })
    }

    /// Controls of the actuators, held from step to step. A copy.
    #[getter]
    fn controls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let c = self
            .sim
            .with(py, |s| Ok(s.inputs.asked(|a| a.controls.clone())))?;
        Ok(PyArray1::from_vec(py, c))
    }

    /// assemble(targets=None, *, soft=None, hold=()): close all joints from the present state, with joint coordinates at
    /// targets {name: value} (m or rad), or as near as possible to those of soft, and with the bodies of hold where they
    /// are. Velocities become the nearest that the joints allow. Returns the residual that is left, m or rad.
    #[pyo3(signature = (targets=None, *, soft=None, hold=Vec::new()))]
    fn assemble(
        &self,
        py: Python<'_>,
        targets: Option<&Bound<'_, PyDict>>,
        soft: Option<&Bound<'_, PyDict>>,
        hold: Vec<Key>,
    ) -> PyResult<f64> {
        let model = self.model_of();
        let mut asked = Targets::none();
        for (given, hard) in [(targets, true), (soft, false)] {
            for (name, number) in given.iter().flat_map(|d| d.iter()) {
                let (name, number): (Key, f64) = (name.extract()?, number.extract()?);
                let (joint, c) = model.joint_of(model.coordinate_index(&name)?);
                asked = if hard {
                    asked.hard(joint, c, number)
                } else {
                    asked.soft(joint, c, number, 1.0)
                };
            }
        }
        for body in hold {
            asked = asked.hold(BodyId(body.find("body", &model.body_names())? as u32));
        }
        self.sim.with(py, |s| {
            let (model, state) = (&s.model, s.run.simulator().state());
            let found = assemble(model, state, &asked, &AssembleSettings::default());
            let found = found.map_err(|e| AssembleError::new_err(e.to_string()))?;
            let state = project_velocities(model, &found.state).state;
            s.run.simulator_mut().set_state(state).map_err(setup)?;
            Ok(found.residual)
        })
    }

    /// The problem of the last step, as it was solved; None before the first.
    #[getter]
    fn problem(&self, py: Python<'_>) -> PyResult<Option<crate::solve::PyProblem>> {
        let problem = self.sim.with(py, |s| {
            Ok(s.report
                .is_some()
                .then(|| s.run.simulator().problem().clone()))
        })?;
        Ok(problem.map(crate::solve::PyProblem::new))
    }

    /// Hash of every bit of the state, 16 hexadecimal digits.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<String> {
        self.sim.with(py, |s| {
            Ok(format!("{:016x}", s.run.simulator().state().hash()))
        })
    }

    /// close(): free its memory; any later use raises ClosedError. A with statement does it at its end.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.sim.close(py)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.close(py)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let picture = slf.py().import("linkwork._picture")?;
        picture.call_method1("simulator_html", (slf,))?.extract()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = &self.model_of().model.name();
        let told = self.sim.with(py, |s| {
            let simulator = s.run.simulator();
            let (time, settings) = (simulator.state().time, simulator.settings());
            let status = s
                .report
                .map_or("not stepped yet".to_owned(), |r| r.status.to_string());
            let (dt, solver) = (settings.dt, &settings.solver);
            Ok(format!(
                "t={time:.6} s, dt={dt} s, solver '{solver}', {status}"
            ))
        });
        match told {
            Ok(text) => format!("Simulator('{name}': {text})"),
            Err(_) => format!("Simulator('{name}': closed)"),
        }
    }
}

fn thread_count(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    threads(given.extract()?)
}

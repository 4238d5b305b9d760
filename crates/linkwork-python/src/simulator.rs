//! The simulator.

use crate::arrays::{floats, matrix, poses, twists, vector};
use crate::errors::{AssembleError, StepError, setup, value};
use crate::inputs::{Asked, Inputs};
use crate::model::{Key, PyModel};
use crate::report::PyStepReport;
use crate::settings::{Chosen, threads};
use crate::shared::Shared;
use crate::state::PyState;
use linkwork::assemble::{AssembleSettings, Targets, assemble, project_velocities};
use linkwork::math::Wrench;
use linkwork::model::{BodyId, JointId};
use linkwork::{Checkpoint, Run, Settings, Simulator, StepReport};
use linkwork_import::Mechanism;
use linkwork_import::mechanism::{Felt, Sensor};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A run with what drives it.
pub struct Sim {
    pub mechanism: Arc<Mechanism>,
    pub run: Run,
    pub inputs: Inputs,
    /// Steps taken since the start or the last reset.
    pub steps: u64,
    pub report: Option<StepReport>,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    checkpoint: Checkpoint,
    asked: Asked,
    steps: u64,
}

impl Sim {
    /// A simulator of `model` at its start.
    pub fn new(model: &PyModel, settings: Settings) -> PyResult<Self> {
        let simulator = Simulator::new(model.mechanism.model.clone(), settings).map_err(setup)?;
        let asked = Asked::new(&model.mechanism, &model.controls);
        let inputs = Inputs::new(model.mechanism.clone(), model.script()?, asked);
        Ok(Self {
            mechanism: model.mechanism.clone(),
            run: Run::new(simulator, Some(inputs.script())),
            inputs,
            steps: 0,
            report: None,
        })
    }

    fn save(&self) -> Saved {
        Saved {
            checkpoint: self.run.checkpoint(),
            asked: self.inputs.asked(|a| a.clone()),
            steps: self.steps,
        }
    }

    fn restore(&mut self, saved: Saved) -> PyResult<()> {
        let model = self.mechanism.model.clone();
        let actuators = self.mechanism.actuators.len();
        let fits = saved.asked.controls.len() == actuators
            && saved.asked.forces.len() == model.coordinate_count()
            && saved.asked.wrenches.len() == model.bodies().len();
        if !fits || saved.asked.base.check(&model).is_err() {
            return Err(setup("the saved controls do not fit the model"));
        }
        let script = Some(self.inputs.script());
        self.run = Run::resume(model, &saved.checkpoint, script).map_err(setup)?;
        self.inputs.asked(|a| *a = saved.asked);
        self.steps = saved.steps;
        self.report = None;
        Ok(())
    }

    /// Another one that goes on from here with the same bits.
    pub fn fork(&self, model: &PyModel) -> PyResult<Self> {
        let settings = self.run.simulator().settings().clone();
        let mut sim = Self::new(model, settings)?;
        sim.restore(self.save())?;
        Ok(sim)
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

/// Simulator(model, *, dt=None, solver=None, tolerance=None, max_iterations=None, failure=None, threads=1, key=None)
///
/// Steps a mechanism through time. dt in s and the solver are those that suit the model unless given; tolerance is that
/// of the scaled natural map (N s and m/s, 1e-9 unless given); failure is what a failed solve does: "substep" (repeat in
/// halves), "accept", "hold" or "error". key starts in a stored state of the file. Steps run without the GIL. Several
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

/// Contact points of the last step as arrays.
type ContactArrays = (Vec<i64>, [Vec<f64>; 3], Vec<f64>);

#[pymethods]
impl PySimulator {
    #[new]
    #[pyo3(signature = (model, *, dt=None, solver=None, tolerance=None, max_iterations=None, failure=None, threads=1, key=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        model: Py<PyModel>,
        dt: Option<f64>,
        solver: Option<String>,
        tolerance: Option<f64>,
        max_iterations: Option<i64>,
        failure: Option<String>,
        #[pyo3(from_py_with = thread_count)] threads: usize,
        key: Option<String>,
    ) -> PyResult<Self> {
        let chosen = Chosen {
            dt,
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
            sim: Shared::new("simulator", sim),
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

    /// Poses of the centres of mass in the world, (bodies, 7): x, y, z in m, then the quaternion w, x, y, z. A copy.
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let numbers = self
            .sim
            .with(py, |s| Ok(poses(s.run.simulator().state())))?;
        matrix(py, numbers, 7)
    }

    /// Velocities in the world, (bodies, 6): of the centre of mass in m/s, then angular in rad/s, half a step before
    /// the poses (see synchronised). A copy.
    #[getter]
    fn twists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let numbers = self
            .sim
            .with(py, |s| Ok(twists(s.run.simulator().state())))?;
        matrix(py, numbers, 6)
    }

    /// Joint coordinates in the order of model.coordinates, m or rad; angles count whole turns. A copy.
    #[getter]
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let q = self
            .sim
            .with(py, |s| Ok(s.run.simulator().state().coordinates.clone()))?;
        Ok(PyArray1::from_vec(py, q))
    }

    /// Rates of the joint coordinates, m/s or rad/s, half a step before the poses. A copy.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let v = self
            .sim
            .with(py, |s| Ok(rates(s.run.simulator().state(), &s.mechanism)))?;
        Ok(PyArray1::from_vec(py, v))
    }

    /// coordinate(name): one joint coordinate, m or rad.
    fn coordinate(&self, py: Python<'_>, name: Key) -> PyResult<f64> {
        let at = self.model_of().coordinate_index(&name)?;
        self.sim
            .with(py, |s| Ok(s.run.simulator().state().coordinates[at]))
    }

    /// pose(body): one body's pose (7): x, y, z in m, then the quaternion w, x, y, z.
    fn pose<'py>(&self, py: Python<'py>, body: Key) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let at = body.find("body", &self.model_of().body_names())?;
        let pose = self
            .sim
            .with(py, |s| Ok(s.run.simulator().state().poses[at]))?;
        Ok(PyArray1::from_slice(
            py,
            &crate::arrays::pose_numbers(&pose),
        ))
    }

    /// The state: time, poses, twists, coordinates.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<PyState> {
        let state = self
            .sim
            .with(py, |s| Ok(s.run.simulator().state().clone()))?;
        Ok(PyState { state })
    }

    /// The state with its velocities at the time of its poses. Costs a solve.
    fn synchronised(&self, py: Python<'_>) -> PyResult<PyState> {
        let state = self.sim.with(py, |s| {
            let state = s.run.simulator().synchronised(s.run.control());
            state.map_err(|e| StepError::new_err(e.to_string()))
        })?;
        Ok(PyState { state })
    }

    /// reset(state=None): go on from a state, or from the model's initial one, with the controls, forces and wrenches of
    /// the start.
    #[pyo3(signature = (state=None))]
    fn reset(&self, py: Python<'_>, state: Option<&PyState>) -> PyResult<()> {
        let model = self.model_of();
        let state = state.map_or_else(
            || model.mechanism.model.initial_state(),
            |s| s.state.clone(),
        );
        self.sim.with(py, |s| {
            s.run.simulator_mut().set_state(state).map_err(setup)?;
            s.inputs
                .asked(|a| *a = Asked::new(&s.mechanism, &model.controls));
            s.run
                .control_mut()
                .clone_from(&linkwork::Control::new(&s.mechanism.model));
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

    /// set_force(coordinate, value): a force or torque on a joint coordinate, N or N m, on top of actuators, until
    /// changed.
    fn set_force(&self, py: Python<'_>, coordinate: Key, force: f64) -> PyResult<()> {
        let at = self.model_of().coordinate_index(&coordinate)?;
        if !force.is_finite() {
            return Err(value(format!("the force is {force}; it must be finite")));
        }
        self.sim.with(py, |s| {
            s.inputs.asked(|a| a.forces[at] = force);
            Ok(())
        })
    }

    /// set_wrench(body, force=(0, 0, 0), torque=(0, 0, 0)): a force (N) at the centre of mass of a body and a torque
    /// (N m), world frame, until changed.
    #[pyo3(signature = (body, force=None, torque=None))]
    fn set_wrench(
        &self,
        py: Python<'_>,
        body: Key,
        force: Option<&Bound<'_, PyAny>>,
        torque: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let at = body.find("body", &self.model_of().body_names())?;
        let mut wrench = Wrench::zero();
        if let Some(force) = force {
            wrench.force = vector(force, "force")?;
        }
        if let Some(torque) = torque {
            wrench.torque = vector(torque, "torque")?;
        }
        self.sim.with(py, |s| {
            s.inputs.asked(|a| a.wrenches[at] = wrench);
            Ok(())
        })
    }

    /// Reactions of the joints in the last step, (joints, 6): force (N) and torque (N m) on the follower at the joint's
    /// anchor, world frame; the base gets the opposite. Zero before the first step. Reactions of redundant joints are
    /// those of minimum norm (model.check().not_unique names them).
    #[getter]
    fn reactions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let numbers = self.sim.with(py, |s| {
            let mut numbers = vec![0.0; 6 * s.mechanism.model.joints().len()];
            for r in s.run.simulator().joint_reactions() {
                let at = 6 * r.joint.index();
                numbers[at..at + 3].copy_from_slice(r.force.as_slice());
                numbers[at + 3..at + 6].copy_from_slice(r.torque.as_slice());
            }
            Ok(numbers)
        })?;
        matrix(py, numbers, 6)
    }

    /// reaction(joint): force (N) and torque (N m) on the follower of a joint (6), world frame.
    fn reaction<'py>(&self, py: Python<'py>, joint: Key) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let id = JointId(joint.find("joint", &self.model_of().joint_names())? as u32);
        let wrench = self.sim.with(py, |s| {
            let all = s.run.simulator().joint_reactions();
            let found = all.iter().find(|r| r.joint == id);
            Ok(found.map_or([0.0; 6], |r| {
                let (f, t) = (&r.force, &r.torque);
                [f.x, f.y, f.z, t.x, t.y, t.z]
            }))
        })?;
        Ok(PyArray1::from_slice(py, &wrench))
    }

    /// Forces along the joint coordinates in the last step by what made them: arrays drive, limit, friction, passive and
    /// coupling, N or N m, on the follower in the direction of growing coordinates.
    #[getter]
    fn efforts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let efforts = self
            .sim
            .with(py, |s| Ok(s.run.simulator().coordinate_efforts()))?;
        let d = PyDict::new(py);
        let put = |name, of: fn(&linkwork::reactions::Effort) -> f64| {
            d.set_item(
                name,
                PyArray1::from_vec(py, efforts.iter().map(of).collect()),
            )
        };
        put("drive", |e| e.drive)?;
        put("limit", |e| e.limit)?;
        put("friction", |e| e.friction)?;
        put("passive", |e| e.passive)?;
        put("coupling", |e| e.coupling)?;
        Ok(d)
    }

    /// Contact points of the last step: arrays shapes (n, 2), points (n, 3) in m, normals (n, 3) from the first shape to
    /// the second, forces (n, 3) on the second in N, gaps (n,) in m; world frame.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (shapes, [points, normals, forces], gaps) = self.sim.with(py, |s| {
            let simulator = s.run.simulator();
            let kick = simulator.kick();
            let mut found: ContactArrays = Default::default();
            for c in simulator.each_contact_force() {
                let key = &c.contact.key;
                found
                    .0
                    .extend([key.shape_a, key.shape_b].map(|s| s.index() as i64));
                found.1[0].extend(c.contact.point.iter());
                found.1[1].extend(c.contact.normal.iter());
                found.1[2].extend((c.impulse / kick).iter());
                found.2.push(c.contact.gap);
            }
            Ok(found)
        })?;
        let d = PyDict::new(py);
        let n = gaps.len();
        use numpy::PyArrayMethods;
        d.set_item("shapes", PyArray1::from_vec(py, shapes).reshape([n, 2])?)?;
        d.set_item("points", matrix(py, points, 3)?)?;
        d.set_item("normals", matrix(py, normals, 3)?)?;
        d.set_item("forces", matrix(py, forces, 3)?)?;
        d.set_item("gaps", PyArray1::from_vec(py, gaps))?;
        Ok(d)
    }

    /// Readings of all sensors by name. Accelerations and forces are those of the last step, NaN before the first.
    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = self.sim.with(py, |s| {
            let moment = s.run.moment(s.steps, s.report.as_ref());
            let feel = s.mechanism.sensors.iter().any(Sensor::feels);
            let felt = if feel { Felt::of(&moment) } else { None };
            let state = s.run.simulator().state();
            let read = |sensor: &Sensor| {
                let values = s.mechanism.read(sensor, state, felt.as_ref());
                let values = values.unwrap_or_else(|| vec![f64::NAN; sensor.components().len()]);
                (sensor.name.clone(), values)
            };
            Ok(s.mechanism.sensors.iter().map(read).collect::<Vec<_>>())
        })?;
        let d = PyDict::new(py);
        for (name, values) in values {
            d.set_item(name, PyArray1::from_vec(py, values))?;
        }
        Ok(d)
    }

    /// Total energy (kinetic, gravity and springs), J, with the velocities at the time of the poses.
    #[getter]
    fn energy(&self, py: Python<'_>) -> PyResult<f64> {
        self.sim
            .with(py, |s| Ok(s.run.moment(s.steps, None).synchronised().1))
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
            let (model, state) = (&s.mechanism.model, s.run.simulator().state());
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

    /// save(): everything to go on from with the same bits, as bytes for restore() of a simulator of the same model.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = self
            .sim
            .with(py, |s| serde_json::to_vec(&s.save()).map_err(setup))?;
        Ok(PyBytes::new(py, &text))
    }

    /// restore(saved): go on where save() was called, with the same bits and settings.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let saved: Saved = serde_json::from_slice(saved)
            .map_err(|e| setup(format!("these bytes are not from Simulator.save(): {e}")))?;
        self.sim.with(py, |s| s.restore(saved))
    }

    /// Hash of every bit of the state, 16 hexadecimal digits.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<String> {
        self.sim.with(py, |s| {
            Ok(format!("{:016x}", s.run.simulator().state().hash()))
        })
    }

    /// close(): free its memory; any later use raises ClosedError. A with statement does it at its end.
    fn close(&self, py: Python<'_>) {
        self.sim.close(py);
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
    ) {
        self.close(py);
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let picture = slf.py().import("linkwork._picture")?;
        picture.call_method1("simulator_html", (slf,))?.extract()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = &self.model_of().mechanism.name;
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

/// Rates of all joint coordinates.
pub fn rates(state: &linkwork::State, mechanism: &Mechanism) -> Vec<f64> {
    let joints = 0..mechanism.model.joints().len() as u32;
    joints
        .flat_map(|j| state.joint_velocities(&mechanism.model, JointId(j)))
        .collect()
}

fn thread_count(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    threads(given.extract()?)
}

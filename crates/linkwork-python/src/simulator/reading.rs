//! What is read of a simulation; arrays are copies.

use super::PySimulator;
use crate::arrays::{matrix, poses, twists};
use crate::errors::StepError;
use crate::model::Key;
use crate::state::PyState;
use linkwork::model::{JointId, Model};
use linkwork::sensors::{LastStep, Sensor};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Contact points of the last step as arrays.
type ContactArrays = (Vec<i64>, [Vec<f64>; 3], Vec<f64>);

#[pymethods]
impl PySimulator {
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
            .with(py, |s| Ok(rates(s.run.simulator().state(), &s.model)))?;
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

    /// Reactions of the joints in the last step, (joints, 6): force (N) and torque (N m) on the follower at the joint's
    /// anchor, world frame; the base gets the opposite. Zero before the first step. Reactions of redundant joints are
    /// those of minimum norm (model.check().not_unique names them).
    #[getter]
    fn reactions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let numbers = self.sim.with(py, |s| {
            let mut numbers = vec![0.0; 6 * s.model.joints().len()];
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
            let feel = s.model.sensors().iter().any(Sensor::needs_step);
            let last = if feel { LastStep::of(&moment) } else { None };
            let state = s.run.simulator().state();
            let read = |sensor: &Sensor| {
                let values = s.model.read(sensor, state, last.as_ref());
                let values = values.unwrap_or_else(|| vec![f64::NAN; sensor.components().len()]);
                (sensor.name.clone(), values)
            };
            Ok(s.model.sensors().iter().map(read).collect::<Vec<_>>())
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
}

/// Rates of all joint coordinates.
pub fn rates(state: &linkwork::State, model: &Model) -> Vec<f64> {
    let joints = 0..model.joints().len() as u32;
    joints
        .flat_map(|j| state.joint_velocities(model, JointId(j)))
        .collect()
}

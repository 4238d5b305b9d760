//! What is read of a simulation: copies, or numbers written into an array of the caller.

use super::{PySimulator, Sim};
use crate::arrays::{matrix, poses, shaped, twists, write};
use crate::errors::{StepError, value};
use crate::model::Key;
use crate::state::PyState;
use linkwork::model::{JointId, Model};
use linkwork::sensors::{LastStep, Sensor};
use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Contact points of the last step as arrays.
type ContactArrays = (Vec<i64>, [Vec<f64>; 3], Vec<f64>);

impl PySimulator {
    /// A quantity as a new array.
    fn quantity<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (numbers, shape) = self.sim.with(py, |s| quantity(s, name))?;
        shaped(py, numbers, &shape)
    }
}

#[pymethods]
impl PySimulator {
    /// read(what, out=None): "poses", "twists", "coordinates", "velocities" or "reactions", as the property of that name, or
    /// "sensors", the readings of all sensors one after the other. With out, an array of float64 of the same shape, the
    /// numbers are written to out, which is returned. out may be a part of a larger array.
    #[pyo3(signature = (what, out=None))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        what: &str,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(out) = out else {
            return Ok(self.quantity(py, what)?.into_any());
        };
        let to = out.clone().unbind();
        self.sim.with(py, |s| {
            let (numbers, shape) = quantity(s, what)?;
            // Only with the GIL: Python could resize the array.
            Python::attach(|py| write(to.bind(py), &shape, &numbers))
        })?;
        Ok(out)
    }

    /// Poses of the centres of mass in the world, (bodies, 7): x, y, z in m, then the quaternion w, x, y, z. A copy.
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "poses")
    }

    /// Velocities in the world, (bodies, 6): of the centre of mass in m/s, then angular in rad/s, half a step before
    /// the poses (see synchronised). A copy.
    #[getter]
    fn twists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "twists")
    }

    /// Joint coordinates in the order of model.coordinates, m or rad; angles count whole turns. A copy.
    #[getter]
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "coordinates")
    }

    /// Rates of the joint coordinates, m/s or rad/s, half a step before the poses. A copy.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "velocities")
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
        Ok(state.into())
    }

    /// The state with its velocities at the time of its poses. Costs a solve.
    fn synchronised(&self, py: Python<'_>) -> PyResult<PyState> {
        let state = self.sim.with(py, |s| {
            let state = s.run.simulator().synchronised(s.run.control());
            state.map_err(|e| StepError::new_err(e.to_string()))
        })?;
        Ok(state.into())
    }

    /// Reactions of the joints in the last step, (joints, 6): force (N) and torque (N m) on the follower at the joint's
    /// anchor, world frame; the base gets the opposite. Zero before the first step. Reactions of redundant joints are
    /// those of minimum norm (model.check().not_unique names them).
    #[getter]
    fn reactions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "reactions")
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
        let values = self.sim.with(py, |s| Ok(sensors(s)))?;
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

/// Numbers that are read as one array, in row-major order, and their shape.
fn quantity(s: &Sim, name: &str) -> PyResult<(Vec<f64>, Vec<usize>)> {
    let simulator = s.run.simulator();
    let (state, model) = (simulator.state(), &*s.model);
    let rows = |numbers: Vec<f64>, width| {
        let shape = vec![numbers.len() / width, width];
        Ok((numbers, shape))
    };
    let row = |numbers: Vec<f64>| {
        let shape = vec![numbers.len()];
        Ok((numbers, shape))
    };
    match name {
        "poses" => rows(poses(state), 7),
        "twists" => rows(twists(state), 6),
        "coordinates" => row(state.coordinates.clone()),
        "velocities" => row(rates(state, model)),
        "reactions" => {
            let mut numbers = vec![0.0; 6 * model.joints().len()];
            for r in simulator.joint_reactions() {
                let at = 6 * r.joint.index();
                numbers[at..at + 3].copy_from_slice(r.force.as_slice());
                numbers[at + 3..at + 6].copy_from_slice(r.torque.as_slice());
            }
            rows(numbers, 6)
        }
        "sensors" => row(sensors(s).into_iter().flat_map(|(_, v)| v).collect()),
        _ => Err(value(format!(
            "there is no quantity '{name}'; choose one of: poses, twists, coordinates, velocities, reactions, sensors"
        ))),
    }
}

/// Readings of all sensors by name.
fn sensors(s: &Sim) -> Vec<(String, Vec<f64>)> {
    let moment = s.run.moment(s.steps, s.report.as_ref());
    let feel = s.model.sensors().iter().any(Sensor::needs_step);
    let last = if feel { LastStep::of(&moment) } else { None };
    let state = s.run.simulator().state();
    let read = |sensor: &Sensor| {
        let values = s.model.read(sensor, state, last.as_ref());
        let values = values.unwrap_or_else(|| vec![f64::NAN; sensor.components().len()]);
        (sensor.name.clone(), values)
    };
    s.model.sensors().iter().map(read).collect()
}

/// Rates of all joint coordinates.
pub fn rates(state: &linkwork::State, model: &Model) -> Vec<f64> {
    let joints = 0..model.joints().len() as u32;
    joints
        .flat_map(|j| state.joint_velocities(model, JointId(j)))
        .collect()
}

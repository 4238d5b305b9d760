//! What is read of a simulation: copies, or numbers written into an array of the caller.

use super::PySimulator;
use crate::arrays::{matrix, shaped, write};
use crate::errors::StepError;
use crate::model::Key;
use crate::quantities::{PARTS, Quantity, by_cause, efforts, sensors};
use crate::state::PyState;
use linkwork::model::JointId;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Contact points of the last step as arrays.
type ContactArrays = (Vec<i64>, [Vec<f64>; 3], Vec<f64>);

impl PySimulator {
    /// A quantity as a new array.
    fn quantity<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let quantity = Quantity::find(name)?;
        let numbers = self.sim.with(py, |s| Ok(quantity.read(s)))?;
        shaped(py, numbers, &quantity.shape(&self.model_of().model))
    }
}

#[pymethods]
impl PySimulator {
    /// read(what, out=None): "poses", "twists", "coordinates", "velocities", "reactions", "contact_forces", "energy" or "masses", as the property of that
    /// name here or of the model, or "sensors", the readings of all sensors one after the other. With out, an array of float64 of the same shape, the
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
        let quantity = Quantity::find(what)?;
        let shape = quantity.shape(&self.model_of().model);
        let to = out.clone().unbind();
        self.sim.with(py, |s| {
            let numbers = quantity.read(s);
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
        let count = self.model_of().model.coordinate_count();
        let all = self.sim.with(py, |s| {
            let mut all = vec![0.0; count * PARTS];
            efforts(s, &mut all);
            Ok(all)
        })?;
        by_cause(py, &all, &[count])
    }

    /// Sum of the contact forces on each body in the last step, (bodies, 3), N, world frame. A copy.
    #[getter]
    fn contact_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "contact_forces")
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
        let values: Vec<(String, Vec<f64>)> = self.sim.with(py, |s| {
            Ok(sensors(s).map(|(name, v)| (name.to_owned(), v)).collect())
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
        let quantity = Quantity::find("energy")?;
        self.sim.with(py, |s| Ok(quantity.read(s)[0]))
    }
}

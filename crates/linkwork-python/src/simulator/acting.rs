//! What acts on a simulation from outside, until changed.

use super::PySimulator;
use crate::arrays::{quaternion as quaternion_of, vector};
use crate::errors::value;
use crate::model::Key;
use linkwork::math::{Pose, Wrench};
use linkwork::model::BodyId;
use pyo3::prelude::*;

#[pymethods]
impl PySimulator {
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

    /// set_target(coordinate, value): the target of a rigid drive, m or rad: the coordinate is there at the end of the next
    /// step.
    fn set_target(&self, py: Python<'_>, coordinate: Key, target: f64) -> PyResult<()> {
        let at = self.model_of().coordinate_index(&coordinate)?;
        self.sim.with(py, |s| {
            let set = s.inputs.asked(|a| a.set_target(&s.model, at, target));
            set.map_err(value)
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

    /// place(body, position, quaternion=(1, 0, 0, 0)): move a body that is moved from outside (a mocap body) to a pose of
    /// its frame in the world, m. It is there at the end of the next step, with the velocity of that way.
    #[pyo3(signature = (body, position, quaternion=None))]
    fn place(
        &self,
        py: Python<'_>,
        body: Key,
        position: &Bound<'_, PyAny>,
        quaternion: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let model = self.model_of();
        let at = body.find("body", &model.body_names())?;
        let turn = quaternion.map(|q| quaternion_of(q, "quaternion"));
        let turn = turn.transpose()?.unwrap_or_default();
        let pose = Pose::new(vector(position, "position")?, turn);
        self.sim.with(py, |s| {
            let body = BodyId(at as u32);
            let placed = s
                .inputs
                .asked(|a| a.base.place(&s.model, body, &pose).err());
            placed.map_or(Ok(()), |e| Err(value(e.to_string())))
        })
    }
}

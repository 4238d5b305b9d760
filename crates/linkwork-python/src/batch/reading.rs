//! What is read of all worlds at once: copies, or numbers written into an array of the caller.

use super::PyBatch;
use crate::arrays::{shaped, write};
use crate::quantities::{PARTS, Quantity, by_cause, efforts};
use linkwork::batch::World;
use numpy::{Element, PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;

impl PyBatch {
    /// A quantity of all worlds as a new array.
    fn quantity<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let quantity = Quantity::find(name)?;
        let numbers = self.worlds.with(py, |w| {
            let mut numbers = Vec::new();
            quantity.gather(&mut w.batch, &mut numbers);
            Ok(numbers)
        })?;
        let shape = quantity.shape_of(self.n, &self.model.get().model);
        shaped(py, numbers, &shape)
    }

    /// One value of each world.
    fn each<'py, T: Element>(
        &self,
        py: Python<'py>,
        of: impl Fn(&World) -> T + Send,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let values = self
            .worlds
            .with(py, |w| Ok(w.batch.worlds().iter().map(of).collect()))?;
        Ok(PyArray1::from_vec(py, values))
    }
}

#[pymethods]
impl PyBatch {
    /// read(what, out=None): "poses", "twists", "coordinates", "velocities", "reactions", "contact_forces",
    /// "sensors", "energy" or "masses" of all worlds, as the property of that name. With out, an array of float64 of the same shape, no new array is made: the
    /// numbers are written to out, which is returned. out may be a part of a larger array, e.g. observations[:, :4].
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
        let shape = quantity.shape_of(self.n, &self.model.get().model);
        let to = out.clone().unbind();
        self.worlds.with(py, |w| {
            quantity.gather(&mut w.batch, &mut w.scratch);
            // Only with the GIL: Python could resize the array.
            Python::attach(|py| write(to.bind(py), &shape, &w.scratch))
        })?;
        Ok(out)
    }

    /// Masses of the bodies, (n, bodies), kg.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "masses")
    }

    /// Times, (n,), s.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.each(py, |w| w.state().time)
    }

    /// Steps taken since the last reset, (n,).
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.each(py, World::steps)
    }

    /// Joint coordinates, (n, coordinates), m or rad. A copy.
    #[getter]
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "coordinates")
    }

    /// Rates of the joint coordinates, (n, coordinates), m/s or rad/s. A copy.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "velocities")
    }

    /// Poses of the centres of mass, (n, bodies, 7): x, y, z in m, then the quaternion w, x, y, z. A copy.
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "poses")
    }

    /// Velocities, (n, bodies, 6): of the centre of mass in m/s, then angular in rad/s, world frame. A copy.
    #[getter]
    fn twists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "twists")
    }

    /// Controls that are held, (n, actuators). A copy.
    #[getter]
    fn controls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let controls = self.worlds.with(py, |w| Ok(w.controls.clone()))?;
        shaped(py, controls, &[self.n, self.count()])
    }

    /// Reactions of the joints in the last step, (n, joints, 6): force (N) and torque (N m) on the follower at the joint's anchor, world frame, as
    /// Simulator.reactions. Of worlds in lanes this repeats the last step, as do efforts, contact_forces, energy and sensors of forces. A copy.
    #[getter]
    fn reactions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "reactions")
    }

    /// Forces along the joint coordinates in the last step by what made them: arrays (n, coordinates) drive, limit, friction, passive and coupling,
    /// N or N m, as Simulator.efforts. Copies.
    #[getter]
    fn efforts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let coordinates = self.model.get().model.coordinate_count();
        let width = coordinates * PARTS;
        let all = self.worlds.with(py, |w| {
            let mut all = vec![0.0; self.n * width];
            w.batch
                .gather(width, &mut all, |world, out| efforts(world, out));
            Ok(all)
        })?;
        by_cause(py, &all, &[self.n, coordinates])
    }

    /// Total energy of each world (kinetic, gravity and springs), (n,), J, with the velocities at the time of the poses. A copy.
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "energy")
    }

    /// Sum of the contact forces on each body in the last step, (n, bodies, 3), N, world frame. A copy.
    #[getter]
    fn contact_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "contact_forces")
    }

    /// Readings of all sensors one after the other, (n, values). Accelerations and forces are those of the last step, NaN
    /// before the first. A copy.
    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "sensors")
    }

    /// Worst status of the last call of step, (n,): 0 converged, 1 iteration limit, 2 stalled, 3 numerical failure,
    /// 4 interrupted, 5 ray termination, 6 blocked.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        self.each(py, |w| w.span().status.number())
    }

    /// Largest scaled residual of the last call of step, (n,), N s or m/s.
    #[getter]
    fn residuals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.each(py, |w| w.span().residual)
    }

    /// Largest joint residual left in the last call of step, (n,), m or rad.
    #[getter]
    fn closure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.each(py, |w| {
            w.span().closure_linear.max(w.span().closure_angular)
        })
    }

    /// Steps of the last call whose solve did not converge, (n,).
    #[getter]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.each(py, |w| w.span().failed)
    }

    /// Steps of the last call that were not taken in lanes, (n,): all of them where has_lanes is False.
    #[getter]
    fn alone<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.each(py, |w| w.span().alone)
    }

    /// Which worlds are quarantined, (n,) of bool: their last step was refused, or they ran away. reset() frees them.
    #[getter]
    fn quarantined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.each(py, |w| w.set_aside().is_some())
    }

    /// Why worlds are quarantined, by index.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = self.worlds.with(py, |w| {
            let worlds = w.batch.worlds().iter().enumerate();
            let found = worlds.filter_map(|(i, w)| Some((i, w.set_aside()?.to_string())));
            Ok(found.collect::<Vec<_>>())
        })?;
        let d = PyDict::new(py);
        for (i, text) in found {
            d.set_item(i, text)?;
        }
        Ok(d)
    }

    /// Hashes of every bit of the states, (n,) of uint64.
    #[getter]
    fn hashes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.each(py, |w| w.state().hash())
    }
}

//! What is read of all worlds at once: copies, or numbers written into an array of the caller.

use super::PyBatch;
use crate::arrays::{shaped, write};
use crate::quantities::Quantity;
use linkwork::batch::World;
use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;

impl PyBatch {
    /// A quantity of all worlds as a new array.
    fn quantity<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let quantity = Quantity::find(name)?;
        let numbers = self.worlds.with(py, |w| {
            let mut numbers = Vec::new();
            quantity.gather(w.batch.worlds(), &w.model, &mut numbers);
            Ok(numbers)
        })?;
        let shape = quantity.shape(self.n, &self.model.get().model);
        shaped(py, numbers, &shape)
    }

    fn vector<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&World) -> f64 + Send,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let numbers = self
            .worlds
            .with(py, |w| Ok(w.batch.worlds().iter().map(of).collect()))?;
        Ok(PyArray1::from_vec(py, numbers))
    }
}

#[pymethods]
impl PyBatch {
    /// read(what, out=None): "poses", "twists", "coordinates", "velocities", "sensors", "contact_forces" or "masses" of all
    /// worlds, as the property of that name. With out, an array of float64 of the same shape, no new array is made: the
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
        let shape = quantity.shape(self.n, &self.model.get().model);
        let to = out.clone().unbind();
        self.worlds.with(py, |w| {
            quantity.gather(w.batch.worlds(), &w.model, &mut w.scratch);
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
        self.vector(py, |w| w.state().time)
    }

    /// Steps taken since the last reset, (n,).
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let steps = self.worlds.with(py, |w| {
            Ok(w.batch.worlds().iter().map(World::steps).collect())
        })?;
        Ok(PyArray1::from_vec(py, steps))
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

    /// Sum of the contact forces on each body in the last step, (n, bodies, 3), N, world frame.
    #[getter]
    fn contact_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "contact_forces")
    }

    /// Readings of all sensors one after the other, (n, values). Accelerations and forces are those of the last step, NaN
    /// before the first.
    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        self.quantity(py, "sensors")
    }

    /// Worst status of the last call of step, (n,): 0 converged, 1 iteration limit, 2 stalled, 3 numerical failure,
    /// 4 interrupted, 5 ray termination, 6 blocked.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let codes = self.worlds.with(py, |w| {
            Ok(w.batch
                .worlds()
                .iter()
                .map(|w| w.span().status.number())
                .collect())
        })?;
        Ok(PyArray1::from_vec(py, codes))
    }

    /// Largest scaled residual of the last call of step, (n,), N s or m/s.
    #[getter]
    fn residuals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.vector(py, |w| w.span().residual)
    }

    /// Largest joint residual left in the last call of step, (n,), m or rad.
    #[getter]
    fn closure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.vector(py, |w| {
            w.span().closure_linear.max(w.span().closure_angular)
        })
    }

    /// Steps of the last call whose solve did not converge, (n,).
    #[getter]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let failed = self.worlds.with(py, |w| {
            Ok(w.batch.worlds().iter().map(|w| w.span().failed).collect())
        })?;
        Ok(PyArray1::from_vec(py, failed))
    }

    /// Steps of the last call that were not taken in lanes, (n,): all of them where has_lanes is False.
    #[getter]
    fn alone<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let alone = self.worlds.with(py, |w| {
            Ok(w.batch.worlds().iter().map(|w| w.span().alone).collect())
        })?;
        Ok(PyArray1::from_vec(py, alone))
    }

    /// Which worlds are quarantined, (n,) of bool: their last step was refused, or they ran away. reset() frees them.
    #[getter]
    fn quarantined<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let aside = self.worlds.with(py, |w| {
            Ok(w.batch
                .worlds()
                .iter()
                .map(|w| w.set_aside().is_some())
                .collect())
        })?;
        Ok(PyArray1::from_vec(py, aside))
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
        let hashes = self.worlds.with(py, |w| {
            Ok(w.batch.worlds().iter().map(|w| w.state().hash()).collect())
        })?;
        Ok(PyArray1::from_vec(py, hashes))
    }
}

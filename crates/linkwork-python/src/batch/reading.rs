//! What is read of all worlds at once; arrays are copies.

use super::PyBatch;
use crate::arrays::{matrix, poses, stack, twists};
use crate::simulator::rates;
use crate::worlds::{contact_forces, read};
use linkwork::batch::World;
use linkwork::model::Model;
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

impl PyBatch {
    /// Numbers of all worlds that `of` gives, one after the other.
    fn gather(
        &self,
        py: Python<'_>,
        of: impl Fn(&World, &Model) -> Vec<f64> + Send + Sync,
    ) -> PyResult<Vec<f64>> {
        self.worlds.with(py, |w| {
            let worlds = w.batch.worlds().iter();
            Ok(worlds.flat_map(|world| of(world, &w.model)).collect())
        })
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

    fn rows<'py>(
        &self,
        py: Python<'py>,
        numbers: Vec<f64>,
        width: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        use numpy::PyArrayMethods;
        PyArray1::from_vec(py, numbers).reshape([self.n, width])
    }
}

#[pymethods]
impl PyBatch {
    /// Masses of the bodies, (n, bodies), kg.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let masses = self.gather(py, |w, _| {
            let bodies = w.model().bodies().iter();
            bodies.map(|b| b.mass).collect()
        })?;
        matrix(py, masses, self.model.get().model.bodies().len())
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
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let q = self.gather(py, |w, _| w.state().coordinates.clone())?;
        self.rows(py, q, self.model.get().model.coordinate_count())
    }

    /// Rates of the joint coordinates, (n, coordinates), m/s or rad/s. A copy.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let v = self.gather(py, |w, m| rates(w.state(), m))?;
        self.rows(py, v, self.model.get().model.coordinate_count())
    }

    /// Poses of the centres of mass, (n, bodies, 7): x, y, z in m, then the quaternion w, x, y, z. A copy.
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let p = self.gather(py, |w, _| poses(w.state()))?;
        stack(py, p, self.n, 7)
    }

    /// Velocities, (n, bodies, 6): of the centre of mass in m/s, then angular in rad/s, world frame. A copy.
    #[getter]
    fn twists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let t = self.gather(py, |w, _| twists(w.state()))?;
        stack(py, t, self.n, 6)
    }

    /// Controls that are held, (n, actuators). A copy.
    #[getter]
    fn controls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let c = self.worlds.with(py, |w| Ok(w.controls.clone()))?;
        self.rows(py, c, self.count())
    }

    /// Sum of the contact forces on each body in the last step, (n, bodies, 3), N, world frame.
    #[getter]
    fn contact_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let forces = self.gather(py, contact_forces)?;
        stack(py, forces, self.n, 3)
    }

    /// Readings of all sensors one after the other, (n, values). Accelerations and forces are those of the last step, NaN
    /// before the first.
    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let model = &self.model.get().model;
        let width = model.sensors().iter().map(|s| s.components().len()).sum();
        let values = self.gather(py, read)?;
        self.rows(py, values, width)
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

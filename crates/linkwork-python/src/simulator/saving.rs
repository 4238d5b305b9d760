//! A simulator as bytes: what it goes on from, in this process or in another.

use super::{PySimulator, Sim};
use crate::errors::{guard, setup};
use crate::inputs::Asked;
use crate::model::PyModel;
use crate::shared::Shared;
use linkwork::{Checkpoint, Run, Settings};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Saved {
    checkpoint: Checkpoint,
    asked: Asked,
    steps: u64,
}

impl Saved {
    fn of_bytes(bytes: &[u8]) -> PyResult<Self> {
        serde_json::from_slice(bytes)
            .map_err(|e| setup(format!("these bytes are not from Simulator.save(): {e}")))
    }
}

impl Sim {
    fn save(&self) -> Saved {
        Saved {
            checkpoint: self.run.checkpoint(),
            asked: self.inputs.asked(|a| a.clone()),
            steps: self.steps,
        }
    }

    fn restore(&mut self, saved: Saved) -> PyResult<()> {
        let model = self.model.clone();
        let actuators = self.model.actuators().len();
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
}

#[pymethods]
impl PySimulator {
    /// save(): everything to go on from with the same bits, as bytes for restore() of a simulator of the same model. Pickling and copying a simulator
    /// does the same with its model.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = self
            .sim
            .with(py, |s| serde_json::to_vec(&s.save()).map_err(setup))?;
        Ok(PyBytes::new(py, &text))
    }

    /// restore(saved): go on where save() was called, with the same bits and settings.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let saved = Saved::of_bytes(saved)?;
        self.sim.with(py, |s| s.restore(saved))
    }

    #[expect(clippy::type_complexity, reason = "what Python asks for")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<PyModel>, Bound<'py, PyBytes>))> {
        let make = py
            .import("linkwork._linkwork")?
            .getattr("_simulator_from")?;
        Ok((make, (self.model.clone_ref(py), self.save(py)?)))
    }
}

/// A simulator of a model that goes on where another was saved.
#[pyfunction]
#[pyo3(name = "_simulator_from")]
pub fn simulator_from(py: Python<'_>, model: Py<PyModel>, saved: &[u8]) -> PyResult<PySimulator> {
    let saved = Saved::of_bytes(saved)?;
    let of = model.get();
    let settings: Settings = saved.checkpoint.settings.clone();
    let threads = settings.threads;
    let sim = py.detach(|| {
        guard(|| {
            let mut sim = Sim::new(of, settings)?;
            sim.restore(saved)?;
            Ok(sim)
        })
    })?;
    Ok(PySimulator {
        model,
        sim: Shared::new("simulator", sim, threads),
    })
}

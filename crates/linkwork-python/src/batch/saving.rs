//! A batch as bytes: what its worlds go on from, in this process or in another.

use super::PyBatch;
use crate::errors::setup;
use crate::model::PyModel;
use crate::worlds::{Saved, Worlds};
use linkwork::Settings;
use linkwork::batch::{BatchSettings, World};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Threads, halvings, iterations and greatest speed of a batch.
type Limits = (usize, u32, usize, f64);

impl Worlds {
    fn restore(&mut self, saved: Saved) -> PyResult<()> {
        let n = self.variations.len();
        let sizes = [saved.worlds.len(), saved.variations.len()];
        if sizes != [n, n] || saved.controls.len() != self.controls.len() {
            let have = saved.worlds.len();
            return Err(setup(format!(
                "the saved batch has {have} worlds, this one {n}; make one of the same size"
            )));
        }
        if saved.model_hash != self.batch.model().hash() {
            return Err(setup(
                "the saved batch is of another model; build the model with the same parameters",
            ));
        }
        if saved.controls.iter().any(|c| !c.is_finite()) {
            return Err(setup("the saved controls are not finite"));
        }
        for (i, (variation, world)) in saved.variations.into_iter().zip(&saved.worlds).enumerate() {
            if variation != self.variations[i] {
                self.batch.vary(i, &variation).map_err(setup)?;
                self.variations[i] = variation;
            }
            self.batch
                .world_mut(i)
                .and_then(|x| Ok(x.restore(world)?))
                .map_err(setup)?;
        }
        self.controls = saved.controls;
        Ok(())
    }
}

#[pymethods]
impl PyBatch {
    /// save(): everything to go on from with the same bits, variations included, as bytes for restore(). Pickling and copying a batch does the same
    /// with its model and settings.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = self.worlds.with(py, |w| {
            let saved = Saved {
                model_hash: w.batch.model().hash(),
                variations: w.variations.clone(),
                worlds: w.batch.worlds().iter().map(World::snapshot).collect(),
                controls: w.controls.clone(),
            };
            serde_json::to_vec(&saved).map_err(setup)
        })?;
        Ok(PyBytes::new(py, &text))
    }

    /// restore(saved): go on where save() was called on a batch of the same model and size, with the same bits.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        let saved: Saved = serde_json::from_slice(saved)
            .map_err(|e| setup(format!("these bytes are not from Batch.save(): {e}")))?;
        self.worlds.with(py, |w| w.restore(saved))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, this) = (slf.py(), slf.get());
        let (settings, limits) = this.worlds.with(py, |w| {
            let settings = serde_json::to_string(w.batch.settings()).map_err(setup)?;
            Ok((settings, *w.batch.limits()))
        })?;
        let limits: Limits = (
            limits.threads,
            limits.halvings,
            limits.iterations,
            limits.max_speed,
        );
        let (model, saved) = (this.model.clone_ref(py), this.save(py)?);
        let given = (
            model,
            (this.n, this.seed, this.first),
            settings,
            limits,
            saved,
        );
        let make = py.import("linkwork._linkwork")?.getattr("_batch_from")?;
        Ok((make, given.into_pyobject(py)?.into_any()))
    }
}

/// A batch that goes on where another was saved; `size` is the number of worlds, the seed and the number of the first.
#[pyfunction]
#[pyo3(name = "_batch_from")]
pub fn batch_from(
    py: Python<'_>,
    model: Py<PyModel>,
    size: (usize, u64, u64),
    settings: &str,
    limits: Limits,
    saved: &[u8],
) -> PyResult<PyBatch> {
    let settings: Settings = serde_json::from_str(settings).map_err(setup)?;
    let limits = BatchSettings::with(|s| {
        (s.threads, s.halvings, s.iterations, s.max_speed) = limits;
    });
    let batch = PyBatch::make(py, model, size, settings, limits)?;
    batch.restore(py, saved)?;
    Ok(batch)
}

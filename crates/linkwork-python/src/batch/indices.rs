//! Which worlds of a batch are meant: all, a mask, a list or one.

use super::PyBatch;
use crate::errors::value;
use pyo3::prelude::*;

impl PyBatch {
    /// Number of actuators.
    pub(super) fn count(&self) -> usize {
        self.model.get().model.actuators().len()
    }

    /// Indices from None (all), a mask or a list.
    pub(super) fn indices(&self, given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<usize>> {
        let Some(given) = given else {
            return Ok((0..self.n).collect());
        };
        let n = self.n;
        let array = given
            .py()
            .import("numpy")?
            .call_method1("atleast_1d", (given,))?;
        let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if shape.len() != 1 {
            return Err(value(format!(
                "worlds has shape {shape:?}; give a list of indices or a mask of length {n}"
            )));
        }
        if kind == "b" {
            let mask: Vec<bool> = array.call_method0("tolist")?.extract()?;
            if mask.len() != n {
                return Err(value(format!(
                    "the mask of worlds has {} entries; the batch has {n} worlds",
                    mask.len()
                )));
            }
            return Ok((0..n).filter(|i| mask[*i]).collect());
        }
        // An empty list is one of floats.
        if shape[0] == 0 {
            return Ok(Vec::new());
        }
        if kind != "i" && kind != "u" {
            return Err(pyo3::exceptions::PyTypeError::new_err(
                "worlds must be integers, or a mask of booleans",
            ));
        }
        let list: Vec<i64> = array.call_method0("tolist")?.extract()?;
        let index = |i: &i64| {
            let found = usize::try_from(*i).ok().filter(|i| *i < n);
            found.ok_or_else(|| {
                value(format!(
                    "there is no world {i}; the batch has {n}, numbered from 0"
                ))
            })
        };
        list.iter().map(index).collect()
    }

    /// The place of a world in the batch.
    pub(super) fn index_of(&self, world: i64) -> PyResult<usize> {
        let n = self.n;
        let i = usize::try_from(world).ok().filter(|i| *i < n);
        i.ok_or_else(|| {
            value(format!(
                "there is no world {world}; the batch has {n}, numbered from 0"
            ))
        })
    }
}

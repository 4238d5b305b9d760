//! Worlds with models of their own.

use super::PyBatch;
use crate::arrays::floats;
use crate::errors::setup;
use crate::settings::range;
use linkwork::batch::{Draw, Ranges, Variation};
use pyo3::prelude::*;

#[pymethods]
impl PyBatch {
    /// randomise(worlds=None, *, masses=None, friction=None, gains=None, lengths=None): give worlds models of their own,
    /// at their initial states, with factors drawn from ranges (least, greatest): on the mass of each body, the friction of
    /// all surfaces, stiffness and damping of each drive, and the lengths of each body (loops are closed again). What a
    /// world draws follows from (seed, its number) alone.
    #[pyo3(signature = (worlds=None, *, masses=None, friction=None, gains=None, lengths=None))]
    fn randomise(
        &self,
        py: Python<'_>,
        worlds: Option<&Bound<'_, PyAny>>,
        masses: Option<[f64; 2]>,
        friction: Option<[f64; 2]>,
        gains: Option<[f64; 2]>,
        lengths: Option<[f64; 2]>,
    ) -> PyResult<()> {
        let indices = self.indices(worlds)?;
        let tiny = f64::MIN_POSITIVE;
        let ranges = Ranges {
            masses: range(masses, "masses", tiny)?,
            friction: range(friction, "friction", 0.0)?,
            gains: range(gains, "gains", tiny)?,
            lengths: range(lengths, "lengths", tiny)?,
        };
        self.worlds.with(py, |w| {
            for i in indices {
                let draw = Draw {
                    seed: self.seed,
                    world: self.first.wrapping_add(i as u64),
                };
                let variation = draw.variation(w.batch.model(), &ranges);
                w.batch.vary(i, &variation).map_err(setup)?;
                w.variations[i] = variation;
            }
            Ok(())
        })
    }

    /// vary(world, *, masses=None, friction=None, gains=None, lengths=None): give one world a model of its own, at its
    /// initial state, with factors: masses and lengths (bodies,), friction a number, gains (coordinates,).
    #[pyo3(signature = (world, *, masses=None, friction=None, gains=None, lengths=None))]
    fn vary(
        &self,
        py: Python<'_>,
        world: i64,
        masses: Option<&Bound<'_, PyAny>>,
        friction: Option<f64>,
        gains: Option<&Bound<'_, PyAny>>,
        lengths: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let i = self.index_of(world)?;
        let model = &self.model.get().model;
        let (bodies, coordinates) = (model.bodies().len(), model.coordinate_count());
        let list = |given: Option<&Bound<'_, PyAny>>, what, n| {
            given.map_or(Ok(Vec::new()), |g| floats(g, what, &[n]))
        };
        let variation = Variation {
            masses: list(masses, "masses", bodies)?,
            friction,
            gains: list(gains, "gains", coordinates)?,
            lengths: list(lengths, "lengths", bodies)?,
        };
        self.worlds.with(py, |w| {
            w.batch.vary(i, &variation).map_err(setup)?;
            w.variations[i] = variation;
            Ok(())
        })
    }
}

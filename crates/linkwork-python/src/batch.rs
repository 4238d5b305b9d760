//! Many worlds of one model.

mod indices;
mod reading;
pub mod saving;
mod varying;

use crate::arrays::{any_shape, floats};
use crate::attention::Attention;
use crate::errors::{guard, setup, value};
use crate::inputs::{changes_with_state, drive};
use crate::model::PyModel;
use crate::settings::{Chosen, threads as thread_count};
use crate::shared::Shared;
use crate::state::PyState;
use crate::worlds::Worlds;
use linkwork::batch::{Batch, BatchSettings, Variation};
use linkwork::math::{Vec3, Wrench};
use linkwork::{Control, Settings, State};
use pyo3::prelude::*;

/// Batch(model, n, *, seed=0, first=0, dt=None, integrator=None, solver=None, tolerance=None, max_iterations=300, failure=None,
/// threads=None, halvings=3, max_speed=1e4)
///
/// n worlds of one model that step side by side, on all cores unless threads is given, without the GIL. What a world does
/// follows from its model, state and controls: bit for bit the same for any number of threads and wherever it stands in
/// the batch. World i has the number first + i; random variations follow from (seed, number). A world that diverges is
/// quarantined, and the others go on: one whose step is refused, with a body faster than `max_speed` (m/s or rad/s), or with ten steps in a row that used up
/// their iterations. A step whose solve fails is halved at most `halvings` times, and all its solves together take at most `max_iterations` beside the first
/// of each, so that one hard world does not stall the batch. Scripts of scenes are not followed: worlds move by their controls.
#[pyclass(frozen, name = "Batch", module = "linkwork")]
pub struct PyBatch {
    model: Py<PyModel>,
    n: usize,
    seed: u64,
    first: u64,
    worlds: Shared<Worlds>,
}

impl PyBatch {
    /// `n` worlds, their seed and the number of the first.
    fn make(
        py: Python<'_>,
        model: Py<PyModel>,
        (n, seed, first): (usize, u64, u64),
        settings: Settings,
        limits: BatchSettings,
    ) -> PyResult<Self> {
        let (of, threads) = (model.get(), limits.threads);
        let worlds = py.detach(|| {
            guard(|| {
                let model = of.model.clone();
                let batch = Batch::new(model, n, settings, limits).map_err(setup)?;
                Ok(Worlds {
                    model: of.model.clone(),
                    batch,
                    variations: vec![Variation::default(); n],
                    controls: of.controls.repeat(n),
                    start: of.controls.clone(),
                    scratch: Vec::new(),
                })
            })
        })?;
        Ok(Self {
            model,
            n,
            seed,
            first,
            worlds: Shared::new("batch", worlds, threads),
        })
    }
}

#[pymethods]
impl PyBatch {
    #[new]
    #[pyo3(signature = (model, n, *, seed=0, first=0, dt=None, integrator=None, solver=None, tolerance=None, max_iterations=300, failure=None, threads=None, halvings=3, max_speed=1e4))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        model: Py<PyModel>,
        n: i64,
        seed: u64,
        first: u64,
        dt: Option<f64>,
        integrator: Option<String>,
        solver: Option<String>,
        tolerance: Option<f64>,
        max_iterations: i64,
        failure: Option<String>,
        threads: Option<i64>,
        halvings: u32,
        max_speed: f64,
    ) -> PyResult<Self> {
        let n = usize::try_from(n)
            .map_err(|_| value(format!("a batch of {n} worlds; give at least 1")))?;
        let chosen = Chosen {
            dt,
            integrator,
            adaptive: None,
            solver,
            tolerance,
            max_iterations: Some(max_iterations),
            failure,
        };
        let of = model.get();
        let settings = chosen.over(&of.settings)?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let mut limits = BatchSettings::default();
        limits.threads = threads.map_or_else(|| Ok(cores()), thread_count)?;
        limits.halvings = halvings;
        limits.iterations = settings.solve.max_iterations;
        limits.max_speed = max_speed;
        Self::make(py, model, (n, seed, first), settings, limits)
    }

    /// The model.
    #[getter]
    fn model(&self, py: Python<'_>) -> Py<PyModel> {
        self.model.clone_ref(py)
    }

    /// Number of worlds.
    fn __len__(&self) -> usize {
        self.n
    }

    /// Seed of the random variations.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Number of world 0.
    #[getter]
    fn first(&self) -> u64 {
        self.first
    }

    /// Step size, s.
    #[getter]
    fn dt(&self, py: Python<'_>) -> PyResult<f64> {
        self.worlds.with(py, |w| Ok(w.batch.settings().dt))
    }

    /// Threads that step worlds.
    #[getter]
    fn threads(&self, py: Python<'_>) -> PyResult<usize> {
        self.worlds.with(py, |w| Ok(w.batch.limits().threads))
    }

    /// Whether worlds are stepped eight at a time, one per lane of the processor's vectors.
    #[getter]
    fn has_lanes(&self, py: Python<'_>) -> PyResult<bool> {
        self.worlds.with(py, |w| Ok(w.batch.has_lanes()))
    }

    /// step(control=None, steps=1, *, forces=None, wrenches=None): take steps in every world that is not quarantined.
    /// control has shape (n, actuators), or (actuators,) for all, and is held; forces (n, coordinates) on joint
    /// coordinates, N or N m, and wrenches (n, bodies, 6) in the world frame, force (N) and torque (N m) about the centre
    /// of mass, act during this call only. Can be interrupted with Ctrl-C; all worlds have taken the same number of steps then.
    #[pyo3(signature = (control=None, steps=1, *, forces=None, wrenches=None))]
    fn step(
        &self,
        py: Python<'_>,
        control: Option<&Bound<'_, PyAny>>,
        steps: i64,
        forces: Option<&Bound<'_, PyAny>>,
        wrenches: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let steps = u32::try_from(steps)
            .map_err(|_| value(format!("steps is {steps}; it must be 0 … 4294967295")))?;
        let (n, count) = (self.n, self.count());
        let controls = control
            .map(|c| {
                let (numbers, shape) = any_shape(c, "control")?;
                if shape == [count] {
                    Ok(numbers.repeat(n))
                } else if shape == [n, count] {
                    Ok(numbers)
                } else {
                    Err(value(format!(
                        "control has shape {shape:?}; it must have [{n}, {count}] or [{count}]"
                    )))
                }
            })
            .transpose()?;
        let model = &self.model.get().model;
        let (coordinates, bodies) = (model.coordinate_count(), model.bodies().len());
        let forces = forces
            .map(|f| floats(f, "forces", &[n, coordinates]))
            .transpose()?;
        let wrenches = wrenches
            .map(|w| floats(w, "wrenches", &[n, bodies, 6]))
            .transpose()?;
        self.worlds.with(py, |w| {
            if let Some(controls) = controls {
                w.controls = controls;
            }
            let Worlds {
                model,
                batch,
                controls,
                ..
            } = w;
            let extra = forces.is_some() || wrenches.is_some();
            let always = extra || changes_with_state(model);
            let mut attention = Attention::new();
            let mut goes_on = || attention.goes_on();
            let unforced = Control::new(model);
            if always {
                let act = |i: usize, state: &State, control: &mut Control| {
                    control.forces.copy_from_slice(&unforced.forces);
                    control.wrenches.copy_from_slice(&unforced.wrenches);
                    drive(model, &controls[i * count..(i + 1) * count], state, control);
                    if let Some(forces) = &forces {
                        let own = &forces[i * coordinates..(i + 1) * coordinates];
                        for (f, extra) in control.forces.iter_mut().zip(own) {
                            *f += extra;
                        }
                    }
                    if let Some(wrenches) = &wrenches {
                        let own = wrenches[i * bodies * 6..(i + 1) * bodies * 6].chunks_exact(6);
                        for (w, x) in control.wrenches.iter_mut().zip(own) {
                            let extra = Wrench::new(
                                Vec3::new(x[0], x[1], x[2]),
                                Vec3::new(x[3], x[4], x[5]),
                            );
                            w.force += extra.force;
                            w.torque += extra.torque;
                        }
                    }
                };
                batch.step_while(steps, Some(&act), &mut goes_on);
            } else {
                for (i, world) in batch.worlds_mut().iter_mut().enumerate() {
                    let asked = &controls[i * count..(i + 1) * count];
                    world.drive(|state, control| drive(model, asked, state, control));
                }
                batch.step_while(steps, None, &mut goes_on);
            }
            if extra {
                for world in batch.worlds_mut() {
                    let control = world.control_mut();
                    control.forces.copy_from_slice(&unforced.forces);
                    control.wrenches.copy_from_slice(&unforced.wrenches);
                }
            }
            attention.end()
        })
    }

    /// reset(worlds=None, states=None): let worlds (indices, a mask, or all) go on from a State, or from one State each,
    /// or from their initial state; with the controls of the start and out of quarantine.
    #[pyo3(signature = (worlds=None, states=None))]
    fn reset(
        &self,
        py: Python<'_>,
        worlds: Option<&Bound<'_, PyAny>>,
        states: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let indices = self.indices(worlds)?;
        let states = match states {
            None => None,
            Some(one) if one.cast::<PyState>().is_ok() => {
                Some(vec![
                    one.cast::<PyState>()?.get().state.clone();
                    indices.len()
                ])
            }
            Some(list) => {
                let list: Vec<Bound<'_, PyState>> = list.extract().map_err(|_| {
                    pyo3::exceptions::PyTypeError::new_err(
                        "states must be a State, or a list of them",
                    )
                })?;
                if list.len() != indices.len() {
                    let (have, want) = (list.len(), indices.len());
                    return Err(value(format!(
                        "there are {have} states for {want} worlds; give one of each"
                    )));
                }
                Some(list.iter().map(|s| s.get().state.clone()).collect())
            }
        };
        self.worlds.with(py, |w| {
            let count = w.start.len();
            for (k, &i) in indices.iter().enumerate() {
                let state = match &states {
                    Some(states) => states[k].clone(),
                    None => w.batch.worlds()[i].model().initial_state(),
                };
                w.batch.reset(i, state).map_err(setup)?;
                w.controls[i * count..(i + 1) * count].copy_from_slice(&w.start);
            }
            Ok(())
        })
    }

    /// state(world): the State of one world.
    fn state(&self, py: Python<'_>, world: i64) -> PyResult<PyState> {
        let i = self.index_of(world)?;
        let state = self
            .worlds
            .with(py, |w| Ok(w.batch.worlds()[i].state().clone()))?;
        Ok(state.into())
    }

    /// close(): free its memory; any later use raises ClosedError. A with statement does it at its end.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.worlds.close(py)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        _kind: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.close(py)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let picture = slf.py().import("linkwork._picture")?;
        picture.call_method1("batch_html", (slf,))?.extract()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let name = &self.model.get().model.name();
        let n = self.n;
        let told = self.worlds.with(py, |w| {
            let aside = w
                .batch
                .worlds()
                .iter()
                .filter(|w| w.set_aside().is_some())
                .count();
            let (dt, threads) = (w.batch.settings().dt, w.batch.limits().threads);
            Ok(format!(
                "{n} worlds, dt={dt} s, {threads} threads, {aside} quarantined"
            ))
        });
        match told {
            Ok(text) => format!("Batch('{name}': {text})"),
            Err(_) => format!("Batch('{name}': closed)"),
        }
    }
}

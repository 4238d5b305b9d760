//! A state of a mechanism as arrays.

use crate::arrays::{any_shape, poses, twists, view, view_rows};
use crate::errors::{guard, setup, value};
use linkwork::State;
use linkwork::math::{Pose, Twist, Vec3};
use nalgebra::{Quaternion, Unit};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::OnceLock;

/// Configuration and velocity of a mechanism; immutable. Its arrays are views that cannot be written to and keep the state alive.
///
/// State(time, poses, twists, coordinates) makes one from arrays, e.g. from those of another state.
#[pyclass(frozen, name = "State", module = "linkwork")]
pub struct PyState {
    pub state: State,
    /// Poses and twists as they are laid out in Python, once somebody asked.
    poses: OnceLock<Vec<f64>>,
    twists: OnceLock<Vec<f64>>,
}

impl From<State> for PyState {
    fn from(state: State) -> Self {
        Self {
            state,
            poses: OnceLock::new(),
            twists: OnceLock::new(),
        }
    }
}

#[pymethods]
impl PyState {
    #[new]
    fn new(
        time: f64,
        poses: &Bound<'_, PyAny>,
        twists: &Bound<'_, PyAny>,
        coordinates: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let rows = |given, what, width| -> PyResult<Vec<Vec<f64>>> {
            let (numbers, shape) = any_shape(given, what)?;
            if shape.len() != 2 || shape[1] != width {
                return Err(value(format!(
                    "{what} has shape {shape:?}; it must have (bodies, {width})"
                )));
            }
            Ok(numbers.chunks_exact(width).map(<[f64]>::to_vec).collect())
        };
        let poses = rows(poses, "poses", 7)?;
        let twists = rows(twists, "twists", 6)?;
        if poses.len() != twists.len() {
            let (p, t) = (poses.len(), twists.len());
            return Err(value(format!(
                "there are {p} poses and {t} twists; give one of each for every body"
            )));
        }
        let (coordinates, shape) = any_shape(coordinates, "coordinates")?;
        if shape.len() != 1 {
            return Err(value(format!(
                "coordinates has shape {shape:?}; it must have one dimension"
            )));
        }
        if !time.is_finite() {
            return Err(value(format!("time is {time}; it must be finite")));
        }
        let pose = |p: &Vec<f64>| {
            // Checked against the model where it is used; not normalised, which would change its bits.
            let rotation = Unit::new_unchecked(Quaternion::new(p[3], p[4], p[5], p[6]));
            Pose::new(Vec3::new(p[0], p[1], p[2]), rotation)
        };
        let twist =
            |t: &Vec<f64>| Twist::new(Vec3::new(t[0], t[1], t[2]), Vec3::new(t[3], t[4], t[5]));
        Ok(State {
            time,
            poses: poses.iter().map(pose).collect(),
            twists: twists.iter().map(twist).collect(),
            coordinates,
        }
        .into())
    }

    /// Time, s.
    #[getter]
    fn time(&self) -> f64 {
        self.state.time
    }

    /// Poses of the centres of mass in the world, (bodies, 7): x, y, z in m, then the quaternion w, x, y, z. A read-only
    /// view.
    #[getter]
    fn poses<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        view_rows(slf, 7, |s| s.poses.get_or_init(|| poses(&s.state)))
    }

    /// Velocities in the world, (bodies, 6): of the centre of mass in m/s, then angular in rad/s. A read-only view.
    #[getter]
    fn twists<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        view_rows(slf, 6, |s| s.twists.get_or_init(|| twists(&s.state)))
    }

    /// Joint coordinates of all joints in order, m or rad; angles count whole turns. A read-only view.
    #[getter]
    fn coordinates<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        view(slf, |s| &s.state.coordinates)
    }

    /// Hash of every bit, 16 hexadecimal digits.
    #[getter]
    fn hash(&self) -> String {
        format!("{:016x}", self.state.hash())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<PyState>()
            .is_ok_and(|o| o.get().state == self.state)
    }

    fn __hash__(&self) -> u64 {
        self.state.hash()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let text = serde_json::to_string(&slf.get().state).map_err(setup)?;
        let make = slf
            .py()
            .import("linkwork._linkwork")?
            .getattr("_state_from_json")?;
        Ok((make, PyTuple::new(slf.py(), [text])?))
    }

    fn __repr__(&self) -> String {
        let (s, hash) = (&self.state, self.hash());
        let (time, bodies, n) = (s.time, s.poses.len(), s.coordinates.len());
        format!("State(time={time} s, {bodies} bodies, {n} coordinates, hash {hash})")
    }
}

#[pyfunction]
#[pyo3(name = "_state_from_json")]
pub fn state_from_json(text: &str) -> PyResult<PyState> {
    guard(|| {
        let state: State = serde_json::from_str(text).map_err(setup)?;
        Ok(state.into())
    })
}

//! Numbers from Python and to Python. What is returned owns its memory: it never changes behind the user's back and
//! never dangles.

use crate::errors::value;
use linkwork::State;
use linkwork::math::{Pose, Quat, Twist, Vec3};
use nalgebra::{Quaternion, Unit};
use numpy::{
    PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Finite numbers of any array-like of the given shape, in row-major order.
pub fn floats(given: &Bound<'_, PyAny>, what: &str, shape: &[usize]) -> PyResult<Vec<f64>> {
    let (numbers, found) = any_shape(given, what)?;
    if found != shape {
        return Err(value(format!(
            "{what} has shape {found:?}; it must have {shape:?}"
        )));
    }
    Ok(numbers)
}

/// Finite numbers of any array-like, and their shape.
pub fn any_shape(given: &Bound<'_, PyAny>, what: &str) -> PyResult<(Vec<f64>, Vec<usize>)> {
    let array = as_floats(given, what)?;
    let shape = array.shape().to_vec();
    let numbers: Vec<f64> = array.as_array().iter().copied().collect();
    if let Some(at) = numbers.iter().position(|x| !x.is_finite()) {
        let bad = numbers[at];
        return Err(value(format!(
            "{what} has a number that is not finite: entry {at} is {bad}"
        )));
    }
    Ok((numbers, shape))
}

fn as_floats<'py>(given: &Bound<'py, PyAny>, what: &str) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    if let Ok(array) = given.extract::<PyReadonlyArrayDyn<'py, f64>>() {
        return Ok(array);
    }
    let py = given.py();
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (given,)).map_err(|e| {
        value(format!(
            "{what} is not an array of numbers: {}",
            e.value(py)
        ))
    })?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "f" | "i" | "u") {
        let dtype = array.getattr("dtype")?.str()?;
        return Err(PyTypeError::new_err(format!(
            "{what} has dtype {dtype}; give real numbers, e.g. numpy.asarray(x, dtype=float)"
        )));
    }
    let array = array.call_method1("astype", ("float64",))?;
    array.extract()
}

/// Three finite numbers.
pub fn vector(given: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec3> {
    let v = floats(given, what, &[3])?;
    Ok(Vec3::new(v[0], v[1], v[2]))
}

/// A quaternion w, x, y, z, normalised.
pub fn quaternion(given: &Bound<'_, PyAny>, what: &str) -> PyResult<Quat> {
    let q = floats(given, what, &[4])?;
    let q = Quaternion::new(q[0], q[1], q[2], q[3]);
    if (q.norm() - 1.0).abs() > 1e-3 {
        let norm = q.norm();
        return Err(value(format!(
            "{what} has norm {norm}; a quaternion (w, x, y, z) has norm 1"
        )));
    }
    Ok(Unit::new_normalize(q))
}

/// A matrix of rows of `n`.
pub fn matrix(py: Python<'_>, numbers: Vec<f64>, n: usize) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let rows = numbers.len().checked_div(n).unwrap_or(0);
    PyArray1::from_vec(py, numbers).reshape([rows, n])
}

/// A stack of `worlds` matrices with rows of `n`.
pub fn stack(
    py: Python<'_>,
    numbers: Vec<f64>,
    worlds: usize,
    n: usize,
) -> PyResult<Bound<'_, PyArray3<f64>>> {
    let rows = numbers.len().checked_div(worlds * n).unwrap_or(0);
    PyArray1::from_vec(py, numbers).reshape([worlds, rows, n])
}

/// x, y, z, then the quaternion w, x, y, z.
pub fn pose_numbers(pose: &Pose) -> [f64; 7] {
    let (p, q) = (&pose.position, &pose.rotation);
    [p.x, p.y, p.z, q.w, q.i, q.j, q.k]
}

/// Linear, then angular.
pub fn twist_numbers(twist: &Twist) -> [f64; 6] {
    let (v, w) = (&twist.linear, &twist.angular);
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

/// Poses of a state, 7 numbers a body.
pub fn poses(state: &State) -> Vec<f64> {
    state.poses.iter().flat_map(pose_numbers).collect()
}

/// Twists of a state, 6 numbers a body.
pub fn twists(state: &State) -> Vec<f64> {
    state.twists.iter().flat_map(twist_numbers).collect()
}

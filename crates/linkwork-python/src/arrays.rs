//! Numbers from Python and to Python. What is returned owns its memory, or is a read-only view of an object that never changes and that it keeps alive: no
//! array changes behind the user's back or dangles. Arrays given as `out` are written to with the GIL held.

use crate::errors::value;
use linkwork::State;
use linkwork::math::{Pose, Quat, Twist, Vec3};
use nalgebra::{Quaternion, Unit};
use numpy::ndarray::{ArrayView, ArrayView1, Dimension};
use numpy::{
    PyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::PyClass;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;

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
    if let Ok(array) = given.cast::<PyArrayDyn<f64>>()
        && array.data().is_aligned()
    {
        return readable(array, what);
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
    // A copy, which is aligned.
    let array = array.call_method1("astype", ("float64",))?;
    readable(array.cast::<PyArrayDyn<f64>>()?, what)
}

fn readable<'py>(
    array: &Bound<'py, PyArrayDyn<f64>>,
    what: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, f64>> {
    array
        .try_readonly()
        .map_err(|e| value(format!("{what} cannot be read: {e}")))
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

/// An array of the given shape.
pub fn shaped<'py>(
    py: Python<'py>,
    numbers: Vec<f64>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    PyArray1::from_vec(py, numbers).reshape(shape)
}

/// A read-only array on numbers of a frozen object.
pub fn view<'py, T: PyClass<Frozen = True> + Sync>(
    owner: &Bound<'py, T>,
    numbers: impl FnOnce(&T) -> &[f64],
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    borrowed(owner, |owner| Ok(ArrayView1::from(numbers(owner))))
}

/// The same with rows of `width` numbers.
pub fn view_rows<'py, T: PyClass<Frozen = True> + Sync>(
    owner: &Bound<'py, T>,
    width: usize,
    numbers: impl FnOnce(&T) -> &[f64],
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    borrowed(owner, |owner| {
        let numbers = numbers(owner);
        let shape = [numbers.len() / width, width];
        ArrayView::from_shape(shape, numbers).map_err(|e| value(e.to_string()))
    })
}

#[allow(unsafe_code)]
fn borrowed<'py, T: PyClass<Frozen = True> + Sync, D: Dimension>(
    owner: &Bound<'py, T>,
    numbers: impl FnOnce(&T) -> PyResult<ArrayView<'_, f64, D>>,
) -> PyResult<Bound<'py, PyArray<f64, D>>> {
    let numbers = numbers(owner.get())?;
    // SAFETY: the numbers are borrowed from an object that is frozen, so that nobody is given it mutably: they stay where and what they are until it is
    // dropped. The array keeps it alive.
    let array = unsafe { PyArray::borrow_from_array(&numbers, owner.clone().into_any()) };
    // For good: NumPy lets nobody write to memory whose owner is no array and has no buffer.
    let borrow = array.try_readwrite();
    borrow
        .map_err(|e| value(e.to_string()))?
        .make_nonwriteable();
    Ok(array)
}

/// Write numbers in row-major order into `out`, which has to be an array of floats of this shape. Its first axis may have any stride: what else is in
/// an array of which `out` is a part stays as it is.
#[allow(unsafe_code)]
pub fn write(out: &Bound<'_, PyAny>, shape: &[usize], numbers: &[f64]) -> PyResult<()> {
    let array = out.cast::<PyArrayDyn<f64>>().map_err(|_| {
        PyTypeError::new_err("out must be a numpy array of float64, e.g. numpy.empty(shape)")
    })?;
    let found = array.shape();
    if found != shape {
        return Err(value(format!(
            "out has shape {found:?}; it must have {shape:?}"
        )));
    }
    if numbers.is_empty() {
        return Ok(());
    }
    let size = size_of::<f64>();
    // A single number is an array of one row.
    let (rows, inner) = shape.split_first().unwrap_or((&1, &[]));
    let (apart, strides) = array.strides().split_first().unwrap_or((&0, &[]));
    let (rows, apart, width) = (*rows, *apart, numbers.len() / rows);
    let mut dense = size;
    let mut whole = true;
    for (n, stride) in inner.iter().zip(strides).rev() {
        whole &= *n == 1 || *stride == dense as isize;
        dense *= n;
    }
    let separate = apart.unsigned_abs() >= dense && apart % size as isize == 0;
    let data = array.data();
    if !whole || !(separate || rows == 1) || !data.is_aligned() {
        return Err(value(
            "the rows of out are not contiguous; give an array in C order, or a part of one along its first or last axis",
        ));
    }
    let borrow = array
        .try_readwrite()
        .map_err(|e| value(format!("out cannot be written to: {e}")))?;
    for (i, row) in numbers.chunks_exact(width).enumerate() {
        // SAFETY: row i of the array, whose shape, strides and flags are those judged above: the GIL is held. Rows do not overlap, and `numbers` is not NumPy's.
        unsafe {
            let to = data.byte_offset(apart * i as isize);
            to.copy_from_nonoverlapping(row.as_ptr(), width);
        }
    }
    drop(borrow);
    Ok(())
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

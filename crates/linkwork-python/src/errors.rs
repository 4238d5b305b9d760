//! Exceptions, and the guard that turns a panic into one.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

create_exception!(
    linkwork,
    LinkworkError,
    PyException,
    "Base of all exceptions of the library. Wrong types and shapes raise TypeError and ValueError."
);
create_exception!(
    linkwork,
    LoadError,
    LinkworkError,
    "A file cannot be read or does not describe a mechanism; the message names file, line, element and remedy."
);
create_exception!(
    linkwork,
    ModelError,
    LinkworkError,
    "A mechanism is not valid; the message names the element and the remedy."
);
create_exception!(
    linkwork,
    SetupError,
    LinkworkError,
    "A setting, state, control or checkpoint does not fit the model."
);
create_exception!(
    linkwork,
    AssembleError,
    LinkworkError,
    "The joints cannot be closed, or a target is out of reach."
);
create_exception!(
    linkwork,
    StepError,
    LinkworkError,
    "A step was not taken; the state is as before."
);
create_exception!(
    linkwork,
    SolveError,
    LinkworkError,
    "A problem is not in order, or the solver cannot take it."
);
create_exception!(
    linkwork,
    ViewError,
    LinkworkError,
    "A view could not be made."
);
create_exception!(
    linkwork,
    ClosedError,
    LinkworkError,
    "The object was closed."
);
create_exception!(
    linkwork,
    InternalError,
    LinkworkError,
    "A defect of the library: please report it. The object concerned can no longer be used."
);

/// Add the exceptions to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("LinkworkError", py.get_type::<LinkworkError>())?;
    m.add("LoadError", py.get_type::<LoadError>())?;
    m.add("ModelError", py.get_type::<ModelError>())?;
    m.add("SetupError", py.get_type::<SetupError>())?;
    m.add("AssembleError", py.get_type::<AssembleError>())?;
    m.add("StepError", py.get_type::<StepError>())?;
    m.add("SolveError", py.get_type::<SolveError>())?;
    m.add("ViewError", py.get_type::<ViewError>())?;
    m.add("ClosedError", py.get_type::<ClosedError>())?;
    m.add("InternalError", py.get_type::<InternalError>())
}

/// A ValueError.
pub fn value(text: impl Into<String>) -> PyErr {
    PyValueError::new_err(text.into())
}

/// A SetupError of anything that can be told.
pub fn setup(error: impl std::fmt::Display) -> PyErr {
    SetupError::new_err(error.to_string())
}

/// A ModelError of anything that can be told.
pub fn model(error: impl std::fmt::Display) -> PyErr {
    ModelError::new_err(error.to_string())
}

/// Run `work`; a panic becomes an [`InternalError`].
pub fn guard<R>(work: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => Err(internal(&*panic)),
    }
}

/// The exception of a panic.
pub fn internal(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    InternalError::new_err(format!(
        "a defect of linkwork, please report it with what led to it: {text}"
    ))
}

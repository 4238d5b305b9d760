//! Objects that several Python threads may use: one at a time works on them, with the GIL released.

use crate::errors::{ClosedError, InternalError, internal};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

enum Slot<T> {
    Open(Box<T>),
    Closed,
    Broken,
}

/// A value behind a lock. The lock is only waited for without the GIL, so that a thread that holds the lock may ask for
/// the GIL.
pub struct Shared<T> {
    what: &'static str,
    slot: Mutex<Slot<T>>,
}

impl<T: Send> Shared<T> {
    /// `what` names it in messages.
    pub fn new(what: &'static str, value: T) -> Self {
        Self {
            what,
            slot: Mutex::new(Slot::Open(Box::new(value))),
        }
    }

    /// Work on the value without the GIL. A panic breaks it for good.
    pub fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        py.detach(|| {
            let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
            let value = match &mut *slot {
                Slot::Open(value) => value,
                Slot::Closed => {
                    let text = format!("the {} was closed; make a new one", self.what);
                    return Err(ClosedError::new_err(text));
                }
                Slot::Broken => {
                    let text =
                        format!("the {} met a defect of linkwork; make a new one", self.what);
                    return Err(InternalError::new_err(text));
                }
            };
            match catch_unwind(AssertUnwindSafe(|| work(value))) {
                Ok(result) => result,
                Err(panic) => {
                    *slot = Slot::Broken;
                    Err(internal(&*panic))
                }
            }
        })
    }

    /// Let the value go.
    pub fn close(&self, py: Python<'_>) {
        py.detach(|| {
            *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Slot::Closed;
        });
    }
}

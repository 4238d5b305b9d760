//! Objects that several Python threads may use: one at a time works on them, with the GIL released.

use crate::errors::{ClosedError, InternalError, SetupError, internal};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{ThreadId, current};

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
    /// Who works on it.
    holder: Mutex<Option<ThreadId>>,
    /// The process that its threads live in, if it has any.
    process: Option<u32>,
}

/// Forgets the holder when the work ends.
struct Holding<'a>(&'a Mutex<Option<ThreadId>>);

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        *lock(self.0) = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: Send> Shared<T> {
    /// `what` names it in messages; `threads` is how many threads work for it.
    pub fn new(what: &'static str, value: T, threads: usize) -> Self {
        Self {
            what,
            slot: Mutex::new(Slot::Open(Box::new(value))),
            holder: Mutex::new(None),
            process: (threads > 1).then(std::process::id),
        }
    }

    /// Err where waiting for it would never end: in a signal handler of the thread that works on it, and in a forked
    /// process, where its threads are missing.
    fn may_wait(&self) -> PyResult<()> {
        let what = self.what;
        if *lock(&self.holder) == Some(current().id()) {
            return Err(SetupError::new_err(format!(
                "this thread is at work on the {what} and was interrupted; wait until it is done"
            )));
        }
        if self.process.is_some_and(|p| p != std::process::id()) {
            return Err(SetupError::new_err(format!(
                "the {what} was made before this process was forked, and its threads stayed behind; make it here, or with threads=1"
            )));
        }
        Ok(())
    }

    /// Work on the value without the GIL. A panic breaks it for good.
    pub fn with<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut T) -> PyResult<R> + Send,
    ) -> PyResult<R> {
        self.may_wait()?;
        py.detach(|| {
            let mut slot = lock(&self.slot);
            *lock(&self.holder) = Some(current().id());
            let _holding = Holding(&self.holder);
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
    pub fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.may_wait()?;
        py.detach(|| *lock(&self.slot) = Slot::Closed);
        Ok(())
    }
}

//! Signals during long work without the GIL: Ctrl-C ends it.

use linkwork_solve::Observer;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How often Python handles signals.
const EVERY: Duration = Duration::from_millis(100);

/// Lets Python handle signals now and then, and keeps the exception that one raised.
pub struct Attention {
    heard: Instant,
    raised: Option<PyErr>,
}

impl Attention {
    /// From now on.
    pub fn new() -> Self {
        Self {
            heard: Instant::now(),
            raised: None,
        }
    }

    /// Whether to go on.
    pub fn goes_on(&mut self) -> bool {
        self.goes_on_telling(false, |_| Ok(()))
    }

    /// The same, with something for Python to do when it is its turn, or in any case at the `end`.
    pub fn goes_on_telling(
        &mut self,
        end: bool,
        tell: impl FnOnce(Python<'_>) -> PyResult<()>,
    ) -> bool {
        if self.raised.is_none() && (end || self.heard.elapsed() >= EVERY) {
            self.heard = Instant::now();
            let told = Python::attach(|py| py.check_signals().and_then(|()| tell(py)));
            self.raised = told.err();
        }
        self.raised.is_none()
    }

    /// The exception that a signal raised, if one did.
    pub fn end(self) -> PyResult<()> {
        self.raised.map_or(Ok(()), Err)
    }
}

impl Observer for Attention {
    fn iteration(&mut self, _: usize, _: f64) -> ControlFlow<()> {
        if self.goes_on() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

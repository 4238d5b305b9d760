//! Inverse dynamics of a recorded motion: from its poses to the forces behind it.

use crate::error::RecordError;
use crate::read::Recording;
use crate::step::StepRecord;
use linkwork::inverse::{Before, Forces, Inverse, InverseError};
use linkwork::{FirstKick, Outcome};
use std::ops::{ControlFlow, Range};

/// Why a recorded step has no forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gap {
    /// What came before it is not recorded.
    First,
    /// What comes after it is not recorded.
    Last,
    /// The step to it or from it was substepped, and poses of substeps are not recorded.
    Substepped,
    /// The step to it or from it was held: nothing moved.
    Held,
}

/// Why a recording cannot be inverted.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum InvertError {
    /// A step could not be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The motion is none of the model.
    #[error(transparent)]
    Inverse(#[from] InverseError),
    /// Steps were left out.
    #[error(
        "'{path}' has one step of {every}; the forces follow from neighbouring steps: record every one, with --record-every 1"
    )]
    Every {
        /// The file.
        path: String,
        /// One step of so many.
        every: u32,
    },
    /// Too little motion.
    #[error(
        "'{path}' has {have} recorded steps; forces at a step follow from it and both its neighbours, so record at least three"
    )]
    Short {
        /// The file.
        path: String,
        /// How many.
        have: usize,
    },
}

impl Recording {
    /// The forces at the recorded steps of `range`, in order; each is passed to `visit` with its index and its record.
    /// With `near`, they are nearest to the recorded contact forces where the motion does not determine them.
    pub fn invert(
        &self,
        inverse: &mut Inverse,
        range: Range<usize>,
        near: bool,
        mut visit: impl FnMut(usize, &StepRecord, Result<Forces, Gap>) -> ControlFlow<()>,
    ) -> Result<(), InvertError> {
        let path = || self.path().display().to_string();
        let (every, have) = (self.header().every, self.len());
        if every > 1 {
            return Err(InvertError::Every {
                path: path(),
                every,
            });
        }
        if have < 3 {
            return Err(InvertError::Short { path: path(), have });
        }
        let Range { start, end } = range;
        let mut before = match start.checked_sub(1) {
            Some(i) => Some(self.step(i)?),
            None => None,
        };
        let mut here = None;
        for i in start..end.min(have) {
            let record = match here.take() {
                Some(record) => record,
                None => self.step(i)?,
            };
            let after = if i + 1 < have {
                Some(self.step(i + 1)?)
            } else {
                None
            };
            let found = match self.neighbours(before.as_ref(), &record, after.as_ref()) {
                Err(gap) => Err(gap),
                Ok((before, after)) => {
                    // The contact forces of the step that leaves `record`.
                    inverse.set_near(if near { &after.contacts } else { &[] });
                    Ok(inverse.forces(before, &record.state, &after.state)?)
                }
            };
            if visit(i, &record, found).is_break() {
                break;
            }
            before = Some(record);
            here = after;
        }
        Ok(())
    }

    /// The data from which the motion around a record is known.
    fn neighbours<'a>(
        &self,
        before: Option<&'a StepRecord>,
        here: &StepRecord,
        after: Option<&'a StepRecord>,
    ) -> Result<(Before<'a>, &'a StepRecord), Gap> {
        let after = after.ok_or(Gap::Last)?;
        whole(after)?;
        let starts = here.step == 0 && self.settings().first_kick == FirstKick::Half;
        match before {
            None if starts => Ok((Before::Start, after)),
            None => Err(Gap::First),
            Some(before) => {
                whole(here)?;
                Ok((Before::State(&before.state), after))
            }
        }
    }
}

/// Whether the step to a record was not substepped.
fn whole(record: &StepRecord) -> Result<(), Gap> {
    match record.report.map(|r| r.outcome) {
        Some(Outcome::Applied) | None => Ok(()),
        Some(Outcome::Held) => Err(Gap::Held),
        Some(_) => Err(Gap::Substepped),
    }
}

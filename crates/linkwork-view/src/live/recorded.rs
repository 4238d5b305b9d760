//! A live run that is recorded.

use super::Witness;
use linkwork::Moment;
use linkwork_record::{RecordError, Recorder};

/// Records a live run from its start to its end or first reset: the steps of a recording follow each
/// other.
pub struct Recorded(Option<Recorder>);

impl Recorded {
    /// Record with this recorder.
    pub fn new(recorder: Recorder) -> Self {
        Self(Some(recorder))
    }

    /// Close the file.
    fn finish(&mut self) -> Result<Option<String>, String> {
        let Some(recorder) = self.0.take() else {
            return Ok(None);
        };
        let stats = recorder.finish().map_err(failed)?;
        let (steps, path) = (stats.steps, stats.path.display().to_string());
        Ok(Some(format!("{steps} steps are in '{path}'")))
    }
}

impl Witness for Recorded {
    fn moment(&mut self, moment: &Moment) -> Result<(), String> {
        match &mut self.0 {
            Some(recorder) => recorder.step(moment).map_err(failed),
            None => Ok(()),
        }
    }

    fn reset(&mut self) -> Result<(), String> {
        match self.finish()? {
            Some(done) => Err(format!("the recording ends at the reset: {done}")),
            None => Ok(()),
        }
    }

    fn end(&mut self, moment: &Moment) -> Result<(), String> {
        if let Some(recorder) = &mut self.0 {
            let checkpoint = moment.simulator.checkpoint(moment.control);
            let kept = recorder.checkpoint(moment.step, &checkpoint);
            kept.map_err(failed)?;
        }
        self.finish().map(|_| ())
    }
}

fn failed(error: RecordError) -> String {
    format!("recording failed: {error}")
}

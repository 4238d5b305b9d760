//! Frames embedded in a page, as written by `linkwork export` and `linkwork shot`.

use crate::frame::{Stamp, encode};
use crate::hello::Hello;
use data_encoding::BASE64;
use linkwork::model::Model;
use linkwork_record::StepRecord;

/// Where the page takes its data.
const MARK: &str = "<!--DATA-->";

/// The clip would be larger than allowed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "with {frames} frames the page is larger than {limit_mb} MB; lower --fps, shorten the time (--from, --to), \
     or allow more with --max-mb"
)]
pub struct TooLarge {
    /// Limit, MB.
    pub limit_mb: f64,
    /// Frames that do not fit.
    pub frames: usize,
}

/// A sequence of frames.
pub struct Clip {
    frames: Vec<u8>,
    times: Vec<f64>,
    /// Most bytes of the page.
    limit: f64,
}

impl Clip {
    /// An empty one, for a page of at most `limit_mb` (1e6 bytes).
    pub fn new(limit_mb: f64) -> Self {
        Self {
            frames: Vec::new(),
            times: Vec::new(),
            limit: 1e6 * limit_mb,
        }
    }

    /// Append a step.
    pub fn push(&mut self, model: &Model, record: &StepRecord) -> Result<(), TooLarge> {
        let stamp = Stamp {
            index: self.times.len() as u32,
            ..Stamp::default()
        };
        self.frames.extend(encode(model, record, stamp));
        self.times.push(record.state.time);
        self.check(BASE64.encode_len(self.frames.len()))
    }

    /// Whether a page of so many bytes is small enough.
    pub fn check(&self, bytes: usize) -> Result<(), TooLarge> {
        if bytes as f64 <= self.limit {
            return Ok(());
        }
        Err(TooLarge {
            limit_mb: self.limit / 1e6,
            frames: self.times.len(),
        })
    }

    /// Times of the frames, s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The page with the frames in it. `hello` is one of the mode [`Embedded`](crate::hello::Mode::Embedded).
    pub fn embed(&self, page: &str, mut hello: Hello) -> String {
        hello.records = self.times.len();
        hello.start = self.times.first().copied().unwrap_or(0.0);
        hello.end = self.times.last().copied().unwrap_or(0.0);
        hello.times = Some(self.times.clone());
        // No text in the model may end the script element early, or open a comment in it.
        let hello = hello.text(false).replace('<', "\\u003c");
        let frames = BASE64.encode(&self.frames);
        let data = [
            r#"<script id="linkwork-data" type="application/json">{"hello":"#,
            &hello,
            r#","frames":""#,
            &frames,
            r#""}</script>"#,
        ];
        page.replacen(MARK, &data.concat(), 1)
    }
}

/// Selects steps of a run at a number of frames per second.
#[derive(Clone, Copy, Debug)]
pub struct Sampler {
    from: f64,
    to: f64,
    interval: f64,
    taken: f64,
}

impl Sampler {
    /// `fps` frames per second of simulated time, from `from` to `to` (s).
    pub fn new(fps: f64, from: f64, to: f64) -> Self {
        Self {
            from,
            to,
            interval: 1.0 / fps,
            taken: 0.0,
        }
    }

    /// Whether the step at `time` (s) is the next of the sequence. Must be called in order of time.
    pub fn takes(&mut self, time: f64) -> bool {
        // Times are sums of many steps.
        let slack = 1e-9 * (1.0 + time.abs());
        if time < self.from - slack || time > self.to + slack {
            return false;
        }
        if time < self.from + self.taken * self.interval - slack {
            return false;
        }
        // Steps longer than the interval are all used, and none are interpolated.
        self.taken = ((time - self.from + slack) / self.interval).floor() + 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(fps: f64, dt: f64, steps: u32, from: f64, to: f64) -> Vec<u32> {
        let mut sampler = Sampler::new(fps, from, to);
        let mut time = 0.0;
        let mut taken = Vec::new();
        for step in 0..=steps {
            if sampler.takes(time) {
                taken.push(step);
            }
            time += dt;
        }
        taken
    }

    #[test]
    fn frames_come_at_their_rate() {
        assert_eq!(taken(10.0, 1e-3, 1000, 0.0, 9.0).len(), 11);
        assert_eq!(taken(10.0, 1e-3, 450, 0.0, 9.0), [0, 100, 200, 300, 400]);
        assert_eq!(taken(10.0, 1e-3, 1000, 0.25, 0.5), [250, 350, 450]);
        assert_eq!(taken(30.0, 1e-3, 60_000, 0.0, 60.0).len(), 1801);
    }

    #[test]
    fn steps_longer_than_a_frame_are_all_taken() {
        assert_eq!(taken(1000.0, 0.01, 5, 0.0, 1.0), [0, 1, 2, 3, 4, 5]);
    }
}

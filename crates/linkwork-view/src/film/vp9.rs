//! VP9 by the encoder that is part of the browser (WebCodecs), in a WebM file.

use super::webm::{Chunk, WebM};
use super::{Film, Reel, unwritten};
use crate::shot::{ShotError, Studio};
use crate::write::write_whole;
use data_encoding::BASE64;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Time between key frames, s, which limits the accuracy of seeking in a player.
const KEY_INTERVAL: f64 = 2.0;
/// The encoder, in the page; FILL is replaced by its settings.
const ENCODER: &str = include_str!("vp9.js");

pub struct Vp9 {
    path: PathBuf,
    fps: f64,
    film: WebM,
    added: usize,
}

/// A compressed picture as the page gives it.
#[derive(Deserialize)]
struct Encoded {
    key: bool,
    /// µs
    time: f64,
    data: String,
}

impl Vp9 {
    pub fn new(film: &Film, path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            fps: film.fps,
            film: WebM::new(film.shot.size),
            added: 0,
        }
    }

    /// Takes the finished output of the encoder.
    fn take(&mut self, done: &serde_json::Value) -> Result<(), ShotError> {
        let wrong = |e: &dyn std::fmt::Display| ShotError::Browser(format!("its encoder: {e}"));
        let done: Vec<Encoded> =
            serde_json::from_str(done.as_str().unwrap_or_default()).map_err(|e| wrong(&e))?;
        for chunk in done {
            let data = BASE64.decode(chunk.data.as_bytes());
            self.film.add(Chunk {
                key: chunk.key,
                time_ms: (chunk.time / 1000.0).round() as u64,
                data: data.map_err(|e| wrong(&e))?,
            });
        }
        Ok(())
    }
}

impl Reel for Vp9 {
    fn add(&mut self, studio: &mut Studio, png: &[u8]) -> Result<(), ShotError> {
        if self.added == 0 {
            let (width, height) = self.film.size();
            let settings = format!(
                "{{width: {width}, height: {height}, framerate: {}}}",
                self.fps
            );
            studio.evaluate(&ENCODER.replace("FILL", &settings))?;
        }
        let time = 1e6 * self.added as f64 / self.fps;
        let between = (KEY_INTERVAL * self.fps).ceil().max(1.0) as usize;
        let key = self.added.is_multiple_of(between);
        self.added += 1;
        let png = BASE64.encode(png);
        let call = format!("linkworkEncoder.add('{png}', {time}, {key})");
        let done = studio.evaluate(&call)?;
        self.take(&done)
    }

    fn finish(&mut self, studio: &mut Studio) -> Result<(), ShotError> {
        let done = studio.evaluate("linkworkEncoder.finish()")?;
        self.take(&done)?;
        let duration_ms = 1000.0 * self.added as f64 / self.fps;
        let bytes = self.film.bytes(duration_ms);
        write_whole(&self.path, &bytes).map_err(unwritten(&self.path))
    }
}

//! An animated PNG: lossless, and supported by every browser.

use super::{Film, Reel, unwritten};
use crate::shot::{ShotError, Studio};
use crate::write::write_whole;
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations, Writer};
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The delay of a picture is a fraction of a second with this numerator, ms.
const MILLISECONDS: u16 = 1000;

pub struct Animation {
    path: PathBuf,
    bytes: Shared,
    /// Gone once it is finished.
    writer: Option<Writer<Shared>>,
}

/// The output so far; shared with the encoder, which consumes it.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl io::Write for Shared {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend_from_slice(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Animation {
    pub fn new(film: &Film, path: &Path) -> Result<Self, ShotError> {
        let bytes = Shared::default();
        let (width, height) = film.shot.size;
        let mut encoder = Encoder::new(bytes.clone(), width, height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        let start = |encoder: &mut Encoder<'static, Shared>| {
            // It is played in an endless loop.
            encoder.set_animated(film.frames.len() as u32, 0)?;
            let per_second = (f64::from(MILLISECONDS) * film.fps).round();
            // The delay is MILLISECONDS/(1000 fps); beyond what 16 bits hold it is rounded to whole numbers.
            let (top, bottom) = match per_second {
                bottom if bottom <= f64::from(u16::MAX) => (MILLISECONDS, bottom as u16),
                _ => (1, film.fps.round() as u16),
            };
            encoder.set_frame_delay(top, bottom)
        };
        start(&mut encoder).map_err(broken)?;
        let writer = encoder.write_header().map_err(broken)?;
        Ok(Self {
            path: path.to_owned(),
            bytes,
            writer: Some(writer),
        })
    }
}

impl Reel for Animation {
    fn add(&mut self, _: &mut Studio, png: &[u8]) -> Result<(), ShotError> {
        let pixels = rgb(png)?;
        let writer = self
            .writer
            .as_mut()
            .expect("added to before it is finished");
        writer.write_image_data(&pixels).map_err(broken)
    }

    fn finish(&mut self, _: &mut Studio) -> Result<(), ShotError> {
        if let Some(writer) = self.writer.take() {
            writer.finish().map_err(broken)?;
        }
        let bytes = self.bytes.0.lock().unwrap_or_else(PoisonError::into_inner);
        write_whole(&self.path, &bytes).map_err(unwritten(&self.path))
    }
}

/// Red, green and blue of all pixels of a PNG file.
fn rgb(png: &[u8]) -> Result<Vec<u8>, ShotError> {
    let unread = |e: png::DecodingError| ShotError::Browser(format!("its picture: {e}"));
    let mut decoder = Decoder::new(Cursor::new(png));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(unread)?;
    let mut pixels = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let info = reader.next_frame(&mut pixels).map_err(unread)?;
    pixels.truncate(info.buffer_size());
    match info.color_type {
        ColorType::Rgb => Ok(pixels),
        ColorType::Rgba => Ok(pixels
            .chunks_exact(4)
            .flat_map(|p| [p[0], p[1], p[2]])
            .collect()),
        other => Err(ShotError::Browser(format!(
            "its picture has the colours {other:?}"
        ))),
    }
}

fn broken(error: png::EncodingError) -> ShotError {
    ShotError::Browser(format!("the animation cannot be written: {error}"))
}

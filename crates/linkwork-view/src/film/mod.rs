//! Films of a page: every frame is drawn by a headless browser, and the pictures are joined.

mod animation;
mod ffmpeg;
mod folder;
mod vp9;
mod webm;

use crate::shot::{Shot, ShotError, Studio};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A film to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// Size and appearance of the pictures; width and height must be even for a video.
    pub shot: Shot,
    /// Pictures per second of the film.
    pub fps: f64,
    /// Frame of the page shown by each picture, in order of time.
    pub frames: Vec<usize>,
}

/// How the pictures are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// WebM with VP9, compressed by the browser itself.
    WebM,
    /// Animated PNG: no loss, large.
    Animation,
    /// MP4 with H.264, by the program ffmpeg.
    Mp4,
    /// A folder of PNG files.
    Folder,
}

impl Format {
    /// By the extension of the file's name; a name without one is a folder.
    pub fn of(path: &Path) -> Option<Self> {
        let Some(ending) = path.extension() else {
            return Some(Self::Folder);
        };
        match ending.to_str()?.to_ascii_lowercase().as_str() {
            "webm" => Some(Self::WebM),
            "png" | "apng" => Some(Self::Animation),
            "mp4" => Some(Self::Mp4),
            _ => None,
        }
    }

    /// Whether it needs an even width and height.
    pub fn is_video(self) -> bool {
        matches!(self, Self::WebM | Self::Mp4)
    }
}

/// A writer of pictures. Unfinished output is removed.
trait Reel {
    /// Add a picture, a PNG file.
    fn add(&mut self, studio: &mut Studio, png: &[u8]) -> Result<(), ShotError>;
    /// Writes the remaining data.
    fn finish(&mut self, studio: &mut Studio) -> Result<(), ShotError>;
}

/// Draws all pictures of a film and writes it to `out`. `progress` receives the number of finished pictures and may
/// stop the work, in which case nothing is written. Returns whether the film was finished.
pub fn film(
    page: &str,
    film: &Film,
    format: Format,
    out: &Path,
    mut progress: impl FnMut(usize) -> ControlFlow<()>,
) -> Result<bool, ShotError> {
    let mut reel: Box<dyn Reel> = match format {
        Format::WebM => Box::new(vp9::Vp9::new(film, out)),
        Format::Animation => Box::new(animation::Animation::new(film, out)?),
        Format::Mp4 => Box::new(ffmpeg::Ffmpeg::start(film, out)?),
        Format::Folder => Box::new(folder::Folder::create(out)?),
    };
    let mut studio = Studio::open(page, &film.shot)?;
    studio.evaluate("linkwork.frameAll()")?;
    let (mut shown, mut png) = (None, Vec::new());
    for (done, &frame) in film.frames.iter().enumerate() {
        if shown != Some(frame) {
            studio.show(frame)?;
            // Pictures of a video are compressed again.
            png = studio.picture(format != Format::Folder)?;
            shown = Some(frame);
        }
        reel.add(&mut studio, &png)?;
        if progress(done + 1).is_break() {
            return Ok(false);
        }
    }
    reel.finish(&mut studio)?;
    Ok(true)
}

/// Frame of each picture of a film that starts at `from` (s) and shows `speed` seconds of simulated time per second: the
/// nearest in time, the earlier of two. `times` are those of the frames, s.
pub fn frames_of(times: &[f64], from: f64, fps: f64, speed: f64) -> Vec<usize> {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Vec::new();
    };
    let start = from.max(first);
    let interval = speed / fps;
    // Times are sums of many steps.
    let slack = 1e-6 * interval;
    let pictures = ((last - start + slack) / interval).floor().max(0.0) as usize + 1;
    let frame = |k: usize| {
        let at = start + k as f64 * interval;
        let later = times.partition_point(|&t| t <= at);
        let earlier = later.saturating_sub(1);
        match times.get(later) {
            Some(t) if t - at + slack < at - times[earlier] => later,
            _ => earlier,
        }
    };
    (0..pictures).map(frame).collect()
}

fn unwritten(path: &Path) -> impl FnOnce(std::io::Error) -> ShotError {
    let path = PathBuf::from(path);
    move |source| ShotError::Write { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_tell_the_format() {
        let of = |name: &str| Format::of(Path::new(name));
        assert_eq!(of("a.webm"), Some(Format::WebM));
        assert_eq!(of("a.PNG"), Some(Format::Animation));
        assert_eq!(of("a.mp4"), Some(Format::Mp4));
        assert_eq!(of("frames"), Some(Format::Folder));
        assert_eq!(of("a.avi"), None);
    }

    #[test]
    fn a_picture_shows_the_nearest_frame() {
        let times: Vec<f64> = (0..=100).map(|i| 0.01 * f64::from(i)).collect();
        // Real time at 10 pictures per second: every tenth frame.
        let frames = frames_of(&times, 0.0, 10.0, 1.0);
        assert_eq!(frames, (0..=10).map(|i| 10 * i).collect::<Vec<_>>());
        // A tenth of real time at 20: each frame is shown twice, because it lasts 0.1 s.
        let slow = frames_of(&times, 0.5, 20.0, 0.1);
        assert_eq!(slow.len(), 101);
        assert_eq!(slow[..5], [50, 50, 51, 51, 52]);
        assert_eq!(slow.last(), Some(&100));
        // Twice as fast: half as many pictures.
        assert_eq!(frames_of(&times, 0.0, 10.0, 2.0).len(), 6);
        assert_eq!(frames_of(&[], 0.0, 10.0, 1.0).len(), 0);
        // Frames of a run in steps of 10 ms, three a second: each is the picture that it was taken for.
        assert_eq!(
            frames_of(&[0.0, 0.34, 0.67, 1.0], 0.0, 3.0, 1.0),
            [0, 1, 2, 3]
        );
    }
}

//! Pictures of a page, by a headless Chromium.

mod browser;
mod devtools;
mod studio;

pub(crate) use studio::Studio;

use crate::write::write_whole;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time for a picture; software rendering of a large scene on a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(120);

/// A picture to be taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// Width and height, CSS pixels.
    pub size: (u32, u32),
    /// Parameters of the page's address, e.g. `("theme", "dark")`: letters, digits, points and signs.
    pub parameters: Vec<(String, String)>,
}

/// Why there is no picture.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum ShotError {
    /// There is no browser.
    #[error(
        "no Chromium was found{0}; install it (Debian: apt install chromium) or name the program in LINKWORK_CHROMIUM"
    )]
    NoBrowser(String),
    /// It does not start, or ended early.
    #[error("{program} does not start: {why}")]
    Start {
        /// The program.
        program: PathBuf,
        /// Message of the browser or the system.
        why: String,
    },
    /// Something took too long.
    #[error("the picture was not ready after {limit} s: {0}; try again, or a smaller --size", limit = PATIENCE.as_secs())]
    TooSlow(String),
    /// The browser does not do what is requested.
    #[error("Chromium: {0}")]
    Browser(String),
    /// There is no ffmpeg.
    #[error(
        "ffmpeg, which writes .mp4, cannot be started ({0}); install it (Debian: apt install ffmpeg), or write a .webm, which needs nothing else"
    )]
    NoEncoder(String),
    /// ffmpeg failed.
    #[error("ffmpeg: {0}")]
    Encoder(String),
    /// The page shows an error.
    #[error("the page reports: {0}")]
    Page(String),
    /// A file could not be written.
    #[error("cannot write '{}': {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Message of the system.
        source: io::Error,
    },
}

/// Take a picture of the last frame of a page (HTML with its data) and write it to a PNG file.
pub fn shoot(page: &str, shot: &Shot, out: &Path) -> Result<(), ShotError> {
    let mut studio = Studio::open(page, shot)?;
    studio.show_last()?;
    let png = studio.picture(false)?;
    write_whole(out, &png).map_err(|source| ShotError::Write {
        path: out.to_owned(),
        source,
    })
}

//! Pictures of a page, by a headless Chromium.

mod browser;
mod devtools;

use crate::write::write_whole;
use browser::{Browser, Scratch};
use data_encoding::BASE64;
use devtools::DevTools;
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time for all of it; software rendering of a large scene on a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(120);
/// Time between two looks whether the page is ready.
const GLANCE: Duration = Duration::from_millis(50);

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
        /// What it or the system says.
        why: String,
    },
    /// Something took too long.
    #[error("the picture was not ready after {limit} s: {0}; try again, or a smaller --size", limit = PATIENCE.as_secs())]
    TooSlow(String),
    /// The browser does not do what is asked.
    #[error("Chromium: {0}")]
    Browser(String),
    /// The page shows an error.
    #[error("the page says: {0}")]
    Page(String),
    /// A file could not be written.
    #[error("cannot write '{}': {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Take a picture of the last frame of a page (HTML with its data) and write it to a PNG file.
pub fn shoot(page: &str, shot: &Shot, out: &Path) -> Result<(), ShotError> {
    let deadline = Instant::now() + PATIENCE;
    let program = browser::find()?;
    let scratch = Scratch::create()?;
    let file = scratch.path().join("page.html");
    std::fs::write(&file, page).map_err(|source| ShotError::Write {
        path: file.clone(),
        source,
    })?;

    let browser = Browser::start(&program, &scratch, shot.size, deadline)?;
    let mut tab = DevTools::open_tab(browser.address(), deadline)?;
    let (width, height) = shot.size;
    let metrics =
        json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    tab.call("Emulation.setDeviceMetricsOverride", metrics)?;
    let navigated = tab.call("Page.navigate", json!({"url": address(&file, shot)}))?;
    if let Some(error) = navigated["errorText"].as_str() {
        return Err(ShotError::Browser(format!(
            "the page cannot be opened: {error}"
        )));
    }
    wait_until_ready(&mut tab, deadline)?;
    play_through(&mut tab)?;
    let picture = tab.call("Page.captureScreenshot", json!({"format": "png"}))?;
    let data = picture["data"].as_str().unwrap_or_default();
    let png = BASE64.decode(data.as_bytes());
    let png = png.map_err(|_| ShotError::Browser("the picture is not base64".to_owned()))?;
    write_whole(out, &png).map_err(|source| ShotError::Write {
        path: out.to_owned(),
        source,
    })
}

/// The file's address with the parameters.
fn address(file: &Path, shot: &Shot) -> String {
    let pairs: Vec<String> = shot
        .parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("file://{}?{}", file.display(), pairs.join("&"))
}

/// Until the first frame is drawn.
fn wait_until_ready(tab: &mut DevTools, deadline: Instant) -> Result<(), ShotError> {
    let look = "JSON.stringify(window.linkwork ? [window.linkwork.ready, window.linkwork.errors] : [false, []])";
    loop {
        let text = tab.evaluate(look)?;
        let (ready, errors): (bool, Vec<String>) =
            serde_json::from_str(text.as_str().unwrap_or_default()).unwrap_or_default();
        if let Some(error) = errors.into_iter().next() {
            return Err(ShotError::Page(error));
        }
        if ready {
            break;
        }
        if Instant::now() >= deadline {
            return Err(ShotError::TooSlow("the page did not draw".to_owned()));
        }
        std::thread::sleep(GLANCE);
    }
    Ok(())
}

/// Pass through all frames up to the last, so that trails lead to it, and let that one be drawn.
fn play_through(tab: &mut DevTools) -> Result<(), ShotError> {
    tab.evaluate("for (let i = 0; i < linkwork.hello.records; i++) linkwork.seek(i)")?;
    // Without a GPU what moves is drawn quickly, and in full only when it stands still.
    tab.evaluate(
        "new Promise((done) => { const look = () => linkwork.settled() ? done(1) : requestAnimationFrame(look); requestAnimationFrame(() => requestAnimationFrame(look)); })",
    )?;
    Ok(())
}

//! A page that is open in a headless browser, and pictures of it.

use super::browser::{self, Browser, Scratch};
use super::devtools::DevTools;
use super::{PATIENCE, Shot, ShotError};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two checks whether the page is ready.
const GLANCE: Duration = Duration::from_millis(50);

/// An open page. Dropping it ends the browser and removes its files, in this order of fields.
pub struct Studio {
    tab: DevTools,
    _browser: Browser,
    _scratch: Scratch,
}

impl Studio {
    /// Open a page (HTML with its data) and wait until its first frame is drawn.
    pub fn open(page: &str, shot: &Shot) -> Result<Self, ShotError> {
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
        Ok(Self {
            tab,
            _browser: browser,
            _scratch: scratch,
        })
    }

    /// Pass through all frames, so that trails lead to the last, and draw that one.
    pub fn show_last(&mut self) -> Result<(), ShotError> {
        self.evaluate("for (let i = 0; i < linkwork.hello.records; i++) linkwork.seek(i)")?;
        self.settle()
    }

    /// Draw a frame.
    pub fn show(&mut self, index: usize) -> Result<(), ShotError> {
        self.evaluate(&format!("linkwork.seek({index})"))?;
        self.settle()
    }

    /// The picture that the page shows now, as a PNG file: a small one, or one that is `quick` to write.
    pub fn picture(&mut self, quick: bool) -> Result<Vec<u8>, ShotError> {
        self.tab.wait_until(Instant::now() + PATIENCE);
        let parameters = json!({"format": "png", "optimizeForSpeed": quick});
        let picture = self.tab.call("Page.captureScreenshot", parameters)?;
        let data = picture["data"].as_str().unwrap_or_default();
        let png = BASE64.decode(data.as_bytes());
        png.map_err(|_| ShotError::Browser("the picture is not base64".to_owned()))
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value, ShotError> {
        self.tab.wait_until(Instant::now() + PATIENCE);
        self.tab.evaluate(expression)
    }

    /// Waits until the frame is drawn. Without a GPU a moving scene is drawn quickly, and completely only when it
    /// stands still.
    fn settle(&mut self) -> Result<(), ShotError> {
        self.evaluate(
            "new Promise((done) => { const look = () => linkwork.settled() ? done(1) : requestAnimationFrame(look); requestAnimationFrame(() => requestAnimationFrame(look)); })",
        )?;
        Ok(())
    }
}

/// The file's address with the parameters.
fn address(file: &Path, shot: &Shot) -> String {
    let pairs: Vec<String> = shot
        .parameters
        .iter()
        .map(|(name, value)| format!("{name}={}", escaped(value)))
        .collect();
    format!("file://{}?{}", file.display(), pairs.join("&"))
}

/// A value in the form used in an address.
fn escaped(value: &str) -> String {
    let byte = |b: u8| match b {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => char::from(b).to_string(),
        other => format!("%{other:02X}"),
    };
    value.bytes().map(byte).collect()
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
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(ShotError::TooSlow("the page did not draw".to_owned()));
        }
        std::thread::sleep(GLANCE);
    }
}

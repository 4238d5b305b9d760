//! A headless Chromium that is started and ended by the program.

use super::ShotError;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Names under which systems have it.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];
/// What it prints before the address of its DevTools.
const LISTENING: &str = "DevTools listening on ";
/// Chromium takes no pictures of windows of 64 x 64 pixels. Those of the page have a size of their own.
const LEAST_WINDOW: (u32, u32) = (800, 600);
/// Last lines of its output, for messages.
const LINES_KEPT: usize = 3;

/// Without GPU, without network of its own, without first-run pages.
const FLAGS: [&str; 13] = [
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--mute-audio",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
];

/// The program named in LINKWORK_CHROMIUM, or the first one in PATH.
pub fn find() -> Result<PathBuf, ShotError> {
    if let Some(named) = std::env::var_os("LINKWORK_CHROMIUM").map(PathBuf::from) {
        if named.is_file() {
            return Ok(named);
        }
        let where_to = format!(" at '{}', which LINKWORK_CHROMIUM names", named.display());
        return Err(ShotError::NoBrowser(where_to));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut candidates = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |f| f.join(name)));
    let found = candidates.find(|program| program.is_file());
    found.ok_or_else(|| ShotError::NoBrowser(String::new()))
}

/// A folder for this one picture, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates it under an unpredictable name, for this user only.
    pub fn create() -> Result<Self, ShotError> {
        let mut bytes = [0; 8];
        let random = getrandom::fill(&mut bytes).map_err(|e| ShotError::Browser(e.to_string()));
        random?;
        let name = format!("linkwork-shot-{}", data_encoding::HEXLOWER.encode(&bytes));
        let path = std::env::temp_dir().join(name);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&path) {
            Ok(()) => Ok(Self(path)),
            Err(source) => Err(ShotError::Write { path, source }),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A browser that is just ending may still write to its profile.
        for _ in 0..20 {
            if std::fs::remove_dir_all(&self.0).is_ok() || !self.0.exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// A running browser.
pub struct Browser {
    child: Child,
    address: String,
}

impl Browser {
    /// Start it with a fresh profile and learn where its DevTools listen.
    pub fn start(
        program: &Path,
        scratch: &Scratch,
        (width, height): (u32, u32),
        deadline: Instant,
    ) -> Result<Self, ShotError> {
        let failed = |why: String| ShotError::Start {
            program: program.to_owned(),
            why,
        };
        let mut profile = std::ffi::OsString::from("--user-data-dir=");
        profile.push(scratch.path().join("profile"));
        let mut command = Command::new(program);
        command.args(FLAGS).arg(profile);
        let (width, height) = (width.max(LEAST_WINDOW.0), height.max(LEAST_WINDOW.1));
        command.arg(format!("--window-size={width},{height}"));
        command.args(["--remote-debugging-port=0", "about:blank"]);
        // Its sandbox does not work for root.
        if is_root() {
            command.arg("--no-sandbox");
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let child = command.spawn().map_err(|e| failed(e.to_string()))?;
        let mut browser = Self {
            child,
            address: String::new(),
        };
        let (send, told) = channel();
        if let Some(stderr) = browser.child.stderr.take() {
            std::thread::spawn(move || listen(stderr, &send));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        browser.address = match told.recv_timeout(left) {
            Ok(Ok(address)) => address,
            Ok(Err(last)) => return Err(failed(format!("it ended with: {last}"))),
            Err(RecvTimeoutError::Timeout) => {
                return Err(ShotError::TooSlow("Chromium did not start".to_owned()));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(failed("it said nothing".to_owned()));
            }
        };
        Ok(browser)
    }

    /// WebSocket address of its DevTools.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for Browser {
    /// Its helpers end with it.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends the address when it appears, or the last lines if the output ends before; continues reading, so that the
/// browser never blocks.
fn listen(stderr: ChildStderr, told: &Sender<Result<String, String>>) {
    let mut last = VecDeque::new();
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        if let Some(address) = line.strip_prefix(LISTENING) {
            let _ = told.send(Ok(address.trim().to_owned()));
        }
        last.push_back(line);
        if last.len() > LINES_KEPT {
            last.pop_front();
        }
    }
    let lines: Vec<String> = last.into();
    // Nobody listens if the address was already sent.
    let _ = told.send(Err(lines.join(" | ")));
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The owner of a process's entry is its effective user.
    std::fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}

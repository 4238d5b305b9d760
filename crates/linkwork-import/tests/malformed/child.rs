//! A file loaded in a process of its own.

use crate::work::cpu_seconds;
use linkwork_import::{Options, load};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names the file to load, in the process that loads it.
const FILE: &str = "LINKWORK_MALFORMED_FILE";
/// After this a process is ended, s.
const PATIENCE: f64 = 20.0;
/// Marks the line of the answer, whose parts come between other output.
const MARK: &str = "\u{1}answer";
const BETWEEN: &str = "\u{2}";

/// Output of the process.
pub struct Answer {
    pub fault: String,
    pub file: String,
    pub line: u32,
    pub remedy: String,
    pub message: String,
    pub seconds: f64,
    /// Peak memory of the process, if the system reports it.
    pub megabytes: f64,
}

/// Loads a file by running this test program again; an error describes how that ended.
pub fn load_apart(file: &Path) -> Result<Answer, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let child = Command::new(program)
        .args(["--exact", "child::loads_the_file_it_is_given"])
        .args(["--nocapture", "--test-threads", "1"])
        .env(FILE, file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    let (output, errors) = finish(child)?;
    let found = output.split(MARK).nth(1);
    let answer = found.ok_or_else(|| format!("the process died: {errors}"))?;
    parse(answer).ok_or_else(|| format!("was accepted: {answer}"))
}

fn finish(mut child: Child) -> Result<(String, String), String> {
    let start = Instant::now();
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if start.elapsed().as_secs_f64() > PATIENCE {
            child.kill().map_err(|e| e.to_string())?;
            return Err(format!("no end within {PATIENCE} s"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let out = child.wait_with_output().map_err(|e| e.to_string())?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok((text(&out.stdout), text(&out.stderr)))
}

fn parse(answer: &str) -> Option<Answer> {
    let mut parts = answer.split(BETWEEN).skip(1).map(str::to_owned);
    let mut next = || parts.next();
    Some(Answer {
        fault: next()?,
        file: next()?,
        line: next()?.parse().ok()?,
        remedy: next()?,
        message: next()?,
        seconds: next()?.parse().ok()?,
        megabytes: next()?.parse().ok()?,
    })
}

/// Not a test by itself: does nothing unless the environment names a file.
#[test]
fn loads_the_file_it_is_given() {
    let Some(file) = std::env::var_os(FILE) else {
        return;
    };
    let start = cpu_seconds();
    let result = load(Path::new(&file), &Options::default());
    let seconds = cpu_seconds() - start;
    let parts = match &result {
        Ok(_) => vec![],
        Err(e) => vec![
            format!("{:?}", e.fault),
            e.place.file.display().to_string(),
            e.place.line.to_string(),
            e.remedy.chars().take(5000).collect(),
            // More than a pipe holds would wait for the other end.
            e.to_string().chars().take(5000).collect(),
            seconds.to_string(),
            peak_megabytes().unwrap_or(0.0).to_string(),
        ],
    };
    println!("{MARK}{BETWEEN}{}{BETWEEN}", parts.join(BETWEEN));
}

fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

//! Other simulators, from PyPI, in environments of their own that are made once.

use super::missing::missing;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python with MuJoCo, of the version whose counts and masses the tests use; otherwise the reason.
pub fn mujoco() -> Option<PathBuf> {
    environment("mujoco-env", "mujoco==4.0.0", "mujoco")
}

/// A Python with Pinocchio; otherwise the reason.
pub fn pinocchio() -> Option<PathBuf> {
    environment("pinocchio", "pin", "pinocchio")
}

/// What a script of this folder prints for the given arguments, as JSON: its last line, for the
/// simulators print warnings before.
pub fn run(python: &Path, script: &str, arguments: &[String]) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(script);
    let mut command = Command::new(python);
    // MuJoCo writes its warnings to a file where it runs.
    let scratch = env!("CARGO_TARGET_TMPDIR");
    let command = command.arg(script).args(arguments).current_dir(scratch);
    let output = command.output().expect("python runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(text.lines().last().unwrap_or_default()).expect("JSON")
}

fn environment(folder: &str, package: &str, module: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let python = folder.join("bin/python");
    let quiet = |command: &mut Command| command.output().is_ok_and(|o| o.status.success());
    let has_it = || quiet(Command::new(&python).args(["-c", &format!("import {module}")]));
    if has_it() {
        return Some(python);
    }
    let made = quiet(Command::new("python3").args(["-m", "venv"]).arg(&folder))
        && quiet(Command::new(&python).args(["-m", "pip", "install", "--quiet", package]));
    if made && has_it() {
        return Some(python);
    }
    missing(&format!("{package} cannot be installed from PyPI here"));
    None
}

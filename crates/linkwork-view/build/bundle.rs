//! From `viewer/` to one HTML file, with node and npm. Shared by the build script and its test.

use std::path::{Path, PathBuf};
use std::process::Command;

/// esbuild and the page's build script need it.
const OLDEST_NODE: u32 = 18;

/// Build the page in `viewer` into the file `page`. `node` names the program; else it is looked up in
/// PATH. npm is taken from beside a named node if it is there, else from PATH. An error says in one
/// line why there is no page.
pub fn bundle(viewer: &Path, page: &Path, node: Option<&Path>) -> Result<(), String> {
    let program = node.unwrap_or(Path::new("node"));
    check_version(&output(Command::new(program).arg("--version"))?)?;
    if !installed(viewer) {
        // Packages need no install scripts here, so none are run.
        let args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
        output(Command::new(npm(node)).args(args).current_dir(viewer))?;
    }
    let build = Path::new("build.mjs");
    output(
        Command::new(program)
            .arg(build)
            .arg(page)
            .current_dir(viewer),
    )?;
    Ok(())
}

/// Whether node_modules is there and not older than the lock file.
fn installed(viewer: &Path) -> bool {
    let changed = |path: &str| viewer.join(path).metadata().and_then(|m| m.modified());
    // npm writes this file when an installation is complete.
    match (
        changed("node_modules/.package-lock.json"),
        changed("package-lock.json"),
    ) {
        (Ok(modules), Ok(lock)) => modules >= lock,
        _ => false,
    }
}

fn npm(node: Option<&Path>) -> PathBuf {
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let beside = node.and_then(Path::parent).map(|dir| dir.join(name));
    beside
        .filter(|path| path.is_file())
        .unwrap_or_else(|| name.into())
}

fn check_version(text: &str) -> Result<(), String> {
    let major = text.trim().trim_start_matches('v').split('.').next();
    match major.and_then(|m| m.parse::<u32>().ok()) {
        Some(major) if major >= OLDEST_NODE => Ok(()),
        Some(_) => Err(format!(
            "node is {}, but {OLDEST_NODE} or later is needed",
            text.trim()
        )),
        None => Err("node --version does not give a version".to_owned()),
    }
}

/// What the command prints, or in one line why it failed.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let out = command
        .output()
        .map_err(|e| format!("{name} cannot be run ({e})"))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&out.stderr);
    // The first line that says what went wrong; npm and node print much around it.
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next().unwrap_or("no message");
    let line = lines
        .find(|l| l.to_lowercase().contains("error"))
        .unwrap_or(first);
    Err(format!("{name} failed: {line}"))
}

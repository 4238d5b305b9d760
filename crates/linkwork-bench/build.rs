//! Stamps the crate with its commit, compiler and profile, and gathers the pictures of scenes, for reports.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    stamp();
    pictures();
}

/// What the crate is built from and with, as environment variables of the compiler.
fn stamp() {
    let run = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let text = text.trim();
        (output.status.success() && !text.is_empty()).then(|| text.to_owned())
    };
    let unknown = || "unknown".to_owned();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let commit = run("git", &["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(unknown);
    let version = run(&rustc, &["--version"]).unwrap_or_else(unknown);
    let profile = match std::env::var("OPT_LEVEL").as_deref() {
        Ok("0") => "not optimised".to_owned(),
        Ok(level) => format!("optimised at level {level}"),
        Err(_) => unknown(),
    };
    println!("cargo::rustc-env=LINKWORK_COMMIT={commit}");
    println!("cargo::rustc-env=LINKWORK_RUSTC={version}");
    println!("cargo::rustc-env=LINKWORK_PROFILE={profile}");
    println!("cargo::rerun-if-changed=build.rs");
    // The commit changes with what HEAD points to; outside a repository there is nothing to watch.
    if let Some(folder) = run("git", &["rev-parse", "--absolute-git-dir"]) {
        println!("cargo::rerun-if-changed={folder}/HEAD");
        println!("cargo::rerun-if-changed={folder}/logs/HEAD");
    }
}

/// A table of the pictures that exist, `(scene, bytes)`, for `report/pictures.rs` to include.
fn pictures() {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../../docs/images");
    let mut files: Vec<PathBuf> = std::fs::read_dir(root.join("scenes"))
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|end| end == "png"));
    files.sort();
    let lines = files.iter().filter_map(|path| {
        let (name, path) = (path.file_stem()?.to_str()?, path.to_str()?);
        Some(format!("    ({name:?}, include_bytes!({path:?})),\n"))
    });
    let table = format!("&[\n{}]\n", lines.collect::<String>());
    let out = Path::new(&variable("OUT_DIR")).join("pictures.rs");
    std::fs::write(&out, table).expect("the folder of the build can be written");
    // The folder of scenes may come later: watch the one it is in, which cargo does through all levels.
    println!("cargo::rerun-if-changed={}", root.display());
}

fn variable(name: &str) -> String {
    std::env::var(name).expect("cargo sets it")
}

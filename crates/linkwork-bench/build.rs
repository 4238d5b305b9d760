//! Stamps the crate with its commit, compiler and profile, for reports.

use std::process::Command;

fn main() {
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

//! For tests that need what is not part of the project: third-party models, other programs.

/// Say that a test is skipped, because this is not on the machine. CI has everything, so that it fails there.
pub fn missing(what: &str) {
    println!("skipped: {what}");
    let ci = std::env::var("CI").unwrap_or_default();
    assert!(ci.is_empty() || ci == "false", "CI has to have it: {what}");
}

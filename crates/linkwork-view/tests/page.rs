//! The page in the program, and what happens where it cannot be built.

#[path = "../build/bundle.rs"]
mod bundle;
#[path = "../../../tests/folder.rs"]
#[allow(dead_code, reason = "every test program uses its part")]
mod folder;
#[path = "../../../tests/missing.rs"]
mod missing;

use folder::Folder;
use linkwork_view::{PageMissing, page};
use missing::missing;
use std::path::{Path, PathBuf};

fn viewer() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer")
}

#[test]
fn without_node_the_reason_is_one_line_that_names_it() {
    let out = Folder::new();
    let missing = Path::new("/nowhere/bin/node");
    let reason =
        bundle::bundle(&viewer(), &out.path().join("page.html"), Some(missing)).unwrap_err();
    assert!(reason.contains("/nowhere/bin/node"), "{reason}");
    assert!(!reason.contains('\n'));
    assert!(!out.path().join("page.html").exists());
}

#[cfg(unix)]
#[test]
fn an_old_node_or_a_failing_npm_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let program = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        path
    };
    let page = folder.path().join("page.html");
    let old = program("old-node", "echo v12.22.0");
    let reason = bundle::bundle(&viewer(), &page, Some(&old)).unwrap_err();
    assert!(
        reason.contains("v12.22.0") && reason.contains("18"),
        "{reason}"
    );

    // A viewer without packages, where npm cannot reach the registry.
    let bare = folder.path().join("viewer");
    std::fs::create_dir_all(&bare).unwrap();
    let node = program("node", "echo v20.0.0");
    program(
        "npm",
        "echo 'npm error network request failed' >&2; echo more >&2; exit 1",
    );
    let reason = bundle::bundle(&bare, &page, Some(&node)).unwrap_err();
    assert!(reason.contains("network request failed"), "{reason}");
    assert!(!reason.contains('\n'));
}

#[test]
fn a_missing_page_says_what_to_install_and_how_to_build_again() {
    let text = PageMissing.to_string();
    for part in ["Node 18", "npm", "LINKWORK_NODE", "cargo build"] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// If there is a page, it is one file: nothing is fetched from elsewhere.
#[test]
fn the_page_needs_nothing_else() {
    let Ok(page) = page() else {
        missing(&PageMissing.to_string());
        return;
    };
    assert!(page.starts_with("<!doctype html>"));
    assert!(
        page.contains("<!--DATA-->"),
        "the place of an export's data"
    );
    for reference in ["<script src", "<link rel=\"stylesheet\"", "@import"] {
        assert!(!page.contains(reference), "{reference}");
    }
}

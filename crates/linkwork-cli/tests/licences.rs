//! Every package that is built into the program or its page has a permissive licence.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Licences that require no more than a notice.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    // Of fonts, which may be embedded.
    "OFL-1.1",
    "Ubuntu-font-1.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an SPDX expression can be met by allowed licences alone. `OR` binds less than `AND`, as SPDX has it;
/// the old "MIT/Apache-2.0" is an `OR`.
fn permissive(expression: &str) -> bool {
    let text = expression.replace('/', " OR ");
    let mut words: Vec<String> = Vec::new();
    for word in text
        .replace('(', " ( ")
        .replace(')', " ) ")
        .split_whitespace()
    {
        match words.last_mut() {
            // "A WITH B" is one licence.
            Some(last) if word == "WITH" || last.ends_with(" WITH") => {
                *last = format!("{last} {word}");
            }
            _ => words.push(word.to_owned()),
        }
    }
    let mut rest = &words[..];
    any(&mut rest) == Some(true) && rest.is_empty()
}

/// Alternatives; `None` if that is no expression.
fn any(words: &mut &[String]) -> Option<bool> {
    let mut met = all(words)?;
    while words.first().is_some_and(|w| w == "OR") {
        *words = &words[1..];
        met |= all(words)?;
    }
    Some(met)
}

fn all(words: &mut &[String]) -> Option<bool> {
    let mut met = one(words)?;
    while words.first().is_some_and(|w| w == "AND") {
        *words = &words[1..];
        met &= one(words)?;
    }
    Some(met)
}

fn one(words: &mut &[String]) -> Option<bool> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    if first != "(" {
        return Some(ALLOWED.contains(&first.as_str()));
    }
    let met = any(words)?;
    let (last, rest) = words.split_first()?;
    *words = rest;
    (last == ")").then_some(met)
}

#[test]
fn expressions_are_understood() {
    for good in [
        "MIT",
        "MIT/Apache-2.0",
        "GPL-3.0 OR MIT",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        "GPL-2.0 AND MIT OR ISC",
    ] {
        assert!(permissive(good), "{good}");
    }
    for bad in [
        "",
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "MIT)",
        "(MIT",
        "MIT OR",
        "Apache-2.0 WITH x",
    ] {
        assert!(!permissive(bad), "{bad}");
    }
}

#[test]
fn all_crates_are_permissive() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let told = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version=1"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(&root)
        .output()
        .unwrap();
    assert!(
        told.status.success(),
        "{}",
        String::from_utf8_lossy(&told.stderr)
    );
    let metadata: Value = serde_json::from_slice(&told.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "only {} packages", packages.len());
    let bad: Vec<String> = packages
        .iter()
        .filter(|p| !permissive(p["license"].as_str().unwrap_or_default()))
        .map(|p| format!("{} {}: {}", p["name"], p["version"], p["license"]))
        .collect();
    assert!(bad.is_empty(), "not on the list of licences: {bad:#?}");
}

#[test]
fn all_packages_of_the_page_are_permissive() {
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../viewer/package-lock.json");
    let lock: Value = serde_json::from_slice(&std::fs::read(lock).unwrap()).unwrap();
    let packages = lock["packages"].as_object().unwrap();
    assert!(packages.len() > 10);
    let bad: Vec<String> = packages
        .iter()
        .filter(|(_, p)| !permissive(p["license"].as_str().unwrap_or_default()))
        .map(|(name, p)| format!("{name}: {}", p["license"]))
        .collect();
    assert!(bad.is_empty(), "not on the list of licences: {bad:#?}");
}

//! The command, and folders to work in.
#![allow(dead_code, unused_imports)]

#[path = "../../../../tests/folder.rs"]
mod folder;

pub use folder::Folder;
use serde_json::Value;
use std::process::{Command, Output};

/// Run the command to its end.
pub fn linkwork(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_linkwork"))
        .args(args)
        .output()
        .expect("the command starts")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The JSON object of a command that succeeds.
pub fn json(args: &[&str]) -> Value {
    let output = linkwork(&[args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    serde_json::from_str(&stdout(&output)).expect("one JSON object")
}

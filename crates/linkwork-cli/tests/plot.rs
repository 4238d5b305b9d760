//! `linkwork plot`, as a user types it.

mod support;

use support::{Folder, json, linkwork, stderr, stdout};

fn recording(folder: &Folder) -> String {
    let file = folder.file("run.lwrec");
    json(&["run", "fourbar_fixed", "--time", "0.5", "--record", &file]);
    file
}

#[test]
fn quantities_become_svg_and_png() {
    let folder = Folder::new();
    let file = recording(&folder);
    let output = linkwork(&["plot", &file, "--y", "closure_error,energy,kinetic"]);
    assert!(output.status.success(), "{}", stderr(&output));
    // The default name is the recording's, and is printed.
    let svg = folder.file("run.svg");
    assert_eq!(stdout(&output).trim(), svg);
    let text = std::fs::read_to_string(&svg).unwrap();
    for part in [
        "closure_error",
        "energy",
        "kinetic",
        "time (s)",
        "run.lwrec",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let png = folder.file("p.png");
    let output = linkwork(&["plot", &file, "--out", &png, "--size", "640x480"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let bytes = std::fs::read(&png).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    assert_eq!(bytes[16..24], [0, 0, 2, 128, 0, 0, 1, 224]);
}

#[test]
fn what_cannot_be_drawn_is_explained() {
    let folder = Folder::new();
    let file = recording(&folder);
    let refused = |args: &[&str], part: &str| {
        let output = linkwork(&[&["plot"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    };
    refused(&[&file, "--y", "energi"], "energy");
    refused(&[&file, "--out", &folder.file("p.jpg")], ".svg or .png");
    refused(&[&file, "--from", "7"], "0 s to 0.5");
    refused(&[&file, "--size", "big"], "WIDTHxHEIGHT");
    refused(&[&folder.file("none.lwrec")], "none.lwrec");
}

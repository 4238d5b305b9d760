//! Bad files in the own format: a typed error at the right line, with a remedy.

mod common;

use common::work::within;
use linkwork_import::{Fault, ImportError, Options, load};
use std::path::{Path, PathBuf};

fn example() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(folder.join("fourbar_slider.linkwork.toml")).unwrap()
}

/// The error of a text, found in little processor time.
fn refused(name: &str, text: impl AsRef<[u8]>) -> ImportError {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).unwrap();
    let result = within(2.0, name, || load(&file, &Options::default()));
    std::fs::remove_file(&file).unwrap();
    result
        .err()
        .unwrap_or_else(|| panic!("{name} was accepted"))
}

/// The example with one text replaced by another, and the line of that text.
fn changed(from: &str, to: &str) -> (String, u32) {
    let text = example();
    let at = text
        .find(from)
        .unwrap_or_else(|| panic!("'{from}' is not in the example"));
    let line = text[..at].matches('\n').count() as u32 + 1;
    (text.replacen(from, to, 1), line)
}

#[test]
fn slips_are_told_with_line_element_and_remedy() {
    use Fault::*;
    // What is replaced, by what, the fault, and parts of the message.
    let cases: &[(&str, &str, Fault, &[&str])] = &[
        (
            "timestep =",
            "timestpe =",
            UnknownAttribute,
            &["timestpe", "did you mean 'timestep'"],
        ),
        (
            "density = 2700.0",
            "denisty = 2700.0",
            UnknownAttribute,
            &["body 'crank'", "'density'"],
        ),
        (
            "type = \"prismatic\"",
            "type = \"prismatik\"",
            BadValue,
            &["joint 'slide'", "did you mean 'prismatic'"],
        ),
        (
            "follower = \"coupler\"",
            "follower = \"copler\"",
            Unresolved,
            &["no body 'copler'", "did you mean 'coupler'"],
        ),
        (
            "joint = \"motor\"",
            "joint = \"motr\"",
            Unresolved,
            &["actuator 'drive'", "did you mean 'motor'"],
        ),
        (
            "gain = 0.5",
            "gain = 0.5\ngear = 1e200",
            BadValue,
            &["'gear' is 1e200", "not finite", "correct gear"],
        ),
        (
            "frame = \"tool\"",
            "frame = \"tol\"",
            Unresolved,
            &["sensor 'tool_position'"],
        ),
        (
            "rates = { motor = [3.0] }",
            "rates = { motor = [3.0, 1.0] }",
            BadValue,
            &["2 numbers", "1 coordinates"],
        ),
        (
            "rates = { motor = [3.0] }",
            "rates = { mator = [3.0] }",
            Unresolved,
            &["did you mean 'motor'"],
        ),
        (
            "mass = 0.25",
            "mass = \"heavy\"",
            BadValue,
            &["'mass' is text", "must be a number"],
        ),
        ("mass = 0.25", "mass = nan", BadValue, &["finite"]),
        (
            "mass = 0.25",
            "mass = -0.25",
            Mechanism,
            &["body 'coupler'", "mass is -0.25"],
        ),
        (
            "inertia = [1e-3, 1e-3, 1e-3]",
            "inertia = [1e-3, 1e-3, 1.0]",
            Mechanism,
            &["body 'slider'", "triangle inequality"],
        ),
        (
            "inertia = [1e-3, 1e-3, 1e-3]",
            "inertia = [1e-3, 1e-3]",
            BadValue,
            &["2 numbers"],
        ),
        (
            "name = \"rod\"\n",
            "name = \"rocker\"\n",
            Duplicate,
            &["'rocker' is used twice"],
        ),
        (
            "bias = [0, 0, -0.5]",
            "bias = [0, 0, 0.5]",
            BadValue,
            &["must not be positive"],
        ),
        (
            "control_range = [-6.0, 6.0]",
            "control_range = [6.0, -6.0]",
            BadValue,
            &["smaller number first"],
        ),
        (
            "limits = { min = -0.6,",
            "limits = { min = 0.7,",
            BadValue,
            &["joint 'slide'/limits"],
        ),
        (
            "limits = { min = -0.6,",
            "limits = { mim = -0.6,",
            UnknownAttribute,
            &["joint 'slide'/limits", "'min'"],
        ),
        (
            "axis = [1, 0, 0]",
            "axis = [0, 0, 0]",
            BadValue,
            &["no direction"],
        ),
        (
            "radius = 0.008",
            "radius = -0.008",
            Mechanism,
            &["shape 'rod_bar'"],
        ),
        (
            "type = \"cylinder\"",
            "type = \"cilinder\"",
            BadValue,
            &["did you mean 'cylinder'"],
        ),
        (
            "linkwork = 1 ",
            "linkwork = 2 ",
            Unsupported,
            &["version 2"],
        ),
        (
            "gravity = [0.0, 0.0, -9.81]",
            "gravity = [0.0, -9.81]",
            BadValue,
            &["2 numbers", "give 3"],
        ),
        (
            "timestep = 0.001 ",
            "timestep = 0.0 ",
            BadValue,
            &["positive"],
        ),
        ("groups = 2", "groups = 4294967296", BadValue, &["32 bits"]),
        (
            "angle = 0.7853981633974483",
            "grad = 50",
            Missing,
            &["body 'rod'/rotation", "'degrees'"],
        ),
        (
            "angle = 0.7853981633974483",
            "degres = 45",
            UnknownAttribute,
            &["body 'rod'/rotation", "did you mean 'degrees'"],
        ),
        (
            "[[sensor]]",
            "[[sensr]]",
            UnknownAttribute,
            &["did you mean 'sensor'"],
        ),
        ("[[body]]", "[body]", Syntax, &[]),
        (
            "type = \"box\"",
            "type = \"mesh\"\nfile = \"../../etc/passwd.stl\"",
            Escape,
            &["asset root"],
        ),
        (
            "type = \"box\"",
            "type = \"mesh\"\nfile = \"absent.stl\"",
            Unreadable,
            &["absent.stl"],
        ),
        (
            "base = \"crank\"",
            "base = \"coupler\"",
            Mechanism,
            &["joint 'crank_pin'", "with itself"],
        ),
    ];
    for (i, (from, to, fault, parts)) in cases.iter().enumerate() {
        let (text, line) = changed(from, to);
        let error = refused(&format!("slip{i}.linkwork.toml"), text);
        let message = error.to_string();
        assert_eq!(error.fault, *fault, "{to}: {message}");
        for part in *parts {
            assert!(message.contains(part), "{to}: {message}");
        }
        // The element's line at least; mostly the value's.
        let near = error.place.line.abs_diff(line) <= 12 || error.fault == Mechanism;
        assert!(error.place.line > 0 && near, "{to}: line {line}, {message}");
        assert!(!error.remedy.is_empty(), "{message}");
    }
}

#[test]
fn json_errors_have_lines_and_columns_too() {
    let text = "{\n  \"linkwork\": 1,\n  \"body\": [\n    {\"name\": \"a\", \"mas\": 1}\n  ]\n}";
    let error = refused("key.linkwork.json", text);
    assert_eq!((error.place.line, error.place.column), (4, 19), "{error}");
    assert_eq!(error.fault, Fault::UnknownAttribute, "{error}");
    for (i, bad) in [
        "",
        "{",
        "{\"linkwork\": 1,}",
        "{\"linkwork\" 1}",
        "{\"linkwork\": 01x}",
        "{\"linkwork\": 1, \"linkwork\": 1}",
        "{\"linkwork\": 1} {}",
        "{\"name\": \"\\q\"}",
        "{\"name\": \"open",
        "[tru]",
    ]
    .iter()
    .enumerate()
    {
        let error = refused(&format!("syntax{i}.linkwork.json"), bad);
        assert_eq!(error.fault, Fault::Syntax, "{bad}: {error}");
        assert!(error.place.line == 1, "{bad}: {error}");
    }
    let error = refused("list.linkwork.json", "[1]");
    assert_eq!(error.fault, Fault::BadValue, "{error}");
}

#[test]
fn hostile_texts_are_refused_quickly() {
    let deep = "[".repeat(100_000);
    assert_eq!(refused("deep.linkwork.json", &deep).fault, Fault::Syntax);
    let deep = format!("linkwork = 1\nx = {deep}");
    assert_eq!(refused("deep.linkwork.toml", deep).fault, Fault::Syntax);
    assert_eq!(
        refused("bytes.linkwork.toml", [0xff, 0xfe, 0]).fault,
        Fault::Syntax
    );
    let keys: String = (0..50_000).map(|i| format!("k{i} = 0\n")).collect();
    let error = refused("keys.linkwork.toml", format!("linkwork = 1\n{keys}"));
    assert_eq!(error.fault, Fault::UnknownAttribute, "{error}");
}

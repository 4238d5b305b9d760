//! Every example runs to its end and prints the expected output.

#[path = "../../tests/missing.rs"]
mod missing;

use std::path::{Path, PathBuf};
use std::process::Command;

/// Output of an example, run in its own folder.
fn run(name: &str, arguments: &[&str]) -> String {
    // Examples are built beside the tests, one folder up from `deps`.
    let mut program: PathBuf = std::env::current_exe().expect("a program");
    program.pop();
    program.pop();
    let program = program.join("examples").join(name);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("example-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let output = Command::new(&program)
        .args(arguments)
        .current_dir(&folder)
        .output();
    let output = output.unwrap_or_else(|e| panic!("{}: {e}", program.display()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_slider_crank_comes_back_after_a_turn() {
    let text = run("build_and_drive", &[]);
    // At half a turn the piston has moved by twice the crank.
    assert!(
        text.contains("after half a turn the piston is -0.4"),
        "{text}"
    );
    assert!(text.contains("rail"), "{text}");
}

#[test]
fn a_ball_leaves_the_table_and_lands() {
    let text = run("queries", &[]);
    for line in [
        "table and ball begin",
        "table and ball end",
        "ground and ball begin",
        "a contact pushes it with 4.9",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn cassie_stands_for_a_second() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("LINKWORK_DATA").map_or_else(|| beside.into(), PathBuf::from);
    let file = data.join("models/agility_cassie/scene.xml");
    if !file.is_file() {
        missing::missing("no third-party models; set LINKWORK_DATA to the folder above 'models'");
        return;
    }
    let text = run("cassie", &[&file.display().to_string()]);
    let forces: Vec<f64> = text
        .lines()
        .filter(|l| l.contains(" N ") && l.contains('#'))
        .filter_map(|l| {
            let numbers: Vec<f64> = l
                .split_whitespace()
                .filter_map(|w| w.parse().ok())
                .collect();
            Some(numbers.get(1)? + numbers.get(2)?)
        })
        .collect();
    assert!(forces.len() > 15, "{text}");
    // It stands: the feet carry its weight of 33.3 kg on average.
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    assert!(
        (mean / (33.31 * 9.81) - 1.0).abs() < 0.2,
        "{mean} N: {text}"
    );
    assert!(text.contains("pelvis at [1.000"), "{text}");
}

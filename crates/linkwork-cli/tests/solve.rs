//! `linkwork solve` and `linkwork run --dump` as their users meet them.

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use support::{Folder, linkwork, stderr, stdout};

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).expect("one JSON object")
}

/// Steps 25 and 50 of a sliding box, as JSON in a folder and as FCLIB in its folder `sub`.
fn problems() -> Folder {
    let folder = Folder::new();
    for (sub, format) in [("", "json"), ("sub", "fclib")] {
        let output = dump(&folder.file(sub), &["--dump-format", format]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stderr(&output).contains("2 problems written"));
    }
    folder
}

fn dump(folder: &str, rest: &[&str]) -> Output {
    let run = ["run", "box_on_plane", "--set", "speed=1", "--time", "0.05"];
    let dump = ["--dump", folder, "--dump-every", "25"];
    linkwork(&[&run[..], &dump, rest].concat())
}

const COLUMNS: &str = "problem,solver,tolerance,claimed,residual_scaled,residual_rel,residual_unit,iterations,factorizations,wall_ms,rows,contacts";

#[test]
fn a_folder_is_searched_and_every_row_is_in_the_csv() {
    let folder = problems();
    let (csv, svg) = (folder.file("out.csv"), folder.file("out.svg"));
    let args = ["solve", &folder.file(""), "--solver", "admm-ncp-sa,direct"];
    let files = ["--csv", &csv, "--profile", &svg];
    let output = linkwork(&[&args[..], &files].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");

    let text = std::fs::read_to_string(&csv).expect("the file is there");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(COLUMNS));
    let rows: Vec<Vec<&str>> = lines.map(|l| l.split(',').collect()).collect();
    let names = ["box_on_plane-step00025", "box_on_plane-step00050"];
    let names = names.map(str::to_owned).into_iter();
    let names: Vec<String> = names
        .clone()
        .chain(names.map(|n| format!("sub/{n}")))
        .collect();
    let expected: Vec<_> = names
        .iter()
        .flat_map(|n| [(n.as_str(), "admm-ncp-sa"), (n.as_str(), "direct")])
        .collect();
    assert_eq!(
        rows.iter().map(|r| (r[0], r[1])).collect::<Vec<_>>(),
        expected
    );
    for row in &rows {
        assert_eq!(row.len(), 12, "{row:?}");
        assert_eq!((row[2], row[10], row[11]), ("1e-6", "12", "4"));
        if row[1] == "direct" {
            assert_eq!(row[3], "unsupported");
            assert!(row[4..10].iter().all(|cell| cell.is_empty()), "{row:?}");
        } else {
            assert_eq!(row[3], "converged");
            let numbers: Vec<f64> = row[4..10].iter().map(|x| x.parse().unwrap()).collect();
            assert!(numbers[0] <= 1e-6 && numbers[1] <= 1e-6, "{row:?}");
            assert!(numbers[3] >= 1.0 && numbers[5] > 0.0, "{row:?}");
        }
    }
    let picture = std::fs::read_to_string(&svg).expect("the file is there");
    for text in ["<svg", "admm-ncp-sa", "direct", "τ", "</svg>"] {
        assert!(picture.contains(text), "{text}");
    }
    let table = stdout(&output);
    assert!(
        table.contains("4 of 4") && table.contains("0 of 4"),
        "{table}"
    );
    assert!(!table.contains('\x1b'));
}

/// The FCLIB file holds the same problem as the JSON file: the same answer has the same residual.
#[test]
fn both_formats_of_a_step_are_the_same_problem() {
    let folder = problems();
    let output = linkwork(&["solve", &folder.file(""), "--tolerance", "1e-9", "--json"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = json(&output);
    let results = report["results"].as_array().expect("results");
    assert_eq!(results.len(), 4);
    for result in results {
        assert_eq!(result["solved"], true, "{result}");
        assert_eq!(result["solver"], "condensed");
        assert!(result["residual_rel"].as_f64().expect("a number") <= 1e-9);
    }
    assert_eq!(report["solvers"][0]["solved"], 4);
    assert_eq!(report["bad_files"], Value::Array(vec![]));
}

#[test]
fn a_bad_file_is_named_and_the_others_are_solved() {
    let folder = problems();
    std::fs::write(folder.path().join("broken.hdf5"), "not HDF5").expect("written");
    std::fs::write(folder.path().join("broken.json"), "{}").expect("written");
    let output = linkwork(&["solve", &folder.file(""), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    for text in [
        "broken.hdf5",
        "broken.json",
        "2 of 6 files could not be read",
    ] {
        assert!(message.contains(text), "{text}: {message}");
    }
    let report = json(&output);
    assert_eq!(report["results"].as_array().map(Vec::len), Some(4));
    assert_eq!(report["bad_files"].as_array().map(Vec::len), Some(2));
    // Without a problem there are no tables.
    let output = linkwork(&["solve", &folder.file("broken.json")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_eq!(stderr(&output).matches("line 1").count(), 0, "{output:?}");
}

#[test]
fn the_clock_ends_a_solve() {
    let folder = problems();
    let file = folder.file("box_on_plane-step00025.json");
    let output = linkwork(&[
        "solve", &file, "--solver", "all", "--limit", "1e-9", "--json",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let report = json(&output);
    let results = report["results"].as_array().expect("results");
    let admm = results
        .iter()
        .find(|r| r["solver"] == "admm-ncp-sa")
        .expect("it is there");
    assert_eq!(admm["claimed"], "time limit");
    assert_eq!(admm["problem"], "box_on_plane-step00025");
    assert_eq!(
        report["solvers"].as_array().map(Vec::len),
        Some(results.len())
    );
}

#[test]
fn an_iteration_limit_and_an_absolute_tolerance_reach_the_solver() {
    let folder = problems();
    let file = folder.file("box_on_plane-step00050.json");
    let args = [
        "solve",
        &file,
        "--solver",
        "admm-ncp-sa",
        "--absolute",
        "--json",
    ];
    let output = linkwork(
        &[
            &args[..],
            &["--max-iterations", "1", "--tolerance", "1e-12"],
        ]
        .concat(),
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(report["absolute"], true);
    assert_eq!(report["results"][0]["claimed"], "iteration limit");
    assert_eq!(report["results"][0]["solved"], false);
    assert_eq!(report["results"][0]["iterations"], 1);
}

#[test]
fn bad_questions_exit_with_2_and_say_why() {
    let folder = Folder::new();
    let (empty, missing) = (folder.file(""), folder.file("missing"));
    let cases = [
        (vec!["solve"], "FILE|FOLDER"),
        (vec!["solve", &empty], "--dump"),
        (vec!["solve", &missing], "missing"),
        (vec!["solve", &empty, "--solver", "oracle"], "admm-ncp-sa"),
        (vec!["solve", &empty, "--tolerance", "0"], "positive"),
        (vec!["solve", &empty, "--limit", "-1"], "positive"),
        (vec!["run", "ball", "--dump-every", "2"], "--dump"),
        (vec!["run", "ball", "--dump", "/dev/null/x"], "/dev/null/x"),
    ];
    for (args, reason) in cases {
        let output = linkwork(&args);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains(reason), "{args:?}: {message}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn what_fclib_cannot_hold_is_not_dumped_silently() {
    let folder = Folder::new();
    let run = [
        "run",
        "pendulum",
        "--time",
        "0.01",
        "--dump",
        &folder.file(""),
    ];
    let output = linkwork(&[&run[..], &["--dump-format", "fclib"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("without contacts"), "{message}");
    assert!(message.contains("--dump-format json"), "{message}");
    assert!(files(folder.path()).is_empty());
    let output = linkwork(&run);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(files(folder.path()).len(), 10);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|e| e.expect("an entry").path()).collect()
}

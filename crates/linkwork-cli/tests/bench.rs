//! `linkwork bench` as its users meet it.

mod support;

use linkwork_bench::speed::Speed;
use linkwork_bench::{Score, Simulation, read_lines};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, linkwork, stderr, stdout};

/// Run `linkwork bench …` in a folder; its standard output.
fn bench(folder: &Folder, args: &[&str]) -> String {
    let out = folder.file("");
    let output = linkwork(&[&["bench"], args, &["--out", &out]].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn scores(folder: &Folder) -> Vec<Score> {
    read_lines(Path::new(&folder.file("scores.jsonl"))).expect("whole lines")
}

#[test]
fn samples_are_taken_scored_and_simulated() {
    let folder = Folder::new();
    let systems = ["--systems", "nunchuk,fourbar_free"];
    let text = bench(&folder, &[&["sample", "--quick"], &systems[..]].concat());
    assert!(
        text.contains("redundant joints") && text.contains("nunchuk"),
        "{text}"
    );

    let solvers = ["--solvers", "hybrid,direct,pgs-ncp"];
    let score = [&["score"], &solvers[..], &systems].concat();
    let text = bench(&folder, &score);
    assert!(text.contains("hybrid") && text.contains("done"), "{text}");
    let all = scores(&folder);
    assert!(
        all.iter()
            .filter(|s| s.solver == "hybrid")
            .all(|s| s.solved)
    );
    assert!(all.iter().any(|s| s.claimed == "unsupported"));
    assert!(all.iter().any(|s| !s.history.is_empty()));
    assert!(bench(&folder, &score).contains("0 done"));
    // A class and a start alone, to another tolerance.
    let some = [
        "score",
        "--classes",
        "redundant-joints",
        "--warm",
        "--tolerance",
        "1e-8",
    ];
    bench(&folder, &[&some[..], &solvers].concat());
    let new: Vec<Score> = scores(&folder).split_off(all.len());
    assert!(!new.is_empty() && new.iter().all(|s| s.class == new[0].class));

    let simulate = ["simulate", "--time", "0.05", "--limit", "20"];
    let text = bench(&folder, &[&simulate[..], &solvers, &systems].concat());
    assert!(text.contains("6 done"), "{text}");
    let runs: Vec<Simulation> =
        read_lines(Path::new(&folder.file("simulations.jsonl"))).expect("whole lines");
    assert!(runs.iter().all(|r| r.steps == 50 && r.ended.is_empty()));
}

/// Killed at any moment, the session is taken up again and every job is done once.
#[test]
fn a_killed_session_is_gone_on_with() {
    let folder = Folder::new();
    bench(
        &folder,
        &["sample", "--quick", "--systems", "fourbar_free,nunchuk"],
    );
    let out = folder.file("");
    // Out of reach of a sweep: every solve takes its limit, and there is time to kill.
    let args = ["bench", "score", "--solvers", "pgs-ncp,nbgs"];
    let rest = ["--tolerance", "1e-16", "--limit", "0.02", "--out", &out];
    let mut done = 0;
    for _ in 0..3 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_linkwork"))
            .args(args)
            .args(rest)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let start = Instant::now();
        while scores(&folder).len() < done + 3 && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        // This is SIGKILL.
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        done = scores(&folder).len();
    }
    let output = linkwork(&[&args[..], &rest].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains(&format!("{done} were there already")));
    let all = scores(&folder);
    let keys: BTreeSet<_> = all
        .iter()
        .map(|s| (&s.problem, &s.solver, s.start))
        .collect();
    assert_eq!(keys.len(), all.len());
    assert_eq!(all.len() % 4, 0, "two solvers, cold and warm");
}

#[test]
fn scenes_models_and_sizes_are_timed_and_reported() {
    let folder = Folder::new();
    let model = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/fourbar_slider.linkwork.toml"
    );
    let short = ["speed", "--time", "0.02", "--repeats", "1"];
    let what = [
        "--scenes",
        "stack",
        "--sizes",
        "pendulum=2,4,8",
        "--model",
        model,
    ];
    let text = bench(&folder, &[&short[..], &what].concat());
    for word in [
        "steps a CPU s",
        "stack n=10",
        "pendulum n=4",
        "fourbar_slider",
        "p = ",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let kept: Vec<Speed> = read_lines(Path::new(&folder.file("speed.jsonl"))).expect("whole lines");
    assert_eq!(kept.len(), 5);
    bench(&folder, &["report"]);
    let page = std::fs::read_to_string(folder.file("report.html")).expect("a page");
    assert!(page.contains("pendulum n=8"));
}

#[test]
fn instructions_are_counted_where_there_is_valgrind() {
    let folder = Folder::new();
    let out = folder.file("");
    let args = [
        "bench",
        "speed",
        "--scenes",
        "ball",
        "--time",
        "0.02",
        "--instructions",
        "4",
        "--out",
        &out,
    ];
    let without = Command::new(env!("CARGO_BIN_EXE_linkwork"))
        .args(args)
        .env("PATH", "")
        .output();
    let without = without.expect("it runs");
    assert_eq!(without.status.code(), Some(2));
    assert!(
        stderr(&without).contains("valgrind not found"),
        "{}",
        stderr(&without)
    );
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: ./test does not install valgrind");
        return;
    }
    bench(&folder, &args[1..args.len() - 2]);
    let kept: Vec<Speed> = read_lines(Path::new(&folder.file("speed.jsonl"))).expect("whole lines");
    // A ball in the air: at least its six coordinates, and no millions.
    let counted = kept[0].instructions().expect("counted");
    assert!((1e2..1e6).contains(&counted), "{counted}");
}

#[test]
fn wrong_names_and_numbers_are_refused_with_what_there_is() {
    let folder = Folder::new();
    let out = folder.file("");
    let refused = |args: &[&str], word: &str| {
        let output = linkwork(&[&["bench"], args, &["--out", &out]].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let text = stderr(&output);
        assert!(text.contains(word), "{args:?}: {text}");
    };
    refused(&["sample", "--systems", "nunchaku"], "nunchuk");
    refused(&["score", "--solvers", "fast"], "hybrid");
    refused(&["score", "--classes", "hard"], "dense-joints");
    refused(&["score", "--limit", "0"], "positive");
    refused(&["score", "--tolerance", "nan"], "finite");
    refused(&["score", "--warm", "--cold"], "cannot be used with");
    refused(&["score"], "linkwork bench sample");
    refused(&["score", "--fclib", "/nowhere"], "/nowhere");
    refused(&["simulate", "--time", "-1"], "positive");
    refused(&["speed", "--scenes", "heep"], "heap");
    refused(&["speed", "--sizes", "heap"], "SCENE=N");
    refused(&["speed", "--sizes", "ball=1,2"], "height");
    refused(&["speed", "--model", "/nowhere.xml"], "/nowhere.xml");
    refused(&["paper"], "<NAME>");
    refused(&["paper", "no-such-paper"], "no-such-paper");
    refused(&["--quick", "--full"], "cannot be used with");
    let output = linkwork(&["bench", "sample", "--out", "/dev/null/folder"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("/dev/null/folder"));
}

#[test]
fn experiments_are_listed() {
    let output = linkwork(&["bench", "paper", "--list"]);
    assert!(output.status.success(), "{}", stderr(&output));
}

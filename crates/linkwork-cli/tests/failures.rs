//! Failed steps, interrupted runs and full disks: the remaining files are complete and the loss is reported.

mod support;

use linkwork_record::{Recording, load_checkpoint};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::{Folder, linkwork, stderr, stdout};

/// A run whose solver cannot converge within its limits.
const HASTY: [&str; 8] = [
    "run",
    "fourbar_free",
    "--time",
    "0.5",
    "--solver",
    "pgs-ncp",
    "--max-iterations",
    "1",
];

#[test]
fn the_first_failed_step_is_kept_and_replays_to_the_bit() {
    let folder = Folder::new();
    let file = folder.file("failed.lwrec");
    let run = linkwork(&[&HASTY[..], &["--replay", &file, "--json"]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    let report: Value = serde_json::from_str(&stdout(&run)).unwrap();
    assert_eq!(report["replay"][0], file.as_str());
    assert!(report["solves_failed"].as_u64() > Some(0));
    let substepped = report["status"]["substepped"].as_u64().unwrap();
    assert!(report["status"]["parts"].as_u64() >= Some(2 * substepped));
    let again = linkwork(&["replay", &file]);
    assert!(again.status.success(), "{}", stderr(&again));
    let told = stdout(&again);
    let step = format!("step {}", report["replay"][1]);
    assert!(
        told.contains(&step) && told.contains("to the bit"),
        "{told}"
    );
}

#[test]
fn a_refused_step_replays_as_refused() {
    let folder = Folder::new();
    let file = folder.file("failed.lwrec");
    let run = linkwork(&[&HASTY[..], &["--policy", "error", "--replay", &file]].concat());
    assert_eq!(run.status.code(), Some(1));
    let again = linkwork(&["replay", &file]);
    assert!(again.status.success(), "{}", stderr(&again));
    assert!(stdout(&again).contains("refused"), "{}", stdout(&again));
}

#[test]
fn a_run_without_failures_leaves_no_replay_file_and_a_recording_is_none() {
    let folder = Folder::new();
    let (file, recording) = (folder.file("failed.lwrec"), folder.file("run.lwrec"));
    let args = ["run", "fourbar_fixed", "--time", "0.1", "--replay", &file];
    let run = linkwork(&[&args[..], &["--record", &recording]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(!Path::new(&file).exists());
    let refused = linkwork(&["replay", &recording]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("linkwork resume"));
}

/// Wait until `file` has so many bytes.
fn wait_for(file: &str, bytes: u64) {
    let start = Instant::now();
    while std::fs::metadata(file).map_or(0, |m| m.len()) < bytes {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing written");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_everything_written() {
    let folder = Folder::new();
    let [record, checkpoint, csv] = ["r.lwrec", "c.lwchk", "t.csv"].map(|n| folder.file(n));
    let child = Command::new(env!("CARGO_BIN_EXE_linkwork"))
        .args(["run", "nunchuk", "--time", "10000", "--json"])
        .args(["--record", &record, "--checkpoint", &checkpoint])
        .args(["--out", &csv])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    wait_for(&csv, 20_000);
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("a summary");
    assert_eq!(report["interrupted"], true);
    let steps = report["steps"].as_u64().unwrap();
    let recording = Recording::open(&record).unwrap();
    assert!(recording.complete());
    assert_eq!(recording.len() as u64, steps + 1);
    let (_, saved) = load_checkpoint(Path::new(&checkpoint), None).unwrap();
    assert_eq!(saved.step, steps);
    let text = std::fs::read_to_string(&csv).unwrap();
    assert!(text.ends_with('\n'));
    let lines: Vec<usize> = text.lines().map(|l| l.split(',').count()).collect();
    assert_eq!(lines.len() as u64, steps + 2);
    assert!(lines.iter().all(|n| *n == lines[0]));
}

/// A limit on the size of files simulates a full disk: writing beyond it fails.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing_that_was_written() {
    let folder = Folder::new();
    let record = folder.file("r.lwrec");
    // Blocks of 512 or 1024 bytes.
    let script = "trap '' XFSZ; ulimit -f 300; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_linkwork")])
        .args(["run", "nunchuk", "--time", "20"])
        .args(["--record", &record, "--record-chunk", "16"])
        .output()
        .expect("the command starts");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("r.lwrec"), "{}", stderr(&output));
    assert!(stdout(&output).contains("state hash"), "a summary");
    let recording = Recording::open(&record).unwrap();
    assert!(recording.len() > 20, "{} steps", recording.len());
    assert!(recording.lost_bytes() < 64 * 1024);
    for i in 0..recording.len() {
        assert_eq!(recording.step(i).unwrap().step, i as u64);
    }
}

/// Trajectory, recording and checkpoint on a disk of 1 MB, in a separate mount namespace, where systems allow it;
/// otherwise the test above replaces it.
#[cfg(target_os = "linux")]
#[test]
fn a_small_disk_that_fills_up_keeps_what_was_written() {
    let folder = Folder::new();
    let (disk, left) = (folder.file("disk"), folder.file("left"));
    for path in [&disk, &left] {
        std::fs::create_dir(path).unwrap();
    }
    // The first run leaves a checkpoint, the second finds no room for its own.
    let script = r#"mount -t tmpfs -o size=1m tmpfs "$1" || exit 99
        cd "$1"; left=$2; shift 2
        "$0" "$@" --time 0.1 --checkpoint c.lwchk >/dev/null || exit 98
        "$0" "$@" --time 1000 --checkpoint c.lwchk --record r.lwrec --record-chunk 16 --out t.csv
        code=$?; cp c.lwchk r.lwrec t.csv "$left"; exit $code"#;
    let output = Command::new("unshare")
        .args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_linkwork")])
        .args([&disk, &left])
        .args(["run", "nunchuk"])
        .output();
    let output = match output {
        Ok(output) if output.status.code() != Some(99) && !stderr(&output).contains("unshare") => {
            output
        }
        _ => return println!("skipped: no mount namespaces here"),
    };
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("No space left"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("state hash"), "a summary");
    let file = |name: &str| Path::new(&left).join(name);
    let recording = Recording::open(file("r.lwrec")).unwrap();
    assert!(recording.len() > 20, "{} steps", recording.len());
    assert!(recording.lost_bytes() < 64 * 1024);
    for i in 0..recording.len() {
        assert_eq!(recording.step(i).unwrap().step, i as u64);
    }
    // All lines of the trajectory but perhaps the last are whole.
    let text = std::fs::read_to_string(file("t.csv")).unwrap();
    let columns = |line: &str| line.split(',').count();
    let whole = text.rsplit_once('\n').unwrap().0;
    assert!(whole.lines().count() > 20);
    assert!(
        whole
            .lines()
            .all(|l| columns(l) == columns(whole.lines().next().unwrap()))
    );
    // The checkpoint is the old one or the new one, and whole.
    let (_, saved) = load_checkpoint(&file("c.lwchk"), None).unwrap();
    assert!(saved.step >= 100, "step {}", saved.step);
}

#[cfg(target_os = "linux")]
#[test]
fn a_trajectory_that_cannot_be_written_does_not_cost_the_recording() {
    let folder = Folder::new();
    let record = folder.file("r.lwrec");
    let args = ["run", "nunchuk", "--time", "2", "--out", "/dev/full"];
    let output = linkwork(&[&args[..], &["--record", &record]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("/dev/full"), "{}", stderr(&output));
    assert!(Recording::open(&record).unwrap().complete());
}

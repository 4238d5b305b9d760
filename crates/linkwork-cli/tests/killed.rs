//! Runs that are killed while they record leave files that open.

mod support;

use linkwork_record::Recording;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::Folder;

/// Numbers that look random and are the same every time (splitmix64).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[test]
fn two_hundred_killed_runs_leave_files_that_open() {
    const CHUNK_KIB: u64 = 16;
    // A chunk, the step it was filled up by, and its indices.
    let at_most = 1024 * CHUNK_KIB + 8192;
    let folder = Folder::new();
    let (mut files, mut running, mut closed, mut cut, mut steps) = (0, 0, 0, 0, 0);
    let (mut seed, start) = (7, Instant::now());
    for kill in 0..200 {
        let file = folder.file(&format!("{kill}.lwrec"));
        // Long runs are killed while they run, short ones also while they close the file.
        let (time, most) = if kill % 2 == 0 {
            ("1000", 120)
        } else {
            ("0.1", 60)
        };
        let chunk = CHUNK_KIB.to_string();
        let compress = ["none", "lz4", "zstd"][kill % 3];
        let mut child = Command::new(env!("CARGO_BIN_EXE_linkwork"))
            .args(["run", "nunchuk", "--time", time, "--record", &file])
            .args(["--record-chunk", &chunk, "--compress", compress])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        std::thread::sleep(Duration::from_micros(random(&mut seed) % (1000 * most)));
        // This is SIGKILL.
        child.kill().expect("it can be killed");
        let ended = child.wait().expect("it ends");
        if !std::path::Path::new(&file).exists() {
            continue;
        }
        files += 1;
        let recording = Recording::open(&file).unwrap_or_else(|e| panic!("kill {kill}: {e}"));
        let numbers = (0..recording.len()).map(|i| recording.step_number(i).unwrap());
        assert!(
            numbers.eq(0..recording.len() as u64),
            "kill {kill}: a prefix"
        );
        assert!(
            recording.lost_bytes() <= at_most,
            "kill {kill}: {:?}",
            recording.losses()
        );
        assert!(
            (0..recording.len()).all(|i| recording.step(i).is_ok()),
            "kill {kill}"
        );
        assert!(recording.complete() || !ended.success());
        running += u32::from(!recording.complete() && !recording.is_empty());
        closed += u32::from(recording.complete());
        cut += u32::from(recording.lost_bytes() > 0);
        steps += recording.len();
    }
    println!(
        "200 kills in {:.1} s: {files} files, {running} killed while recording ({cut} cut within a record), \
         {closed} closed before; {steps} steps read",
        start.elapsed().as_secs_f64()
    );
    assert!(
        files > 100 && running > 50,
        "the kills hit runs: {files}, {running}"
    );
}

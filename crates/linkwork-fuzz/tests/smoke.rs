//! Every reader on its seeds, on damaged copies of them and on past findings.

use linkwork_fuzz::broken::BROKEN;
use linkwork_fuzz::worker::Range;
use linkwork_fuzz::{Campaign, TARGETS, Target, supervise};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_linkwork-fuzz");

fn campaign(target: &Target, runs: u64, patience: f64) -> Campaign {
    let name = format!(
        "linkwork-smoke-{}-{}-{runs}",
        std::process::id(),
        target.name
    );
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let range = Range {
        first: 0,
        runs,
        seed: 7,
        patience: Duration::from_secs_f64(patience),
    };
    let campaign = supervise(Path::new(PROGRAM), target, &range, &folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    campaign
}

#[test]
fn seeds_are_read() {
    for target in TARGETS {
        let Campaign { progress, findings } = campaign(target, 0, 60.0);
        assert!(findings.is_empty(), "{}: {}", target.name, findings[0].said);
        assert!(
            progress.run > 0 && progress.read == progress.run,
            "{}: {progress:?}",
            target.name
        );
    }
}

#[test]
fn no_reader_panics_hangs_or_takes_too_much_memory_on_damaged_input() {
    for target in TARGETS {
        let Campaign { progress, findings } = campaign(target, 1000, 60.0);
        let said: Vec<_> = findings.iter().map(|f| &f.said).collect();
        assert!(said.is_empty(), "{}: {said:?}", target.name);
        assert!(progress.run > 1000, "{}: {progress:?}", target.name);
    }
}

/// The campaign detects each kind of finding, stores the input, and continues with the next.
#[test]
fn a_reader_that_goes_wrong_is_seen_and_the_campaign_goes_on() {
    let seen = [
        ("panic", "as it should"),
        ("slow", "takes 1."),
        ("hang", "does not end in 2 s"),
        ("memory", "signal 6"),
        ("stack", "signal 6"),
    ];
    for (target, (name, said)) in BROKEN.iter().zip(seen) {
        assert_eq!(target.name, name);
        let Campaign { progress, findings } = campaign(target, 0, 2.0);
        assert_eq!(findings.len(), 1, "{name}");
        assert_eq!(
            (findings[0].run, &findings[0].input[..]),
            (1, &b"bad"[..]),
            "{name}"
        );
        assert!(
            findings[0].said.contains(said),
            "{name}: {}",
            findings[0].said
        );
        assert_eq!(progress.run, 3, "{name}");
    }
}

/// Files in `corpus/TARGET` are inputs that caused a panic or hang in the past.
#[test]
fn what_was_found_in_the_past_is_read_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut files = 0;
    for target in TARGETS {
        let Ok(inputs) = std::fs::read_dir(corpus.join(target.name)) else {
            continue;
        };
        for input in inputs {
            let input = input.unwrap().path();
            files += 1;
            let mut reader = Command::new(PROGRAM)
                .args([target.name, "--file"])
                .arg(&input)
                .spawn()
                .unwrap();
            let deadline = Instant::now() + Duration::from_secs(60);
            let ended = loop {
                match reader.try_wait().unwrap() {
                    Some(ended) => break Some(ended),
                    None if Instant::now() < deadline => {
                        std::thread::sleep(Duration::from_millis(10))
                    }
                    None => break None,
                }
            };
            if ended.is_none() {
                reader.kill().unwrap();
            }
            assert!(
                ended.is_some_and(|e| e.success()),
                "{}: {ended:?}",
                input.display()
            );
        }
    }
    assert!(files >= 3, "the corpus is not there");
}

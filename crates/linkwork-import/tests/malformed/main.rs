//! A corpus of bad files: each is refused with its error, which names file, line and remedy, within a second and 256
//! MB, and without reading anything outside the asset root.
//!
//! Every case is loaded in its own process, so that peak memory is that of the case, and a stack overflow or a hang is
//! detected.

mod case;
mod child;
mod damage;
mod disc;
mod escape;
mod huge;
mod meshes;
mod mjcf;
mod own;
mod sdf;
mod urdf;
#[path = "../common/work.rs"]
#[allow(dead_code, reason = "every test program uses its part")]
mod work;
mod yaml;

use case::{Case, Scratch};
use child::{Answer, load_apart};

/// Content of the files outside the asset root.
const CANARY: &str = "canary-of-the-outside";
/// Longest time, s.
const MAX_SECONDS: f64 = 1.0;
/// Most memory of the process, MB.
const MAX_MEGABYTES: f64 = 256.0;

#[test]
fn every_bad_file_is_refused_as_it_should_be() {
    let all = [
        mjcf::cases(),
        urdf::cases(),
        yaml::cases(),
        sdf::cases(),
        own::cases(),
        meshes::cases(),
        escape::cases(),
        disc::cases(),
        huge::cases(),
    ]
    .concat();
    assert!(all.len() >= 120, "{} cases", all.len());
    let mut wrong = Vec::new();
    let (mut slowest, mut largest) = ((0.0, ""), (0.0, ""));
    for case in &all {
        let scratch = Scratch::with(case);
        match load_apart(&scratch.file(&case.load)) {
            Ok(answer) => {
                if answer.seconds > slowest.0 {
                    slowest = (answer.seconds, &case.name);
                }
                if answer.megabytes > largest.0 {
                    largest = (answer.megabytes, &case.name);
                }
                wrong.extend(judge(case, &answer).map(|w| format!("{}: {w}", case.name)));
            }
            Err(died) => wrong.push(format!("{}: {died}", case.name)),
        }
    }
    println!("{} bad files", all.len());
    println!("slowest: {:.2} s, {}", slowest.0, slowest.1);
    println!("largest: {:.0} MB, {}", largest.0, largest.1);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is not as it should be.
fn judge(case: &Case, answer: &Answer) -> Option<String> {
    let text = &answer.message;
    let named = case.names.unwrap_or(&case.load);
    let missing = case.says.iter().find(|part| !text.contains(**part));
    let Answer {
        seconds, megabytes, ..
    } = answer;
    if answer.fault != format!("{:?}", case.fault) {
        Some(format!("{} for {:?}: {text}", answer.fault, case.fault))
    } else if !answer.file.ends_with(named) {
        Some(format!("names {} for {named}: {text}", answer.file))
    } else if answer.remedy.trim().is_empty() {
        Some(format!("no remedy: {text}"))
    } else if case.line.is_some_and(|l| l != answer.line) {
        Some(format!("line {} for {:?}: {text}", answer.line, case.line))
    } else if let Some(part) = missing {
        Some(format!("does not say '{part}': {text}"))
    } else if text.contains(CANARY) {
        Some(format!("tells of the outside: {text}"))
    } else if text.len() > 4000 {
        Some(format!("a message of {} bytes", text.len()))
    } else if *seconds > MAX_SECONDS || *megabytes > MAX_MEGABYTES {
        Some(format!("{seconds:.2} s, {megabytes:.0} MB: {text}"))
    } else {
        None
    }
}

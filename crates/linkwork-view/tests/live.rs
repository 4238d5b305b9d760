//! A live simulation, controlled by pages.

mod common;

use common::{Frame, LiveServer, Page};
use linkwork_view::live::LiveOptions;
use serde_json::json;
use std::time::{Duration, Instant};

fn coupler(page: &Page) -> usize {
    let bodies = page.hello["model"]["bodies"].as_array().unwrap();
    bodies.iter().position(|b| b["name"] == "coupler").unwrap()
}

/// All of a frame that belongs to the simulation: not the flags, not the time the computer took.
fn physics(page: &Page, mut frame: Frame) -> Frame {
    let names = page.hello["scalars"].as_array().unwrap();
    let at = names.iter().position(|s| s["name"] == "step_time").unwrap();
    frame.scalars[at] = 0.0;
    // Not equal to itself.
    frame
        .scalars
        .iter_mut()
        .filter(|x| x.is_nan())
        .for_each(|x| *x = -1.0);
    frame.flags = 0;
    frame
}

#[test]
fn hello_tells_what_is_shown() {
    let server = LiveServer::paused("fourbar_fixed", &[("drive", 1.0)]);
    let page = server.viewer();
    let hello = &page.hello;
    assert_eq!(hello["mode"], "live");
    assert_eq!(hello["title"], "fourbar_fixed");
    assert_eq!(hello["records"], 0);
    assert_eq!(hello["times"], json!(null));
    assert_eq!(hello["settings"]["dt"], 0.001);
    assert_eq!(
        hello["coordinates"][0],
        json!({"joint": 1, "name": "A.angle", "unit": "rad"})
    );
    assert_eq!(hello["model"]["joints"][1]["kind"]["type"], "revolute");
    assert_eq!(
        hello["model"]["bodies"][0]["pose"]["rotation"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
    assert!(
        hello["solvers"]
            .as_array()
            .unwrap()
            .contains(&json!("hybrid"))
    );
}

#[test]
fn a_paused_run_takes_exactly_the_steps_asked_for() {
    let server = LiveServer::paused("fourbar_fixed", &[]);
    let mut page = server.viewer();
    let first = page.frame(|_| true);
    assert_eq!((first.index, first.flags & 1), (0, 1));
    assert_eq!(page.text("status")["paused"], true);
    let mut at = 0;
    for count in [1, 1, 7, 500] {
        let frame = page.step(at, count);
        at += count;
        assert!((frame.scalar(&page.hello, "time") - 1e-3 * f64::from(at)).abs() < 1e-9);
    }
    // Without commands nothing changes.
    std::thread::sleep(Duration::from_millis(200));
    page.send(json!({"type": "pause", "value": true}));
    assert_eq!(page.frame(|_| true).index, at);
}

/// Later viewers get the past frames; a reset discards them.
#[test]
fn a_second_page_gets_what_the_first_has_seen() {
    let server = LiveServer::paused("fourbar_fixed", &[]);
    let mut first = server.viewer();
    for step in 0..5 {
        first.step(step, 1);
    }
    let past = server.viewer().past();
    assert!(past.is_sorted() && past.last() == Some(&5), "{past:?}");
    assert!(past.len() >= 5, "{past:?}");
    first.send(json!({"type": "reset"}));
    first.frame(|f| f.index == 0);
    let past = server.viewer().past();
    assert!(past.iter().all(|&index| index == 0), "{past:?}");
}

#[test]
fn reset_goes_back_to_the_start_and_on_with_the_same_bits() {
    let server = LiveServer::paused("fourbar_fixed", &[("drive", 1.0)]);
    let mut page = server.viewer();
    let start = page.frame(|_| true);
    let there = page.step(0, 400);
    page.send(json!({"type": "reset"}));
    let again = page.frame(|f| f.index == 0);
    assert_eq!(again.flags & 2, 2, "the jump is told");
    assert_eq!(physics(&page, again), physics(&page, start));
    let back = page.step(0, 400);
    assert_eq!(back.flags & 2, 0);
    assert_eq!(physics(&page, back), physics(&page, there));
}

#[test]
fn a_target_overrides_the_script_until_reset() {
    let server = LiveServer::paused("fourbar_fixed", &[("drive", 1.0), ("speed", 6.0)]);
    let mut page = server.viewer();
    let scripted = page.step(0, 300);
    assert!(
        (scripted.rates[0] - 6.0).abs() < 0.3,
        "{}",
        scripted.rates[0]
    );
    assert_eq!(scripted.targets[0], 6.0);
    page.send(json!({"type": "target", "coordinate": 0, "value": -2.0}));
    let turned = page.step(300, 300);
    assert!((turned.rates[0] + 2.0).abs() < 0.3, "{}", turned.rates[0]);
    assert_eq!(turned.targets[0], -2.0);
    page.send(json!({"type": "reset"}));
    assert!((page.step(0, 300).rates[0] - 6.0).abs() < 0.3);
    for (coordinate, reason) in [(2, "no drive"), (99, "no coordinate 99")] {
        page.send(json!({"type": "target", "coordinate": coordinate, "value": 1.0}));
        let error = page.error();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn a_grabbed_coupler_moves_and_the_loop_stays_closed() {
    let server = LiveServer::paused("fourbar_fixed", &[]);
    let mut page = server.viewer();
    let body = coupler(&page);
    let start = page.frame(|_| true).position(body);
    let free = page.step(0, 100).position(body);
    page.send(json!({"type": "reset"}));
    let target = [start[0] - 0.3, start[1], start[2] + 0.3];
    page.send(json!({"type": "grab", "body": body, "local": [0.05, 0, 0], "target": target}));
    page.status(|s| s["grab"] == body);
    let mut worst = 0.0_f64;
    let mut pulled = start;
    for part in 0..100 {
        let frame = page.step(part, 1);
        if part == 0 {
            // From near its start the coupler is pulled to the left and up.
            assert!(
                frame.pull[0] < 0.0 && frame.pull[2] > 0.0,
                "{:?}",
                frame.pull
            );
        }
        worst = worst.max(frame.scalar(&page.hello, "closure_linear"));
        pulled = frame.position(body);
    }
    let apart = (0..3)
        .map(|i| (pulled[i] - free[i]).powi(2))
        .sum::<f64>()
        .sqrt();
    assert!(apart > 0.02, "pulled {pulled:?}, free {free:?}");
    assert!(worst > 0.0 && worst <= 1e-8, "{worst}");
    page.send(json!({"type": "release"}));
    page.status(|s| s["grab"].is_null());
    assert!(page.step(100, 1).pull.is_empty());
}

#[test]
fn a_page_that_closes_lets_go_of_its_body() {
    let server = LiveServer::paused("fourbar_fixed", &[]);
    let mut stays = server.viewer();
    let mut leaves = server.viewer();
    leaves.send(json!({"type": "grab", "body": 1, "local": [0, 0, 0], "target": [0, 0, 0]}));
    stays.status(|s| s["grab"] == 1);
    drop(leaves);
    stays.status(|s| s["grab"].is_null() && s["viewers"] == 1);
}

#[test]
fn solver_and_tolerance_can_be_switched_and_mistakes_do_no_harm() {
    let server = LiveServer::paused("nunchuk", &[]);
    let mut page = server.viewer();
    page.step(0, 10);
    page.send(json!({"type": "solver", "name": "newton"}));
    page.send(json!({"type": "tolerance", "value": 1e-7}));
    page.status(|s| s["solver"] == "newton" && s["tolerance"] == 1e-7);
    page.step(10, 10);
    let mistakes = [
        (json!({"type": "solver", "name": "magic"}), "magic"),
        (json!({"type": "tolerance", "value": -1.0}), "tolerance"),
        (
            json!({"type": "grab", "body": 99, "local": [0, 0, 0], "target": [0, 0, 0]}),
            "no body 99",
        ),
        (json!({"type": "frame", "index": 0}), "recordings"),
        (json!({"type": "dance"}), "dance"),
        (json!("hello"), "understand"),
    ];
    for (message, reason) in mistakes {
        page.send(message);
        let error = page.error();
        assert!(error.contains(reason), "{error}");
    }
    page.step(20, 10);
    // The choice outlives a reset.
    page.send(json!({"type": "reset"}));
    page.frame(|f| f.index == 0);
    assert_eq!(page.text("status")["solver"], "newton");
}

/// A solver that does not support contacts is refused at the step; the view pauses, reports it, and continues
/// afterwards.
#[test]
fn a_refused_step_pauses_and_is_told() {
    let server = LiveServer::paused("box_on_plane", &[]);
    let mut page = server.viewer();
    page.step(0, 5);
    page.send(json!({"type": "solver", "name": "direct"}));
    page.send(json!({"type": "pause", "value": false}));
    let error = page.error();
    assert!(error.contains("direct"), "{error}");
    page.status(|s| s["paused"] == true);
    page.send(json!({"type": "solver", "name": "hybrid"}));
    page.step(5, 5);
}

#[test]
fn a_run_starts_with_its_first_viewer_and_keeps_real_time() {
    let options = LiveOptions {
        title: "pendulum".to_owned(),
        speed: 2.0,
        paused: false,
        time: None,
    };
    let server = LiveServer::start("pendulum", &[], options, None);
    std::thread::sleep(Duration::from_millis(100));
    let mut page = server.viewer();
    let first = page.frame(|_| true);
    assert!(
        first.index < 50,
        "it had run for {} steps already",
        first.index
    );
    let start = Instant::now();
    let begin = page.frame(|f| f.index > 0).scalar(&page.hello, "time");
    let hello = page.hello.clone();
    let end = page.frame(|f| f.scalar(&hello, "time") > begin + 2.0);
    let factor = (end.scalar(&page.hello, "time") - begin) / start.elapsed().as_secs_f64();
    assert!((1.6..2.2).contains(&factor), "{factor} times real time");
    let status = page.text("status");
    let told = status["real_time_factor"].as_f64().unwrap();
    assert!((1.5..2.5).contains(&told), "{status}");
    page.send(json!({"type": "speed", "value": 0.0}));
    let begun = (
        Instant::now(),
        page.frame(|_| true).scalar(&page.hello, "time"),
    );
    let later = page.frame(|_| begun.0.elapsed() > Duration::from_secs(1));
    let fast = (later.scalar(&page.hello, "time") - begun.1) / begun.0.elapsed().as_secs_f64();
    assert!(fast > 3.0, "as fast as possible is {fast} times real time");
}

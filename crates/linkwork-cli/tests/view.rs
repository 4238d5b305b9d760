//! `linkwork view`, `run --view`, `export` and `shot` as their users meet them.

#[path = "../../../tests/missing.rs"]
mod missing;
mod support;

use linkwork_record::{Recording, load_checkpoint};
use missing::missing;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use support::{Folder, linkwork, stderr, stdout};

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linkwork"));
    command.args(args);
    command
}

/// Whether this build has its page; without it there is nothing to test here.
fn has_page() -> bool {
    let has = linkwork_view::page().is_ok();
    if !has {
        missing("there is no page in this build");
    }
    has
}

/// A server that is ended with the test.
struct Serving(Child);

impl Serving {
    /// Start it; with its address.
    fn start(args: &[&str]) -> (Self, String) {
        let mut child = command(args).stdout(Stdio::piped()).spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let mut lines = stdout.lines().map_while(Result::ok);
        let url = lines.find_map(|l| l.trim().strip_prefix("http://").map(str::to_owned));
        (Self(child), url.expect("an address is printed"))
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn get(address: &str) -> String {
    let (host, path) = address.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_scene_and_a_run_are_served_at_the_address_printed() {
    if !has_page() {
        return;
    }
    let cases: [&[&str]; 2] = [
        &["view", "fourbar_fixed", "--set", "drive=1"],
        &["run", "pendulum", "--view", "--time", "1", "--speed", "0"],
    ];
    for args in cases {
        let (_serving, url) = Serving::start(args);
        assert!(
            url.starts_with("127.0.0.1:") && url.contains("/?token="),
            "{url}"
        );
        let answer = get(&url);
        assert!(answer.starts_with("HTTP/1.1 200 OK"));
        assert!(answer.contains("<!doctype html>"));
    }
}

/// Open the WebSocket of the page at this address and send messages.
fn say(address: &str, messages: &[&str]) -> TcpStream {
    let (host, page) = address.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "GET /ws{page} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    .unwrap();
    for message in messages {
        let length = u8::try_from(message.len()).unwrap();
        assert!(length < 126);
        // A text frame with a mask of zeros.
        stream
            .write_all(&[0x81, 0x80 | length, 0, 0, 0, 0])
            .unwrap();
        stream.write_all(message.as_bytes()).unwrap();
    }
    stream
}

#[test]
fn a_live_view_keeps_the_first_failed_step_with_what_viewers_did_to_it() {
    if !has_page() {
        return;
    }
    let folder = Folder::new();
    let file = folder.file("failed.lwrec");
    let hasty = ["--solver", "pgs-ncp", "--max-iterations", "1"];
    for policy in ["accept", "error"] {
        let _ = std::fs::remove_file(&file);
        let run = [
            "run",
            "fourbar_free",
            "--view",
            "--paused",
            "--policy",
            policy,
        ];
        let (_serving, url) = Serving::start(&[&run[..], &hasty, &["--replay", &file]].concat());
        let grab = r#"{"type":"grab","body":1,"local":[0,0,0.1],"target":[1,2,3]}"#;
        let _socket = say(&url, &[grab, r#"{"type":"step","count":5}"#]);
        let start = std::time::Instant::now();
        while !Path::new(&file).exists() || !Recording::open(&file).is_ok_and(|r| r.complete()) {
            assert!(
                start.elapsed().as_secs() < 60,
                "no step was kept ({policy})"
            );
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let (_, saved) = load_checkpoint(Path::new(&file), None).unwrap();
        let pull = saved.checkpoint.control.wrenches[1].force;
        assert!(pull.norm() > 0.0, "the pull belongs to the step");
        let again = linkwork(&["replay", &file]);
        let told = stdout(&again);
        assert!(again.status.success(), "{}", stderr(&again));
        assert!(told.contains("to the bit"), "{told}");
        assert_eq!(told.contains("refused"), policy == "error", "{told}");
    }
}

#[test]
fn bad_questions_exit_with_2_and_say_why() {
    if !has_page() {
        return;
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let cases: &[(&[&str], &str)] = &[
        (&["view", "no_such_scene"], "box_on_plane"),
        (&["view", "/nowhere/run.lwrec"], "/nowhere/run.lwrec"),
        (&["view", "pendulum", "--port", &port], "--port"),
        (
            &["view", "pendulum", "--bind", "no.such.host.invalid"],
            "no.such.host.invalid",
        ),
        (&["view", "pendulum", "--speed", "-1"], "negative"),
        (
            &["run", "pendulum", "--view", "--json"],
            "cannot be used with",
        ),
        (
            &[
                "export",
                "pendulum",
                "--html",
                "/nowhere/a.html",
                "--time",
                "0.1",
            ],
            "/nowhere/a.html",
        ),
        (
            &["export", "pendulum", "--html", "a.html", "--fps", "0"],
            "positive",
        ),
        (
            &[
                "export", "pendulum", "--html", "a.html", "--from", "3", "--to", "2",
            ],
            "--from 3",
        ),
        (
            &[
                "export", "clutter", "--html", "a.html", "--time", "0.1", "--max-mb", "0.1",
            ],
            "--max-mb",
        ),
        (
            &["shot", "pendulum", "--at", "-1", "--out", "a.png"],
            "negative",
        ),
        (
            &[
                "shot", "pendulum", "--at", "1", "--out", "a.png", "--size", "12",
            ],
            "WIDTHxHEIGHT",
        ),
        (
            &[
                "shot", "pendulum", "--at", "1", "--out", "a.png", "--show", "magic",
            ],
            "contacts",
        ),
    ];
    for (args, reason) in cases {
        let output = linkwork(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(reason), "{args:?}: {said}");
    }
}

/// Look at a run until this step.
fn watch_until(url: &str, step: u32) {
    let (host, query) = url.split_once('/').unwrap();
    let stream = TcpStream::connect(host).unwrap();
    let timeout = Some(std::time::Duration::from_secs(30));
    stream.set_read_timeout(timeout).unwrap();
    let (mut socket, _) = tungstenite::client(format!("ws://{host}/ws{query}"), stream).unwrap();
    let shown = |frame: &[u8]| u32::from_le_bytes(frame[24..28].try_into().unwrap());
    loop {
        if let tungstenite::Message::Binary(frame) = socket.read().unwrap()
            && shown(&frame) == step
        {
            return;
        }
    }
}

#[test]
fn a_run_that_is_watched_is_recorded_replayed_and_exported() {
    if !has_page() {
        return;
    }
    let folder = Folder::new();
    let file = folder.file("swing.lwrec");
    {
        let run = [
            "run", "pendulum", "--view", "--time", "0.2", "--speed", "0", "--record", &file,
        ];
        let (_serving, url) = Serving::start(&run);
        watch_until(&url, 200);
    }
    // It was closed properly when the run reached its end, before the program was killed.
    let info = linkwork(&["record", "info", &file, "--json"]);
    assert!(info.status.success(), "{}", stderr(&info));
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!(
        (&info["records"], &info["complete"]),
        (&201.into(), &true.into()),
        "{info}"
    );

    let (_serving, url) = Serving::start(&["view", &file]);
    assert!(get(&url).starts_with("HTTP/1.1 200 OK"));
    let html = folder.file("swing.html");
    let output = linkwork(&[
        "export", &file, "--fps", "100", "--from", "0.1", "--html", &html,
    ]);
    assert!(stdout(&output).contains("11 frames"), "{}", stdout(&output));
    let shot = linkwork(&["shot", &file, "--at", "7", "--out", &folder.file("a.png")]);
    assert!(
        stderr(&shot).contains("from 0 s to 0.2"),
        "{}",
        stderr(&shot)
    );
}

#[test]
fn a_scene_is_exported_as_one_page() {
    if !has_page() {
        return;
    }
    let folder = Folder::new();
    let html = folder.file("swing.html");
    let output = linkwork(&[
        "export", "pendulum", "--time", "1", "--fps", "20", "--html", &html,
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("21 frames"), "{}", stdout(&output));
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains(r#"id="linkwork-data""#) && page.contains(r#""mode":"embedded""#));
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 1, "no temporary file is left");
}

#[test]
fn without_chromium_a_picture_is_refused_with_a_remedy() {
    if !has_page() {
        return;
    }
    let folder = Folder::new();
    let png = folder.file("a.png");
    let shot = ["shot", "pendulum", "--at", "0.1", "--out", &png];
    for (name, value) in [
        ("PATH", "/nowhere"),
        ("LINKWORK_CHROMIUM", "/nowhere/chromium"),
    ] {
        let output = command(&shot)
            .env_remove("LINKWORK_CHROMIUM")
            .env(name, value)
            .output()
            .unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(
            said.contains("apt install chromium") && said.contains("LINKWORK_CHROMIUM"),
            "{said}"
        );
    }
    // A program that is no browser is not waited for.
    let output = command(&shot)
        .env("LINKWORK_CHROMIUM", "/bin/false")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!Path::new(&png).exists());
}

#[test]
fn a_picture_leaves_nothing_behind_but_itself() {
    if !has_page() {
        return;
    }
    let folder = Folder::new();
    let png = folder.file("a.png");
    let temporary = folder.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let args = [
        "shot",
        "box_on_plane",
        "--at",
        "0.2",
        "--out",
        &png,
        "--size",
        "320x240",
    ];
    let output = command(&args).env("TMPDIR", &temporary).output().unwrap();
    let said = stderr(&output);
    if said.contains("apt install chromium") {
        missing("there is no Chromium");
        return;
    }
    assert!(output.status.success(), "{said}");
    let bytes = std::fs::read(&png).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    // Chromium keeps its own files under names of its own.
    let left = std::fs::read_dir(&temporary)
        .unwrap()
        .map(|e| e.unwrap().file_name());
    let left: Vec<_> = left
        .filter(|n| n.to_string_lossy().starts_with("linkwork"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

//! A viewer who does not read must not slow anything but himself.

mod common;

use common::{Frame, PAGE};
use linkwork_view::server::{Backend, Hub, Listen, Server, Viewer};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;
use tungstenite::{Message, WebSocket};

/// Says hello and no more.
struct Mute;

impl Backend for Mute {
    fn hello(&self, _: bool) -> String {
        r#"{"type":"hello"}"#.to_owned()
    }
    fn entered(&self, _: &Viewer) {}
    fn message(&self, _: &Viewer, _: &str) {}
    fn left(&self, _: &Viewer) {}
}

fn connect(server: &Server) -> WebSocket<TcpStream> {
    let stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(common::PATIENCE)).unwrap();
    let url = format!("ws://{}/ws", server.address());
    tungstenite::client(url, stream).unwrap().0
}

/// A frame of 200 kB with a number.
fn numbered(index: u32) -> Vec<u8> {
    let bodies = 200_000 / (19 * 4);
    let mut bytes: Vec<u8> = Vec::new();
    for word in [0x3146_574c, bodies, 0, 0, 0, 0, index, 0] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.resize(32 + 4 * 19 * bodies as usize, 0);
    bytes
}

#[test]
fn ten_thousand_frames_are_published_past_a_viewer_who_never_reads() {
    let hub = Arc::new(Hub::default());
    let server = Server::start(&Listen::default(), PAGE, hub.clone(), Mute).unwrap();
    let _sleeper = connect(&server);
    let mut awake = connect(&server);
    while hub.viewers() < 2 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let last = 9_999;
    let reader = std::thread::spawn(move || {
        let mut seen = Vec::new();
        while seen.last() != Some(&last) {
            if let Message::Binary(bytes) = awake.read().unwrap() {
                seen.push(Frame::decode(&bytes).index);
            }
        }
        seen
    });
    // Were a frame to wait for those that sleep, this would never end.
    for index in 0..=last {
        hub.show(numbered(index).into(), false);
    }
    let seen = reader.join().unwrap();
    println!("10 000 frames of 200 kB, {} seen", seen.len());
    assert!(
        seen.is_sorted_by(|a, b| a < b),
        "frames come in order and once"
    );
    assert!(hub.dropped() > 9_000, "{} dropped", hub.dropped());
}

//! A server with a viewer's eyes: a WebSocket client that reads frames by code of its own.

#![allow(dead_code, reason = "each test program uses its own part")]

use linkwork::Simulator;
use linkwork_scenes::scene;
use linkwork_view::live::{Live, LiveOptions, Witness};
use linkwork_view::server::{Hub, Listen, Server};
use serde_json::{Value, json};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

pub const PAGE: &str = "<!doctype html><title>a page</title>";
/// Long enough for a loaded machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A live simulation behind a server.
pub struct LiveServer {
    pub server: Option<Server>,
    pub hub: Arc<Hub>,
    thread: Option<JoinHandle<()>>,
}

impl LiveServer {
    /// A scene at rest at its start.
    pub fn paused(name: &str, set: &[(&str, f64)]) -> Self {
        let options = LiveOptions {
            title: name.to_owned(),
            speed: 1.0,
            paused: true,
            time: None,
        };
        Self::start(name, set, options, None)
    }

    pub fn start(
        name: &str,
        set: &[(&str, f64)],
        options: LiveOptions,
        witness: Option<Box<dyn Witness>>,
    ) -> Self {
        let scene = scene(name, set).unwrap();
        let simulator = Simulator::new(scene.model, scene.settings).unwrap();
        let hub = Arc::new(Hub::default());
        let (live, backend) = Live::new(simulator, scene.script, &options, hub.clone(), witness);
        let server = Server::start(&Listen::default(), PAGE, hub.clone(), backend).unwrap();
        Self {
            server: Some(server),
            hub,
            thread: Some(std::thread::spawn(move || live.run())),
        }
    }

    pub fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    pub fn viewer(&self) -> Page {
        Page::open(self.server(), true)
    }
}

impl Drop for LiveServer {
    /// The loop ends with its server.
    fn drop(&mut self) {
        drop(self.server.take());
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || std::thread::panicking());
    }
}

/// What a browser with the page would be.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
    pub hello: Value,
}

impl Page {
    /// Connect, with the token or without, and take the hello.
    pub fn open(server: &Server, control: bool) -> Self {
        let token = if control {
            server.token().to_string()
        } else {
            "0".repeat(32)
        };
        let stream = TcpStream::connect(server.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let url = format!("ws://{}/ws?token={token}", server.address());
        let (socket, _) = tungstenite::client(url, stream).unwrap();
        let mut page = Self {
            socket,
            hello: Value::Null,
        };
        page.hello = page.text("hello");
        page
    }

    pub fn send(&mut self, message: Value) {
        self.socket
            .send(Message::text(message.to_string()))
            .unwrap();
    }

    /// The next message of this type; frames and others are skipped.
    pub fn text(&mut self, kind: &str) -> Value {
        self.until(|message| match message {
            Message::Text(text) => {
                let value: Value = serde_json::from_str(text).unwrap();
                (value["type"] == kind).then_some(value)
            }
            _ => None,
        })
    }

    /// The next state that meets a condition.
    pub fn status(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let status = self.text("status");
            if wanted(&status) {
                return status;
            }
            assert!(Instant::now() < deadline, "the last state was {status}");
        }
    }

    /// The text of the next error.
    pub fn error(&mut self) -> String {
        self.text("error")["message"].as_str().unwrap().to_owned()
    }

    /// The next frame that meets a condition.
    pub fn frame(&mut self, wanted: impl Fn(&Frame) -> bool) -> Frame {
        self.until(|message| match message {
            // Messages from before this page connected are skipped.
            Message::Binary(bytes) if bytes[28] & PAST == 0 => {
                Some(Frame::decode(bytes)).filter(&wanted)
            }
            _ => None,
        })
    }

    /// Numbers of the frames in the next message with frames of the past.
    pub fn past(&mut self) -> Vec<u32> {
        self.until(|message| match message {
            Message::Binary(bytes) if bytes[28] & PAST != 0 => {
                let (mut rest, mut found) = (&bytes[..], Vec::new());
                while !rest.is_empty() {
                    let (frame, behind) = Frame::first(rest);
                    assert!(frame.flags & u32::from(PAST) != 0);
                    found.push(frame.index);
                    rest = behind;
                }
                Some(found)
            }
            _ => None,
        })
    }

    /// Takes some steps from the present state, and returns the frame of the last.
    pub fn step(&mut self, from: u32, count: u32) -> Frame {
        self.send(json!({"type": "step", "count": count}));
        self.frame(|f| f.index == from + count && f.flags & 1 == 1)
    }

    fn until<T>(&mut self, mut wanted: impl FnMut(&Message) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let message = self.socket.read().unwrap();
            if let Some(found) = wanted(&message) {
                return found;
            }
        }
        panic!("what was waited for did not come");
    }
}

/// Flag of frames that were made before a page came.
const PAST: u8 = 16;

/// A frame, read as in docs/protocol.md.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    pub index: u32,
    pub flags: u32,
    pub scalars: Vec<f64>,
    pub coordinates: Vec<f64>,
    pub rates: Vec<f64>,
    pub targets: Vec<f64>,
    pub efforts: Vec<f64>,
    pub joints: Vec<f32>,
    pub poses: Vec<f32>,
    pub twists: Vec<f32>,
    pub net: Vec<f32>,
    pub contacts: Vec<f32>,
    pub shapes: Vec<u32>,
    pub cords: Vec<f32>,
    /// Force of a pull, N; empty if nothing is pulled.
    pub pull: Vec<f32>,
}

impl Frame {
    pub fn decode(bytes: &[u8]) -> Self {
        let (frame, rest) = Self::first(bytes);
        assert!(rest.is_empty(), "{} bytes too many", rest.len());
        frame
    }

    /// The first of several frames, and the rest.
    pub fn first(bytes: &[u8]) -> (Self, &[u8]) {
        let mut rest = bytes;
        let header = take(&mut rest, 8, u32::from_le_bytes);
        assert_eq!(header[0].to_le_bytes(), *b"LWF1");
        let [b, q, j, c, s] = [1, 2, 3, 4, 5].map(|i| header[i] as usize);
        let mut frame = Self {
            index: header[6],
            flags: header[7],
            scalars: take(&mut rest, s, f64::from_le_bytes),
            coordinates: take(&mut rest, q, f64::from_le_bytes),
            rates: take(&mut rest, q, f64::from_le_bytes),
            targets: take(&mut rest, q, f64::from_le_bytes),
            efforts: take(&mut rest, 6 * q, f64::from_le_bytes),
            joints: take(&mut rest, 8 * j, f32::from_le_bytes),
            poses: take(&mut rest, 7 * b, f32::from_le_bytes),
            twists: take(&mut rest, 6 * b, f32::from_le_bytes),
            net: take(&mut rest, 6 * b, f32::from_le_bytes),
            contacts: take(&mut rest, 12 * c, f32::from_le_bytes),
            shapes: take(&mut rest, 2 * c, u32::from_le_bytes),
            cords: Vec::new(),
            pull: Vec::new(),
        };
        if frame.flags & 4 != 0 {
            let segments = take(&mut rest, 1, u32::from_le_bytes)[0] as usize;
            frame.cords = take(&mut rest, 6 * segments, f32::from_le_bytes);
        }
        if frame.flags & 32 != 0 {
            frame.pull = take(&mut rest, 3, f32::from_le_bytes);
        }
        (frame, rest)
    }

    /// Position of a body's centre of mass, m.
    pub fn position(&self, body: usize) -> [f64; 3] {
        [0, 1, 2].map(|i| f64::from(self.poses[7 * body + i]))
    }

    /// A scalar by its name in the hello.
    pub fn scalar(&self, hello: &Value, name: &str) -> f64 {
        let names = hello["scalars"].as_array().unwrap();
        let at = names.iter().position(|s| s["name"] == name);
        self.scalars[at.unwrap_or_else(|| panic!("no scalar {name}"))]
    }
}

fn take<const N: usize, T>(rest: &mut &[u8], count: usize, read: fn([u8; N]) -> T) -> Vec<T> {
    let (own, after) = rest.split_at(count * N);
    *rest = after;
    own.chunks_exact(N)
        .map(|c| read(c.try_into().unwrap()))
        .collect()
}

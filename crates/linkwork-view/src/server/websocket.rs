//! One viewer's WebSocket: this thread reads, another one writes. Neither the simulation nor other viewers wait for
//! them.

use super::http::{Answer, Request};
use super::outbox::{Next, Outbox};
use super::rate::Rate;
use super::{Backend, Viewer};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// Longest message from a page, bytes.
const MAX_MESSAGE: usize = 64 * 1024;
/// Messages per second that are read from a page, and burst size. A page requests 60 frames per second and moves a
/// pointer as often. Further messages stay in the socket, so that the sender waits.
const MESSAGES_A_SECOND: u32 = 500;
const MESSAGES_AT_ONCE: u32 = 1000;
/// Time after which a viewer that receives nothing is disconnected.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// Browsers answer pings by themselves, so a silent connection is dead.
const PING_EVERY: Duration = Duration::from_secs(15);
const SILENCE: Duration = Duration::from_secs(60);

/// The key of a well-formed request to become a WebSocket.
pub fn key(request: &Request) -> Option<&str> {
    let upgrade = request.lists("connection", "upgrade") && request.lists("upgrade", "websocket");
    let version = request.header("sec-websocket-version") == Some("13");
    let key = request.header("sec-websocket-key")?;
    let nonce = data_encoding::BASE64.decode(key.as_bytes()).ok()?;
    (upgrade && version && nonce.len() == 16).then_some(key)
}

/// Answer the request and serve the viewer until either side ends it. `rest` is what already came after
/// the request.
pub fn serve(
    mut stream: TcpStream,
    key: &str,
    rest: Vec<u8>,
    viewer: &Viewer,
    backend: &dyn Backend,
) {
    let accept = derive_accept_key(key.as_bytes());
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    let prepared = (|| {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIME))?;
        stream.set_read_timeout(Some(SILENCE))?;
        stream.write_all(answer.as_bytes())?;
        stream.try_clone()
    })();
    let Ok(outward) = prepared else {
        return;
    };
    let outbox = viewer.outbox.clone();
    let writer = std::thread::Builder::new()
        .name("viewer-out".to_owned())
        .spawn(move || write(outward, &outbox));
    if let Ok(writer) = writer {
        backend.entered(viewer);
        read(stream, rest, viewer, backend);
        viewer.outbox.close();
        // Ends at once, or when its write times out.
        let _ = writer.join();
        backend.left(viewer);
    }
}

/// Refuse a request that cannot become a WebSocket.
pub fn refuse(stream: &mut TcpStream) {
    Answer {
        headers: &[("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")],
        ..Answer::text("426 Upgrade Required", "This address is for WebSockets.\n")
    }
    .send(stream);
}

fn read(stream: TcpStream, rest: Vec<u8>, viewer: &Viewer, backend: &dyn Backend) {
    let config = WebSocketConfig::default()
        .read_buffer_size(8 * 1024)
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    let inward = Inward(stream);
    let mut socket = WebSocket::from_partially_read(inward, rest, Role::Server, Some(config));
    let mut rate = Rate::new(MESSAGES_A_SECOND, MESSAGES_AT_ONCE);
    loop {
        // Pings and pongs count, too.
        let message = socket.read();
        let wait = rate.count(Instant::now());
        if !wait.is_zero() {
            std::thread::sleep(wait);
        }
        match message {
            Ok(Message::Text(text)) => backend.message(viewer, &text),
            Ok(Message::Ping(payload)) => viewer.outbox.send(Message::Pong(payload)),
            // The writer answers a farewell with its own.
            Ok(Message::Close(_)) => return,
            Err(_) => {
                // Wakes a writer that waits for this viewer.
                let _ = socket.get_ref().0.shutdown(Shutdown::Both);
                return;
            }
            Ok(_) => {}
        }
    }
}

fn write(stream: TcpStream, outbox: &Outbox) {
    let config = WebSocketConfig::default()
        .read_buffer_size(0)
        .write_buffer_size(0);
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let mut pinged = Instant::now();
    loop {
        if pinged.elapsed() >= PING_EVERY {
            pinged = Instant::now();
            outbox.send(Message::Ping(Default::default()));
        }
        let sent = match outbox.next(PING_EVERY.saturating_sub(pinged.elapsed())) {
            Next::Send(message) => socket.send(message),
            Next::Nothing => Ok(()),
            Next::Close => {
                let _ = socket.send(Message::Close(None));
                break;
            }
        };
        if sent.is_err() {
            break;
        }
    }
    // Wakes the reader.
    let _ = socket.get_ref().shutdown(Shutdown::Both);
}

/// The reader's half of the stream. Answers to pings and closes, which the protocol would write here between the
/// writer's messages, are left to the writer.
struct Inward(TcpStream);

impl Read for Inward {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

impl Write for Inward {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

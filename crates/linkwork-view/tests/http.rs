//! The server as seen by browsers, and by other clients.

mod common;

use common::{LiveServer, PAGE, Page};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::ClientRequestBuilder;

fn send(server: &LiveServer, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(server.server().address()).unwrap();
    stream.set_read_timeout(Some(common::PATIENCE)).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

/// The complete answer of the server, including data written before it closed the connection.
fn receive(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    while let Ok(n @ 1..) = stream.read(&mut part) {
        answer.extend_from_slice(&part[..n]);
    }
    String::from_utf8(answer).unwrap()
}

fn ask(server: &LiveServer, request: &str) -> String {
    receive(send(server, request.as_bytes()))
}

fn get(server: &LiveServer, target: &str) -> String {
    ask(
        server,
        &format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    )
}

fn server() -> LiveServer {
    LiveServer::paused("fourbar_fixed", &[])
}

#[test]
fn the_page_comes_with_headers_that_protect_it() {
    let server = server();
    for target in ["/", "/index.html", "/?token=123&theme=dark"] {
        let answer = get(&server, target);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
        assert_eq!(body, PAGE);
        let headers = [
            &format!("Content-Length: {}", PAGE.len()),
            "Content-Type: text/html; charset=utf-8",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "frame-ancestors 'none'",
            "connect-src 'self' ws://localhost data:;",
        ];
        for header in headers {
            assert!(head.contains(header), "{header} in {head}");
        }
        assert!(!answer.contains(&server.server().token().to_string()));
    }
    assert!(get(&server, "/favicon.ico").starts_with("HTTP/1.1 200"));
}

#[test]
fn other_requests_are_refused() {
    let server = server();
    let host = "Host: localhost\r\n\r\n";
    let cases = [
        (format!("GET /etc/passwd HTTP/1.1\r\n{host}"), "404"),
        (format!("GET /../../etc/passwd HTTP/1.1\r\n{host}"), "404"),
        (format!("GET /ws HTTP/1.1\r\n{host}"), "426"),
        (format!("POST / HTTP/1.1\r\n{host}"), "405"),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), "400"),
        (format!("GET / HTTP/3\r\n{host}"), "400"),
        ("\0\u{1}\u{2}\r\n\r\n".to_owned(), "400"),
        ("nonsense\r\n\r\n".to_owned(), "400"),
        (
            "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_owned(),
            "403",
        ),
        (
            format!("GET /{} HTTP/1.1\r\n{host}", "a".repeat(20_000)),
            "431",
        ),
        ("x".repeat(20_000), "431"),
    ];
    for (request, status) in cases {
        let answer = ask(&server, &request);
        let start: String = request.chars().take(40).collect();
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{start:?}: {answer}"
        );
    }
    // And it still serves.
    assert!(get(&server, "/").contains(PAGE));
}

/// No address leads to a file: only the three known paths exist, in any spelling.
#[test]
fn no_path_leads_to_a_file() {
    let server = server();
    let secret = std::env::temp_dir().join(format!("linkwork-secret-{}", std::process::id()));
    std::fs::write(&secret, "secret").unwrap();
    let name = secret.to_str().unwrap();
    let up = "/..".repeat(12);
    let targets = [
        name.to_owned(),
        format!("{up}{name}"),
        format!("/{name}"),
        format!("/index.html{up}{name}"),
        format!("/%2e%2e{}", name.replace('/', "%2f")),
        format!("/..%5c..%5c{name}"),
        format!("/./{name}"),
        "/index.html/".to_owned(),
        "//index.html".to_owned(),
        "/Cargo.toml".to_owned(),
        "/%00".to_owned(),
    ];
    for target in targets {
        let answer = get(&server, &target);
        assert!(answer.starts_with("HTTP/1.1 404"), "{target}: {answer}");
        assert!(
            !answer.contains("secret\n") && !answer.contains(PAGE),
            "{target}"
        );
    }
    // Names in the query are not looked up either.
    let answer = get(&server, &format!("/?file={name}&token={up}"));
    assert!(answer.ends_with(PAGE), "{answer}");
    std::fs::remove_file(&secret).unwrap();
}

/// Clients that send their request slowly, or nothing at all, are disconnected; others are not affected.
#[test]
fn a_request_that_drips_is_cut_off_and_holds_nobody_up() {
    let server = server();
    let start = Instant::now();
    let _silent: Vec<TcpStream> = (0..10).map(|_| send(&server, b"")).collect();
    let mut dripping = send(&server, b"GET / HTTP/1.1\r\n");
    let mut reader = dripping.try_clone().unwrap();
    let dripper = std::thread::spawn(move || {
        while dripping.write_all(b"A: b\r\n").is_ok() {
            assert!(start.elapsed() < common::PATIENCE, "it was not cut off");
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    assert!(get(&server, "/").contains(PAGE));
    assert!(!dripper.is_finished(), "others waited for the drops to end");
    let mut answer = String::new();
    // The server may cut the connection while drops are still under way.
    let _ = reader.read_to_string(&mut answer);
    assert!(
        start.elapsed() > Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
    assert!(answer.is_empty() || answer.contains("408"), "{answer}");
    dripper.join().unwrap();
}

/// Try to open the WebSocket with a Host and an Origin; the status of a refusal.
fn upgrade(server: &LiveServer, host: &str, origin: Option<&str>) -> Result<(), u16> {
    let address = server.server().address();
    let stream = TcpStream::connect(address).unwrap();
    let mut builder = ClientRequestBuilder::new(format!("ws://{host}/ws").parse().unwrap());
    if let Some(origin) = origin {
        builder = builder.with_header("Origin", origin);
    }
    match tungstenite::client(builder, stream) {
        Ok(_) => Ok(()),
        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
            Err(response.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn pages_from_elsewhere_cannot_connect() {
    let server = server();
    let address = server.server().address().to_string();
    assert_eq!(upgrade(&server, &address, None), Ok(()));
    assert_eq!(
        upgrade(&server, &address, Some(&format!("http://{address}"))),
        Ok(())
    );
    // Through an SSH tunnel the browser sees another port.
    assert_eq!(
        upgrade(&server, "localhost:9999", Some("http://localhost:9999")),
        Ok(())
    );
    assert_eq!(
        upgrade(&server, &address, Some("http://evil.example")),
        Err(403)
    );
    assert_eq!(upgrade(&server, &address, Some("null")), Err(403));
    assert_eq!(
        upgrade(&server, "evil.example", Some("http://evil.example")),
        Err(403)
    );
    assert_eq!(upgrade(&server, "evil.example:80", None), Err(403));
}

#[test]
fn control_needs_the_token() {
    let server = server();
    let mut spectator = Page::open(server.server(), false);
    assert_eq!(spectator.hello["control"], false);
    let messages = [
        json!({"type": "step", "count": 5}),
        json!({"type": "pause", "value": false}),
        json!({"type": "reset"}),
        json!({"type": "solver", "name": "admm-ccp"}),
        json!({"type": "grab", "body": 1, "local": [0, 0, 0], "target": [1, 1, 1]}),
    ];
    for message in messages {
        spectator.send(message);
        let error = spectator.error();
        assert!(error.contains("token"), "{error}");
    }
    let mut owner = server.viewer();
    assert_eq!(owner.hello["control"], true);
    let frame = owner.step(0, 5);
    assert_eq!(frame.index, 5, "nothing of the spectator's was done");
    // Who may only look does see it.
    spectator.frame(|f| f.index == 5);
}

#[test]
fn viewers_beyond_the_limit_are_turned_away_until_there_is_room() {
    let server = server();
    let mut pages: Vec<Page> = (0..32).map(|_| server.viewer()).collect();
    assert_eq!(server.hub.viewers(), 32);
    assert!(get(&server, "/").starts_with("HTTP/1.1 503"));
    let last = pages.len() - 1;
    pages[0].step(0, 3);
    assert_eq!(pages[last].frame(|f| f.index == 3).index, 3);
    pages.truncate(10);
    let deadline = Instant::now() + common::PATIENCE;
    while !get(&server, "/").starts_with("HTTP/1.1 200") {
        assert!(Instant::now() < deadline, "the places were not freed");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_message_that_is_too_long_ends_the_connection_only() {
    let server = server();
    let mut rude = server.viewer();
    let long = "x".repeat(100_000);
    let _ = rude.socket.send(tungstenite::Message::text(long));
    let ended = (0..1000).any(|_| rude.socket.read().is_err());
    assert!(ended);
    server.viewer().step(0, 1);
}

/// Open the WebSocket by hand, so that frames can be sent that no library would send.
fn raw_socket(server: &LiveServer) -> TcpStream {
    let request = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    let mut stream = send(server, request.as_bytes());
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.push(byte[0]);
    }
    assert!(head.starts_with(b"HTTP/1.1 101"));
    stream
}

/// Whether the server ends the connection.
fn ends(mut stream: TcpStream) -> bool {
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(e) => return e.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}

#[test]
fn frames_that_break_the_protocol_end_the_connection_only() {
    let server = server();
    let masked = |opcode: u8, length: u8| vec![opcode, 0x80 | length, 0, 0, 0, 0];
    let mut huge = masked(0x81, 127);
    huge.splice(2..2, u64::MAX.to_be_bytes());
    let mut large = masked(0x81, 127);
    large.splice(2..2, (1u64 << 20).to_be_bytes());
    // Many small parts of one message must not add up to more than a message may be.
    let mut parts = Vec::new();
    for k in 0..100 {
        let mut part = masked(u8::from(k == 0), 126);
        part.splice(2..2, 1000u16.to_be_bytes());
        parts.extend(part);
        parts.extend([b'x'; 1000]);
    }
    let mut broken_text = masked(0x81, 2);
    broken_text.extend([0xff, 0xfe]);
    let mut long_ping = masked(0x89, 126);
    long_ping.splice(2..2, 1000u16.to_be_bytes());
    long_ping.extend([b'x'; 1000]);
    let cases = [
        ("a length of 2^64 - 1", huge),
        ("a length of 2^20", large),
        ("parts of 100 kB in all", parts),
        ("no mask", vec![0x81, 1, b'x']),
        ("an unknown opcode", masked(0x83, 0)),
        ("reserved bits", masked(0xf1, 0)),
        ("a part of no message", masked(0x80, 0)),
        ("text that is not UTF-8", broken_text),
        ("a ping of 1000 bytes", long_ping),
        (
            "HTTP",
            b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        ),
    ];
    for (what, bytes) in cases {
        let mut stream = raw_socket(&server);
        // It may be cut off while it still sends.
        let _ = stream.write_all(&bytes);
        assert!(ends(stream), "{what}");
    }
    server.viewer().step(0, 1);
}

/// 500 messages per second are read, in bursts of 1000: the rest waits in the sender's socket, and nothing is lost.
#[test]
fn a_flood_of_messages_is_slowed_down_and_holds_nobody_up() {
    let server = server();
    let mut flooding = Page::open(server.server(), false);
    let start = Instant::now();
    for _ in 0..2000 {
        flooding.send(json!({"type": "reset"}));
    }
    // Others are served meanwhile.
    server.viewer().step(0, 1);
    let calm = start.elapsed();
    // Its last message arrives after all others.
    flooding.send(json!({"type": "last"}));
    while !flooding.error().contains("last") {}
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(1900), "{took:?}");
    assert!(calm < took, "another viewer waited for {calm:?}");
}

#[test]
fn stopping_ends_everything_at_once() {
    let mut server = server();
    let mut pages: Vec<Page> = (0..3).map(|_| server.viewer()).collect();
    let _silent = send(&server, b"GET /");
    // Were it to wait for the pages, this would never end.
    drop(server.server.take());
    for page in &mut pages {
        assert!((0..1000).any(|_| page.socket.read().is_err()));
    }
}

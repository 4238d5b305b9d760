//! What is at which address.

use super::http::{Answer, Request};
use super::{Shared, Viewer, guard, websocket};
use std::net::TcpStream;

const ICON: &str = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M3 12 6 4l7 3' \
    fill='none' stroke='#888' stroke-width='2'/></svg>";

/// Serve a new connection to its end.
pub fn serve(mut stream: TcpStream, shared: &Shared) {
    match Request::read(&mut stream) {
        Ok((request, rest)) => route(stream, &request, rest, shared),
        Err(refusal) => {
            if let Some(answer) = Answer::refusal(refusal) {
                answer.send(&mut stream);
            }
        }
    }
}

fn route(mut stream: TcpStream, request: &Request, rest: Vec<u8>, shared: &Shared) {
    let Some(host) = request.header("host") else {
        return Answer::text("400 Bad Request", "Which host?\n").send(&mut stream);
    };
    if !guard::host_is_ours(host, &shared.bind) {
        let body = "This name is not mine; use localhost or an IP address.\n";
        return Answer::text("403 Forbidden", body).send(&mut stream);
    }
    if request.method != "GET" {
        return Answer::text("405 Method Not Allowed", "Only GET.\n").send(&mut stream);
    }
    match request.path.as_str() {
        "/" | "/index.html" => page(&mut stream, host, &shared.page),
        "/favicon.ico" => Answer {
            kind: "image/svg+xml",
            ..Answer::text("200 OK", ICON)
        }
        .send(&mut stream),
        "/ws" => socket(stream, request, host, rest, shared),
        _ => Answer::text("404 Not Found", "There is nothing here.\n").send(&mut stream),
    }
}

/// The page may run its own script and communicate with this server only.
fn page(stream: &mut TcpStream, host: &str, page: &str) {
    // Not every browser includes WebSockets in 'self'. A data: address contains only data that the page had before.
    let policy = format!(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; \
         connect-src 'self' ws://{host} data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    Answer {
        status: "200 OK",
        kind: "text/html; charset=utf-8",
        headers: &[("Content-Security-Policy", &policy)],
        body: page.as_bytes(),
    }
    .send(stream);
}

fn socket(mut stream: TcpStream, request: &Request, host: &str, rest: Vec<u8>, shared: &Shared) {
    if !guard::origin_is_ours(request.header("origin"), host) {
        return Answer::text("403 Forbidden", "Not from this page.\n").send(&mut stream);
    }
    let Some(key) = websocket::key(request) else {
        return websocket::refuse(&mut stream);
    };
    let control = request
        .parameter("token")
        .is_some_and(|t| shared.token.matches(t));
    let backend = &*shared.backend;
    let viewer = Viewer {
        control,
        outbox: shared.hub.enter(backend.hello(control)),
    };
    websocket::serve(stream, key, rest, &viewer, backend);
    shared.hub.leave(&viewer.outbox);
}

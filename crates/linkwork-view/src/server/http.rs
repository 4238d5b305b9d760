//! The part of HTTP/1.1 that a browser needs to get one page: reading a request's head, writing an answer.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Longest request head, bytes.
const MAX_HEAD: usize = 16 * 1024;
/// Time for the whole head to arrive, so that a slow client cannot block a connection.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Time for the whole answer to be received, for example over a slow tunnel.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// Headers used for access control: a request with a duplicate is refused.
const ONCE: [&str; 3] = ["host", "origin", "sec-websocket-key"];

/// The head of a request.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    /// GET, HEAD, ...
    pub method: String,
    /// Path without the query.
    pub path: String,
    /// The text after the question mark; may be empty.
    pub query: String,
    headers: Vec<(String, String)>,
}

/// Why a request got no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not HTTP/1.1 as we know it: 400.
    Malformed,
    /// The head is too long: 431.
    TooLong,
    /// It did not arrive in time: 408.
    TooSlow,
    /// The connection is gone.
    Gone,
}

impl Request {
    /// Read a head; also what came after it.
    pub fn read(stream: &mut TcpStream) -> Result<(Self, Vec<u8>), Refusal> {
        let deadline = Instant::now() + HEAD_TIME;
        let mut bytes = Vec::new();
        let mut part = [0; 2048];
        loop {
            let from = bytes.len().saturating_sub(3);
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Refusal::TooSlow);
            }
            stream
                .set_read_timeout(Some(left))
                .map_err(|_| Refusal::Gone)?;
            match stream.read(&mut part) {
                Ok(0) => return Err(Refusal::Gone),
                Ok(n) => bytes.extend_from_slice(&part[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) if timed_out(&e) => return Err(Refusal::TooSlow),
                Err(_) => return Err(Refusal::Gone),
            }
            if let Some(end) = bytes[from..].windows(4).position(|w| w == b"\r\n\r\n") {
                let end = from + end + 4;
                if end > MAX_HEAD {
                    return Err(Refusal::TooLong);
                }
                let rest = bytes.split_off(end);
                return Ok((Self::parse(&bytes)?, rest));
            }
            if bytes.len() > MAX_HEAD {
                return Err(Refusal::TooLong);
            }
        }
    }

    fn parse(head: &[u8]) -> Result<Self, Refusal> {
        let odd = |b: &u8| !(b' '..=b'~').contains(b) && !b"\r\n\t".contains(b);
        if head.iter().any(odd) {
            return Err(Refusal::Malformed);
        }
        let text = std::str::from_utf8(head).map_err(|_| Refusal::Malformed)?;
        let mut lines = text.trim_end_matches("\r\n").split("\r\n");
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(Refusal::Malformed);
        };
        let upper = method.bytes().all(|b| b.is_ascii_uppercase());
        let known = matches!(version, "HTTP/1.1" | "HTTP/1.0");
        if method.is_empty() || !upper || !known || !target.starts_with('/') {
            return Err(Refusal::Malformed);
        }
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers: Vec<_> = lines.map(header).collect::<Result<_, _>>()?;
        let times = |name: &str| headers.iter().filter(|(n, _)| n == name).count();
        if ONCE.iter().any(|name| times(name) > 1) {
            return Err(Refusal::Malformed);
        }
        Ok(Self {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers,
        })
    }

    /// The header's value; of several, the first.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether a header is a list that has this word.
    pub fn lists(&self, name: &str, word: &str) -> bool {
        let mut words = self.header(name).unwrap_or_default().split(',');
        words.any(|w| w.trim().eq_ignore_ascii_case(word))
    }

    /// The value of a parameter in the query.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let mut pairs = self.query.split('&').filter_map(|p| p.split_once('='));
        pairs.find(|(n, _)| *n == name).map(|(_, value)| value)
    }
}

/// "Name: value"; a name in lower case.
fn header(line: &str) -> Result<(String, String), Refusal> {
    let (name, value) = line.split_once(':').ok_or(Refusal::Malformed)?;
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    // A name that ends in a blank, or a folded line, is a means of request smuggling.
    if name.is_empty() || !name.bytes().all(token) || value.contains(['\r', '\n']) {
        return Err(Refusal::Malformed);
    }
    Ok((name.to_ascii_lowercase(), value.trim().to_owned()))
}

/// An answer; the connection is closed after it.
pub struct Answer<'a> {
    /// e.g. "404 Not Found".
    pub status: &'static str,
    /// Content type of the body.
    pub kind: &'static str,
    /// Further headers.
    pub headers: &'a [(&'static str, &'a str)],
    /// The body.
    pub body: &'a [u8],
}

impl<'a> Answer<'a> {
    /// A short text.
    pub fn text(status: &'static str, body: &'a str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            headers: &[],
            body: body.as_bytes(),
        }
    }

    /// Answer to a refused request, if the client still reads.
    pub fn refusal(refusal: Refusal) -> Option<Self> {
        Some(match refusal {
            Refusal::Malformed => {
                Self::text("400 Bad Request", "This is not a request I understand.\n")
            }
            Refusal::TooLong => Self::text(
                "431 Request Header Fields Too Large",
                "The request is too long.\n",
            ),
            Refusal::TooSlow => Self::text("408 Request Timeout", "The request took too long.\n"),
            Refusal::Gone => return None,
        })
    }

    /// Writes all of it within [`ANSWER_TIME`]. Delivery is not checked.
    pub fn send(&self, stream: &mut TcpStream) {
        let mut bytes = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n",
            self.status,
            self.kind,
            self.body.len(),
        );
        for (name, value) in self.headers {
            bytes += &format!("{name}: {value}\r\n");
        }
        bytes += "\r\n";
        let sent = write_by(stream, bytes.as_bytes(), Instant::now() + ANSWER_TIME)
            && write_by(stream, self.body, Instant::now() + ANSWER_TIME);
        if sent {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
    }
}

/// Write everything before the deadline.
fn write_by(stream: &mut TcpStream, mut bytes: &[u8], deadline: Instant) -> bool {
    while !bytes.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_write_timeout(Some(left)).is_err() {
            return false;
        }
        match stream.write(bytes) {
            Ok(0) => return false,
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
    true
}

/// Whether an error is a read or write timeout; systems name it differently.
pub fn timed_out(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Request, Refusal> {
        Request::parse(text.as_bytes())
    }

    #[test]
    fn a_request_is_taken_apart() {
        let r = parse(
            "GET /ws?a=b&token=12 HTTP/1.1\r\nHost: h:1\r\nCONNECTION: keep-alive, Upgrade\r\n\r\n",
        )
        .unwrap();
        assert_eq!((r.method.as_str(), r.path.as_str()), ("GET", "/ws"));
        assert_eq!(r.parameter("token"), Some("12"));
        assert_eq!(r.parameter("b"), None);
        assert_eq!(r.header("host"), Some("h:1"));
        assert!(r.lists("connection", "upgrade"));
        assert!(!r.lists("connection", "close"));
    }

    #[test]
    fn what_is_not_a_request_is_refused() {
        let bad = [
            "\r\n\r\n",
            "GET /\r\n\r\n",
            "GET  / HTTP/1.1\r\n\r\n",
            "get / HTTP/1.1\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost\r\n\r\n",
            "GET / HTTP/1.1\r\n folded: 1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n",
            "GET /\u{e9} HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nA: \u{1}\r\n\r\n",
            "GET / HTTP/1.1 x\r\n\r\n",
        ];
        for text in bad {
            assert_eq!(parse(text), Err(Refusal::Malformed), "{text:?}");
        }
    }

    #[test]
    fn a_second_host_or_origin_is_refused() {
        for name in ["Host", "origin"] {
            let text = format!("GET / HTTP/1.1\r\n{name}: a\r\n{name}: a\r\n\r\n");
            assert_eq!(parse(&text), Err(Refusal::Malformed));
        }
    }
}

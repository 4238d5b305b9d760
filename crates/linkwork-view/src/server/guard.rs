//! Access control of the server. A web page from elsewhere that runs in the user's browser can reach 127.0.0.1: it must
//! neither read the simulation nor control it.

use std::net::IpAddr;

/// Whether a Host header names this machine in a way that no foreign name server can produce (DNS rebinding):
/// localhost, an IP literal, or the name to which the server was bound.
pub fn host_is_ours(host: &str, bind: &str) -> bool {
    let Some(name) = host_name(host) else {
        return false;
    };
    let literal = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
    name.eq_ignore_ascii_case("localhost")
        || name.eq_ignore_ascii_case(bind)
        || literal.unwrap_or(name).parse::<IpAddr>().is_ok()
}

/// Whether a page from `origin` belongs to this server, which the browser calls `host`. Programs other than browsers
/// send no origin.
pub fn origin_is_ours(origin: Option<&str>, host: &str) -> bool {
    let Some(origin) = origin else {
        return true;
    };
    let mut scheme = ["http://", "https://"].iter();
    let address = scheme.find_map(|s| origin.strip_prefix(s));
    address.is_some_and(|a| a.eq_ignore_ascii_case(host))
}

/// The host without its port; `None` if it is malformed.
fn host_name(host: &str) -> Option<&str> {
    // The colons of an IPv6 literal are inside brackets.
    let end = host.find(']').map_or(0, |i| i + 1);
    let (name, port) = match host[end..].find(':') {
        Some(i) => (&host[..end + i], Some(&host[end + i + 1..])),
        None => (host, None),
    };
    let digits = |p: &str| p.len() <= 5 && p.bytes().all(|b| b.is_ascii_digit());
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._:[]".contains(&b);
    let well_formed = port.is_none_or(digits) && !name.is_empty() && name.bytes().all(plain);
    well_formed.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_that_a_name_server_could_fake_are_refused() {
        let ours = [
            "localhost",
            "localhost:8080",
            "LOCALHOST:1",
            "127.0.0.1:5000",
            "[::1]:5000",
            "[::1]",
            "192.168.1.5:80",
            "lab-pc:80",
        ];
        for host in ours {
            assert!(host_is_ours(host, "lab-pc"), "{host}");
        }
        let others = [
            "",
            ":80",
            "evil.example",
            "evil.example:5000",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost:80:80",
            "localhost:80 ",
            "[::1",
            "::1]",
            "127.0.0.1:80a",
            "a/b",
            "[::1]x:80",
        ];
        for host in others {
            assert!(!host_is_ours(host, "lab-pc"), "{host}");
        }
    }

    #[test]
    fn only_pages_of_this_server_are_ours() {
        assert!(origin_is_ours(None, "127.0.0.1:5000"));
        assert!(origin_is_ours(
            Some("http://127.0.0.1:5000"),
            "127.0.0.1:5000"
        ));
        assert!(origin_is_ours(
            Some("http://localhost:9000"),
            "localhost:9000"
        ));
        for origin in [
            "null",
            "",
            "http://evil.example",
            "http://127.0.0.1:5001",
            "file://",
            "127.0.0.1:5000",
        ] {
            assert!(!origin_is_ours(Some(origin), "127.0.0.1:5000"), "{origin}");
        }
    }
}

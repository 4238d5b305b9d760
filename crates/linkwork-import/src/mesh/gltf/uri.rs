//! Buffers of a glTF file: beside it, below the asset root, or inside it.

use crate::{Assets, Fault, ImportError, Place};
use std::path::Path;

/// The bytes that a URI stands for.
pub fn fetch(uri: &str, assets: &Assets, place: &Place) -> Result<Vec<u8>, ImportError> {
    if let Some(data) = uri.strip_prefix("data:") {
        return match data.split_once(";base64,") {
            Some((_, text)) => base64(text.as_bytes()).ok_or_else(|| {
                let what = "a data URI that is not base64";
                ImportError::new(place, Fault::Syntax, what, "export the mesh again")
            }),
            None => {
                let what = "a data URI without base64";
                let remedy = "export the buffer as base64, or into a file";
                Err(ImportError::new(place, Fault::Unsupported, what, remedy))
            }
        };
    }
    if uri.contains("://") {
        let shown: String = uri.chars().take(60).collect();
        let what = format!("the buffer '{shown}' is not a file");
        let remedy = "put it beside the mesh: nothing is fetched";
        return Err(ImportError::new(place, Fault::Unsupported, what, remedy));
    }
    let folder = place.file.parent().unwrap_or(Path::new(""));
    let file = assets.find(folder, &unescape(uri), place)?;
    assets.read(&file, place)
}

/// Replace `%20` and the like.
fn unescape(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3);
        let code = digits
            .filter(|_| bytes[at] == b'%')
            .and_then(|d| std::str::from_utf8(d).ok())
            .and_then(|d| u8::from_str_radix(d, 16).ok());
        plain.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Decode base64; `None` if there is another character in it.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|c| *c != b'=').map_or(0, |i| i + 1);
    let mut bytes = Vec::with_capacity(end / 4 * 3 + 2);
    let (mut bits, mut have) = (0u32, 0);
    for c in &text[..end] {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        have += 6;
        if have >= 8 {
            have -= 8;
            bytes.push((bits >> have) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_base64_of_every_length() {
        // RFC 4648, section 10.
        let cases = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (text, plain) in cases {
            assert_eq!(base64(text.as_bytes()).unwrap(), plain.as_bytes());
        }
        assert_eq!(base64(b"Zm9 v"), None);
    }

    #[test]
    fn unescapes_blanks_and_leaves_stray_signs() {
        assert_eq!(unescape("a%20b%2fc%"), "a b/c%");
        assert_eq!(unescape("100%zz"), "100%zz");
    }
}

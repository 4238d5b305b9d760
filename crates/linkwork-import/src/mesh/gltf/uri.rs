//! Buffers of a glTF file: in separate files below the asset root, or embedded.

use crate::{Assets, Fault, ImportError, Place};
use data_encoding::BASE64_NOPAD;
use std::path::Path;

/// The bytes referenced by a URI.
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

/// Decode base64, padded or not; `None` if there is another character in it.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|c| *c != b'=').map_or(0, |i| i + 1);
    BASE64_NOPAD.decode(&text[..end]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescapes_blanks_and_leaves_stray_signs() {
        assert_eq!(unescape("a%20b%2fc%"), "a b/c%");
        assert_eq!(unescape("100%zz"), "100%zz");
    }
}

//! Pictures of scenes, as they were when the crate was built.

/// `(scene, PNG)` of each picture in `docs/images/scenes`; made by `build.rs`.
static PICTURES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/pictures.rs"));

/// The picture of a scene as a `data:` address, so that the page needs no other file.
pub fn picture(scene: &str) -> Option<String> {
    let (_, bytes) = PICTURES.iter().find(|(name, _)| *name == scene)?;
    Some(format!("data:image/png;base64,{}", base64(bytes)))
}

/// [RFC 4648 §4].
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= chunk.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    /// The vectors of RFC 4648 §10.
    #[test]
    fn base64_is_that_of_the_standard() {
        let found = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|t| base64(t.as_bytes()));
        let wanted = [
            "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
        ];
        assert_eq!(found, wanted);
    }
}

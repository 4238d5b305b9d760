//! The secret in the page's address that control messages need.

use std::fmt;

/// 128 random bits, as 32 hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new one from the system's source of randomness.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)?;
        Ok(Self(data_encoding::HEXLOWER.encode(&bytes)))
    }

    /// Whether `text` is the token, in a time independent of the number of correct characters.
    pub fn matches(&self, text: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), text.as_bytes());
        if own.len() != other.len() {
            return false;
        }
        let differing = own.iter().zip(other).fold(0, |d, (a, b)| d | (a ^ b));
        std::hint::black_box(differing) == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The secret does not belong into logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_matches() {
        let token = Token::random().unwrap();
        let text = token.to_string();
        assert_eq!(text.len(), 32);
        assert!(token.matches(&text));
        assert!(!token.matches(""));
        assert!(!token.matches(&text[..31]));
        assert!(!token.matches(&format!("{text}0")));
        assert!(!token.matches(&text.to_uppercase()) || text == text.to_uppercase());
        assert!(!token.matches(&Token::random().unwrap().to_string()));
        assert!(!format!("{token:?}").contains(&text));
    }
}

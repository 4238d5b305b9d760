//! Bounds that may be infinite, which JSON cannot represent: `null` stands for no bound; for `#[serde(with)]`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Write an upper bound.
pub fn serialize<S: Serializer>(bound: &f64, to: S) -> Result<S::Ok, S::Error> {
    bound.is_finite().then_some(*bound).serialize(to)
}

/// Read an upper bound.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::INFINITY))
}

/// The same for a lower bound.
pub mod below {
    pub use super::serialize;
    use super::{Deserialize, Deserializer};

    /// Read a lower bound.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::NEG_INFINITY))
    }
}

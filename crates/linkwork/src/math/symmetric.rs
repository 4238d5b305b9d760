//! Symmetric matrices as [xx, yy, zz, xy, xz, yz]; for `#[serde(with)]`.

use super::Mat3;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Write the six numbers.
pub fn serialize<S: Serializer>(m: &Mat3, to: S) -> Result<S::Ok, S::Error> {
    let six = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    six.map(|at| m[at]).serialize(to)
}

/// Read the six numbers.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Mat3, D::Error> {
    let [xx, yy, zz, xy, xz, yz] = <[f64; 6]>::deserialize(from)?;
    Ok(Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
}

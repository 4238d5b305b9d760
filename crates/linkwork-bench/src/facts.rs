//! What is measured of a sample, whoever solves it [Tsounis §VII-B, C].

use crate::class::Class;
use serde::{Deserialize, Serialize};

/// A sample in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// Its class.
    pub class: Class,
    /// Bodies n_b.
    pub bodies: usize,
    /// Rows that joints lock, n_jd.
    pub joint_rows: usize,
    /// Rows of limits, drives, springs and joint friction.
    pub other_rows: usize,
    /// Contact points n_c.
    pub contacts: usize,
    /// All rows n_d.
    pub rows: usize,
    /// Rank of J.
    pub rank: usize,
    /// Rank of the joints' rows alone.
    pub joint_rank: usize,
    /// d_j = n_jd/6n_b.
    pub joint_density: f64,
    /// d_c = 3n_c/6n_b.
    pub contact_density: f64,
    /// d_jlc = n_d/6n_b.
    pub density: f64,
    /// κ(D) over the nonzero spectrum.
    pub condition: f64,
    /// Heaviest body over lightest.
    pub mass_ratio: f64,
}

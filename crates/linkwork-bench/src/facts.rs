//! Properties of a sample that do not depend on the solver [Tsounis §VII-B, C].

use crate::class::{Class, Counts};
use crate::spectrum::Spectrum;
use linkwork::rows::RowSource;
use linkwork_solve::{Operator, Problem};
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

impl Facts {
    /// Measures a problem whose blocks have the given `sources`. `None` without joints and contacts, or without bodies:
    /// such a problem has no class.
    ///
    /// Rank and condition need singular value decompositions, which are cubic in the rows.
    pub fn of(problem: &Problem, sources: &[RowSource]) -> Option<Self> {
        let counts = Counts::of(problem, sources);
        if !counts.has_class() {
            return None;
        }
        let spectrum = Spectrum::of(problem)?;
        // Joints and couplings come first in the order of sources.
        let joint_rank = spectrum.rank(0..counts.joint_rows);
        let rank = match counts.rows == counts.joint_rows {
            true => joint_rank,
            false => spectrum.rank(0..counts.rows),
        };
        let freedoms = 6.0 * counts.bodies as f64;
        Some(Self {
            class: counts.class(joint_rank)?,
            bodies: counts.bodies,
            joint_rows: counts.joint_rows,
            other_rows: counts.other_rows,
            contacts: counts.contacts,
            rows: counts.rows,
            rank,
            joint_rank,
            joint_density: counts.joint_rows as f64 / freedoms,
            contact_density: 3.0 * counts.contacts as f64 / freedoms,
            density: counts.rows as f64 / freedoms,
            condition: spectrum.condition(rank),
            mass_ratio: mass_ratio(problem),
        })
    }
}

/// Heaviest body over lightest; 1 where there is none.
fn mass_ratio(problem: &Problem) -> f64 {
    let Operator::Bodies { mass, .. } = &problem.operator else {
        return 1.0;
    };
    let masses = || (0..mass.len()).map(|b| mass.block(b)[0]);
    let heaviest = masses().fold(0.0, f64::max);
    let lightest = masses().fold(f64::INFINITY, f64::min);
    if mass.is_empty() {
        1.0
    } else {
        heaviest / lightest
    }
}

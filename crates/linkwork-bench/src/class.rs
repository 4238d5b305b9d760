//! The seven classes of samples [Tsounis §VII-C].

use serde::{Deserialize, Serialize};

/// What kind of problem a sample is.
///
/// The paper's conditions overlap (a problem with contacts can be sparse in contacts and dense in all
/// constraints); here the most particular comes first: a single contact, then dense constraints, then
/// contacts by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// n_c = 0 and rank J_j = n_jd: joints only, of full row rank.
    IndependentJoints,
    /// n_c = 0, rank J_j < n_jd and d_j < 1.
    RedundantJoints,
    /// n_c = 0, rank J_j < n_jd and d_j ≥ 1.
    DenseJoints,
    /// n_c = 1.
    SingleContact,
    /// 2 ≤ n_c ≤ 2 n_b.
    SparseContacts,
    /// n_c > 2 n_b.
    DenseContacts,
    /// n_c ≥ 2, n_j ≥ 1 and d_jlc > 1.
    DenseConstraints,
}

impl Class {
    /// All, in the order of the paper.
    pub const ALL: [Class; 7] = [
        Class::IndependentJoints,
        Class::RedundantJoints,
        Class::DenseJoints,
        Class::SingleContact,
        Class::SparseContacts,
        Class::DenseContacts,
        Class::DenseConstraints,
    ];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Class::IndependentJoints => "independent joints",
            Class::RedundantJoints => "redundant joints",
            Class::DenseJoints => "dense joints",
            Class::SingleContact => "single contact",
            Class::SparseContacts => "sparse contacts",
            Class::DenseContacts => "dense contacts",
            Class::DenseConstraints => "dense constraints",
        }
    }
}

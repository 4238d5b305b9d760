//! The seven classes of samples [Tsounis §VII-C].

use linkwork::rows::RowSource;
use linkwork_solve::Problem;
use serde::{Deserialize, Serialize};

/// The class of a problem.
///
/// The paper's conditions overlap (a problem with contacts can have sparse contacts and dense constraints). Here the
/// most specific class has precedence: a single contact, then dense constraints, then contacts by number.
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

/// What a class is decided by, but for the rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bodies n_b.
    pub bodies: usize,
    /// Rows of joints and couplings, n_jd.
    pub joint_rows: usize,
    /// Rows of limits, drives, springs and joint friction.
    pub other_rows: usize,
    /// Contact points n_c.
    pub contacts: usize,
    /// All rows n_d.
    pub rows: usize,
}

impl Counts {
    /// Of a problem whose blocks came from `sources`.
    pub fn of(problem: &Problem, sources: &[RowSource]) -> Self {
        let mut counts = Self {
            bodies: problem.bodies(),
            rows: problem.rows(),
            ..Self::default()
        };
        for ((set, _), source) in problem.sets.iter().zip(sources) {
            match source {
                RowSource::Joint(_) | RowSource::Coupling(_) => counts.joint_rows += set.dim(),
                RowSource::Contact(_) => counts.contacts += 1,
                _ => counts.other_rows += set.dim(),
            }
        }
        counts
    }

    /// Whether there is anything to classify: a body, and a joint or a contact on it.
    pub fn has_class(&self) -> bool {
        self.bodies > 0 && self.joint_rows + self.contacts > 0
    }

    /// The class, given the rank of the joints' rows; `None` without joint and contact.
    pub fn class(&self, joint_rank: usize) -> Option<Class> {
        let freedoms = 6 * self.bodies;
        Some(match self.contacts {
            _ if !self.has_class() => return None,
            0 if joint_rank == self.joint_rows => Class::IndependentJoints,
            0 if self.joint_rows < freedoms => Class::RedundantJoints,
            0 => Class::DenseJoints,
            1 => Class::SingleContact,
            _ if self.joint_rows > 0 && self.rows > freedoms => Class::DenseConstraints,
            n if n <= 2 * self.bodies => Class::SparseContacts,
            _ => Class::DenseContacts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(
        [bodies, joint_rows, other_rows, contacts]: [usize; 4],
        joint_rank: usize,
    ) -> Option<Class> {
        let rows = joint_rows + other_rows + 3 * contacts;
        let counts = Counts {
            bodies,
            joint_rows,
            other_rows,
            contacts,
            rows,
        };
        counts.class(joint_rank)
    }

    #[test]
    fn every_class_by_its_conditions() {
        use Class::*;
        // A nunchuk in flight, a loose and a bolted four-bar: rows 6 of 18, 20 of 24 and 26 of 24.
        assert_eq!(class([3, 6, 0, 0], 6), Some(IndependentJoints));
        assert_eq!(class([4, 20, 0, 0], 17), Some(RedundantJoints));
        assert_eq!(class([4, 26, 0, 0], 23), Some(DenseJoints));
        // As many independent rows as degrees of freedom: a structure, not dense joints.
        assert_eq!(class([1, 6, 0, 0], 6), Some(IndependentJoints));
        // A contact outweighs everything about the joints.
        assert_eq!(class([4, 26, 0, 1], 23), Some(SingleContact));
        assert_eq!(class([1, 0, 0, 2], 0), Some(SparseContacts));
        assert_eq!(class([1, 0, 0, 3], 0), Some(DenseContacts));
        // 14 of 12: dense in all constraints though sparse in contacts; limits and drives count.
        assert_eq!(class([2, 6, 2, 2], 6), Some(DenseConstraints));
        assert_eq!(class([2, 6, 0, 2], 6), Some(SparseContacts));
        assert_eq!(class([2, 5, 0, 5], 5), Some(DenseConstraints));
    }

    #[test]
    fn without_joint_and_contact_there_is_no_class() {
        assert_eq!(class([1, 0, 0, 0], 0), None);
        assert_eq!(class([1, 0, 1, 0], 0), None);
        assert_eq!(class([0, 0, 0, 0], 0), None);
    }
}

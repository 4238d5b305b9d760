//! Mobility of a mechanism: degrees of freedom, redundant rows, reactions that are not unique [math.md §7].
//!
//! With J the rows of joints and couplings (without limits and contacts), there are 6 n_b − rank J degrees of freedom
//! and nd − rank J redundant rows. The reaction of a row is unique unless the null space of Jᵀ (self-stress) has a
//! component on it. The rank is that of J with its angular columns divided by a characteristic length and its rows
//! normalised, so it does not depend on units and masses; it is determined by singular values. It is the rank **at this
//! state**: at a singular configuration (a parallelogram laid flat) the mechanism instantaneously has more degrees of
//! freedom than elsewhere.

use crate::locked::{Locked, Metric, characteristic_length};
use crate::model::{CouplingId, JointId, Model};
use crate::rows::{RowSource, Rows};
use crate::state::State;
use linkwork_solve::BlockCsr6;
use nalgebra::{DMatrix, Matrix6};
use std::collections::BTreeSet;

/// Maximum number of iterations of a decomposition; finite matrices take a few per row.
const ROTATIONS: usize = 100_000;
/// Singular values below this share of the largest count as zero. Poses closed to 1e-10 perturb J by about that much.
/// With larger errors redundant rows appear independent: assemble first.
pub const RANK_TOLERANCE: f64 = 1e-8;

/// A row is in the null space of Jᵀ if its unit vector has a larger component in it.
const PARTICIPATION: f64 = 1e-6;

/// A joint with reactions that are not unique: only their resultants on each body are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotUnique {
    /// The joint.
    pub joint: JointId,
    /// Labels of the locked rows concerned, in the joint's order.
    pub rows: Vec<&'static str>,
}

/// What [`mobility`] finds.
#[derive(Clone, Debug, PartialEq)]
pub struct MobilityReport {
    /// Independent motions, 6 n_b − rank, including idle ones (a rod that rotates about itself).
    pub degrees_of_freedom: usize,
    /// Rows of joints and couplings.
    pub rows: usize,
    /// How many of them are independent.
    pub rank: usize,
    /// How many are not: rows − rank.
    pub redundant_rows: usize,
    /// Condition number of D = J M⁻¹ Jᵀ (with the real masses) on its nonzero spectrum; 1 without rows.
    pub condition: f64,
    /// Joints with reactions that are not unique, in order.
    pub not_unique: Vec<NotUnique>,
    /// Couplings with reactions that are not unique, in order.
    pub couplings_not_unique: Vec<CouplingId>,
    /// Singular values below this share of the largest counted as zero.
    pub tolerance: f64,
}

/// Analyses the mechanism at `state`, which should be assembled (joint residuals at most 1e-10).
///
/// Costs a singular value decomposition of every connected part, which is cubic in its rows.
pub fn mobility(model: &Model, state: &State) -> MobilityReport {
    mobility_within(model, state, f64::INFINITY).expect("no amount of work exceeds infinity")
}

/// The same if the decompositions need at most `work`: rows times columns times the lesser of them, summed over the
/// connected parts; about 10⁸ per second.
pub fn mobility_within(model: &Model, state: &State, work: f64) -> Option<MobilityReport> {
    let mut made = Rows::default();
    Locked::new(model).make(state, Metric::Mass, &mut made);
    let parts = connected_parts(made.bodies().1);
    let needed: f64 = parts.iter().map(|part| decomposition(&made, part)).sum();
    if needed > work {
        return None;
    }
    let length = characteristic_length(model);
    let (mut rank, mut largest, mut least) = (0, 0.0f64, f64::INFINITY);
    let mut free = vec![false; made.problem.rows()];
    for part in parts {
        let dense = Dense::of(&made, &part);
        let found = dense.rank(length);
        for (&row, open) in dense.rows.iter().zip(&found.not_unique) {
            free[row] = *open;
        }
        if found.rank > 0 {
            match dense.delassus_roots(&made) {
                Some(spectrum) => {
                    largest = largest.max(spectrum[0]);
                    least = least.min(spectrum[found.rank - 1]);
                }
                None => largest = f64::INFINITY,
            }
        }
        rank += found.rank;
    }
    let rows = free.len();
    let (not_unique, couplings_not_unique) = name_rows(model, &made, &free);
    Some(MobilityReport {
        degrees_of_freedom: 6 * model.bodies().len() - rank,
        rows,
        rank,
        redundant_rows: rows - rank,
        condition: if rank == 0 {
            1.0
        } else {
            (largest / least).powi(2)
        },
        not_unique,
        couplings_not_unique,
        tolerance: RANK_TOLERANCE,
    })
}

/// Cost of the singular values of a connected part.
pub(crate) fn decomposition(made: &Rows, blocks: &[usize]) -> f64 {
    let jacobian = made.bodies().1;
    let rows: usize = blocks.iter().map(|&k| jacobian.rows_of(k).len()).sum();
    let entries = blocks.iter().flat_map(|&k| jacobian.entries_of(k));
    let bodies: BTreeSet<usize> = entries.map(|e| e.body).collect();
    let columns = 6 * bodies.len();
    rows as f64 * columns as f64 * rows.min(columns) as f64
}

fn name_rows(model: &Model, made: &Rows, free: &[bool]) -> (Vec<NotUnique>, Vec<CouplingId>) {
    let (mut joints, mut couplings) = (Vec::new(), Vec::new());
    for (k, source) in made.sources.iter().enumerate() {
        let open = &free[made.problem.sets.range(k)];
        if !open.contains(&true) {
            continue;
        }
        match *source {
            RowSource::Joint(joint) => {
                let labels = model.joint(joint).kind.locked().iter().zip(open);
                joints.push(NotUnique {
                    joint,
                    rows: labels.filter(|l| *l.1).map(|l| l.0.0).collect(),
                });
            }
            RowSource::Coupling(id) => couplings.push(id),
            _ => unreachable!("only joints and couplings were asked for"),
        }
    }
    (joints, couplings)
}

/// Blocks of J that share bodies, directly or through others; the world does not connect them.
pub(crate) fn connected_parts(jacobian: &BlockCsr6) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..jacobian.bodies()).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    for k in 0..jacobian.blocks() {
        let entries = jacobian.entries_of(k);
        for pair in entries.windows(2) {
            let (a, b) = (
                root(&mut parent, pair[0].body),
                root(&mut parent, pair[1].body),
            );
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); jacobian.bodies()];
    for k in 0..jacobian.blocks() {
        if let Some(entry) = jacobian.entries_of(k).first() {
            parts[root(&mut parent, entry.body)].push(k);
        }
    }
    parts.retain(|p| !p.is_empty());
    parts
}

/// The rows of one connected part as a dense matrix over the bodies they act on.
pub(crate) struct Dense {
    pub matrix: DMatrix<f64>,
    /// Global index of each row.
    pub rows: Vec<usize>,
    /// Body of each group of six columns.
    pub bodies: Vec<usize>,
}

pub(crate) struct Rank {
    rank: usize,
    /// Whether the reaction of each row is not unique.
    pub not_unique: Vec<bool>,
}

impl Dense {
    pub fn of(made: &Rows, blocks: &[usize]) -> Self {
        let jacobian = made.bodies().1;
        let entries = || blocks.iter().flat_map(|&k| jacobian.entries_of(k));
        let mut bodies: Vec<usize> = entries().map(|e| e.body).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let rows: Vec<usize> = blocks.iter().flat_map(|&k| jacobian.rows_of(k)).collect();
        let mut matrix = DMatrix::zeros(rows.len(), 6 * bodies.len());
        let mut first = 0;
        for &k in blocks {
            let dim = jacobian.rows_of(k).len();
            for entry in jacobian.entries_of(k) {
                let column = bodies.partition_point(|&b| b < entry.body);
                for (r, values) in jacobian.values_of(entry, dim).iter().enumerate() {
                    for (c, v) in values.iter().enumerate() {
                        matrix[(first + r, 6 * column + c)] = *v;
                    }
                }
            }
            first += dim;
        }
        Self {
            matrix,
            rows,
            bodies,
        }
    }

    /// Rank by the singular values of the scaled J = U Σ Vᵀ, and the rows with a component in the null space of Jᵀ:
    /// those whose unit vector is not spanned by the columns of U with nonzero singular values.
    pub fn rank(&self, length: f64) -> Rank {
        let mut j = self.matrix.clone();
        for mut column in j.column_iter_mut().enumerate().filter(|c| c.0 % 6 >= 3) {
            column.1 /= length;
        }
        for mut row in j.row_iter_mut() {
            let norm = row.norm();
            // A row that moves nothing stays zero and is therefore redundant.
            if norm > 0.0 {
                row /= norm;
            }
        }
        let svd = j.svd(true, false);
        let u = svd.u.expect("the left vectors were asked for");
        let floor = RANK_TOLERANCE * svd.singular_values.max();
        let used: Vec<usize> = (0..svd.singular_values.len())
            .filter(|&k| svd.singular_values[k] > floor)
            .collect();
        let missed = |i: usize| 1.0 - used.iter().map(|&k| u[(i, k)].powi(2)).sum::<f64>();
        Rank {
            rank: used.len(),
            not_unique: (0..self.rows.len())
                .map(|i| missed(i) > PARTICIPATION * PARTICIPATION)
                .collect(),
        }
    }

    /// Roots of the eigenvalues of D, descending: the singular values of J C with M⁻¹ = C Cᵀ. `None` if masses are so
    /// extreme (1e-308 kg) that they overflow, for which decompositions do not end.
    fn delassus_roots(&self, made: &Rows) -> Option<Vec<f64>> {
        let mass = made.bodies().0;
        let mut j = self.matrix.clone();
        for (at, &body) in self.bodies.iter().enumerate() {
            let inverse = Matrix6::from_column_slice(&mass.inverse(body));
            // Because of round-off a Cholesky factor would not exist for a body 4e9 m long and 0.1 m wide.
            let eigen = inverse.try_symmetric_eigen(f64::EPSILON, ROTATIONS)?;
            let roots = eigen.eigenvalues.map(|e| e.max(0.0).sqrt());
            let c = eigen.eigenvectors * Matrix6::from_diagonal(&roots);
            let mut columns = j.columns_mut(6 * at, 6);
            let turned = &columns * c;
            columns.copy_from(&turned);
        }
        let svd = j.try_svd(false, false, f64::EPSILON, ROTATIONS)?;
        let mut values = svd.singular_values.as_slice().to_vec();
        values.sort_by(|a, b| b.total_cmp(a));
        Some(values)
    }
}

//! Rods that the other joints keep from swinging.
//!
//! Consider a rod along the axis of its hinges. To first order no motion of the hinges changes its length: its row is a
//! combination of the others', g = μᵀA, on C = 0. To second order it blocks them. With the flexes z, A z = 0, and the
//! self-stress ω = (1, −μ),
//!
//! ```text
//! C_rod(z) = ½ zᵀQ z + …,    Q = Zᵀ (ω · C″) Z.
//! ```
//!
//! Where Q is definite, C = 0 leaves z = 0 alone, but J does not contain this: no impulse of the rod acts on z until it
//! has opened the joints, and then the impulse grows as 1/z. The set {C = 0} is the same if the far end of the rod is
//! fixed in the frame of the near one, p = p₀, and this equation has a regular Jacobian P if Q vanishes exactly where P
//! does. The rod is then held in this way.
//!
//! ω·J = 0 as a whole row: the self-stress does not act on any body. Q therefore does not depend on the coordinates in
//! which the motion along z is expressed, and can be computed by a difference of J along flexes.

use crate::joints::{End, JointType, Row};
use crate::locked::{Locked, Metric, characteristic_length};
use crate::math::{Pose, Vec3, exp};
use crate::mobility::{Dense, RANK_TOLERANCE, connected_parts, decomposition};
use crate::model::{JointId, Model};
use crate::rows::{RowSource, Rows};
use crate::state::State;
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// A rod's row counts as a combination of the others' if flexes move it by less than this share of their largest
/// possible effect.
const FIRST_ORDER: f64 = 1e-7;
/// Curvatures, and motions of the rod's end, below this share of the largest count as zero. Differences yield
/// curvatures to 1e-8.
const NEGLIGIBLE: f64 = 1e-5;
/// Displacement of bodies for a difference, relative to the characteristic length.
const STEP: f64 = 1e-4;
/// Size of parts of a mechanism above which they are not examined: rows times columns times the lesser of them.
const MOST_WORK: f64 = 3e7;

/// The next rod from joint `first` on that cannot swing at the initial state, and its replacement.
pub(crate) fn rod_to_hold(model: &Model, first: usize) -> Option<(JointId, Arc<dyn JointType>)> {
    let state = model.initial_state();
    let is_rod = |id: JointId| {
        let joint = model.joint(id);
        let place = crate::state::placement(&state.poses, joint);
        joint.softness.is_none() && joint.kind.held(&place.relative, End::Base).is_some()
    };
    let rods: Vec<JointId> = (0..model.joints().len())
        .map(|j| JointId(j as u32))
        .filter(|id| is_rod(*id))
        .collect();
    if rods.iter().all(|id| id.index() < first) {
        return None;
    }
    let mut made = Rows::default();
    Locked::new(model).make(&state, Metric::Mass, &mut made);
    let length = characteristic_length(model);
    for blocks in connected_parts(made.bodies().1) {
        if decomposition(&made, &blocks) > MOST_WORK {
            continue;
        }
        let block_of = |id: JointId| {
            let own = |k: &&usize| made.sources[**k] == RowSource::Joint(id);
            blocks.iter().find(own).copied()
        };
        let of_rods: Vec<(JointId, usize)> = rods
            .iter()
            .filter_map(|&id| Some((id, made.problem.sets.range(block_of(id)?).start)))
            .collect();
        if of_rods.iter().all(|(id, _)| id.index() < first) {
            continue;
        }
        let dense = Dense::of(&made, &blocks);
        let shared = dense.rank(length).not_unique;
        let part = Part {
            model,
            state: &state,
            blocks: &blocks,
            matrix: scaled(&dense, length),
            dense,
            length,
        };
        for &(id, row) in of_rods.iter().filter(|(id, _)| id.index() >= first) {
            let at = part.local(row);
            if !shared[at] {
                continue;
            }
            // First by joints other than rods, if they are sufficient: parallel rods may have curvatures of their own.
            let without_rods = part.others(&made, |row| of_rods.iter().any(|rod| rod.1 == row));
            let without_it = part.others(&made, |other| other == row);
            for others in [without_rods, without_it] {
                if let Some(kind) = part.held(id, at, &others) {
                    return Some((id, kind));
                }
            }
        }
    }
    None
}

/// J with its angular columns over the characteristic length.
fn scaled(dense: &Dense, length: f64) -> DMatrix<f64> {
    let mut matrix = dense.matrix.clone();
    for (c, mut column) in matrix.column_iter_mut().enumerate() {
        if c % 6 >= 3 {
            column /= length;
        }
    }
    matrix
}

/// A connected part of the mechanism.
struct Part<'a> {
    model: &'a Model,
    state: &'a State,
    blocks: &'a [usize],
    dense: Dense,
    /// J over velocities in m/s: angular ones times the characteristic length.
    matrix: DMatrix<f64>,
    length: f64,
}

impl Part<'_> {
    /// Where a row of the problem is among those of the part.
    fn local(&self, row: usize) -> usize {
        let at = self.dense.rows.iter().position(|r| *r == row);
        at.expect("a row of the part")
    }

    /// Rows that lock, except omitted ones and those of soft joints.
    fn others(&self, made: &Rows, left_out: impl Fn(usize) -> bool) -> Vec<usize> {
        let hard = |source: &RowSource| match source {
            RowSource::Joint(id) => self.model.joint(*id).softness.is_none(),
            RowSource::Coupling(id) => self.model.couplings()[id.index()].softness.is_none(),
            _ => false,
        };
        let blocks = self.blocks.iter().filter(|k| hard(&made.sources[**k]));
        let rows = blocks.flat_map(|k| made.problem.sets.range(*k));
        rows.filter(|row| !left_out(*row))
            .map(|row| self.local(row))
            .collect()
    }

    /// Replacement of rod `id`, whose row has index `rod`, if the `others` keep it from swinging.
    fn held(&self, id: JointId, rod: usize, others: &[usize]) -> Option<Arc<dyn JointType>> {
        let columns = self.matrix.ncols();
        let norm = |row: usize| self.matrix.row(row).norm();
        let mut a = DMatrix::zeros(others.len().max(columns), columns);
        for (to, &from) in others.iter().enumerate() {
            if norm(from) > 0.0 {
                a.set_row(to, &(self.matrix.row(from) / norm(from)));
            }
        }
        let svd = a.try_svd(true, true, f64::EPSILON, 100_000)?;
        let (u, v) = (svd.u?, svd.v_t?);
        let sigma = svd.singular_values;
        let floor = RANK_TOLERANCE * sigma.max();
        let flexes: Vec<usize> = (0..columns).filter(|&k| sigma[k] <= floor).collect();
        let z = v.select_rows(&flexes);
        let g = self.matrix.row(rod).transpose() / norm(rod);
        if flexes.is_empty() || (&z * &g).norm() > FIRST_ORDER {
            return None;
        }
        // The rod's row from the others': μ = U Σ⁺ Vᵀ g.
        let mut along = &v * &g;
        for (value, sigma) in along.iter_mut().zip(&sigma) {
            *value = if *sigma <= floor { 0.0 } else { *value / sigma };
        }
        let mu = u * along;
        let mut stress = vec![(rod, 1.0 / norm(rod))];
        let mu = others.iter().zip(&mu).filter(|(row, _)| norm(**row) > 0.0);
        stress.extend(mu.map(|(row, mu)| (*row, -mu / norm(*row))));
        let q = self.curvature(&stress, &z);
        [End::Base, End::Follower]
            .into_iter()
            .find_map(|end| self.replaces(id, end, &z, &q))
    }

    /// Q of the self-stress, of definite sign if it has one.
    fn curvature(&self, stress: &[(usize, f64)], z: &DMatrix<f64>) -> DMatrix<f64> {
        let step = STEP * self.length;
        let n = z.nrows();
        let mut q = DMatrix::zeros(n, n);
        for j in 0..n {
            let felt = |t: f64| self.felt(stress, &(z.row(j).transpose() * t));
            let change = (felt(step) - felt(-step)) / (2.0 * step);
            q.set_column(j, &(z * change));
        }
        let q = 0.5 * (&q + q.transpose());
        if q.trace() < 0.0 { -q } else { q }
    }

    /// ω·J where the bodies have moved by `z`, m.
    fn felt(&self, stress: &[(usize, f64)], z: &DVector<f64>) -> DVector<f64> {
        let mut moved = self.state.clone();
        for (b, &body) in self.dense.bodies.iter().enumerate() {
            let part = |first: usize| Vec3::from_column_slice(&z.as_slice()[first..first + 3]);
            let pose = &mut moved.poses[body];
            let turn = exp(&(part(6 * b + 3) / self.length));
            *pose = Pose::new(pose.position + part(6 * b), turn * pose.rotation);
        }
        let mut made = Rows::default();
        Locked::new(self.model).make(&moved, Metric::Mass, &mut made);
        let matrix = scaled(&Dense::of(&made, self.blocks), self.length);
        let mut felt = DVector::zeros(matrix.ncols());
        for (row, weight) in stress {
            felt += *weight * matrix.row(*row).transpose();
        }
        felt
    }

    /// The rod held at the `end`, if Q is definite in the directions that this fixes and vanishes in the others.
    fn replaces(
        &self,
        id: JointId,
        end: End,
        z: &DMatrix<f64>,
        q: &DMatrix<f64>,
    ) -> Option<Arc<dyn JointType>> {
        let joint = self.model.joint(id);
        let place = crate::state::placement(&self.state.poses, joint);
        let kind = joint.kind.held(&place.relative, end)?;
        let mut rows = [Row::ZERO; 3];
        kind.constrain(&place.relative, &[], &mut rows);
        let mut p = DMatrix::zeros(3, self.matrix.ncols());
        for (r, row) in rows.iter().enumerate() {
            let (base, follower) = place.jacobian(row);
            for (body, values) in joint
                .base
                .map(|b| (b, base))
                .into_iter()
                .chain([(joint.follower, follower)])
            {
                let at = self.dense.bodies.iter().position(|b| *b == body.index())?;
                for (c, value) in values.iter().enumerate() {
                    let scale = if c < 3 { 1.0 } else { self.length };
                    p[(r, 6 * at + c)] = value / scale;
                }
            }
        }
        let p = p * z.transpose();
        let eigen = q.clone().try_symmetric_eigen(f64::EPSILON, 100_000)?;
        let largest = eigen.eigenvalues.max();
        let swings = p.norm();
        // A rod that is fully redundant has no curvature.
        if swings < NEGLIGIBLE || largest * self.length < NEGLIGIBLE * swings * swings {
            return None;
        }
        let modes = eigen
            .eigenvalues
            .iter()
            .zip(eigen.eigenvectors.column_iter());
        let fits = modes.fold(true, |fits, (&value, mode)| {
            let blocked = value > NEGLIGIBLE * largest;
            let free = value.abs() <= NEGLIGIBLE * largest
                && (&p * mode).norm() <= NEGLIGIBLE.sqrt() * swings;
            fits && (blocked || free)
        });
        fits.then_some(kind)
    }
}

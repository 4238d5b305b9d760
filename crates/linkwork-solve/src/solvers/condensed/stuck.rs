//! Rows that nothing lets open: a certificate that the small problem has no solution, and the least that they give way by.
//!
//! A pass of the proximal method moves λ by d and leaves rows violated by δ w d. If the problem has solutions, passes
//! converge to one. If it has none, λ runs off along a ray, and δ w d tends to the least violation in the metric of the
//! weights: the element of least norm in the range of a monotone operator [Pazy 1971; Baillon, Bruck & Reich 1978].
//! With d ∈ K and D d = 0 the ray is a certificate: impulses along it stay in the cones, no row feels them, and their work
//! against what is asked for is positive (Farkas). The violation is then added to v* of its rows, which makes an overlap that
//! joints do not let end one that may stay. What nothing feels of λ is taken off.

use super::mobility::Mobility;
use super::small::Small;
use crate::residuals::larger;
use crate::sets::{ImpulseSet, MAX_DIM};

/// Velocity of the rows along a ray, over impulse and weight without joints: less counts as none. Passes have δ of
/// at most 1e-6, so that the violation is known to a thousandth where it is as large.
const UNFELT: f64 = 1e-9;
/// Share of a ray that may be outside the cones.
const OUTSIDE: f64 = 1e-6;
/// Halvings of the interval in which the largest multiple of a ray is looked for that may be taken off.
const HALVINGS: usize = 50;

/// What the rows were let off, and buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Stuck {
    /// Velocity that each row was let off, m/s; empty if none was.
    pub yielded: Vec<f64>,
    /// λ and σ before the pass.
    lambda: Vec<f64>,
    sigma: Vec<f64>,
    /// The ray.
    ray: Vec<f64>,
}

impl Stuck {
    /// Before a pass.
    pub fn note(&mut self, lambda: &Vec<f64>, sigma: &Vec<f64>) {
        self.lambda.clone_from(lambda);
        self.sigma.clone_from(sigma);
    }
}

impl Small {
    /// Whether the last pass moved λ along a ray: within the cones, so that no row opens or slips however far it goes,
    /// and felt by no row.
    pub(super) fn runs_off(&mut self) -> bool {
        let stuck = &mut self.stuck;
        stuck.ray.clear();
        stuck.ray.extend_from_slice(self.pass.change());
        let (mut inside, mut outside, mut free) = (0.0, 0.0, 0.0);
        for (&(set, row), &w) in self.sets.iter().zip(&self.graded) {
            let ray = &mut stuck.ray[row..row + set.dim()];
            project(set, ray);
            let moved = &self.pass.change()[row..row + set.dim()];
            for (r, d) in ray.iter().zip(moved) {
                inside = larger(inside, r.abs());
                outside = larger(outside, (r - d).abs());
                free = larger(free, w * r.abs());
            }
        }
        let felt = self.sigma.iter().zip(&stuck.sigma);
        let felt = felt.fold(0.0, |a, (new, old)| larger(a, (new - old).abs()));
        // Written so that a NaN fails too.
        free > 0.0 && outside <= OUTSIDE * inside && felt <= UNFELT * free
    }

    /// After a pass of this δ that [`Small::runs_off`]: let the rows off by what it left violated.
    pub(super) fn give_way(&mut self, mobility: &mut impl Mobility, delta: f64) {
        let stuck = &mut self.stuck;
        let rows = self.lambda.len();
        self.lambda.clone_from(&stuck.lambda);
        self.sigma.clone_from(&stuck.sigma);
        stuck.yielded.resize(rows, 0.0);
        for (&(set, row), &w) in self.sets.iter().zip(&self.weights) {
            for i in row..row + set.dim() {
                let least = delta * w * stuck.ray[i];
                stuck.yielded[i] += least;
                self.sigma[i] += least;
            }
        }
        self.take_off(mobility);
    }

    /// Take as much of the ray off λ as the cones allow: nothing feels it.
    fn take_off(&mut self, mobility: &mut impl Mobility) {
        let largest = |x: &[f64]| x.iter().fold(0.0, |a, x| larger(a, x.abs()));
        let (mut low, mut high) = (0.0, largest(&self.lambda) / largest(&self.stuck.ray));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.may_take_off(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if low == 0.0 {
            return;
        }
        let from = std::mem::take(&mut self.stuck.lambda);
        for (l, r) in self.lambda.iter_mut().zip(&self.stuck.ray) {
            *l -= low * r;
        }
        self.move_sigma(mobility, &from);
        self.stuck.lambda = from;
    }

    /// Whether λ without this multiple of the ray is in the cones.
    fn may_take_off(&self, multiple: f64) -> bool {
        self.sets.iter().all(|&(set, row)| {
            let mut point = [0.0; MAX_DIM];
            let point = &mut point[..set.dim()];
            let (mut size, mut moves) = (0.0, false);
            for (r, p) in point.iter_mut().enumerate() {
                *p = self.lambda[row + r] - multiple * self.stuck.ray[row + r];
                size = larger(size, self.lambda[row + r].abs());
                moves |= self.stuck.ray[row + r] != 0.0;
            }
            let mut nearest = [0.0; MAX_DIM];
            let nearest = &mut nearest[..set.dim()];
            nearest.copy_from_slice(point);
            set.project(nearest);
            let off = point.iter().zip(&*nearest);
            !moves || off.fold(0.0, |a, (p, n)| larger(a, (p - n).abs())) <= f64::EPSILON * size
        })
    }
}

/// The directions that a set contains without end.
fn project(set: ImpulseSet, ray: &mut [f64]) {
    if set.is_cone() {
        set.project(ray);
    } else {
        ray.fill(0.0);
    }
}

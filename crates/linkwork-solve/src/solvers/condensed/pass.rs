//! One pass of the proximal method on the small problem.
//!
//! About λᵏ with σᵏ, blocks answer the velocity v = σᵏ + C Λ f of impulses f on the ports by λ(v), the nearest
//! impulse of their law to λᵏ − v/(R + δ w); f = Cᵀ(λ(v) − λᵏ) is to be solved for. With the imbalance
//! e = f − Cᵀ(λ − λᵏ) and G = −∂λ/∂v a Newton step solves (1 + CᵀG C Λ) p = e, a matrix of the size of the ports.
//! The line search looks for the zero of pᵀΛ e: for a convex law that is the exact search on its energy.

use super::dense::dot;
use super::mobility::Mobility;
use super::ports::Ports;
use crate::residuals::larger;
use crate::sets::{Friction, ImpulseSet, MAX_DIM, Slope};

/// Trials of a line search.
const TRIALS: usize = 12;

/// What a pass solves.
pub(super) struct Law<'a> {
    pub sets: &'a [(ImpulseSet, usize)],
    pub ports: &'a Ports,
    pub compliance: &'a [f64],
    pub weights: &'a [f64],
    pub delta: f64,
    pub friction: Friction,
}

/// How a pass ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PassEnd {
    Done,
    Stuck,
}

/// Buffers of a pass, and the factors of its last step.
#[derive(Clone, Debug, Default)]
pub(super) struct Pass {
    /// Factorisations of the last run.
    pub factorizations: usize,
    /// f, where a search starts, e, Λ e, Λ f and p; one value a port row.
    f: Vec<f64>,
    f_start: Vec<f64>,
    imbalance: Vec<f64>,
    image: Vec<f64>,
    moved: Vec<f64>,
    p: Vec<f64>,
    /// σᵏ, with the lagged shift, velocities, λ, and its last change; one value a row.
    centre: Vec<f64>,
    velocity: Vec<f64>,
    lambda: Vec<f64>,
    change: Vec<f64>,
    slopes: Vec<Slope>,
    /// Slopes that the factors belong to; empty for none.
    factored: Vec<Slope>,
}

impl Pass {
    /// The factors belong to another problem.
    pub fn restart(&mut self) {
        self.factored.clear();
    }

    /// Solves about λᵏ = `lambda` with σᵏ = `sigma` until the residual of every row is at most `goal` (m/s), in at most
    /// this many Newton steps.
    pub fn run(
        &mut self,
        law: &Law,
        mobility: &mut impl Mobility,
        (lambda, sigma): (&[f64], &[f64]),
        goal: f64,
        steps: usize,
    ) -> PassEnd {
        self.factorizations = 0;
        self.centre.clear();
        self.centre.extend_from_slice(sigma);
        if law.friction == Friction::Lagged {
            for &(set, row) in law.sets {
                let dim = set.dim();
                self.centre[row + dim - 1] += set.desaxce_shift(&sigma[row..row + dim]);
            }
        }
        self.f.clear();
        self.f.resize(law.ports.len, 0.0);
        self.predict(law, lambda);
        // If no block carries impulse, as in the first step of a run, no block responds.
        if self.imbalance.iter().any(|e| *e != 0.0) {
            if !self.step(law, mobility) {
                return PassEnd::Stuck;
            }
            for (f, p) in self.f.iter_mut().zip(&self.p) {
                *f = -p;
            }
        }
        let mut size = self.respond(law, mobility, lambda);
        for _ in 0..steps {
            if size <= goal {
                return PassEnd::Done;
            }
            if !self.step(law, mobility) {
                return PassEnd::Stuck;
            }
            match self.search(law, mobility, lambda, goal) {
                Some(reached) => size = reached,
                None => return PassEnd::Stuck,
            }
        }
        if size <= goal {
            PassEnd::Done
        } else {
            PassEnd::Stuck
        }
    }

    /// Move λ to the impulses of the last run, and σ with it.
    pub fn take(
        &mut self,
        law: &Law,
        mobility: &mut impl Mobility,
        lambda: &mut Vec<f64>,
        sigma: &mut [f64],
    ) {
        self.change.clear();
        let pairs = self.lambda.iter().zip(&*lambda);
        self.change.extend(pairs.map(|(new, old)| new - old));
        let to = std::mem::take(&mut self.lambda);
        let maps = (law.ports, law.compliance);
        self.move_sigma(maps, mobility, (lambda, &to), sigma);
        lambda.clone_from(&to);
        self.lambda = to;
    }

    /// The change of λ by the last [`Pass::take`].
    pub fn change(&self) -> &[f64] {
        &self.change
    }

    /// Move σ from that of one λ to that of another; C and R are given as a pair.
    pub fn move_sigma(
        &mut self,
        (ports, compliance): (&Ports, &[f64]),
        mobility: &mut impl Mobility,
        (from, to): (&[f64], &[f64]),
        sigma: &mut [f64],
    ) {
        self.velocity.clear();
        let pairs = to.iter().zip(from);
        self.velocity.extend(pairs.map(|(to, from)| to - from));
        for ((s, r), change) in sigma.iter_mut().zip(compliance).zip(&self.velocity) {
            *s += r * change;
        }
        self.f.clear();
        self.f.resize(ports.len, 0.0);
        ports.gather(&self.velocity, &mut self.f);
        mobility.multiply(&self.f, &mut self.moved);
        ports.spread(&self.moved, &mut self.velocity);
        for (s, change) in sigma.iter_mut().zip(&self.velocity) {
            *s += change;
        }
    }

    /// Slopes and imbalance at f = 0 if the active set is that of λᵏ: a block with impulse responds, and a contact at
    /// the edge of its cone slips.
    fn predict(&mut self, law: &Law, lambda: &[f64]) {
        self.slopes.clear();
        self.slopes.reserve(law.sets.len());
        self.velocity.resize(lambda.len(), 0.0);
        for (&(set, row), &w) in law.sets.iter().zip(law.weights) {
            let dim = set.dim();
            let mut inverse = [0.0; MAX_DIM];
            yielding(law, set, row, w, &mut inverse);
            let (own, sigma) = (&lambda[row..row + dim], &self.centre[row..row + dim]);
            let slope = set.predict(law.friction, own, sigma, &inverse);
            // λ − λᵏ = −G σᵏ.
            for r in 0..dim {
                self.velocity[row + r] = slope.row_product(r, sigma);
            }
            self.slopes.push(slope);
        }
        self.imbalance.clear();
        self.imbalance.resize(law.ports.len, 0.0);
        law.ports.gather(&self.velocity, &mut self.imbalance);
    }

    /// λ, slopes and imbalance at f; returns the residual of the rows as a velocity.
    fn respond(&mut self, law: &Law, mobility: &mut impl Mobility, lambda: &[f64]) -> f64 {
        mobility.multiply(&self.f, &mut self.moved);
        self.velocity.resize(lambda.len(), 0.0);
        law.ports.spread(&self.moved, &mut self.velocity);
        self.lambda.clear();
        self.lambda.reserve(lambda.len());
        self.slopes.clear();
        self.slopes.reserve(law.sets.len());
        for (&(set, row), &w) in law.sets.iter().zip(law.weights) {
            let dim = set.dim();
            let mut inverse = [0.0; MAX_DIM];
            let mut tau = [0.0; MAX_DIM];
            yielding(law, set, row, w, &mut inverse);
            for r in 0..dim {
                let i = row + r;
                // σᵏ contains R λᵏ, so R acts on the change of λ only.
                tau[r] = lambda[i] - (self.centre[i] + self.velocity[i]) * inverse[r];
            }
            let slope = set.respond(law.friction, &mut tau[..dim], &inverse);
            self.slopes.push(slope);
            for r in 0..dim {
                self.lambda.push(tau[r]);
                self.velocity[row + r] = lambda[row + r] - tau[r];
            }
        }
        self.imbalance.clone_from(&self.f);
        law.ports.gather(&self.velocity, &mut self.imbalance);
        mobility.multiply(&self.imbalance, &mut self.image);
        law.ports.spread(&self.image, &mut self.velocity);
        self.velocity
            .iter()
            .fold(0.0, |size, v| larger(size, v.abs()))
    }

    /// p = (1 + CᵀG C Λ)⁻¹ e.
    fn step(&mut self, law: &Law, mobility: &mut impl Mobility) -> bool {
        if self.factored != self.slopes {
            self.factorizations += 1;
            self.factored.clear();
            if !mobility.factor(law, &self.slopes[..]) {
                return false;
            }
            // They are recomputed before the next step.
            std::mem::swap(&mut self.factored, &mut self.slopes);
        }
        self.p.clone_from(&self.imbalance);
        mobility.solve(&mut self.p);
        true
    }

    /// Moves along −p until pᵀΛ e, positive at the start, is nearly zero.
    fn search(
        &mut self,
        law: &Law,
        mobility: &mut impl Mobility,
        lambda: &[f64],
        goal: f64,
    ) -> Option<f64> {
        let start = dot(&self.p, &self.image);
        // Written so that a NaN fails too.
        if !(start > 0.0 && start < f64::INFINITY) {
            return None;
        }
        self.f_start.clone_from(&self.f);
        let (mut low, mut high) = ((0.0, start), (1.0, f64::NAN));
        let mut length = 1.0;
        for _ in 0..TRIALS {
            for i in 0..self.f.len() {
                self.f[i] = self.f_start[i] - length * self.p[i];
            }
            let size = self.respond(law, mobility, lambda);
            let slope = dot(&self.p, &self.image);
            if size <= goal || slope.abs() <= 0.3 * start || (length == 1.0 && slope > 0.0) {
                return Some(size);
            }
            if slope > 0.0 {
                low = (length, slope);
            } else {
                high = (length, slope);
            }
            // Regula falsi, kept away from the ends.
            let share = low.1 / (low.1 - high.1);
            length = low.0 + share.clamp(0.1, 0.9) * (high.0 - low.0);
        }
        None
    }
}

/// 1/(R + δ w) of the rows of a block.
#[inline]
fn yielding(law: &Law, set: ImpulseSet, row: usize, w: f64, inverse: &mut [f64; MAX_DIM]) {
    let inverse = &mut inverse[..set.dim()];
    inverse.copy_from_slice(&law.compliance[row..row + inverse.len()]);
    set.level(inverse);
    for r in inverse {
        *r = 1.0 / (*r + law.delta * w);
    }
}

//! The dense small problem after elimination of the joints: the rows that can open, slip or saturate.
//!
//! It is solved by a proximal-point method with semismooth Newton inside ([`super::pass`]): each pass solves the
//! problem with a compliance δ w about the impulses λᵏ of the pass before. δ is small while the active set is known,
//! and grows where Newton does not find it. Where the distribution of a load is not unique (corners of a foot), the
//! present distribution is kept. Where Coulomb's law itself is the difficulty, passes with a lagged De Saxcé shift are
//! used first to approach the solution; each is a convex problem that Newton with a line search always solves.

use super::interior::{Interior, StepEnd};
use super::mobility::Mobility;
use super::pass::{Law, Pass, PassEnd};
use super::plan::{FIRST_STEPS, NEAR, PassSchedule, REACH, STEPS, TRY};
use super::ports::Ports;
use super::stuck::Stuck;
use crate::blocks::SparseSym;
use crate::problem::{Operator, Problem, Solution};
use crate::residuals::larger;
use crate::sets::{Friction, ImpulseSet, ImpulseSets, MAX_DIM};
use std::ops::Range;

/// Accuracy of a pass, relative to the residual at its start.
const SHARE: f64 = 0.1;
/// The same for a pass that is repeated because the last did not reduce the residual. Where λ diverges, less is lost in
/// round-off: 4e-4 between two walls that press on a slider (`--test blocked`).
const SETTLED: f64 = 1e-3;
/// Maximum number of steps of the interior-point method. Of 70 recorded steps of `heap` (80), 39 end within 40, 45
/// within 60 and 50 within 100.
const INTERIOR_STEPS: usize = 50;
/// Maximum number of passes, and of passes without gain.
const PASSES: usize = 200;
const IDLE_LIMIT: usize = 20;
/// Range of rows of islands for the interior-point method. In smaller islands passes find the active set in fewer steps
/// (`clutter` of 8: 32 k steps per second instead of 17 k). In larger ones it succeeds too rarely for its cost (2 of 14
/// recorded steps of `heap` (160) coming to rest).
const INSIDE: Range<usize> = 150..800;
/// The same for the convex relaxation, for which it solves islands of any size. `heap` (40), 5 coefficients of friction
/// from 0.996 to 1: 4.0 k steps per second with 12 and 24, 3.6 k with 40, 3.3 k with 60 to 150.
const INSIDE_CONVEX: usize = 24;
/// Maximum number of doublings of a stride, and the allowed growth of the residual on it.
const STRIDE: usize = 40;
const GROWTH: f64 = 1.02;

/// Minimum weight of a block, as a share of that of its bodies without joints. A block that the joints constrain
/// completely has only round-off as its own mobility (a four-bar with a welded coupler and contacts at its hinges,
/// `genesis_four_bar/four_bar_linkage_weld.xml`).
const HELD: f64 = 1e-6;

/// The problem, its iterate, and buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Small {
    /// Blocks of the problem.
    pub blocks: Vec<usize>,
    /// Sets and the first row of each.
    pub sets: Vec<(ImpulseSet, usize)>,
    /// C.
    pub ports: Ports,
    pub compliance: Vec<f64>,
    /// One weight a block, tr(C Λ Cᵀ + R)/dim.
    pub weights: Vec<f64>,
    /// Weights of the blocks in the whole problem, which define its residual.
    pub(super) graded: Vec<f64>,
    /// λ and σ(λ).
    pub lambda: Vec<f64>,
    pub sigma: Vec<f64>,
    best: Best,
    /// Where a stride starts, λ and σ, and its last good point.
    start: [Vec<f64>; 2],
    last: Best,
    pub(super) pass: Pass,
    interior: Interior,
    /// Whether contacts obey Coulomb's law or its convex relaxation.
    friction: Friction,
    /// Allowed contradiction between rows, m/s: the closure tolerance of joints over the step. 0 without joints.
    pub contradiction: f64,
    /// Rows that cannot open.
    pub(super) stuck: Stuck,
}

/// The method where the guess does not lead to the active set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fallback {
    /// Continue with passes of larger δ.
    Passes,
    /// The same, and relax rows that cannot open ([`super::stuck`]).
    Relax,
    /// The interior-point method.
    Interior,
    /// The same, without a try of the active set of the guess.
    InteriorAtOnce,
    /// Leave it to others.
    Nothing,
}

/// The iterate with the least residual.
#[derive(Clone, Debug, Default)]
struct Best {
    size: f64,
    lambda: Vec<f64>,
    sigma: Vec<f64>,
}

impl Best {
    fn keep(&mut self, size: f64, lambda: &Vec<f64>, sigma: &Vec<f64>) {
        self.size = size;
        self.lambda.clone_from(lambda);
        self.sigma.clone_from(sigma);
    }
}

impl Small {
    /// For contacts that obey this law.
    pub fn new(friction: Friction) -> Self {
        Self {
            friction,
            ..Self::default()
        }
    }

    /// The method for an island of this many rows where the guess does not lead to the active set.
    pub fn fallback(&self, rows: usize) -> Fallback {
        let inside = match self.friction {
            Friction::Convex => INSIDE_CONVEX..usize::MAX,
            _ => INSIDE,
        };
        match self.friction {
            _ if rows < inside.start => Fallback::Relax,
            _ if rows >= inside.end => Fallback::Nothing,
            Friction::Convex => Fallback::InteriorAtOnce,
            _ => Fallback::Interior,
        }
    }

    /// The same for rows on bodies with joints. The guess of a robot is usually right, so its active set is tried
    /// first.
    pub fn fallback_with_joints(&self) -> Fallback {
        let many = self.ports.rows() >= INSIDE_CONVEX;
        match self.friction {
            Friction::Convex if many && Interior::supports(&self.sets) => Fallback::Interior,
            _ => Fallback::Relax,
        }
    }

    /// No blocks.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.ports.clear();
        self.pass.restart();
    }

    /// Λ covers more ports than before.
    pub fn grown(&mut self, ports: usize) {
        self.ports.len = ports;
        self.pass.restart();
    }

    /// Loads the problem at `x`; `felt` is the change of the port velocities from closing the joints.
    pub fn load(
        &mut self,
        problem: &Problem,
        x: &Solution,
        felt: &[f64],
        mobility: &impl Mobility,
        weights: &[f64],
    ) {
        self.sets.clear();
        self.weights.clear();
        self.graded.clear();
        self.lambda.clear();
        self.compliance.clear();
        let (blocks, rows) = (self.blocks.len(), self.ports.rows());
        self.sets.reserve(blocks);
        self.weights.reserve(blocks);
        self.graded.reserve(blocks);
        self.lambda.reserve(rows);
        self.compliance.reserve(rows);
        self.sigma.resize(rows, 0.0);
        self.ports.spread(felt, &mut self.sigma);
        for (k, &block) in self.blocks.iter().enumerate() {
            let range = problem.sets.range(block);
            self.sets.push((problem.sets.set(block), self.lambda.len()));
            self.lambda.extend_from_slice(&x.lambda[range.clone()]);
            let sigma = &mut self.sigma[self.ports.rows_of(k)];
            for (sigma, s) in sigma.iter_mut().zip(&x.sigma[range.clone()]) {
                *sigma += s;
            }
            let compliance = &problem.compliance[range];
            self.compliance.extend_from_slice(compliance);
            let weight = mobility.trace(&self.ports, k).map(|trace| {
                let trace = trace + compliance.iter().sum::<f64>();
                (trace / compliance.len() as f64).max(HELD * weights[block])
            });
            self.weights.push(weight.unwrap_or(weights[block]));
            self.graded.push(weights[block]);
        }
    }

    /// Put the impulses found into `lambda`, and their change on the ports into `on_ports`.
    pub fn hand_over(&mut self, problem: &Problem, lambda: &mut [f64], on_ports: &mut Vec<f64>) {
        let change = &mut self.start[0];
        change.clear();
        for (k, &block) in self.blocks.iter().enumerate() {
            let own = &self.lambda[self.ports.rows_of(k)];
            let lambda = &mut lambda[problem.sets.range(block)];
            change.extend(own.iter().zip(&*lambda).map(|(new, old)| new - old));
            lambda.copy_from_slice(own);
        }
        on_ports.clear();
        on_ports.resize(self.ports.len, 0.0);
        self.ports.gather(change, on_ports);
    }

    /// Continues from `lambda` until the residual is at most `goal`; returns the number of factorisations. The best
    /// iterate is kept.
    pub fn solve(
        &mut self,
        mobility: &mut impl Mobility,
        goal: f64,
        mut fallback: Fallback,
    ) -> usize {
        let mut cost = 0;
        let mut idle = 0;
        let mut size = self.measure();
        let guessed = size;
        let mut plan = PassSchedule::start(self.friction, fallback, size, self.contradiction > 0.0);
        self.best.size = f64::INFINITY;
        self.stuck.start(&self.lambda, &self.sigma);
        for _ in 0..PASSES {
            idle = if size < 0.5 * self.best.size {
                0
            } else {
                idle + 1
            };
            if size < self.best.size {
                self.best.keep(size, &self.lambda, &self.sigma);
            }
            if size <= goal || size.is_nan() || idle > IDLE_LIMIT {
                break;
            }
            if !plan.straight {
                size = self.run_pass(mobility, &mut plan, fallback, (size, goal));
                cost += self.pass.factorizations;
            }
            let lost = size > goal && (plan.straight || plan.stuck || cost > TRY);
            if lost && !matches!(fallback, Fallback::Passes | Fallback::Relax) {
                if size < self.best.size {
                    self.best.keep(size, &self.lambda, &self.sigma);
                }
                if fallback != Fallback::Nothing {
                    cost += self.solve_inside(mobility, goal, guessed);
                }
                if self.friction != Friction::Convex {
                    break;
                }
                // Passes of the largest δ reduce the error that round-off leaves in the convex relaxation.
                self.lambda.clone_from(&self.best.lambda);
                self.sigma.clone_from(&self.best.sigma);
                size = self.best.size;
                plan.restart_far(REACH);
                fallback = Fallback::Passes;
                idle = 0;
            }
        }
        if self.best.size < f64::INFINITY {
            self.lambda.clone_from(&self.best.lambda);
            self.sigma.clone_from(&self.best.sigma);
        }
        cost
    }

    /// One pass from a point with this residual; updates the plan and returns the residual after it.
    fn run_pass(
        &mut self,
        mobility: &mut impl Mobility,
        plan: &mut PassSchedule,
        fallback: Fallback,
        (before, goal): (f64, f64),
    ) -> f64 {
        self.stuck.note(&self.sigma);
        // If the residual is not reduced, the result of the pass may be the least violation, which must be accurate.
        let share = if plan.settled { SETTLED } else { SHARE };
        let accuracy = goal.max(share * before);
        let error = if plan.settled { accuracy } else { 0.0 };
        let inner = 0.3 * accuracy;
        let law = Law {
            sets: &self.sets,
            ports: &self.ports,
            compliance: &self.compliance,
            weights: &self.weights,
            delta: plan.delta,
            friction: plan.friction(),
        };
        let steps = if plan.found { STEPS } else { FIRST_STEPS };
        let end = self
            .pass
            .run(&law, mobility, (&self.lambda, &self.sigma), inner, steps);
        let mut size = before;
        if end == PassEnd::Done {
            self.pass
                .take(&law, mobility, &mut self.lambda, &mut self.sigma);
            size = self.measure();
            if size > 0.5 * before && plan.friction() != Friction::Lagged {
                if plan.delta <= NEAR && self.contradicts_little(plan.delta) {
                    self.relax_contradiction(plan.delta);
                    self.best.size = f64::INFINITY;
                    size = self.measure();
                } else if !self.diverges_along_ray(plan.delta, error) {
                    if !plan.is_to_repeat() {
                        size = self.stride(mobility, size);
                    }
                } else if fallback == Fallback::Relax && plan.delta <= NEAR {
                    self.relax_violated(plan.delta);
                    self.best.size = f64::INFINITY;
                    size = self.measure();
                    *plan = PassSchedule::start(
                        self.friction,
                        fallback,
                        size,
                        self.contradiction > 0.0,
                    );
                    return size;
                }
            }
        }
        plan.next(end, size > 0.5 * before);
        size
    }

    /// Continues from `lambda` by the interior-point method, if it supports these sets, at this distance (m/s) from the
    /// boundary or more; keeps the best iterate and returns the number of factorisations.
    fn solve_inside(&mut self, mobility: &mut impl Mobility, goal: f64, distance: f64) -> usize {
        if !Interior::supports(&self.sets) {
            return 0;
        }
        let mut from = std::mem::take(&mut self.start[0]);
        let mut interior = std::mem::take(&mut self.interior);
        from.clone_from(&self.lambda);
        let mut lambda = std::mem::take(&mut self.lambda);
        let distance = distance.max(self.best.size);
        interior.start(&self.law(), &mut lambda, &self.sigma, distance);
        self.lambda = lambda;
        self.move_sigma(mobility, &from);
        self.pass.restart();
        let mut cost = 0;
        while cost < INTERIOR_STEPS {
            cost += 1;
            from.clone_from(&self.lambda);
            let mut lambda = std::mem::take(&mut self.lambda);
            let point = (&mut lambda[..], &self.sigma[..]);
            let end = interior.step(&self.law(), mobility, point);
            self.lambda = lambda;
            if end == StepEnd::Stuck {
                break;
            }
            // σ of the impulses themselves: the prediction of the step contains the round-off of stiff slopes.
            self.move_sigma(mobility, &from);
            let size = self.measure_to(goal);
            if size <= goal || size.is_nan() {
                break;
            }
        }
        let size = self.measure();
        if size < self.best.size {
            self.best.keep(size, &self.lambda, &self.sigma);
        }
        self.start[0] = from;
        self.interior = interior;
        cost
    }

    /// The law of the blocks without a proximal term.
    fn law(&self) -> Law<'_> {
        Law {
            sets: &self.sets,
            ports: &self.ports,
            compliance: &self.compliance,
            weights: &self.weights,
            delta: 0.0,
            friction: self.friction,
        }
    }

    /// σ of `lambda`, where it is that of `from`.
    pub(super) fn move_sigma(&mut self, mobility: &mut impl Mobility, from: &[f64]) {
        let maps = (&self.ports, &self.compliance[..]);
        let change = (from, &self.lambda[..]);
        self.pass
            .move_sigma(maps, mobility, change, &mut self.sigma);
    }

    /// Whether [`Small::solve`] got to the goal.
    pub fn is_solved(&self, goal: f64) -> bool {
        self.best.size <= goal
    }

    /// The problem with only D = C Λ Cᵀ, for a method that does not support ports.
    pub fn as_problem(&self, mobility: &mut impl Mobility, dt: f64) -> Problem {
        let n = self.lambda.len();
        let mut triplets = Vec::with_capacity(n * n);
        let (mut on_ports, mut moved) = (vec![0.0; self.ports.len], Vec::new());
        let (mut unit, mut column) = (vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            unit[j] = 1.0;
            on_ports.fill(0.0);
            self.ports.gather(&unit, &mut on_ports);
            unit[j] = 0.0;
            mobility.multiply(&on_ports, &mut moved);
            self.ports.spread(&moved, &mut column);
            let entries = column.iter().enumerate();
            triplets.extend(entries.map(|(i, &d)| (i, j, d)));
        }
        let mut sets = ImpulseSets::new();
        for &(set, _) in &self.sets {
            sets.push(set);
        }
        let (matrix, _) = SparseSym::from_triplets(n, &triplets);
        // σ = D λ + R λ + v_free.
        let mut v_free = vec![0.0; n];
        matrix.multiply(&self.lambda, &mut v_free);
        for (i, v) in v_free.iter_mut().enumerate() {
            *v = self.sigma[i] - *v - self.compliance[i] * self.lambda[i];
        }
        Problem {
            dt,
            operator: Operator::Delassus { matrix, v_free },
            v_bias: vec![0.0; n],
            compliance: self.compliance.clone(),
            sets,
        }
    }

    /// After a pass that did not reduce the residual: extrapolates along its change of λ, by doubling, while the
    /// residual does not grow. Redundant rows that contradict each other slightly transfer load at that rate, pass by
    /// pass, until one of them opens or slips (flat feet of `biped14`, boxes that slide on each other in a `heap`).
    fn stride(&mut self, mobility: &mut impl Mobility, size: f64) -> f64 {
        let [lambda, sigma] = &mut self.start;
        lambda.clone_from(&self.lambda);
        sigma.clone_from(&self.sigma);
        let (mut reached, mut length) = (size, 1.0);
        self.last.keep(size, &self.lambda, &self.sigma);
        for _ in 0..STRIDE {
            let moved = self.start[0].iter().zip(self.pass.change());
            for (l, (start, c)) in self.lambda.iter_mut().zip(moved) {
                *l = start + length * c;
            }
            for &(set, row) in &self.sets {
                set.project(&mut self.lambda[row..row + set.dim()]);
            }
            self.sigma.clone_from(&self.start[1]);
            let maps = (&self.ports, &self.compliance[..]);
            let change = (&self.start[0][..], &self.lambda[..]);
            self.pass
                .move_sigma(maps, mobility, change, &mut self.sigma);
            let now = self.measure();
            if now > GROWTH * size || now.is_nan() {
                break;
            }
            self.last.keep(now, &self.lambda, &self.sigma);
            reached = now;
            length *= 2.0;
        }
        self.lambda.clone_from(&self.last.lambda);
        self.sigma.clone_from(&self.last.sigma);
        reached
    }

    /// max |λ − Π(λ − σ/w)| as an impulse and as a velocity, where Π is the response of each block, with the weights of
    /// both problems: a solution of the small problem then solves the whole problem at any tolerance.
    fn measure(&self) -> f64 {
        self.measure_to(f64::INFINITY)
    }

    /// The same, but only up to the first block whose error exceeds `most`.
    fn measure_to(&self, most: f64) -> f64 {
        let mut size = 0.0;
        let weights = self.weights.iter().zip(&self.graded);
        for (&(set, row), (&own, &graded)) in self.sets.iter().zip(weights) {
            let rows = row..row + set.dim();
            let (lambda, sigma) = (&self.lambda[rows.clone()], &self.sigma[rows]);
            let other = if graded == own { None } else { Some(graded) };
            for w in std::iter::once(own).chain(other) {
                let mut tau = [0.0; MAX_DIM];
                let tau = &mut tau[..lambda.len()];
                for (t, (l, s)) in tau.iter_mut().zip(lambda.iter().zip(sigma)) {
                    *t = l - s / w;
                }
                set.respond(self.friction, tau, &[1.0 / w; MAX_DIM]);
                for (t, l) in tau.iter().zip(lambda) {
                    let f = (l - t).abs();
                    size = larger(size, f.max(w * f));
                }
            }
            if size > most || size.is_nan() {
                break;
            }
        }
        size
    }
}

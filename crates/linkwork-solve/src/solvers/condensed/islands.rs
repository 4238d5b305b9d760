//! Islands: bodies connected by contacts. Islands without joints are separate problems, each with its own size, method
//! and convergence. The world does not connect bodies.

use super::Role;
use super::mobility::{Bodies, Factors};
use super::small::Small;
use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::problem::{Operator, Problem, Solution, Status};
use crate::sets::Friction;
use crate::solvers::ends::Counts;
use crate::solvers::{Observer, Solver};
use std::sync::Mutex;

/// Small islands are solved together up to this number of rows, because each problem has a set-up cost. The first step
/// of 1e4 balls on a floor takes 250 M instructions with 24 and 228 M with 96, and 94 instead of 57 ms with 6 instead
/// of 24. `heap` (40 and 80) takes 10 and 5 % longer with 24, 14 and 37 % with 96.
const LEAST_ROWS: usize = 48;
/// Total number of rows from which several threads share the islands. An estimate: starting a thread takes about ten
/// microseconds, and one Newton step of so many rows forty.
const SHARED_ROWS: usize = 400;

/// One or more islands, solved as one problem.
#[derive(Clone, Debug, Default)]
struct Island {
    /// Bodies in the order of their local numbers.
    bodies: Vec<usize>,
    mass: BlockDiag6,
    rows: BlockCsr6,
    small: Small,
    factors: Factors,
    felt: Vec<f64>,
    steps: usize,
}

/// The islands of a step, and which bodies are joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// Union-find over bodies.
    parent: Vec<usize>,
    /// Whether an equation acts on the island, by root.
    jointed: Vec<bool>,
    /// Local number of a body; `usize::MAX` for none yet.
    local: Vec<usize>,
    /// Kept from step to step; the first `count` are in use.
    list: Vec<Island>,
    count: usize,
    /// Loose blocks with the root of their island, island by island.
    order: Vec<(usize, usize)>,
    change: Vec<f64>,
    friction: Friction,
}

impl Islands {
    /// For contacts that obey this law.
    pub fn new(friction: Friction) -> Self {
        Self {
            friction,
            ..Self::default()
        }
    }

    /// Join the bodies of all blocks but idle ones.
    pub fn connect(&mut self, problem: &Problem, roles: &[Role]) {
        let Operator::Bodies { jacobian, .. } = &problem.operator else {
            return;
        };
        let n = problem.bodies();
        self.parent.clear();
        self.parent.extend(0..n);
        self.jointed.clear();
        self.jointed.resize(n, false);
        for (k, role) in roles.iter().enumerate() {
            let entries = jacobian.entries_of(k);
            if *role == Role::Idle || entries.is_empty() {
                continue;
            }
            for entry in &entries[1..] {
                let (a, b) = (self.root(entries[0].body), self.root(entry.body));
                // The lowest body is the root, so that the order of blocks does not matter.
                let (low, high) = (a.min(b), a.max(b));
                self.parent[high] = low;
                self.jointed[low] |= self.jointed[high];
            }
            if *role == Role::Equation {
                let root = self.root(entries[0].body);
                self.jointed[root] = true;
            }
        }
    }

    fn root(&mut self, body: usize) -> usize {
        let mut at = body;
        while self.parent[at] != at {
            self.parent[at] = self.parent[self.parent[at]];
            at = self.parent[at];
        }
        at
    }

    /// Whether an equation acts on the island of this body.
    pub fn is_jointed(&mut self, body: usize) -> bool {
        let root = self.root(body);
        self.jointed[root]
    }

    /// Solves the islands of loose blocks, starting from `x`, to `goal` (m/s), and writes their impulses to `x`.
    /// Returns whether all are solved.
    #[allow(clippy::too_many_arguments, reason = "a solve, its goal, its books")]
    pub fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        (roles, weights): (&[Role], &[f64]),
        goal: f64,
        threads: usize,
        whole: &mut dyn Solver,
        (count, observer): (&mut Counts, &mut dyn Observer),
    ) -> bool {
        self.gather(problem, roles);
        let islands = &mut self.list[..self.count];
        let rows: usize = islands.iter().map(|i| i.rows.rows()).sum();
        let threads = threads.min(islands.len());
        if threads < 2 || rows < SHARED_ROWS {
            for island in islands.iter_mut() {
                island.solve(problem, x, weights, goal);
            }
        } else {
            // Islands are independent: the assignment to threads does not matter.
            let (queue, x) = (Mutex::new(islands.iter_mut()), &*x);
            let work = || {
                while let Some(island) = queue.lock().ok().and_then(|mut queue| queue.next()) {
                    island.solve(problem, x, weights, goal);
                }
            };
            std::thread::scope(|scope| {
                for _ in 1..threads {
                    scope.spawn(work);
                }
                work();
            });
        }
        let mut solved = true;
        let mut longest = 0;
        for island in &mut self.list[..self.count] {
            longest = longest.max(island.steps);
            count.factorizations += island.steps;
            if !island.small.is_solved(goal) {
                solved &= island.globalise(problem, x, whole, count, observer);
            }
            island
                .small
                .hand_over(problem, &mut x.lambda, &mut self.change);
        }
        count.iterations += longest.saturating_sub(1);
        solved
    }

    /// The problems of the last [`Islands::solve`].
    pub fn problems(&self) -> impl Iterator<Item = &Small> {
        self.list[..self.count].iter().map(|island| &island.small)
    }

    /// Lay out the loose blocks by island.
    fn gather(&mut self, problem: &Problem, roles: &[Role]) {
        let Operator::Bodies { jacobian, mass, .. } = &problem.operator else {
            return;
        };
        self.order.clear();
        for (k, role) in roles.iter().enumerate() {
            if *role == Role::Loose
                && let Some(entry) = jacobian.entries_of(k).first()
            {
                let root = self.root(entry.body);
                self.order.push((root, k));
            }
        }
        self.order.sort_unstable();
        self.local.clear();
        self.local.resize(problem.bodies(), usize::MAX);
        self.count = 0;
        let mut last = usize::MAX;
        for &(root, k) in &self.order {
            let full = |island: &Island| island.rows.rows() >= LEAST_ROWS;
            if self.count == 0 || (root != last && full(&self.list[self.count - 1])) {
                self.count += 1;
                if self.list.len() < self.count {
                    self.list.push(Island {
                        small: Small::new(self.friction),
                        ..Island::default()
                    });
                }
                self.list[self.count - 1].clear();
            }
            last = root;
            let island = &mut self.list[self.count - 1];
            island.add(k, jacobian, mass, &mut self.local);
        }
        for island in &mut self.list[..self.count] {
            island.small.grown(6 * island.bodies.len());
        }
    }
}

impl Island {
    fn clear(&mut self) {
        self.bodies.clear();
        self.mass.clear();
        self.rows.clear(0);
        self.small.clear();
    }

    fn add(&mut self, k: usize, jacobian: &BlockCsr6, mass: &BlockDiag6, local: &mut [usize]) {
        let dim = jacobian.rows_of(k).len();
        for entry in jacobian.entries_of(k) {
            if local[entry.body] == usize::MAX {
                local[entry.body] = self.bodies.len();
                self.bodies.push(entry.body);
                self.mass.push_from(mass, entry.body);
            }
        }
        self.rows.grow(self.bodies.len());
        self.rows.push_block(dim);
        for entry in jacobian.entries_of(k) {
            let values = jacobian.values_of(entry, dim);
            self.rows.push_entry(local[entry.body], values);
            self.small.ports.on_body(6 * local[entry.body], values);
        }
        self.small.ports.end_block(dim);
        self.small.blocks.push(k);
    }

    fn solve(&mut self, problem: &Problem, x: &Solution, weights: &[f64], goal: f64) {
        self.felt.clear();
        self.felt.resize(6 * self.bodies.len(), 0.0);
        self.factors.bodies.prepare(&self.rows);
        let mut mobility = Bodies {
            mass: &self.mass,
            rows: &self.rows,
            factors: &mut self.factors,
        };
        self.small.load(problem, x, &self.felt, &mobility, weights);
        let way = self.small.fallback(self.rows.rows());
        self.steps = self.small.solve(&mut mobility, goal, way);
    }

    /// Solves by `hybrid`, or `admm-ccp` under the convex relaxation, from the guess in `x`, and accepts its answer if
    /// it is one; returns whether it was accepted. About a third of the recorded steps of `heap` (80) need this. The
    /// best iterate of the interior-point method is not a better start, because all its contacts carry impulse.
    fn globalise(
        &mut self,
        problem: &Problem,
        x: &Solution,
        whole: &mut dyn Solver,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> bool {
        // The problem as it is.
        self.small.stuck.yielded.clear();
        let own = self.as_problem(problem);
        let mut guess = Solution::default();
        for &k in &self.small.blocks {
            let rows = problem.sets.range(k);
            guess.lambda.extend_from_slice(&x.lambda[rows]);
        }
        let report = whole.solve(&own, &mut guess, observer);
        count.iterations += report.iterations;
        count.factorizations += report.factorizations;
        count.escalations += 1;
        let solved = report.status == Status::Converged;
        if solved {
            self.small.lambda = guess.lambda;
        }
        solved
    }

    /// The island as a problem of its own.
    fn as_problem(&self, problem: &Problem) -> Problem {
        let mut own = Problem::for_bodies(problem.dt);
        let Operator::Bodies { u_free: all, .. } = &problem.operator else {
            return own;
        };
        let mut u_free = Vec::with_capacity(6 * self.bodies.len());
        for &b in &self.bodies {
            u_free.extend_from_slice(&all[6 * b..6 * b + 6]);
        }
        own.operator = Operator::Bodies {
            mass: self.mass.clone(),
            jacobian: self.rows.clone(),
            u_free,
        };
        for &k in &self.small.blocks {
            let rows = problem.sets.range(k);
            own.sets.push(problem.sets.set(k));
            own.v_bias.extend_from_slice(&problem.v_bias[rows.clone()]);
            own.compliance.extend_from_slice(&problem.compliance[rows]);
        }
        own
    }
}

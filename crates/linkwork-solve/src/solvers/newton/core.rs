//! One pass of the proximal Newton method, and what goes around it: the algorithm of [`super`].

use super::super::Observer;
use super::super::ends::{Counts, projected_guess};
use super::space::{Space, Spaces};
use crate::problem::{Problem, Solution};
use crate::residuals::{ContactModel, max_abs, natural_map};
use crate::sets::{Friction, MAX_DIM, Slope};

/// δ of free rows: as in the direct solver, redundant rows need some; the smaller it is, the more exact is the solution.
const FREE_PROXIMAL: f64 = 1e-5;
/// Halvings of the interval that a line search may take.
const SEARCH_LIMIT: usize = 12;
/// Doublings of a stride.
const STRIDE_DOUBLINGS: usize = 40;
/// Allowed growth of the impulses of joints in a stride, relative to the largest before.
const STRIDE_GROWTH: f64 = 10.0;

/// What a pass may cost and should reach.
#[derive(Clone, Copy)]
pub(in crate::solvers) struct Effort {
    /// δ of the rows that are not free.
    pub delta: f64,
    /// Largest max |J M⁻¹ F| at the end, m/s.
    pub goal: f64,
    /// Newton steps at most.
    pub steps: usize,
    /// How contacts answer.
    pub friction: Friction,
    /// Whether a failed pass may be accepted because of a smaller residual.
    pub patient: bool,
}

/// How a pass ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::solvers) enum PassEnd {
    /// Its equations are solved to the goal.
    Done,
    /// They are not, but the residual is smaller than before.
    Better,
    /// Neither; λᵏ is as before.
    Stuck,
    /// By the observer.
    Interrupted,
}

/// The passes and their buffers, shared with the hybrid solver.
#[derive(Default)]
pub(in crate::solvers) struct NewtonCore {
    spaces: Spaces,
    weights: Vec<f64>,
    /// λᵏ, the centre of the proximal term, and σᵏ.
    pub centre: Vec<f64>,
    sigma: Vec<f64>,
    /// The residual at λᵏ.
    size: f64,
    pass: Pass,
    /// Where a stride starts, its direction, and the best point on it.
    stride: [Vec<f64>; 3],
    scratch: Vec<f64>,
}

/// Buffers of a pass.
#[derive(Default)]
pub(super) struct Pass {
    /// λ(d) and λ(d) − λᵏ.
    lambda: Vec<f64>,
    change: Vec<f64>,
    pub slopes: Vec<Slope>,
    pub d: Vec<f64>,
    d_start: Vec<f64>,
    rows: Vec<f64>,
    pub force: Vec<f64>,
    step: Vec<f64>,
    scratch: Vec<f64>,
}

/// Size of F.
#[derive(Clone, Copy, Debug)]
pub(super) struct Imbalance {
    /// max |J M⁻¹ F|: the velocity of the rows by the impulses λ(d) beyond J d; m/s.
    velocity: f64,
}

impl NewtonCore {
    /// λᵏ = the guess, projected, also into `x`; its residual.
    pub fn start(&mut self, problem: &Problem, x: &mut Solution) -> f64 {
        projected_guess(problem, x, &mut self.centre);
        x.lambda.clone_from(&self.centre);
        problem.block_weights(&mut self.weights);
        self.spaces.restart();
        self.measure(problem)
    }

    /// The recomputed scaled natural map at λᵏ; leaves σᵏ.
    pub fn measure(&mut self, problem: &Problem) -> f64 {
        problem.sigma(&self.centre, &mut self.sigma, &mut self.scratch);
        let (lambda, sigma) = (&self.centre, &self.sigma);
        let map = natural_map(problem, lambda, sigma, &self.weights, ContactModel::Ncp);
        self.size = map.scaled();
        self.size
    }

    /// After a pass that did not reduce the residual: extrapolates along its change of λ as long as the residual does
    /// not grow; returns the residual. Where redundant rows must transfer load before a contact slips or opens, each
    /// pass moves along a null direction of D by σ/ε; a stride replaces thousands of them.
    pub fn stride(&mut self, problem: &Problem) -> f64 {
        let size = self.size;
        let [mut from, mut change, mut kept] = std::mem::take(&mut self.stride);
        from.clone_from(&self.centre);
        kept.clone_from(&self.centre);
        change.clear();
        // The pass has left the centre before it in its buffer.
        change.extend(from.iter().zip(&self.pass.lambda).map(|(a, b)| a - b));
        // Impulses of redundant joints are not bounded: a stride along them would not end.
        let bound = STRIDE_GROWTH * max_abs(&from);
        let mut length = 1.0;
        for _ in 0..STRIDE_DOUBLINGS {
            for (c, (f, d)) in self.centre.iter_mut().zip(from.iter().zip(&change)) {
                *c = f + length * d;
            }
            for (set, rows) in problem.sets.iter() {
                set.project(&mut self.centre[rows]);
            }
            let now = self.measure(problem);
            let mut joints = problem.sets.iter().filter(|(set, _)| set.is_free());
            let grown = joints.any(|(_, rows)| max_abs(&self.centre[rows]) > bound);
            if now > 1.02 * size || now.is_nan() || grown {
                break;
            }
            kept.clone_from(&self.centre);
            length *= 2.0;
        }
        self.centre.clone_from(&kept);
        self.stride = [from, change, kept];
        self.measure(problem)
    }

    /// λᵏ ← λ(d) with F(d) = 0 to the goal, or with a smaller residual; otherwise λᵏ does not change. σᵏ must be up to
    /// date ([`NewtonCore::measure`]).
    pub fn pass(
        &mut self,
        problem: &Problem,
        effort: Effort,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> PassEnd {
        if effort.friction == Friction::Lagged {
            // A lagged shift is part of the velocity until the next measure.
            for (set, rows) in problem.sets.iter() {
                let shift = set.desaxce_shift(&self.sigma[rows.clone()]);
                self.sigma[rows.end - 1] += shift;
            }
        }
        let law = PassLaw {
            problem,
            weights: &self.weights,
            centre: &self.centre,
            sigma: &self.sigma,
            delta: effort.delta,
            friction: effort.friction,
        };
        let pass = &mut self.pass;
        let work = |space: &mut dyn Space| pass.run(space, &law, effort, count, observer);
        let end = self.spaces.with(problem, work);
        if end == PassEnd::Done {
            std::mem::swap(&mut self.centre, &mut self.pass.lambda);
        } else if end == PassEnd::Stuck && effort.patient {
            let before = self.size;
            std::mem::swap(&mut self.centre, &mut self.pass.lambda);
            if self.measure(problem) < 0.95 * before {
                return PassEnd::Better;
            }
            std::mem::swap(&mut self.centre, &mut self.pass.lambda);
            self.measure(problem);
        }
        end
    }
}

/// The responses of the blocks in a pass.
pub(super) struct PassLaw<'a> {
    pub problem: &'a Problem,
    pub weights: &'a [f64],
    pub centre: &'a [f64],
    /// σᵏ, with the De Saxcé shift for contacts with a lagged shift.
    pub sigma: &'a [f64],
    pub delta: f64,
    pub friction: Friction,
}

impl Pass {
    fn run(
        &mut self,
        space: &mut dyn Space,
        law: &PassLaw,
        effort: Effort,
        count: &mut Counts,
        observer: &mut dyn Observer,
    ) -> PassEnd {
        let goal = effort.goal;
        self.d.clear();
        self.d.resize(space.dim(), 0.0);
        let mut size = self.respond(space, law);
        for _ in 0..effort.steps {
            if size.velocity <= goal {
                break;
            }
            count.iterations += 1;
            count.factorizations += 1;
            if space.factor(&self.slopes).is_err() {
                break;
            }
            self.step.clone_from(&self.force);
            space.solve(&mut self.step);
            self.d_start.clone_from(&self.d);
            match self.search(space, law, goal) {
                Some(reached) => size = reached,
                None => break,
            }
            let flow = observer.iteration(count.iterations, size.velocity);
            if flow.is_break() {
                return PassEnd::Interrupted;
            }
        }
        if size.velocity <= goal {
            PassEnd::Done
        } else {
            PassEnd::Stuck
        }
    }

    /// Moves along the step p until pᵀF, positive at the start, is nearly zero. For the convex law this is the exact
    /// line search on its energy; the exact law behaves the same where it is nearly monotone.
    fn search(&mut self, space: &mut dyn Space, law: &PassLaw, goal: f64) -> Option<Imbalance> {
        let start = space.work(&self.step, &self.force);
        // Written so that a NaN fails too.
        if !(start > 0.0 && start < f64::INFINITY) {
            return None;
        }
        let (mut low, mut high) = ((0.0, start), (1.0, f64::NAN));
        let mut length = 1.0;
        for _ in 0..SEARCH_LIMIT {
            for i in 0..self.d.len() {
                self.d[i] = self.d_start[i] - length * self.step[i];
            }
            let size = self.respond(space, law);
            let slope = space.work(&self.step, &self.force);
            if size.velocity <= goal || slope.abs() <= 0.3 * start || (length == 1.0 && slope > 0.0)
            {
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

    /// λ(d), G and F at the present d.
    pub fn respond(&mut self, space: &mut dyn Space, law: &PassLaw) -> Imbalance {
        let n = law.centre.len();
        self.rows.resize(n, 0.0);
        self.lambda.resize(n, 0.0);
        self.change.resize(n, 0.0);
        space.multiply(&self.d, &mut self.rows);
        self.slopes.clear();
        for ((set, rows), &weight) in law.problem.sets.iter().zip(law.weights) {
            let delta = if set.is_free() {
                FREE_PROXIMAL
            } else {
                law.delta
            };
            let (mut inverse, mut compliance) = ([0.0; MAX_DIM], [0.0; MAX_DIM]);
            compliance[..rows.len()].copy_from_slice(&law.problem.compliance[rows.clone()]);
            // Additional compliance of a row acts as proximal weight.
            set.level(&mut compliance[..rows.len()]);
            for (k, i) in rows.clone().enumerate() {
                inverse[k] = 1.0 / (compliance[k] + delta * weight);
                self.lambda[i] = law.centre[i] - (law.sigma[i] + self.rows[i]) * inverse[k];
            }
            let lambda = &mut self.lambda[rows];
            self.slopes
                .push(set.respond(law.friction, lambda, &inverse));
        }
        for i in 0..n {
            self.change[i] = self.lambda[i] - law.centre[i];
        }
        self.imbalance(space)
    }

    /// F = M d − Jᵀ (λ − λᵏ) into `force`, and its size.
    fn imbalance(&mut self, space: &mut dyn Space) -> Imbalance {
        let m = self.d.len();
        self.force.resize(m, 0.0);
        self.scratch.resize(m, 0.0);
        space.mass(&self.d, &mut self.force);
        space.multiply_transposed(&self.change, &mut self.scratch);
        for (f, i) in self.force.iter_mut().zip(&self.scratch) {
            *f -= i;
        }
        space.inverse_mass(&self.force, &mut self.scratch);
        space.multiply(&self.scratch, &mut self.rows);
        Imbalance {
            velocity: max_abs(&self.rows),
        }
    }
}

//! The small problem of contacts by itself, for those who eliminate the joints of four problems at once
//! ([`LaneFactors`](crate::condense::LaneFactors)).

use super::mobility::{Dense, Factors};
use super::small::Small;
use crate::problem::{Operator, Problem, Solution};
use crate::residuals::{ContactModel, natural_map};
use crate::sets::Friction;

/// Solves for the contacts of a problem under Coulomb's law, once its equations are eliminated. The problem has the contacts alone; its ports
/// are the bodies that contacts act on, six rows each, in ascending order.
#[derive(Clone, Debug)]
pub struct ContactSolver {
    small: Small,
    factors: Factors,
    /// Whether the impulse of block k may change.
    chosen: Vec<bool>,
    on_ports: Vec<f64>,
}

/// How the ports of a problem move.
#[derive(Clone, Copy, Debug)]
pub struct PortMotion<'a> {
    /// The bodies.
    pub bodies: &'a [usize],
    /// Λ, by rows.
    pub matrix: &'a [f64],
    /// The velocity that closing the eliminated rows gives to them, m/s and rad/s.
    pub felt: &'a [f64],
}

impl ContactSolver {
    /// For rows that may contradict each other by `velocity`, m/s.
    pub fn new(velocity: f64) -> Self {
        let mut small = Small::new(Friction::Exact);
        small.contradiction = velocity;
        Self {
            small,
            factors: Factors::default(),
            chosen: Vec::new(),
            on_ports: Vec::new(),
        }
    }

    /// Begin a problem of so many contacts. No impulse may change yet.
    pub fn begin(&mut self, blocks: usize) {
        self.small.clear();
        self.chosen.clear();
        self.chosen.resize(blocks, false);
    }

    /// Let the impulses of contacts change that are no longer open at the velocities in `x`, by more than the tolerance (m/s).
    pub fn choose(&mut self, problem: &Problem, x: &Solution, bodies: &[usize], tolerance: f64) {
        let Operator::Bodies { jacobian, .. } = &problem.operator else {
            return;
        };
        let before = self.small.blocks.len();
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            let (lambda, sigma) = (&x.lambda[rows.clone()], &x.sigma[rows]);
            if self.chosen[k] || set.stays(lambda, sigma, tolerance) {
                continue;
            }
            self.chosen[k] = true;
            self.small.blocks.push(k);
            let dim = jacobian.rows_of(k).len();
            for entry in jacobian.entries_of(k) {
                let port = bodies.partition_point(|b| *b < entry.body);
                let rows = jacobian.values_of(entry, dim);
                self.small.ports.on_body(6 * port, rows);
            }
            self.small.ports.end_block(dim);
        }
        if self.small.blocks.len() > before {
            self.small.grown(6 * bodies.len());
        }
    }

    /// Solve from λ and σ in `x`, and leave the impulses found there; whether they are an answer to the accuracy `goal`, N s and m/s. The weights are
    /// those of the whole problem, contact by contact.
    pub fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        motion: &PortMotion,
        (weights, goal): (&[f64], f64),
    ) -> bool {
        if self.small.blocks.is_empty() {
            self.on_ports.clear();
            self.on_ports.resize(6 * motion.bodies.len(), 0.0);
            return true;
        }
        let mut mobility = Dense {
            matrix: motion.matrix,
            factors: &mut self.factors,
        };
        let small = &mut self.small;
        small.load(problem, x, motion.felt, &mobility, weights);
        let beyond = small.beyond_joints();
        small.solve(&mut mobility, goal, beyond);
        small.hand_over(problem, &mut x.lambda, &mut self.on_ports);
        // Rows that were let off are for the whole solver to judge.
        small.is_solved(goal) && small.stuck.yielded.is_empty()
    }

    /// Scaled residual of the λ and σ in `x`, N s or m/s.
    pub fn residual(&self, problem: &Problem, x: &Solution, weights: &[f64]) -> f64 {
        natural_map(problem, &x.lambda, &x.sigma, weights, ContactModel::Ncp).scaled()
    }

    /// What the last solve added to the impulses on the ports, six values per body, N s and N m s.
    pub fn on_ports(&self) -> &[f64] {
        &self.on_ports
    }
}

//! Joints first: the rows that are equations are eliminated by one sparse factorisation, and what is left is a
//! small problem for what can open, slip or saturate [static condensation].
//!
//! E are the eliminated rows: every Free row, and Interval rows whose impulse is inside the interval. I are the
//! kept ones. With δu the change of the velocities and δλ that of the impulses from a guess at which E is off by
//! σ_E,
//!
//! ```text
//! [ M    J_Eᵀ ] [  δu   ]   [ J_Iᵀ δλ_I ]
//! [ J_E  −R_E ] [ −δλ_E ] = [   −σ_E    ]
//! ```
//!
//! and I feels σ_I + J_I K⁻¹(0, −σ_E) + (S + R) δλ_I with S = J_I K⁻¹ J_Iᵀ. Everything is a correction of a
//! guess, so that round-off is relative to the correction and another round refines it.
//!
//! | file | concept |
//! |---|---|
//! | `structure` | what can be eliminated, and on which bodies |
//! | `order` | elimination order |
//! | `plan` | order, fill and operations: what belongs to a model |
//! | `factor` | the numbers of K |
//! | `columns` | X and S |

mod columns;
mod factor;
mod order;
mod plan;
mod structure;

pub use plan::{Plan, Plans};
pub use structure::Structure;

use crate::delassus::NotPositive;
use crate::problem::{Operator, Problem};
use crate::sets::ImpulseSet;
use columns::Columns;
use factor::{Factors, Rows};
use std::sync::Arc;
use structure::may_be_eliminated;

/// A problem with its equations eliminated.
#[derive(Clone, Debug, Default)]
pub struct Condensation {
    plans: Arc<Plans>,
    plan: Arc<Plan>,
    structure: Structure,
    list: Vec<Rows>,
    /// Whether block k is kept.
    kept: Vec<bool>,
    factors: Factors,
    columns: Columns,
    y: Vec<f64>,
}

impl Condensation {
    /// Take plans from `plans` and put new ones there.
    pub fn share(&mut self, plans: Arc<Plans>) {
        self.plans = plans;
        self.plan = Arc::default();
    }

    /// Decide what is eliminated: every Free block, and Interval blocks with |λ| inside the interval.
    pub fn partition(&mut self, problem: &Problem, lambda: &[f64]) {
        self.structure.read(problem);
        if self.plan.structure() != &self.structure {
            self.plan = self.plans.plan(&self.structure);
        }
        self.list.clear();
        self.kept.clear();
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            let eliminated = match set {
                ImpulseSet::Interval { bound } => lambda[rows.start].abs() < bound,
                _ => set.is_free(),
            };
            self.kept.push(!eliminated);
            if may_be_eliminated(&set) {
                self.list.push(Rows {
                    block: k,
                    eliminated,
                });
            }
        }
    }

    /// Keep block `k`, which was to be eliminated. [`Condensation::factor`] has to follow.
    pub fn keep(&mut self, k: usize) {
        self.kept[k] = true;
        if let Some(rows) = self.list.iter_mut().find(|rows| rows.block == k) {
            rows.eliminated = false;
        }
    }

    /// Whether block `k` is kept.
    pub fn is_kept(&self, k: usize) -> bool {
        self.kept[k]
    }

    /// Factor K. No columns are known after that.
    pub fn factor(&mut self, problem: &Problem) -> Result<(), NotPositive> {
        let Operator::Bodies { mass, jacobian, .. } = &problem.operator else {
            return Err(NotPositive);
        };
        self.columns.clear();
        let compliance = &problem.compliance;
        self.factors
            .factor(&self.plan, mass, jacobian, compliance, &self.list)
    }

    /// Add blocks to the small problem; S covers all of them after [`Condensation::complete`].
    pub fn add(&mut self, problem: &Problem, block: usize) {
        if let Operator::Bodies { jacobian, .. } = &problem.operator {
            self.columns
                .push(&self.plan, &self.factors, jacobian, block);
        }
    }

    /// Compute S of the blocks added so far.
    pub fn complete(&mut self) {
        self.columns.multiply(&self.plan);
    }

    /// S by rows.
    pub fn matrix(&self) -> &[f64] {
        &self.columns.matrix
    }

    /// Number of rows of S.
    pub fn rows(&self) -> usize {
        self.columns.rows()
    }

    /// Blocks of the small problem, with the first row of each in S.
    pub fn blocks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.columns.blocks()
    }

    /// Start a round from σ: what the small problem's rows feel of closing E, beyond their own σ, into `felt`.
    pub fn begin(&mut self, problem: &Problem, sigma: &[f64], felt: &mut Vec<f64>) {
        self.y.clear();
        self.y.resize(6 * self.plan.nodes(), 0.0);
        for (rows, &(node, first)) in self.list.iter().zip(&self.plan.places) {
            if rows.eliminated {
                let at = 6 * node as usize + first as usize;
                let range = problem.sets.range(rows.block);
                for (y, s) in self.y[at..].iter_mut().zip(&sigma[range]) {
                    *y = -s;
                }
            }
        }
        self.factors.forward(&self.plan, &mut self.y);
        self.columns.project(&self.plan, &self.y, felt);
    }

    /// End it with the change of the small problem's impulses: λ of all rows.
    pub fn finish(&mut self, problem: &Problem, change: &[f64], lambda: &mut [f64]) {
        self.columns.spread(change, &mut self.y);
        self.factors.backward(&self.plan, &mut self.y);
        for (rows, &(node, first)) in self.list.iter().zip(&self.plan.places) {
            if rows.eliminated {
                let at = 6 * node as usize + first as usize;
                let range = problem.sets.range(rows.block);
                for (l, x) in lambda[range].iter_mut().zip(&self.y[at..]) {
                    *l -= x;
                }
            }
        }
        for (block, row) in self.columns.blocks() {
            let range = problem.sets.range(block);
            for (l, c) in lambda[range].iter_mut().zip(&change[row..]) {
                *l += c;
            }
        }
    }
}

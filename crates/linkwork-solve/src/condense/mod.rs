//! Elimination of the rows that are equations by one sparse factorisation. A small problem remains for the rows that
//! can open, slip or saturate [static condensation].
//!
//! E are the eliminated rows: every Free row, and Interval rows with compliance (drives) whose impulse is inside the
//! interval. I are the kept rows. Let δu and δλ be the changes of velocities and impulses from a guess, and σ_E the
//! residual of E at the guess:
//!
//! ```text
//! [ M    J_Eᵀ ] [  δu   ]   [ J_Iᵀ δλ_I ]
//! [ J_E  −R_E ] [ −δλ_E ] = [   −σ_E    ]
//! ```
//!
//! The rows of I act on ports: a body, if several rows act on it, otherwise each block on its own. With J_I = C P, the
//! velocity of I is σ_I + C P K⁻¹(0, −σ_E) + (C Λ Cᵀ + R) δλ_I, Λ = P K⁻¹ Pᵀ. Eight contacts of a foot are 24 rows on
//! one port of six. All quantities are corrections of a guess, so round-off is relative to the correction and another
//! round refines it.
//!
//! | file | contents |
//! |---|---|
//! | `structure` | which rows can be eliminated, and on which bodies they act |
//! | `order` | elimination order |
//! | `plan` | order, fill and operations: the part that belongs to a model |
//! | `factor` | the numbers of K |
//! | `lane_factors` | the numbers of K of eight problems of one plan, one per lane |
//! | `columns` | ports, their X, and Λ |
//! | `lane_ports` | the same of eight problems, one per lane |

mod columns;
mod factor;
mod lane_factors;
mod lane_ports;
mod order;
mod plan;
mod structure;

pub use lane_factors::LaneFactors;
pub use lane_ports::LanePorts;
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
    redundant: Vec<(usize, usize)>,
}

impl Condensation {
    /// Take plans from `plans` and put new ones there.
    pub fn share(&mut self, plans: Arc<Plans>) {
        self.plans = plans;
        self.plan = Arc::default();
    }

    /// Chooses the rows to eliminate: every Free block, and drives with |λ| below their limit.
    pub fn partition(&mut self, problem: &Problem, lambda: &[f64]) {
        self.structure.read(problem);
        self.list.clear();
        self.kept.clear();
        // Redundant rows of another problem.
        self.redundant.clear();
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            let may = may_be_eliminated(&set, &problem.compliance[rows.clone()]);
            let eliminated = may
                && match set {
                    ImpulseSet::Interval { bound } => lambda[rows.start].abs() < bound,
                    _ => true,
                };
            self.kept.push(!eliminated);
            if may {
                self.list.push(Rows {
                    block: k,
                    eliminated,
                });
            }
        }
    }

    /// Starts the eliminated hard rows from zero impulses. The factorisation finds their impulses from any guess,
    /// except for self-stress between redundant rows, which moves nothing. A guess would carry it from step to step
    /// without end.
    pub fn forget(&self, problem: &Problem, lambda: &mut [f64]) {
        for rows in self.list.iter().filter(|rows| rows.eliminated) {
            for i in problem.sets.range(rows.block) {
                if problem.compliance[i] == 0.0 {
                    lambda[i] = 0.0;
                }
            }
        }
    }

    /// Keep block `k`, which was to be eliminated.
    fn keep(&mut self, k: usize) {
        self.kept[k] = true;
        if let Some(rows) = self.list.iter_mut().find(|rows| rows.block == k) {
            rows.eliminated = false;
        }
    }

    /// Keeps eliminated interval blocks that have left their interval, at its bound. The other impulses return to those
    /// `before` the round, because they mean nothing with a drive beyond its limit. Returns whether there were any such
    /// blocks; then [`Condensation::factor`] must follow.
    pub fn saturate(&mut self, problem: &Problem, before: &mut [f64], lambda: &mut [f64]) -> bool {
        let mut any = false;
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            if let ImpulseSet::Interval { bound } = set {
                let now = lambda[rows.start];
                if now.abs() > bound && !self.kept[k] {
                    before[rows.start] = now.clamp(-bound, bound);
                    self.keep(k);
                    any = true;
                }
            }
        }
        if any {
            lambda.copy_from_slice(before);
        }
        any
    }

    /// Whether block `k` is kept.
    pub fn is_kept(&self, k: usize) -> bool {
        self.kept[k]
    }

    /// Factors K. This invalidates all columns.
    pub fn factor(&mut self, problem: &Problem) -> Result<(), NotPositive> {
        let Operator::Bodies { mass, jacobian, .. } = &problem.operator else {
            return Err(NotPositive);
        };
        if self.plan.structure() != &self.structure {
            self.plan = self.plans.plan(&self.structure);
        }
        self.columns.clear();
        let compliance = &problem.compliance;
        self.factors
            .factor(&self.plan, mass, jacobian, compliance, &self.list)?;
        self.redundant.clear();
        for (rows, &(node, first)) in self.list.iter().zip(&self.plan.places) {
            for (r, i) in problem.sets.range(rows.block).enumerate() {
                let left_out = self.factors.is_left_out(node as usize, first as usize + r);
                if rows.eliminated && left_out {
                    self.redundant.push((i, rows.block));
                }
            }
        }
        Ok(())
    }

    /// Rows that are determined by the others, with their blocks. They get no impulse, and their contradiction with the
    /// other rows remains in σ.
    pub fn redundant(&self) -> &[(usize, usize)] {
        &self.redundant
    }

    /// Make the rows of a kept block a port; returns its first row in Λ, which covers it after
    /// [`Condensation::complete`].
    pub fn add_block(&mut self, problem: &Problem, block: usize) -> usize {
        let Operator::Bodies { jacobian, .. } = &problem.operator else {
            unreachable!("problems without bodies are not condensed");
        };
        let dim = jacobian.rows_of(block).len();
        let entries = jacobian.entries_of(block).iter();
        let rows = entries.map(|e| (e.body, jacobian.values_of(e, dim)));
        self.columns.push(&self.plan, dim, rows)
    }

    /// Make a body a port.
    pub fn add_body(&mut self, body: usize) -> usize {
        let rows = std::iter::once((body, &UNIT_ROWS[..]));
        self.columns.push(&self.plan, 6, rows)
    }

    /// Compute Λ of the ports added so far.
    pub fn complete(&mut self) {
        self.columns.complete(&self.plan, &self.factors);
    }

    /// Λ by rows.
    pub fn matrix(&self) -> &[f64] {
        &self.columns.matrix
    }

    /// Number of rows of Λ.
    pub fn rows(&self) -> usize {
        self.columns.rows()
    }

    /// Starts a round from σ. `felt` receives the change of the port velocities from closing E.
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

    /// Ends the round with the impulses that the small problem adds on the ports: λ of the eliminated rows.
    pub fn finish(&mut self, problem: &Problem, on_ports: &[f64], lambda: &mut [f64]) {
        self.columns.spread(on_ports, &mut self.y);
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
    }
}

/// Whether `problem` is on bodies and has rows that may be eliminated.
pub fn is_reducible(problem: &Problem) -> bool {
    let may = |(set, rows): (ImpulseSet, std::ops::Range<usize>)| {
        may_be_eliminated(&set, &problem.compliance[rows])
    };
    matches!(problem.operator, Operator::Bodies { .. }) && problem.sets.iter().any(may)
}

/// The rows of the unit matrix: the six velocities of a body.
pub(crate) static UNIT_ROWS: [[f64; 6]; 6] = {
    let mut rows = [[0.0; 6]; 6];
    let mut i = 0;
    while i < 6 {
        rows[i][i] = 1.0;
        i += 1;
    }
    rows
};

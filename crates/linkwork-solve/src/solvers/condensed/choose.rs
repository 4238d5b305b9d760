//! Selects the blocks of the small problem and the ports they act on.

use super::Condensed;
use crate::problem::{Operator, Problem, Solution};
use std::ops::Range;

/// The role of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Eliminated with the joints.
    Equation,
    /// Its impulse does not change: an open contact, or dry friction in a joint that keeps moving.
    Idle,
    /// In an island without joints.
    Loose,
    /// In the small problem.
    Jointed,
}

impl Condensed {
    /// All blocks are idle or eliminated.
    pub(super) fn assign(&mut self, problem: &Problem) {
        self.roles.clear();
        for k in 0..problem.sets.len() {
            self.roles.push(if self.condensation.is_kept(k) {
                Role::Idle
            } else {
                Role::Equation
            });
        }
    }

    /// Finds kept blocks whose impulse may change, at a residual of `size` (m/s), and assigns them to their problem.
    /// Returns whether there were new ones. Contacts that stay open are not included (in a stack that falls as a whole
    /// all contacts touch, and only the lowest closes).
    pub(super) fn choose(&mut self, problem: &Problem, x: &Solution, size: f64) -> bool {
        let Operator::Bodies { jacobian, .. } = &problem.operator else {
            return false;
        };
        let tolerance = self.settings.tolerance;
        // In a moving heap, contacts close that are open at the guess. All contacts that a change as large as the
        // residual would close are included; finding them one by one would take as many solves.
        let margin = if self.loose {
            size.max(tolerance)
        } else {
            tolerance
        };
        let mut any = false;
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            if self.roles[k] != Role::Idle {
                continue;
            }
            let (lambda, sigma) = (&x.lambda[rows.clone()], &x.sigma[rows]);
            if !set.stays(lambda, sigma, margin) {
                self.roles[k] = Role::Loose;
                any = true;
            }
        }
        if !any {
            return false;
        }
        self.islands.connect(problem, &self.roles);
        let first = self.small.blocks.len();
        for (k, role) in self.roles.iter_mut().enumerate() {
            let mut entries = jacobian.entries_of(k).iter();
            // An island without joints can touch one with joints.
            if *role == Role::Loose && entries.any(|e| self.islands.is_jointed(e.body)) {
                *role = Role::Jointed;
                self.small.blocks.push(k);
            }
        }
        let new = first..self.small.blocks.len();
        if !new.is_empty() {
            self.add_ports(problem, new);
        }
        true
    }

    /// A body on which six or more rows act is a port, if all of these blocks can use it; otherwise each block is one.
    fn add_ports(&mut self, problem: &Problem, new: Range<usize>) {
        let Operator::Bodies { jacobian, .. } = &problem.operator else {
            return;
        };
        self.body_rows.clear();
        self.body_rows.resize(problem.bodies(), 0);
        for &k in &self.small.blocks {
            for entry in jacobian.entries_of(k) {
                self.body_rows[entry.body] += jacobian.rows_of(k).len();
            }
        }
        self.body_port.resize(problem.bodies(), None);
        for &k in &self.small.blocks[new] {
            let entries = jacobian.entries_of(k);
            let dim = jacobian.rows_of(k).len();
            let shared = entries
                .iter()
                .all(|e| self.body_port[e.body].is_some() || self.body_rows[e.body] >= 6);
            if shared && dim > 1 {
                for e in entries {
                    let port = match self.body_port[e.body] {
                        Some(port) => port,
                        None => self.condensation.add_body(e.body),
                    };
                    self.body_port[e.body] = Some(port);
                    self.small.ports.on_body(port, jacobian.values_of(e, dim));
                }
            } else {
                let port = self.condensation.add_block(problem, k);
                self.small.ports.on_itself(port);
            }
            self.small.ports.end_block(dim);
        }
        self.condensation.complete();
        self.small.grown(self.condensation.rows());
    }
}

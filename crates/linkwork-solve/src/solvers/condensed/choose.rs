//! What belongs to the small problem, and on which ports it acts.

use super::Condensed;
use crate::problem::{Operator, Problem, Solution};
use std::ops::Range;

impl Condensed {
    /// Add to the small problem the kept blocks whose impulse may change. Whether there were any. Contacts that
    /// stay open are none of them (in a stack that falls as a whole all touch and only the lowest closes), nor
    /// is dry friction in joints that go on turning.
    pub(super) fn choose(&mut self, problem: &Problem, x: &Solution) -> bool {
        let tolerance = self.settings.tolerance;
        let first = self.small.blocks.len();
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            if self.added[k] || !self.condensation.is_kept(k) {
                continue;
            }
            let (lambda, sigma) = (&x.lambda[rows.clone()], &x.sigma[rows]);
            if !set.stays(lambda, sigma, tolerance) {
                self.small.blocks.push(k);
                self.added[k] = true;
            }
        }
        let new = first..self.small.blocks.len();
        if new.is_empty() {
            return false;
        }
        if self.loose {
            self.add_loose(problem, new);
        } else {
            self.add_ports(problem, new);
        }
        true
    }

    /// Bodies without joints are ports, each with its own six rows.
    fn add_loose(&mut self, problem: &Problem, new: Range<usize>) {
        let Operator::Bodies { jacobian, .. } = &problem.operator else {
            return;
        };
        for &k in &self.small.blocks[new] {
            let dim = jacobian.rows_of(k).len();
            self.rows.push_block(dim);
            for entry in jacobian.entries_of(k) {
                let values = jacobian.values_of(entry, dim);
                self.rows.push_entry(entry.body, values);
                self.small.ports.on_body(6 * entry.body, values);
            }
            self.small.ports.end_block();
        }
        self.small.grown(6 * problem.bodies());
    }

    /// A body on which six or more rows act is a port, if all that acts on it can use it; else each block is one.
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
            self.small.ports.end_block();
        }
        self.condensation.complete();
        self.small.grown(self.condensation.rows());
    }
}

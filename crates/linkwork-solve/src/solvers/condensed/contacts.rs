//! The small problem of contacts alone, for callers that eliminate the joints of four problems together
//! ([`LaneFactors`](crate::condense::LaneFactors)).

use super::mobility::{Dense, Factors};
use super::small::Small;
use crate::blocks::BlockCsr6;
use crate::condense::UNIT_ROWS;
use crate::problem::{Operator, Problem, Solution};
use crate::residuals::{ContactModel, natural_map};
use crate::sets::Friction;

/// Solves the contacts of a problem under Coulomb's law after its equations are eliminated. The problem contains the
/// contacts only.
///
/// A port is a body on which contacts act: by their rows if there are at most six, otherwise by its six velocities.
#[derive(Clone, Debug)]
pub struct ContactSolver {
    small: Small,
    factors: Factors,
    /// Whether the impulse of block k may change.
    chosen: Vec<bool>,
    ports: Vec<Port>,
    /// First row of the port on which each entry of J acts, and the end of the entries of block k.
    terms: Vec<usize>,
    ends: Vec<usize>,
    on_ports: Vec<f64>,
}

/// A body that contacts act on.
#[derive(Clone, Copy, Debug)]
struct Port {
    body: usize,
    /// Its rows among those of all ports.
    first: usize,
    rows: usize,
    /// Whether they are its six velocities.
    whole: bool,
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
            ports: Vec::new(),
            terms: Vec::new(),
            ends: Vec::new(),
            on_ports: Vec::new(),
        }
    }

    /// Starts a problem with the ports it needs. No impulse may change yet.
    pub fn begin(&mut self, problem: &Problem) {
        self.small.clear();
        self.chosen.clear();
        self.chosen.resize(problem.sets.len(), false);
        self.ports.clear();
        let jacobian = jacobian_of(problem);
        for k in 0..jacobian.blocks() {
            for entry in jacobian.entries_of(k) {
                let at = self.port_of(entry.body);
                if self.ports.get(at).is_none_or(|p| p.body != entry.body) {
                    let port = Port {
                        body: entry.body,
                        first: 0,
                        rows: 0,
                        whole: false,
                    };
                    self.ports.insert(at, port);
                }
                self.ports[at].rows += jacobian.rows_of(k).len();
            }
        }
        let mut end = 0;
        for port in &mut self.ports {
            port.whole = port.rows > 6;
            port.rows = port.rows.min(6);
            port.first = end;
            end += port.rows;
        }
        self.terms.clear();
        self.ends.clear();
        for k in 0..jacobian.blocks() {
            for entry in jacobian.entries_of(k) {
                let at = self.port_of(entry.body);
                let port = &mut self.ports[at];
                self.terms.push(port.first);
                if !port.whole {
                    // After the rows that are already there.
                    port.first += jacobian.rows_of(k).len();
                }
            }
            self.ends.push(self.terms.len());
        }
        for port in self.ports.iter_mut().filter(|port| !port.whole) {
            port.first -= port.rows;
        }
    }

    /// Position of the port of a body, or where it would be inserted.
    fn port_of(&self, body: usize) -> usize {
        self.ports.partition_point(|port| port.body < body)
    }

    /// The body of each port, in ascending order, and its number of rows.
    pub fn ports(&self) -> impl Iterator<Item = (usize, usize)> {
        self.ports.iter().map(|port| (port.body, port.rows))
    }

    /// Passes each row of the ports to `give`: index of the port, index of the row in it, and values.
    pub fn port_rows(&self, problem: &Problem, mut give: impl FnMut(usize, usize, &[f64; 6])) {
        for (i, _) in self.ports.iter().enumerate().filter(|(_, port)| port.whole) {
            for (r, row) in UNIT_ROWS.iter().enumerate() {
                give(i, r, row);
            }
        }
        let jacobian = jacobian_of(problem);
        let mut terms = self.terms.iter();
        for k in 0..jacobian.blocks() {
            for (entry, &row) in jacobian.entries_of(k).iter().zip(&mut terms) {
                let i = self.port_of(entry.body);
                let port = &self.ports[i];
                let values = jacobian.values_of(entry, jacobian.rows_of(k).len());
                for (r, values) in values.iter().enumerate().filter(|_| !port.whole) {
                    give(i, row - port.first + r, values);
                }
            }
        }
    }

    /// Adds the contacts that are no longer open at the velocities in `x`, by more than the tolerance (m/s).
    fn choose(&mut self, problem: &Problem, x: &Solution, tolerance: f64) {
        let jacobian = jacobian_of(problem);
        let before = self.small.blocks.len();
        for (k, (set, rows)) in problem.sets.iter().enumerate() {
            let (lambda, sigma) = (&x.lambda[rows.clone()], &x.sigma[rows.clone()]);
            if self.chosen[k] || set.stays(lambda, sigma, tolerance) {
                continue;
            }
            self.chosen[k] = true;
            self.small.blocks.push(k);
            let start = k.checked_sub(1).map_or(0, |before| self.ends[before]);
            for (entry, &row) in jacobian.entries_of(k).iter().zip(&self.terms[start..]) {
                if self.ports[self.port_of(entry.body)].whole {
                    let values = jacobian.values_of(entry, rows.len());
                    self.small.ports.on_body(row, values);
                } else {
                    self.small.ports.on_itself(row);
                }
            }
            self.small.ports.end_block(rows.len());
        }
        if self.small.blocks.len() > before {
            let rows = self.ports.iter().map(|port| port.rows);
            self.small.grown(rows.sum());
        }
    }

    /// Solves from λ and σ in `x` and writes the impulses there. Λ of the ports is given by rows, with the change of
    /// the port velocities from closing the eliminated rows. The weights are those of the whole problem, one per
    /// contact. Rows that cannot open are relaxed by the necessary amount, which the residual of the whole problem
    /// shows.
    pub fn solve(
        &mut self,
        problem: &Problem,
        x: &mut Solution,
        (matrix, felt): (&[f64], &[f64]),
        (weights, tolerance): (&[f64], f64),
    ) {
        self.choose(problem, x, tolerance);
        if self.small.blocks.is_empty() {
            self.on_ports.clear();
            self.on_ports.resize(felt.len(), 0.0);
            return;
        }
        let mut mobility = Dense {
            matrix,
            factors: &mut self.factors,
        };
        let small = &mut self.small;
        small.load(problem, x, felt, &mobility, weights);
        let fallback = small.fallback_with_joints();
        // Half of the tolerance is reserved for round-off in the joints.
        let goal = 0.5 * tolerance;
        small.solve(&mut mobility, goal, fallback);
        small.hand_over(problem, &mut x.lambda, &mut self.on_ports);
    }

    /// Scaled residual of the λ and σ in `x`, N s or m/s.
    pub fn residual(&self, problem: &Problem, x: &Solution, weights: &[f64]) -> f64 {
        natural_map(problem, &x.lambda, &x.sigma, weights, ContactModel::Ncp).scaled()
    }

    /// What the last solve added to the impulses on the ports, N s and N m s.
    pub fn on_ports(&self) -> &[f64] {
        &self.on_ports
    }
}

fn jacobian_of(problem: &Problem) -> &BlockCsr6 {
    match &problem.operator {
        Operator::Bodies { jacobian, .. } => jacobian,
        Operator::Delassus { .. } => unreachable!("contacts act on bodies"),
    }
}

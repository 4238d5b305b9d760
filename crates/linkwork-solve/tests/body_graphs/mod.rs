//! Random problems that look like steps of a simulation: bodies in a graph, hinges and contacts
//! between them, with consistent free velocities.

// Every test file compiles this module and uses its own part of it.
#![allow(dead_code)]

use linkwork_solve::*;
use nalgebra::{Matrix3, Rotation3, Vector3};

type V3 = Vector3<f64>;

/// Marsaglia's xorshift64*: small, and the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// Uniform in [−1, 1].
    pub fn symmetric(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        2.0 * bits as f64 / (1u64 << 53) as f64 - 1.0
    }

    /// Uniform in [0, n).
    pub fn below(&mut self, n: usize) -> usize {
        ((self.symmetric() + 1.0) * 0.5 * n as f64) as usize % n
    }

    /// Uniform in the cube [−1, 1]³.
    pub fn vector(&mut self) -> V3 {
        V3::from_fn(|_, _| self.symmetric())
    }
}

/// A problem under construction.
pub struct Graph {
    pub random: Random,
    mass: BlockDiag6,
    jacobian: BlockCsr6,
    places: Vec<V3>,
    u_free: Vec<f64>,
    sets: ImpulseSets,
    v_bias: Vec<f64>,
}

impl Graph {
    /// `bodies` bodies with masses over four decades, full inertias and random free velocities.
    pub fn new(seed: u64, bodies: usize) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut mass = BlockDiag6::new();
        let (mut places, mut u_free) = (Vec::new(), Vec::new());
        for i in 0..bodies {
            let m = 10f64.powf(2.0 * random.symmetric());
            let s = random.vector().map(|x| 0.1 + 0.2 * x.abs());
            let q = s.component_mul(&s) * (m / 3.0);
            let principal = Matrix3::from_diagonal(&V3::new(q.y + q.z, q.z + q.x, q.x + q.y));
            let turn = Rotation3::new(2.0 * random.vector());
            let inertia = turn * principal * turn.inverse();
            let inertia: Matrix3<f64> = 0.5 * (inertia + inertia.transpose());
            let inverse = inertia.try_inverse().unwrap();
            let array = |m: &Matrix3<f64>| <[f64; 9]>::try_from(m.as_slice()).unwrap();
            mass.push_rigid(m, &array(&inertia), &array(&inverse));
            places.push(V3::new(i as f64, 0.0, 0.0) + 0.3 * random.vector());
            u_free.extend((0..6).map(|_| random.symmetric()));
        }
        Self {
            random,
            mass,
            jacobian: BlockCsr6::new(bodies),
            places,
            u_free,
            sets: ImpulseSets::new(),
            v_bias: Vec::new(),
        }
    }

    /// Append a block along `rows` = (linear, angular) at `point` between `a` (or the world) and `b`.
    fn block(&mut self, set: ImpulseSet, (a, b): (Option<usize>, usize), at: V3, rows: &[[V3; 2]]) {
        self.sets.push(set);
        self.jacobian.push_block(rows.len());
        for (body, sign) in [(a, -1.0), (Some(b), 1.0)] {
            let Some(body) = body else { continue };
            let arm = at - self.places[body];
            let values: Vec<[f64; 6]> = rows
                .iter()
                .map(|[linear, angular]| {
                    let (d, m) = (sign * linear, sign * (arm.cross(linear) + angular));
                    [d.x, d.y, d.z, m.x, m.y, m.z]
                })
                .collect();
            self.jacobian.push_entry(body, &values);
        }
        self.v_bias.extend(rows.iter().map(|_| 0.0));
    }

    fn between(&self, a: Option<usize>, b: usize) -> V3 {
        let b = self.places[b];
        a.map_or(b - V3::new(0.4, 0.1, 0.2), |a| 0.5 * (self.places[a] + b))
    }

    /// A hinge about a random axis, or about z.
    pub fn hinge(&mut self, a: Option<usize>, b: usize, planar: bool) {
        let mut at = self.between(a, b);
        let axis = if planar {
            at.z = 0.0;
            V3::z()
        } else {
            self.random.vector().normalize()
        };
        let (t1, t2) = tangents(&axis);
        let zero = V3::zeros();
        let rows = [
            [V3::x(), zero],
            [V3::y(), zero],
            [V3::z(), zero],
            [zero, t1],
            [zero, t2],
        ];
        self.block(ImpulseSet::Free { dim: 5 }, (a, b), at, &rows);
    }

    /// A contact with friction μ along a random normal.
    pub fn contact(&mut self, a: Option<usize>, b: usize, mu: f64) {
        let at = self.between(a, b) + 0.1 * self.random.vector();
        let normal = self.random.vector().normalize();
        let (t1, t2) = tangents(&normal);
        let zero = V3::zeros();
        let rows = [[t1, zero], [t2, zero], [normal, zero]];
        self.block(ImpulseSet::Coulomb { mu }, (a, b), at, &rows);
    }

    /// One row about z: a limit, dry friction or a drive.
    pub fn angle(&mut self, set: ImpulseSet, a: Option<usize>, b: usize) {
        let at = self.between(a, b);
        self.block(set, (a, b), at, &[[V3::zeros(), V3::z()]]);
    }

    /// The problem, hard rows, no bias.
    pub fn problem(self) -> Problem {
        Problem {
            dt: 1e-3,
            compliance: vec![0.0; self.sets.rows()],
            operator: Operator::Bodies {
                mass: self.mass,
                jacobian: self.jacobian,
                u_free: self.u_free,
            },
            v_bias: self.v_bias,
            sets: self.sets,
        }
    }
}

fn tangents(n: &V3) -> (V3, V3) {
    let helper = if n.x.abs() < 0.7 { V3::x() } else { V3::y() };
    let t1 = n.cross(&helper).normalize();
    (t1, n.cross(&t1))
}

/// A random tree of hinges with some bodies bolted to the world: no redundant row.
pub fn tree(seed: u64, bodies: usize) -> Graph {
    let mut graph = Graph::new(seed, bodies);
    graph.hinge(None, 0, false);
    for b in 1..bodies {
        let a = graph.random.below(b);
        graph.hinge(Some(a), b, false);
    }
    graph
}

/// A ring of parallel hinges: three redundant rows.
pub fn ring(seed: u64, bodies: usize) -> Graph {
    let mut graph = Graph::new(seed, bodies);
    graph.hinge(None, 0, true);
    for b in 1..bodies {
        graph.hinge(Some(b - 1), b, true);
    }
    graph.hinge(None, bodies - 1, true);
    graph
}

/// A tree with loops closed by contacts, limits and friction.
pub fn mixed(seed: u64, bodies: usize) -> Graph {
    let mut graph = tree(seed, bodies);
    for b in 1..bodies {
        let mu = 0.3 + 0.3 * graph.random.symmetric();
        let a = graph.random.below(b);
        graph.contact(Some(a), b, mu);
        graph.contact(None, b, mu);
        graph.angle(ImpulseSet::NonNegative, Some(b - 1), b);
        graph.angle(ImpulseSet::Interval { bound: 0.01 }, Some(b - 1), b);
    }
    graph
}

/// J and D of a problem on bodies as dense matrices, by the definition D = J M⁻¹ Jᵀ.
pub fn dense(problem: &Problem) -> (nalgebra::DMatrix<f64>, nalgebra::DMatrix<f64>) {
    let Operator::Bodies { mass, jacobian, .. } = &problem.operator else {
        panic!("a problem on bodies");
    };
    let (n, m) = (problem.rows(), 6 * mass.len());
    let mut j = nalgebra::DMatrix::zeros(n, m);
    for k in 0..jacobian.blocks() {
        let rows = jacobian.rows_of(k);
        for entry in jacobian.entries_of(k) {
            for (r, values) in rows.clone().zip(jacobian.values_of(entry, rows.len())) {
                for (c, v) in values.iter().enumerate() {
                    j[(r, 6 * entry.body + c)] += v;
                }
            }
        }
    }
    let mut inverse = nalgebra::DMatrix::zeros(m, m);
    for b in 0..mass.len() {
        let block = nalgebra::Matrix6::from_column_slice(mass.block(b).as_slice());
        let block = block.try_inverse().unwrap();
        inverse.view_mut((6 * b, 6 * b), (6, 6)).copy_from(&block);
    }
    let d = &j * inverse * j.transpose();
    (j, d)
}

/// Largest absolute value; NaN where there is one.
pub fn size(x: &[f64]) -> f64 {
    let larger = |a: f64, x: f64| if x > a || x.is_nan() { x } else { a };
    x.iter().fold(0.0, |a, x| larger(a, x.abs()))
}

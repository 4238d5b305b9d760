//! Problems whose answer is known because it was chosen first: λ and σ complementary under the law, then
//! v* = σ − (D + R) λ − v_f [math.md §2].

// Every test file compiles this module and uses its own part of it.
#![allow(dead_code)]

pub mod contact;
pub mod table;
pub mod trial;

use crate::body_graphs::*;
use linkwork_solve::*;
use nalgebra::{DMatrix, DVector};
use std::ops::RangeInclusive;

/// What is known of the matrix of a problem, and how it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// D positive definite, bodies given.
    Regular,
    /// D positive definite, with only D given.
    Delassus,
    /// D rank-deficient, R > 0 on every row.
    Compliant,
    /// D rank-deficient, R = 0: λ is not unique.
    Redundant,
    /// Free rows alone, with redundant ones among them.
    Joints,
}

impl Kind {
    pub const ALL: [Kind; 5] = [
        Kind::Regular,
        Kind::Delassus,
        Kind::Compliant,
        Kind::Redundant,
        Kind::Joints,
    ];

    /// Whether D + R is positive definite, so that σ determines λ.
    pub fn is_definite(self) -> bool {
        !matches!(self, Kind::Redundant | Kind::Joints)
    }
}

/// A problem with its answer.
pub struct Known {
    pub problem: Problem,
    /// λ, N s.
    pub lambda: Vec<f64>,
    /// σ(λ), m/s.
    pub sigma: Vec<f64>,
}

impl Known {
    /// How far `x` is from the answer, in m/s and relative to the free velocity if that is above 1 m/s:
    /// σ and the velocities of the bodies and, where D + R is regular, λ times the mean diagonal of its
    /// block.
    pub fn error(&self, x: &Solution, kind: Kind) -> f64 {
        let problem = &self.problem;
        let mut weights = Vec::new();
        problem.block_weights(&mut weights);
        let mut apart: Vec<f64> = Vec::new();
        for ((_, rows), w) in problem.sets.iter().zip(&weights) {
            for i in rows {
                apart.push(x.sigma[i] - self.sigma[i]);
                if kind.is_definite() {
                    apart.push(w * (x.lambda[i] - self.lambda[i]));
                }
            }
        }
        let mut u_plus = Vec::new();
        problem.velocity(&self.lambda, &mut u_plus, &mut Vec::new());
        apart.extend(x.u_plus.iter().zip(&u_plus).map(|(u, known)| u - known));
        size(&apart) / size(&problem.free_velocity()).max(1.0)
    }
}

/// Largest condition number of the block-scaled D of a regular problem.
const CONDITION: f64 = 1e4;

/// A random problem of `kind` that `model` answers with the λ and σ in it.
pub fn known(seed: u64, kind: Kind, model: ContactModel) -> Known {
    let bodies = 2 + seed as usize % 4;
    let mut problem = match kind {
        Kind::Regular | Kind::Delassus => (0..)
            .map(|turn| independent(seed + 1000 * turn, bodies).problem())
            .find(|p| condition(p) < CONDITION)
            .unwrap(),
        Kind::Compliant | Kind::Redundant => mixed(seed, bodies).problem(),
        Kind::Joints => ring(seed, bodies + 1).problem(),
    };
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995 | 1);
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    if kind == Kind::Compliant {
        for ((set, rows), w) in problem.sets.iter().zip(&weights) {
            // One value for both tangents, another for the normal, as compliant contacts have them.
            let r = &mut problem.compliance[rows];
            r.fill(w * uniform(&mut random, 0.05..=0.2));
            if let (ImpulseSet::Coulomb { .. }, [.., normal]) = (set, r) {
                *normal = w * uniform(&mut random, 0.05..=0.2);
            }
        }
    }
    let (mut lambda, mut sigma) = (Vec::new(), Vec::new());
    let mut sets = ImpulseSets::new();
    for ((set, _), w) in problem.sets.iter().zip(&weights) {
        let (set, l, s) = answer(set, 1.0 / w, model, &mut random);
        sets.push(set);
        lambda.extend(l);
        sigma.extend(s);
    }
    problem.sets = sets;
    let mut now = Vec::new();
    problem.sigma(&lambda, &mut now, &mut Vec::new());
    for ((bias, wanted), now) in problem.v_bias.iter_mut().zip(&sigma).zip(&now) {
        *bias += wanted - now;
    }
    if kind == Kind::Delassus {
        problem = without_bodies(&problem);
    }
    Known {
        problem,
        lambda,
        sigma,
    }
}

/// Bodies in a tree, five rows at most an edge, and some contacts with the world: D is regular.
fn independent(seed: u64, bodies: usize) -> Graph {
    let mut graph = Graph::new(seed, bodies);
    for b in 0..bodies {
        let a = (b > 0).then(|| graph.random.below(b));
        // One contact in six without friction.
        let mu = (0.5 + 0.6 * graph.random.symmetric()).max(0.0) * 0.6;
        match graph.random.below(3) {
            0 => graph.hinge(a, b, false),
            1 => {
                graph.contact(a, b, mu);
                graph.angle(ImpulseSet::NonNegative, a, b);
            }
            _ => {
                graph.contact(a, b, mu);
                graph.angle(ImpulseSet::Interval { bound: 0.0 }, a, b);
            }
        }
        if b % 2 == 1 {
            graph.contact(None, b, mu);
        }
    }
    graph
}

/// Condition number of D with every block scaled to a mean diagonal of 1.
fn condition(problem: &Problem) -> f64 {
    let (_, d) = dense(problem);
    let mut weights = Vec::new();
    problem.block_weights(&mut weights);
    let blocks = problem.sets.iter().zip(&weights);
    let scale: Vec<f64> = blocks
        .flat_map(|((set, _), w)| vec![w.sqrt().recip(); set.dim()])
        .collect();
    let scaled = DMatrix::from_fn(d.nrows(), d.ncols(), |r, c| scale[r] * scale[c] * d[(r, c)]);
    let values = scaled.symmetric_eigenvalues();
    values.max() / values.min().max(f64::MIN_POSITIVE)
}

/// The same problem, D in place of the bodies.
pub fn without_bodies(problem: &Problem) -> Problem {
    let Operator::Bodies { u_free, .. } = &problem.operator else {
        return problem.clone();
    };
    let (j, d) = dense(problem);
    let v_free = j * DVector::from_column_slice(u_free);
    let mut problem = problem.clone();
    problem.operator = Operator::Delassus {
        matrix: sparse(&d),
        v_free: v_free.as_slice().to_vec(),
    };
    problem
}

/// A dense symmetric matrix, stored sparsely.
pub fn sparse(d: &DMatrix<f64>) -> SparseSym {
    let n = d.nrows();
    let triplets: Vec<_> = (0..n)
        .flat_map(|r| (0..n).map(move |c| (r, c)))
        .filter(|&at| d[at] != 0.0)
        .map(|(r, c)| (r, c, d[(r, c)]))
        .collect();
    SparseSym::from_triplets(n, &triplets).0
}

fn uniform(random: &mut Random, range: RangeInclusive<f64>) -> f64 {
    let (a, b) = (range.start(), range.end());
    a + (b - a) * 0.5 * (random.symmetric() + 1.0)
}

/// Complementary λ (of the size of `unit`, N s) and σ (of the size of 1 m/s) on one set. An interval gets
/// a bound of the size of `unit`.
fn answer(
    set: ImpulseSet,
    unit: f64,
    model: ContactModel,
    random: &mut Random,
) -> (ImpulseSet, Vec<f64>, Vec<f64>) {
    let case = random.below(3);
    let impulse = unit * uniform(random, 0.1..=1.0);
    let speed = uniform(random, 0.1..=1.0);
    match set {
        ImpulseSet::Free { dim } => {
            let lambda = (0..dim).map(|_| unit * random.symmetric()).collect();
            (set, lambda, vec![0.0; dim])
        }
        ImpulseSet::NonNegative if case == 0 => (set, vec![0.0], vec![speed]),
        ImpulseSet::NonNegative => (set, vec![impulse], vec![0.0]),
        ImpulseSet::Interval { .. } => {
            let (lambda, sigma) = match case {
                0 => (impulse, -speed),
                1 => (-impulse, speed),
                _ => (0.8 * impulse * random.symmetric(), 0.0),
            };
            let set = ImpulseSet::Interval { bound: impulse };
            (set, vec![lambda], vec![sigma])
        }
        ImpulseSet::Coulomb { mu } | ImpulseSet::CoulombMoment { mu, .. } => {
            let direction = if set.dim() == 3 {
                let (y, x) = (std::f64::consts::PI * random.symmetric()).sin_cos();
                vec![x, y]
            } else {
                let free: Vec<f64> = (1..set.dim()).map(|_| random.symmetric()).collect();
                let length = free.iter().map(|x| x * x).sum::<f64>().sqrt();
                free.iter().map(|x| x / length).collect()
            };
            let rows = |friction: f64, normal: f64| {
                let along = direction.iter().map(|d| d * friction);
                along.chain([normal]).collect::<Vec<f64>>()
            };
            let friction = mu * impulse;
            // What a slip at speed 1 adds to σ_N: K* has ‖σ_F‖ on its mantle at σ_N = μ‖σ_F‖.
            let lift = if model == ContactModel::Ccp { mu } else { 0.0 };
            let (lambda, sigma) = match case {
                0 => {
                    let gap = lift * speed + uniform(random, 0.1..=1.0);
                    (rows(0.0, 0.0), rows(speed, gap))
                }
                1 => {
                    let part = 0.8 * random.symmetric() * friction;
                    (rows(part, impulse), rows(0.0, 0.0))
                }
                _ => (rows(friction, impulse), rows(-speed, lift * speed)),
            };
            (set, lambda, sigma)
        }
    }
}

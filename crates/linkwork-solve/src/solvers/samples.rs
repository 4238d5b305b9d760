//! Random problems for the unit tests of solvers.

use crate::blocks::{BlockCsr6, BlockDiag6};
use crate::problem::{Operator, Problem};
use crate::sets::ImpulseSet;

/// Marsaglia's xorshift64*, uniform in [−1, 1].
pub(super) struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        2.0 * bits as f64 / (1u64 << 53) as f64 - 1.0
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// Three bodies under blocks of all sets, each on one or two of them, with random compliance.
pub(super) fn random_problem(random: &mut Random) -> Problem {
    let bodies = 3;
    let mut mass = BlockDiag6::new();
    for _ in 0..bodies {
        let i = [0, 1, 2].map(|_| 1.5 + random.next());
        let diagonal = |d: [f64; 3]| [d[0], 0.0, 0.0, 0.0, d[1], 0.0, 0.0, 0.0, d[2]];
        let m = 1.5 + random.next();
        mass.push_rigid(m, &diagonal(i), &diagonal(i.map(f64::recip)));
    }
    let mut problem = Problem::for_bodies(1e-3);
    let mut jacobian = BlockCsr6::new(bodies);
    for k in 0..24 {
        let set = match k % 8 {
            0 => ImpulseSet::Free { dim: 5 },
            1 => ImpulseSet::NonNegative,
            2 => ImpulseSet::Interval { bound: 0.2 },
            3 => ImpulseSet::Coulomb { mu: 0.0 },
            4 => ImpulseSet::Coulomb { mu: 0.3 },
            5 => ImpulseSet::Coulomb { mu: 1.1 },
            6 => ImpulseSet::CoulombMoment {
                mu: 0.5,
                rows: 4 + (k / 8) as u8,
            },
            _ => ImpulseSet::Ball { radius: 0.5 },
        };
        let dim = set.dim();
        problem.sets.push(set);
        jacobian.push_block(dim);
        for body in [k % bodies, (k + k / 3) % bodies] {
            let rows: Vec<[f64; 6]> = (0..dim)
                .map(|_| std::array::from_fn(|_| random.next()))
                .collect();
            jacobian.push_entry(body, &rows);
        }
        let mut r: Vec<f64> = (0..dim).map(|_| 0.6 + 0.5 * random.next()).collect();
        set.level(&mut r);
        problem.compliance.extend(r);
        problem.v_bias.extend(random.vector(dim));
    }
    problem.operator = Operator::Bodies {
        mass,
        jacobian,
        u_free: random.vector(6 * bodies),
    };
    problem
}

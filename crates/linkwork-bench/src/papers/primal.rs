//! The primal problem of [Castro eq. 19]: impulses as a function of velocities, the errors of eq. 32 and 33, and the
//! Hessian of the cost. Written from the paper, independently of the solver.

use linkwork_solve::{BlockCsr6, BlockDiag6, ImpulseSet, Operator, Problem};
use nalgebra::{DMatrix, Matrix3, Vector3};

/// A problem with its parts: contacts on bodies, R > 0 on every row.
pub(super) struct Primal<'a> {
    problem: &'a Problem,
    mass: &'a BlockDiag6,
    jacobian: &'a BlockCsr6,
    u_free: &'a [f64],
}

/// The errors of an answer.
#[derive(Clone, Copy)]
pub(super) struct Errors {
    /// e_m [Castro eq. 32]: momentum balance of the velocities with the impulses they imply.
    pub momentum: f64,
    /// e_μ [Castro eq. 33]: complementarity of the solver's impulses.
    pub complementarity: f64,
    /// e_μ of the impulses that the velocities imply, zero by construction.
    pub implied: f64,
}

impl<'a> Primal<'a> {
    /// `None` where only D is known, or a block is not a contact.
    pub fn of(problem: &'a Problem) -> Option<Self> {
        let Operator::Bodies {
            mass,
            jacobian,
            u_free,
        } = &problem.operator
        else {
            return None;
        };
        let contact = |set| matches!(set, ImpulseSet::Coulomb { .. });
        problem
            .sets
            .iter()
            .all(|(set, _)| contact(set))
            .then_some(Self {
                problem,
                mass,
                jacobian,
                u_free,
            })
    }

    /// v = J u + v*.
    fn contact_velocities(&self, u: &[f64]) -> Vec<f64> {
        let mut v = vec![0.0; self.problem.rows()];
        self.jacobian.multiply(u, &mut v);
        for (v, bias) in v.iter_mut().zip(&self.problem.v_bias) {
            *v += bias;
        }
        v
    }

    /// The contacts with their friction, R and velocity.
    fn contacts<'b>(&'b self, v: &'b [f64]) -> impl Iterator<Item = Contact> + 'b {
        self.problem.sets.iter().map(move |(set, rows)| {
            let mu = match set {
                ImpulseSet::Coulomb { mu } => mu,
                _ => 0.0,
            };
            let at = |x: &[f64]| Vector3::from_iterator(rows.clone().map(|i| x[i]));
            Contact {
                mu,
                r: at(&self.problem.compliance),
                v: at(v),
            }
        })
    }

    /// Errors of the impulses `lambda` and the velocities u = u_f + M⁻¹Jᵀλ that follow from them.
    pub fn errors(&self, lambda: &[f64]) -> Errors {
        let mut u = Vec::new();
        self.problem.velocity(lambda, &mut u, &mut Vec::new());
        let v = self.contact_velocities(&u);
        let gamma: Vec<f64> = self
            .contacts(&v)
            .flat_map(|c| c.impulse().data.0[0])
            .collect();
        let n = u.len();
        let change: Vec<f64> = u.iter().zip(self.u_free).map(|(u, f)| u - f).collect();
        let (mut push, mut momentum, mut impulse) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        self.mass.multiply(&change, &mut push);
        self.mass.multiply(&u, &mut momentum);
        self.jacobian.multiply_transposed(&gamma, &mut impulse);
        // ℓ = ½‖u − u_f‖²_M + ½‖γ‖²_R, J.
        let stored: f64 = gamma
            .iter()
            .zip(&self.problem.compliance)
            .map(|(g, r)| r * g * g)
            .sum();
        let cost = 0.5 * (change.iter().zip(&push).map(|(c, p)| c * p).sum::<f64>() + stored);
        let gradient: Vec<f64> = push.iter().zip(&impulse).map(|(p, j)| p - j).collect();
        let scale = self.scaled_norm(&momentum).max(self.scaled_norm(&impulse));
        let slackness = |lambda: &[f64]| self.slackness(&v, lambda) / cost;
        Errors {
            momentum: self.scaled_norm(&gradient) / scale,
            complementarity: slackness(lambda),
            implied: slackness(&gamma),
        }
    }

    /// Σ |g_i · λ_i|/n_c, g = v + R λ, J.
    fn slackness(&self, v: &[f64], lambda: &[f64]) -> f64 {
        let work = |rows: std::ops::Range<usize>| {
            let r = &self.problem.compliance;
            rows.map(|i| (v[i] + r[i] * lambda[i]) * lambda[i])
                .sum::<f64>()
                .abs()
        };
        let all = self.problem.sets.iter().map(|(_, rows)| work(rows));
        all.sum::<f64>() / self.problem.sets.len() as f64
    }

    /// ‖diag(M)^(−1/2) p‖ [Castro eq. 25], √J.
    fn scaled_norm(&self, p: &[f64]) -> f64 {
        let scaled = |(i, p): (usize, &f64)| p * p / self.mass.block(i / 6)[7 * (i % 6)];
        p.iter().enumerate().map(scaled).sum::<f64>().sqrt()
    }

    /// Condition number of the Hessian M + JᵀGJ [Castro eq. 20] at velocities `u`.
    pub fn condition(&self, u: &[f64]) -> f64 {
        let v = self.contact_velocities(u);
        let n = u.len();
        let mut h = DMatrix::zeros(n, n);
        for body in 0..self.mass.len() {
            let block = self.mass.block(body);
            for (k, value) in block.iter().enumerate() {
                h[(6 * body + k % 6, 6 * body + k / 6)] = *value;
            }
        }
        for (k, contact) in self.contacts(&v).enumerate() {
            let g = contact.slope();
            let entries = self.jacobian.entries_of(k);
            for a in entries {
                for b in entries {
                    let (ja, jb) = (self.jacobian.values_of(a, 3), self.jacobian.values_of(b, 3));
                    for (i, j) in (0..36).map(|k| (k / 6, k % 6)) {
                        let column = |rows: &[[f64; 6]], i: usize| {
                            Vector3::new(rows[0][i], rows[1][i], rows[2][i])
                        };
                        h[(6 * a.body + i, 6 * b.body + j)] +=
                            column(ja, i).dot(&(g * column(jb, j)));
                    }
                }
            }
        }
        let eigenvalues = h.symmetric_eigenvalues();
        eigenvalues.max() / eigenvalues.min()
    }
}

/// A contact: μ, R and v of its rows (t₁, t₂, n).
struct Contact {
    mu: f64,
    r: Vector3<f64>,
    v: Vector3<f64>,
}

impl Contact {
    /// ỹ = R^(1/2) y, y = −R⁻¹v, and μ̃ = μ √(R_t/R_n) [Castro eq. 27].
    fn scaled(&self) -> (Vector3<f64>, f64) {
        let y = self.v.zip_map(&self.r, |v, r| -v / r.sqrt());
        (y, self.mu * (self.r[0] / self.r[2]).sqrt())
    }

    /// γ = P^R(y).
    fn impulse(&self) -> Vector3<f64> {
        let (mut y, mu) = self.scaled();
        ImpulseSet::Coulomb { mu }.project(y.as_mut_slice());
        y.zip_map(&self.r, |y, r| y / r.sqrt())
    }

    /// G = −∂γ/∂v = R^(−1/2) (∂P/∂ỹ) R^(−1/2) [Castro App. A].
    fn slope(&self) -> Matrix3<f64> {
        let (y, mu) = self.scaled();
        let tangential = y.xy().norm();
        let derivative = if tangential <= mu * y.z {
            // Stiction: P is the identity.
            Matrix3::identity()
        } else if mu * tangential <= -y.z {
            // No contact.
            Matrix3::zeros()
        } else {
            // Sliding: P = (ỹ·f) f with f = (μ̃ t, 1)/√(1 + μ̃²) on the wall of the cone.
            let root = (1.0 + mu * mu).sqrt();
            let t = y.xy() / tangential;
            let f = Vector3::new(mu * t.x, mu * t.y, 1.0) / root;
            let across = Vector3::new(-t.y, t.x, 0.0);
            let turn = mu * y.dot(&f) / (root * tangential);
            f * f.transpose() + turn * across * across.transpose()
        };
        let inverse_root = Matrix3::from_diagonal(&self.r.map(|r| 1.0 / r.sqrt()));
        inverse_root * derivative * inverse_root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// G agrees with finite differences of γ for sticking, sliding and open contacts.
    #[test]
    fn the_slope_is_the_derivative_of_the_impulse() {
        let r = Vector3::new(0.002, 0.002, 0.05);
        for v in [[0.001, 0.0005, -0.4], [0.3, -0.2, -0.1], [0.1, 0.0, 0.5]] {
            let contact = |v: Vector3<f64>| Contact { mu: 0.8, r, v };
            let v = Vector3::from(v);
            let slope = contact(v).slope();
            for i in 0..3 {
                let mut step = Vector3::zeros();
                step[i] = 1e-7;
                let change = contact(v + step).impulse() - contact(v - step).impulse();
                let error = (change / 2e-7 + slope.column(i)).norm();
                assert!(error < 1e-5 * (1.0 + slope.norm()), "{v:?} {i}: {error:e}");
            }
        }
    }
}

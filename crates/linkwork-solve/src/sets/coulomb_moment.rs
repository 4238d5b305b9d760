//! K = {‖λ_F‖ ≤ μ λ_N}, rows (…, n) with one to five rows of friction: contacts with torsional or rolling friction.
//!
//! The law itself is an ellipsoid, Σ (λ_i/μ_i)² ≤ λ_N² over the two tangential impulses (μ), the torsional moment (μ_τ,
//! m) and the two rolling moments (μ_ρ, m). A row of J times μ_i/μ measures an angular velocity in m/s and its moment
//! in N s. This makes the ellipsoid a ball and does not change λᵀσ: projection, dual, shift and maximum dissipation are
//! those of the friction cone in more rows. Γ(σ) = (0, …, 0, μ‖σ_F‖).
//!
//! These functions are not inlined into code for all sets, because loops over contacts with three rows would grow for
//! the benefit of few contacts.

use super::{Cone, Face, Friction, ImpulseSet, MAX_DIM, Set, Slack, Slope};

/// The cone with friction coefficient `mu` in `rows` rows, the normal one among them.
#[derive(Clone, Copy)]
pub(super) struct CoulombMoment {
    pub mu: f64,
    pub rows: u8,
}

impl Set for CoulombMoment {
    const NAME: &'static str = "CoulombMoment";
    const IS_CONE: bool = true;
    #[cfg(test)]
    const SAMPLES: &'static [ImpulseSet] = &[
        ImpulseSet::CoulombMoment { mu: 0.7, rows: 2 },
        ImpulseSet::CoulombMoment { mu: 1.5, rows: 3 },
        ImpulseSet::CoulombMoment { mu: 0.1, rows: 4 },
        ImpulseSet::CoulombMoment { mu: 0.7, rows: 5 },
        ImpulseSet::CoulombMoment { mu: 2.0, rows: 6 },
        ImpulseSet::CoulombMoment { mu: 0.0, rows: 4 },
    ];

    #[inline]
    fn dim(&self) -> usize {
        usize::from(self.rows)
    }

    fn is_valid(&self) -> bool {
        self.mu >= 0.0 && (2..=MAX_DIM).contains(&self.dim())
    }

    #[inline(never)]
    fn project(&self, x: &mut [f64]) {
        let mu = self.mu;
        let (n, f) = x.split_last_mut().expect("at least two rows");
        let size = norm(f);
        if mu * size <= -*n {
            // In the polar cone: nearest is the apex.
            x.fill(0.0);
        } else if size > mu * *n {
            *n = (*n + mu * size) / (1.0 + mu * mu);
            // ‖f‖ > μ n and μ ‖f‖ > −n imply ‖f‖ > 0.
            let k = mu * *n / size;
            f.iter_mut().for_each(|f| *f *= k);
        } else if mu.is_nan() {
            x.fill(f64::NAN);
        }
    }

    #[inline(never)]
    fn project_dual(&self, x: &mut [f64]) {
        // Moreau: P_K*(x) = x + P_K(−x).
        let mut minus = [0.0; MAX_DIM];
        let minus = &mut minus[..x.len()];
        for (m, x) in minus.iter_mut().zip(&*x) {
            *m = -x;
        }
        self.project(minus);
        for (x, m) in x.iter_mut().zip(minus) {
            *x += *m;
        }
    }

    #[inline(never)]
    fn desaxce_shift(&self, sigma: &[f64]) -> f64 {
        self.mu * norm(&sigma[..self.dim() - 1])
    }

    #[inline(never)]
    fn level(&self, compliance: &mut [f64]) {
        let friction = &mut compliance[..self.dim() - 1];
        let softest = friction.iter().fold(0.0, |a: f64, r| a.max(*r));
        friction.fill(softest);
    }

    #[inline(never)]
    fn respond(&self, friction: Friction, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        match friction {
            Friction::Exact => self.signorini_coulomb(tau, inverse),
            Friction::Lagged | Friction::Convex => self.nearest(tau, inverse),
        }
    }

    #[inline(never)]
    fn face(&self, tau: &[f64]) -> Face {
        let last = self.dim() - 1;
        if tau[last] <= 0.0 {
            return Face::Open;
        }
        let size = norm(&tau[..last]);
        if size <= self.mu * tau[last] {
            return Face::Interior;
        }
        let mut direction = [0.0; MAX_DIM];
        for (d, t) in direction.iter_mut().zip(&tau[..last]) {
            *d = t / size;
        }
        Face::Slip { direction }
    }

    fn cones(&self, add: &mut dyn FnMut(Cone, &[Slack])) {
        let last = self.dim() - 1;
        let mut slacks = [Slack::of(last, self.mu); MAX_DIM];
        if self.mu > 0.0 {
            for row in 0..last {
                slacks[row + 1] = Slack::of(row, 1.0);
            }
            add(Cone::SecondOrder, &slacks[..=last]);
        } else {
            // A cone that is a ray has no interior.
            for (row, slack) in slacks[..last].iter_mut().enumerate() {
                *slack = Slack::of(row, -1.0);
            }
            add(Cone::Zero, &slacks[..last]);
            add(Cone::NonNegative, &[Slack::of(last, 1.0)]);
        }
    }

    fn in_units(&self, _: f64) -> ImpulseSet {
        ImpulseSet::CoulombMoment {
            mu: self.mu,
            rows: self.rows,
        }
    }
}

impl CoulombMoment {
    /// λ_N = max(0, τ_N), λ_F nearest to τ_F in the ball of radius μ λ_N, as Alart and Curnier have it for disks.
    fn signorini_coulomb(&self, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        let last = self.dim() - 1;
        if tau[last] <= 0.0 {
            tau.fill(0.0);
            return Slope::Zero;
        }
        let radius = self.mu * tau[last];
        let size = norm(&tau[..last]);
        if size <= radius {
            return Slope::Diagonal(*inverse);
        }
        // Sliding or turning: λ_F = μ λ_N t, t = τ_F/‖τ_F‖. size > radius ≥ 0, so t exists.
        let k = radius / size;
        let mut slope = [[0.0; MAX_DIM]; MAX_DIM];
        for a in 0..last {
            let t = tau[a] / size;
            for b in 0..last {
                let identity = if a == b { 1.0 } else { 0.0 };
                slope[a][b] = k * (identity - t * (tau[b] / size)) * inverse[b];
            }
            slope[a][last] = self.mu * t * inverse[last];
        }
        slope[last][last] = inverse[last];
        tau[..last].iter_mut().for_each(|t| *t *= k);
        Slope::Full6(slope)
    }

    /// Projection in the metric R + ε, which is one number on all rows of friction: in scaled coordinates √(R + ε) λ
    /// it is the Euclidean projection on the cone with μ̃ = μ √(r_t/r_n).
    fn nearest(&self, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        let last = self.dim() - 1;
        let (root_f, root_n) = ((1.0 / inverse[0]).sqrt(), (1.0 / inverse[last]).sqrt());
        let mu = self.mu * root_f / root_n;
        let (size, normal) = (root_f * norm(&tau[..last]), root_n * tau[last]);
        if size <= mu * normal {
            if self.mu == 0.0 {
                // The ray (0, …, 0, ℝ₊): friction rows have no impulse.
                let mut only = [0.0; MAX_DIM];
                only[last] = inverse[last];
                return Slope::Diagonal(only);
            }
            return Slope::Diagonal(*inverse);
        }
        if mu * size <= -normal {
            tau.fill(0.0);
            return Slope::Zero;
        }
        // On the mantle: λ̃ = (g · y) g with the generator g = (μ̃ t, 1)/√(1 + μ̃²); perpendicular to it, within the
        // friction rows, λ̃ rotates with t. Here size > 0, so t exists.
        let length = (1.0 + mu * mu).sqrt();
        let along = (mu * size + normal) / length;
        let side = mu * along / (length * size);
        let (mut t, mut g) = ([0.0; MAX_DIM], [0.0; MAX_DIM]);
        for i in 0..last {
            t[i] = root_f * tau[i] / size;
            g[i] = mu * t[i] / length;
        }
        g[last] = 1.0 / length;
        let root = |i: usize| if i == last { root_n } else { root_f };
        let mut slope = [[0.0; MAX_DIM]; MAX_DIM];
        for a in 0..=last {
            for b in 0..=last {
                let identity = if a == b && a < last { 1.0 } else { 0.0 };
                let across = side * (identity - t[a] * t[b]);
                slope[a][b] = (g[a] * g[b] + across) / (root(a) * root(b));
            }
            tau[a] = along * g[a] / root(a);
        }
        Slope::Full6(slope)
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

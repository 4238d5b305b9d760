//! K = {‖λ_T‖ ≤ μ λ_N}, rows (t₁, t₂, n): the friction cone. K* is the cone with 1/μ, and
//! Γ(σ) = (0, 0, μ‖σ_T‖) makes K* ∋ σ + Γ(σ) ⟂ λ ∈ K Signorini-Coulomb.

use super::{Cone, Face, Friction, ImpulseSet, MAX_DIM, Set, Slack, Slope};

/// The cone with friction coefficient `mu`.
#[derive(Clone, Copy)]
pub(super) struct Coulomb {
    pub mu: f64,
}

impl Set for Coulomb {
    const NAME: &'static str = "Coulomb";
    const IS_CONE: bool = true;
    #[cfg(test)]
    const SAMPLES: &'static [ImpulseSet] = &[
        ImpulseSet::Coulomb { mu: 0.0 },
        ImpulseSet::Coulomb { mu: 0.1 },
        ImpulseSet::Coulomb { mu: 0.7 },
        ImpulseSet::Coulomb { mu: 2.0 },
    ];

    #[inline]
    fn dim(&self) -> usize {
        3
    }

    fn is_valid(&self) -> bool {
        self.mu >= 0.0
    }

    #[inline]
    fn project(&self, x: &mut [f64]) {
        let (mu, [t1, t2, n]) = (self.mu, [x[0], x[1], x[2]]);
        let t = size(t1, t2);
        if mu * t <= -n {
            // In the polar cone (for μ = 0: n ≤ 0): nearest is the apex.
            x.fill(0.0);
        } else if t > mu * n {
            let y = (n + mu * t) / (1.0 + mu * mu);
            // t > μ n and μ t > −n imply t > 0.
            let k = mu * y / t;
            x[0] = k * t1;
            x[1] = k * t2;
            x[2] = y;
        } else if mu.is_nan() {
            x.fill(f64::NAN);
        }
    }

    fn project_dual(&self, x: &mut [f64]) {
        if self.mu == 0.0 {
            // K* is a half space, its cone with 1/μ would divide by 0.
            if x[2] < 0.0 {
                x[2] = 0.0;
            }
            return;
        }
        // Moreau: P_K*(x) = x + P_K(−x).
        let mut minus = [-x[0], -x[1], -x[2]];
        self.project(&mut minus);
        for (x, m) in x.iter_mut().zip(minus) {
            *x += m;
        }
    }

    #[inline]
    fn desaxce_shift(&self, sigma: &[f64]) -> f64 {
        self.mu * size(sigma[0], sigma[1])
    }

    #[inline]
    fn level(&self, compliance: &mut [f64]) {
        let softer = compliance[0].max(compliance[1]);
        compliance[..2].fill(softer);
    }

    #[inline]
    fn respond(&self, friction: Friction, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        match friction {
            Friction::Exact => self.signorini_coulomb(tau, inverse),
            Friction::Lagged | Friction::Convex => self.nearest(tau, inverse),
        }
    }

    #[inline]
    fn face(&self, tau: &[f64]) -> Face {
        if tau[2] <= 0.0 {
            return Face::Open;
        }
        let t = size(tau[0], tau[1]);
        if t <= self.mu * tau[2] {
            return Face::Interior;
        }
        let mut direction = [0.0; MAX_DIM];
        (direction[0], direction[1]) = (tau[0] / t, tau[1] / t);
        Face::Slip { direction }
    }

    fn cones(&self, add: &mut dyn FnMut(Cone, &[Slack])) {
        let [t1, t2] = [0, 1].map(|row| Slack::of(row, 1.0));
        if self.mu > 0.0 {
            add(Cone::SecondOrder, &[Slack::of(2, self.mu), t1, t2]);
        } else {
            // A cone that is a ray has no interior.
            add(Cone::Zero, &[Slack::of(0, -1.0), Slack::of(1, -1.0)]);
            add(Cone::NonNegative, &[Slack::of(2, 1.0)]);
        }
    }

    fn in_units(&self, _: f64) -> ImpulseSet {
        ImpulseSet::Coulomb { mu: self.mu }
    }
}

impl Coulomb {
    /// λ_N = max(0, τ_N), λ_T nearest to τ_T in the disk of radius μ λ_N [Alart & Curnier 1991].
    #[inline]
    fn signorini_coulomb(&self, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        if tau[2] <= 0.0 {
            tau.fill(0.0);
            return Slope::Zero;
        }
        let radius = self.mu * tau[2];
        let size = size(tau[0], tau[1]);
        if size <= radius {
            return Slope::Diagonal(*inverse);
        }
        // Sliding: λ_T = μ λ_N t, t = τ_T/‖τ_T‖. size > radius ≥ 0, so t exists.
        let t = [tau[0] / size, tau[1] / size];
        let k = radius / size;
        let g = |a: usize, b: usize| {
            let identity = if a == b { 1.0 } else { 0.0 };
            k * (identity - t[a] * t[b]) * inverse[b]
        };
        tau[0] = radius * t[0];
        tau[1] = radius * t[1];
        let mu = self.mu;
        Slope::Full([
            [g(0, 0), g(0, 1), mu * t[0] * inverse[2]],
            [g(1, 0), g(1, 1), mu * t[1] * inverse[2]],
            [0.0, 0.0, inverse[2]],
        ])
    }

    /// Projection in the metric R + ε [Castro eq. 27, 36, 37]. In scaled coordinates √(R + ε) λ it is the
    /// Euclidean projection on the cone with μ̃ = μ √(r_t/r_n).
    #[inline]
    fn nearest(&self, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        let (root_t, root_n) = ((1.0 / inverse[0]).sqrt(), (1.0 / inverse[2]).sqrt());
        let mu = self.mu * root_t / root_n;
        let y = [root_t * tau[0], root_t * tau[1], root_n * tau[2]];
        let size = size(y[0], y[1]);
        if size <= mu * y[2] {
            if self.mu == 0.0 {
                // The ray (0, 0, ℝ₊): no tangential impulse answers, not even here at y_T = 0.
                return Slope::Diagonal([0.0, 0.0, inverse[2], 0.0, 0.0, 0.0]);
            }
            return Slope::Diagonal(*inverse);
        }
        if mu * size <= -y[2] {
            tau.fill(0.0);
            return Slope::Zero;
        }
        // On the mantle: λ̃ = (g · y) g with the generator g = (μ̃ t, 1)/√(1 + μ̃²). Neither above means
        // size > 0, so t exists.
        let t = [y[0] / size, y[1] / size];
        let norm = (1.0 + mu * mu).sqrt();
        let g = [mu * t[0] / norm, mu * t[1] / norm, 1.0 / norm];
        let along = g[0] * y[0] + g[1] * y[1] + g[2] * y[2];
        let side = mu * along / (norm * size);
        let across = [-t[1], t[0], 0.0];
        let roots = [root_t, root_t, root_n];
        for i in 0..3 {
            tau[i] = along * g[i] / roots[i];
        }
        Slope::Full(std::array::from_fn(|a| {
            std::array::from_fn(|b| {
                (g[a] * g[b] + side * across[a] * across[b]) / (roots[a] * roots[b])
            })
        }))
    }
}

#[inline]
fn size(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

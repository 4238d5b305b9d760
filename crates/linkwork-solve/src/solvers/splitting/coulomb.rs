//! The exact Signorini-Coulomb problem of one contact, after Bonnefon & Daviet, "Quartic formulation of
//! Coulomb 3D frictional contact" (INRIA RT-0400, 2011).
//!
//! A sliding contact has σ_N = 0, ‖λ_T‖ = μ λ_N and −σ_T = α λ_T, α > 0. In the reduced unknowns that is
//! (A + α) λ_T = −b, so λ_i = −b_i/(a_i + α), λ_N = p + Σ c_i b_i/(a_i + α), and ‖λ_T‖² = μ² λ_N² times
//! ((a_1 + α)(a_2 + α))² is a quartic in α.

use super::one_contact::{Contact, Reduced};
use super::polynomial::positive_roots;

impl Contact {
    /// λ (N s) with K* ∋ σ + Γ(σ) ⟂ λ ∈ K, σ = D λ + z, for the velocity `z` (m/s) of the others.
    ///
    /// A contact that would separate is open, even where a large μ admits a second, sticking or sliding,
    /// answer. Of several sliding answers it is the one with the least α, nearest to sticking.
    pub fn coulomb(&self, z: &[f64; 3]) -> [f64; 3] {
        if z[2] >= 0.0 {
            return [0.0; 3];
        }
        let reduced = self.reduce(z);
        let stick = self.slide(&reduced, 0.0);
        if self.mu == 0.0 {
            // No friction: σ_N = 0 with λ_T = 0.
            return [0.0, 0.0, reduced.p];
        }
        if excess(self.mu, &stick) <= 0.0 {
            return stick;
        }
        self.slide(&reduced, self.sliding(&reduced))
    }

    /// λ(α) of the sliding branch.
    fn slide(&self, r: &Reduced, alpha: f64) -> [f64; 3] {
        let t = std::array::from_fn(|i| -r.b[i] / (self.a[i] + alpha));
        self.expand(t, r.p)
    }

    /// g(α) = ‖λ_T‖ − μ λ_N and g′(α).
    fn excess_at(&self, r: &Reduced, alpha: f64) -> (f64, f64) {
        let t: [f64; 2] = std::array::from_fn(|i| -r.b[i] / (self.a[i] + alpha));
        let change: [f64; 2] = std::array::from_fn(|i| -t[i] / (self.a[i] + alpha));
        let size = t[0].hypot(t[1]);
        let normal = r.p - self.c[0] * t[0] - self.c[1] * t[1];
        let normal_change = -self.c[0] * change[0] - self.c[1] * change[1];
        // b ≠ 0 where the contact does not stick, so size > 0.
        let size_change = (t[0] * change[0] + t[1] * change[1]) / size;
        (
            size - self.mu * normal,
            size_change - self.mu * normal_change,
        )
    }

    /// The least α > 0 with g(α) = 0. It exists: g(0) > 0, because sticking is outside the cone, and
    /// g → −μ p < 0 as α grows, because z_N < 0.
    fn sliding(&self, r: &Reduced) -> f64 {
        // In units of the larger eigenvalue, so that the coefficients are comparable.
        let unit = self.a[0].max(self.a[1]);
        let a = [self.a[0] / unit, self.a[1] / unit];
        let scale = r.b[0].hypot(r.b[1]).max(unit * r.p);
        let b = [r.b[0] / scale, r.b[1] / scale];
        let (p, cb) = (r.p * unit / scale, [self.c[0] * b[0], self.c[1] * b[1]]);
        // μ λ_N (a_1 + α)(a_2 + α), a quadratic, and ‖λ_T‖² ((a_1 + α)(a_2 + α))².
        let n = [
            p * a[0] * a[1] + cb[0] * a[1] + cb[1] * a[0],
            p * (a[0] + a[1]) + cb[0] + cb[1],
            p,
        ]
        .map(|n| self.mu * n);
        let bb = [b[0] * b[0], b[1] * b[1]];
        let quartic = [
            bb[0] * a[1] * a[1] + bb[1] * a[0] * a[0] - n[0] * n[0],
            2.0 * (bb[0] * a[1] + bb[1] * a[0]) - 2.0 * n[0] * n[1],
            bb[0] + bb[1] - n[1] * n[1] - 2.0 * n[0] * n[2],
            -2.0 * n[1] * n[2],
            -n[2] * n[2],
        ];
        for &x in positive_roots(&quartic).as_slice() {
            let alpha = x * unit;
            // Squaring added the roots of ‖λ_T‖ = −μ λ_N; there g = 2‖λ_T‖, far from the sign change.
            if self.slide(r, alpha)[2] > 0.0 {
                return self.polish(r, alpha);
            }
        }
        // A root so close to 0, or so far out, that the coefficients' round-off lost its sign change.
        self.polish(r, unit)
    }

    /// The root of g near `alpha`: Newton, kept between points of known sign.
    fn polish(&self, r: &Reduced, mut alpha: f64) -> f64 {
        let (mut low, mut high) = (0.0, f64::INFINITY);
        for _ in 0..200 {
            let (g, slope) = self.excess_at(r, alpha);
            if g > 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            let newton = alpha - g / slope;
            let next = if newton > low && newton < high {
                newton
            } else if high == f64::INFINITY {
                4.0 * alpha
            } else {
                0.5 * (low + high)
            };
            if (next - alpha).abs() <= 2.0 * f64::EPSILON * alpha {
                return next;
            }
            alpha = next;
        }
        alpha
    }
}

/// ‖λ_T‖ − μ λ_N.
fn excess(mu: f64, lambda: &[f64; 3]) -> f64 {
    lambda[0].hypot(lambda[1]) - mu * lambda[2]
}

//! The contact problem of [`super::polar`] by the roots of a quartic, as in NBGS [Tsounis §VI-C, Preclik et al. 2014].
//!
//! Along the edge x = μ p e/(1 + μ c·e) the objective ½ xᵀA x + bᵀx is stationary where
//!   (μ p A e + (1 + μ c·e) b) · (e′ + μ c′) = 0,
//! with a prime for a quarter turn: dx/dθ is parallel to (1 + μ c·e) e′ − μ (c·e′) e = e′ + μ c′. In terms of the
//! tangent t of half the angle this is a quartic. The paper's own (eq. 222) is in an appendix that was not available;
//! the roots are the same.

use super::one_contact::{Contact, Reduced};
use super::polynomial::positive_roots;

/// A polynomial of degree two in t, times 1/(1 + t²).
type Quadratic = [f64; 3];

impl Contact {
    /// λ_T along the axes of A where the objective on the edge is least, between the angles `low` and `high`.
    pub(super) fn least_on_edge(&self, r: &Reduced, low: f64, high: f64) -> [f64; 2] {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let (sin, cos) = middle.sin_cos();
        let (m, turned) = ([cos, sin], [-sin, cos]);
        let quartic = self.stationarity(r, m, turned);
        let mirrored = [quartic[0], -quartic[1], quartic[2], -quartic[3], quartic[4]];
        let (ahead, behind) = (positive_roots(&quartic), positive_roots(&mirrored));
        let ahead = ahead.as_slice().iter().copied();
        let behind = behind.as_slice().iter().map(|t| -t);
        let reach = (0.5 * half).tan();
        // A root of even multiplicity is not found, and is no minimum; one at t = 0 or an end of the arc is added.
        let places = [0.0, -reach, reach].into_iter().chain(ahead).chain(behind);
        let mut best = (f64::INFINITY, [0.0; 2]);
        for t in places.filter(|t| t.abs() <= reach) {
            let angle = middle + 2.0 * t.atan();
            let (sin, cos) = angle.sin_cos();
            let radius = self.mu * r.p / (1.0 + self.mu * (self.c[0] * cos + self.c[1] * sin));
            let x = [radius * cos, radius * sin];
            let value: f64 = (0..2)
                .map(|i| (0.5 * self.a[i] * x[i] + r.b[i]) * x[i])
                .sum();
            if radius > 0.0 && value < best.0 {
                best = (value, x);
            }
        }
        best.1
    }

    /// The quartic in t = tan(φ/2), φ the angle from `m` to e; `turned` is m′.
    fn stationarity(&self, r: &Reduced, m: [f64; 2], turned: [f64; 2]) -> [f64; 5] {
        const ONE: Quadratic = [1.0, 0.0, 1.0];
        const COS: Quadratic = [1.0, 0.0, -1.0];
        const SIN: Quadratic = [0.0, 2.0, 0.0];
        let sum = |parts: [(f64, Quadratic); 3]| -> Quadratic {
            std::array::from_fn(|i| parts.iter().map(|(f, q)| f * q[i]).sum())
        };
        let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
        let along = [dot(self.c, m), dot(self.c, turned)];
        let quarter = [-self.c[1], self.c[0]];
        let mut quartic = [0.0; 5];
        for i in 0..2 {
            // In units of p, so that the coefficients are comparable.
            let (push, b) = (self.mu * self.a[i], r.b[i] / r.p);
            let gradient = sum([
                (b, ONE),
                (push * m[i] + self.mu * along[0] * b, COS),
                (push * turned[i] + self.mu * along[1] * b, SIN),
            ]);
            let direction = sum([(self.mu * quarter[i], ONE), (turned[i], COS), (-m[i], SIN)]);
            for (j, g) in gradient.iter().enumerate() {
                for (k, d) in direction.iter().enumerate() {
                    quartic[j + k] += g * d;
                }
            }
        }
        quartic
    }
}

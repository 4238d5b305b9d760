//! The contact problem of RaiSim [Hwangbo et al. 2018; Tsounis eq. 152]: the impulse of least energy on the plane of
//! zero normal velocity within the cone, found by bisection on the polar angle.
//!
//! In the reduced unknowns: minimise ½ xᵀA x + (b − s c)ᵀx subject to ‖x‖ ≤ μ (p − c·x), x = λ_T, with s the De Saxcé
//! shift (0 for `raisim`), which weighs λ_N = p − c·x. Let y be the minimiser of the objective alone. If y is outside
//! the cone, the solution lies on the edge x(θ) = r(θ) e(θ), r = μ p/(1 + μ c·e), e = (cos θ, sin θ).
//!
//! Along the whole edge the objective may have two minima. Along the part of it that is visible from y there is one: in
//! the metric of A a stationary point there is the point of a convex set nearest to y. That part is where the outward
//! normal points to y: y·e(θ) > μ y_N (independent of A, since x is on a cone).

use super::one_contact::{Contact, Reduced};
use std::f64::consts::{PI, TAU};

/// How the contact problem is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeastEnergyRule {
    /// Where a sliding contact is sought.
    pub search: EdgeSearch,
    /// Whether a contact that can stick does so for any shift. Without this, the shift of a sliding impulse changes the
    /// solution of a contact that is about to stick, as printed [Tsounis Alg. 4].
    pub stick_first: bool,
}

impl Default for LeastEnergyRule {
    fn default() -> Self {
        Self {
            search: EdgeSearch::Bisection,
            stick_first: true,
        }
    }
}

/// How the least energy on the edge of the cone is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeSearch {
    /// Bisection on the polar angle, P_BS [Hwangbo et al. 2018].
    Bisection,
    /// Roots of a quartic, P_MDP [Preclik et al. 2014].
    Quartic,
}

impl Contact {
    /// The λ (N s) that minimises ½ λᵀDλ + λᵀz + s λ_N with D_N λ + z_N = 0 and λ ∈ K, for the velocity `z` (m/s) of
    /// the others and the shift `s` (m/s); 0 if z_N ≥ 0.
    ///
    /// `local` defines how a sliding contact is solved, and which contacts stick.
    pub fn least_energy(&self, z: &[f64; 3], shift: f64, local: LeastEnergyRule) -> [f64; 3] {
        if z[2] >= 0.0 {
            return [0.0; 3];
        }
        let mut reduced = self.reduce(z);
        if self.mu == 0.0 {
            return [0.0, 0.0, reduced.p];
        }
        if local.stick_first {
            // A contact that can stick does so, for any shift of a still sliding impulse.
            let (stick, normal) = self.minimiser(&reduced);
            if stick[0].hypot(stick[1]) <= self.mu * normal {
                return self.expand(stick, reduced.p);
            }
        }
        for (b, c) in reduced.b.iter_mut().zip(self.c) {
            *b -= shift * c;
        }
        let (y, normal) = self.minimiser(&reduced);
        let p = reduced.p;
        if y[0].hypot(y[1]) <= self.mu * normal {
            return self.expand(y, p);
        }
        let (low, high) = self.visible_arc(y, normal);
        let mut x = match local.search {
            EdgeSearch::Bisection => self.bisect(&reduced, low, high),
            EdgeSearch::Quartic => self.least_on_edge(&reduced, low, high),
        };
        self.polish_edge(&reduced, &mut x);
        self.expand(x, p)
    }

    /// y and y_N of the objective alone.
    fn minimiser(&self, r: &Reduced) -> ([f64; 2], f64) {
        let y = [-r.b[0] / self.a[0], -r.b[1] / self.a[1]];
        (y, r.p - dot(self.c, y))
    }

    /// The angles of the edge points that y sees. They are one arc, being the part of the boundary of a
    /// plane convex set that faces a point outside it.
    fn visible_arc(&self, y: [f64; 2], normal: f64) -> (f64, f64) {
        let towards = y[1].atan2(y[0]);
        let half = (self.mu * normal / y[0].hypot(y[1]))
            .clamp(-1.0, 1.0)
            .acos();
        // The edge exists where 1 + μ c·e > 0: everywhere on an ellipse, else on an arc about c.
        let steepness = self.mu * self.c[0].hypot(self.c[1]);
        if steepness < 1.0 {
            return (towards - half, towards + half);
        }
        let reach = (-1.0 / steepness).acos();
        let centre = self.c[1].atan2(self.c[0]);
        if half >= PI {
            // y lies in the opposite cone and sees the whole edge.
            return (centre - reach, centre + reach);
        }
        // Both arcs are known up to a turn; they meet in one of these places.
        let meet = |turn: f64| {
            let low = (towards - half).max(centre - reach + turn);
            (low, (towards + half).min(centre + reach + turn))
        };
        let longer = |a: (f64, f64), b: (f64, f64)| if b.1 - b.0 > a.1 - a.0 { b } else { a };
        [TAU, -TAU].map(meet).into_iter().fold(meet(0.0), longer)
    }

    /// λ_T where the objective along the edge stops falling, between the angles `low` and `high`.
    fn bisect(&self, r: &Reduced, mut low: f64, mut high: f64) -> [f64; 2] {
        let mut x = [0.0; 2];
        // An arc of at most a turn, to 6e-12.
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let (sin, cos) = middle.sin_cos();
            let (e, turned) = ([cos, sin], [-sin, cos]);
            let reach = 1.0 + self.mu * dot(self.c, e);
            let radius = self.mu * r.p / reach;
            x = [radius * cos, radius * sin];
            let gradient = [self.a[0] * x[0] + r.b[0], self.a[1] * x[1] + r.b[1]];
            // dx/dθ = r (e′ − μ (c·e′)/(1 + μ c·e) e); r > 0 does not change its sign.
            let stretch = self.mu * dot(self.c, turned) / reach;
            let slope = dot(gradient, turned) - stretch * dot(gradient, e);
            if slope < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        x
    }

    /// Newton on the optimality conditions A x + b + κ n = 0, ‖x‖ + μ c·x = μ p, n = x/‖x‖ + μ c: where the edge
    /// extends to infinity, the angle alone does not determine the last digits of x.
    fn polish_edge(&self, r: &Reduced, x: &mut [f64; 2]) {
        let size = x[0].hypot(x[1]);
        let normal = |x: [f64; 2], size: f64| -> [f64; 2] {
            std::array::from_fn(|i| x[i] / size + self.mu * self.c[i])
        };
        let gradient =
            |x: [f64; 2]| -> [f64; 2] { std::array::from_fn(|i| self.a[i] * x[i] + r.b[i]) };
        let n = normal(*x, size);
        let mut kappa = -dot(n, gradient(*x)) / dot(n, n);
        for _ in 0..2 {
            let size = x[0].hypot(x[1]);
            let (n, g) = (normal(*x, size), gradient(*x));
            // H = A + κ (1 − x xᵀ/‖x‖²)/‖x‖, definite since κ ≥ 0.
            let (t, k) = ([-x[1] / size, x[0] / size], kappa / size);
            let h = [
                self.a[0] + k * t[0] * t[0],
                k * t[0] * t[1],
                self.a[1] + k * t[1] * t[1],
            ];
            let determinant = h[0] * h[2] - h[1] * h[1];
            let solve = |y: [f64; 2]| {
                let first = h[2] * y[0] - h[1] * y[1];
                [
                    first / determinant,
                    (h[0] * y[1] - h[1] * y[0]) / determinant,
                ]
            };
            let error: [f64; 2] = std::array::from_fn(|i| g[i] + kappa * n[i]);
            let off = size + self.mu * (dot(self.c, *x) - r.p);
            let change = (off - dot(n, solve(error))) / dot(n, solve(n));
            let step = solve(std::array::from_fn(|i| error[i] + change * n[i]));
            let next = [x[0] - step[0], x[1] - step[1]];
            // A step that is no small correction means that the start was not near: leave it as it is.
            if step[0].hypot(step[1]) > 1e-3 * size || !next.iter().all(|x| x.is_finite()) {
                return;
            }
            kappa += change;
            *x = next;
        }
    }
}

fn dot(x: [f64; 2], y: [f64; 2]) -> f64 {
    x[0] * y[0] + x[1] * y[1]
}

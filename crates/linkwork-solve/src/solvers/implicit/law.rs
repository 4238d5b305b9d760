//! Impulses and velocities as functions of one unknown [Todorov §II]: for every x, f(x) and v(x) = f(x) + x
//! satisfy the law of the block.
//!
//! ```text
//!   free       f = −x                       v = 0
//!   limit      f = max(0, −x)               v = max(0, x)
//!   interval   f = −x clamped to [−b, b]
//!   contact    f_N = max(0, −x_N),  f_T = −s x_T,  s = min(1, μ f_N/‖x_T‖)        [eq. 10, 12, 13]
//! ```
//!
//! Rows of a contact are (t₁, t₂, n), and b of the paper is 0: the bias is part of v.

use crate::sets::ImpulseSet;

/// A 3x3 matrix, row by row; blocks with one row use its first entry.
pub(super) type Slope = [[f64; 3]; 3];

const ZERO: Slope = [[0.0; 3]; 3];
const STICK: Slope = [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];

/// On a cone edge within this, relative to ‖x‖.
const ON_CONE: f64 = 1e-13;

/// The law of a block; a free block is taken row by row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ImplicitLaw {
    Free,
    Limit,
    Interval { bound: f64 },
    Contact { mu: f64 },
}

/// Where the slope of f jumps, at a point on it: a plane or the cone of [Todorov Fig. 1C].
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Unit normal d.
    pub normal: [f64; 3],
    /// ∂f/∂x on the side d points to, and on the other.
    pub slopes: [Slope; 2],
    pub is_cone: bool,
}

impl ImplicitLaw {
    /// Rows of the block.
    #[cfg(test)]
    pub fn dim(self) -> usize {
        match self {
            ImplicitLaw::Contact { .. } => 3,
            _ => 1,
        }
    }

    /// The law of a set whose impulses are measured in `unit`, if it has one here.
    #[allow(unreachable_patterns, reason = "the tests have one more set")]
    pub fn of(set: ImpulseSet, unit: f64) -> Option<Self> {
        match set.in_units(unit) {
            ImpulseSet::Free { .. } => Some(ImplicitLaw::Free),
            ImpulseSet::NonNegative => Some(ImplicitLaw::Limit),
            ImpulseSet::Interval { bound } => Some(ImplicitLaw::Interval { bound }),
            ImpulseSet::Coulomb { mu } => Some(ImplicitLaw::Contact { mu }),
            _ => None,
        }
    }

    /// f(x).
    pub fn impulse(self, x: &[f64], f: &mut [f64]) {
        match self {
            ImplicitLaw::Free => f[0] = -x[0],
            ImplicitLaw::Limit => f[0] = (-x[0]).max(0.0),
            ImplicitLaw::Interval { bound } => f[0] = (-x[0]).clamp(-bound, bound),
            ImplicitLaw::Contact { mu } => {
                let normal = (-x[2]).max(0.0);
                let size = x[0].hypot(x[1]);
                // At x_T = 0 any s gives f_T = 0.
                let s = if size > mu * normal {
                    mu * normal / size
                } else {
                    1.0
                };
                (f[0], f[1], f[2]) = (-s * x[0], -s * x[1], normal);
            }
        }
    }

    /// ∂f/∂x at x, which is on no edge; on an edge one of its sides.
    pub fn slope(self, x: &[f64]) -> Slope {
        let closed = match self {
            ImplicitLaw::Free => true,
            ImplicitLaw::Limit => x[0] < 0.0,
            ImplicitLaw::Interval { bound } => x[0].abs() < bound,
            ImplicitLaw::Contact { mu } => {
                let size = x[0].hypot(x[1]);
                return match x[2] {
                    n if n >= 0.0 => ZERO,
                    n if size <= -mu * n => STICK,
                    _ => slip(mu, x, size),
                };
            }
        };
        if closed { STICK } else { ZERO }
    }

    /// The edge that x is on, if any.
    pub fn edge(self, x: &[f64]) -> Option<Edge> {
        let plane = |row: usize, slopes: [Slope; 2]| {
            let mut normal = [0.0; 3];
            normal[row] = 1.0;
            let is_cone = false;
            Some(Edge {
                normal,
                slopes,
                is_cone,
            })
        };
        match self {
            ImplicitLaw::Limit if x[0] == 0.0 => plane(0, [ZERO, STICK]),
            // b = 0 leaves no room between the edges, and no kink: f = 0.
            ImplicitLaw::Interval { bound } if x[0].abs() == bound && bound > 0.0 => {
                let slopes = if x[0] > 0.0 {
                    [ZERO, STICK]
                } else {
                    [STICK, ZERO]
                };
                plane(0, slopes)
            }
            ImplicitLaw::Contact { mu } => {
                let size = x[0].hypot(x[1]);
                if x[2] == 0.0 {
                    let below = if size > 0.0 { slip(mu, x, size) } else { STICK };
                    return plane(2, [ZERO, below]);
                }
                let distance = size + mu * x[2];
                // Without friction the cone is a line, and f_T = 0 on and off it.
                if x[2] > 0.0 || mu == 0.0 || distance.abs() > ON_CONE * (size - x[2]) {
                    return None;
                }
                let c = 1.0 / (1.0 + mu * mu).sqrt();
                Some(Edge {
                    normal: [c * x[0] / size, c * x[1] / size, c * mu],
                    slopes: [slip(mu, x, size), STICK],
                    is_cone: true,
                })
            }
            _ => None,
        }
    }

    /// Steps α in (0, 1) at which x + α u crosses an edge.
    pub fn crossings(self, x: &[f64], u: &[f64], out: &mut Vec<f64>) {
        let mut keep = |a: f64| {
            if a > 0.0 && a < 1.0 {
                out.push(a);
            }
        };
        match self {
            ImplicitLaw::Free => {}
            ImplicitLaw::Limit => keep(-x[0] / u[0]),
            ImplicitLaw::Interval { bound } => {
                keep((bound - x[0]) / u[0]);
                keep((-bound - x[0]) / u[0]);
            }
            ImplicitLaw::Contact { mu } => {
                keep(-x[2] / u[2]);
                // ‖t_T‖² = μ² t_N² with t_N < 0 [eq. 27].
                let form = |p: &[f64], q: &[f64]| p[0] * q[0] + p[1] * q[1] - mu * mu * p[2] * q[2];
                let (a, b, c) = (form(u, u), form(x, u), form(x, x));
                let root = (b * b - a * c).sqrt();
                // The stable pair of roots; a NaN (none) is not kept.
                let q = -(b + root.copysign(b));
                for alpha in [q / a, c / q] {
                    if mu > 0.0 && x[2] + alpha * u[2] < 0.0 {
                        keep(alpha);
                    }
                }
            }
        }
    }

    /// Moves x, which is on an edge up to round-off of relative size `near`, exactly onto it.
    pub fn snap(self, x: &mut [f64], near: f64) {
        match self {
            ImplicitLaw::Free => {}
            ImplicitLaw::Limit if x[0].abs() <= near => x[0] = 0.0,
            ImplicitLaw::Interval { bound } if (x[0].abs() - bound).abs() <= near => {
                x[0] = bound.copysign(x[0]);
            }
            ImplicitLaw::Contact { .. } if x[2].abs() <= near => x[2] = 0.0,
            ImplicitLaw::Contact { mu }
                if x[2] < 0.0 && (x[0].hypot(x[1]) + mu * x[2]).abs() <= near =>
            {
                project_on_cone(mu, x);
            }
            _ => {}
        }
    }

    /// Project x on the edge surface if it is a cone [Todorov §III-D].
    pub fn project(self, x: &mut [f64]) {
        if let ImplicitLaw::Contact { mu } = self {
            project_on_cone(mu, x);
        }
    }
}

/// f_T = μ x_N x_T/‖x_T‖, f_N = −x_N.
fn slip(mu: f64, x: &[f64], size: f64) -> Slope {
    let (c, s) = (x[0] / size, x[1] / size);
    let k = mu * x[2] / size;
    [
        [k * s * s, -k * c * s, mu * c],
        [-k * c * s, k * c * c, mu * s],
        [0.0, 0.0, -1.0],
    ]
}

/// The nearest point of ‖x_T‖ = −μ x_N; a point without direction stays as it is.
fn project_on_cone(mu: f64, x: &mut [f64]) {
    let size = x[0].hypot(x[1]);
    if size == 0.0 {
        return;
    }
    // Along the generator (μ x̂_T, −1), from the apex on.
    let along = ((mu * size - x[2]) / (1.0 + mu * mu)).max(0.0);
    let k = mu * along / size;
    (x[0], x[1], x[2]) = (k * x[0], k * x[1], -along);
}

//! An interior-point method on the small problem, for moving heaps: where many contacts close, open and slip at
//! once, the guess says little of the active set, and Newton on the active set ([`super::pass`]) changes it a few
//! contacts at a time.
//!
//! With x = (μ λ_N, λ_T) and y = (σ_N/μ + ‖σ_T‖, σ_T) Coulomb's law is: x and y in the Lorentz cone, x ∘ y = 0 (De Saxcé).
//! Newton's method with Nesterov-Todd scaling and Mehrotra's predictor and corrector follows x ∘ y = τ e to τ = 0 as in
//! [Acary, Armand, Nguyen & Shpakovych 2024], but takes ‖σ_T‖ into the derivative, which makes the matrix
//! unsymmetric and the method converge to the exact law. y is a variable of its own, and y − F(σ) vanishes with τ.
//!
//! The law is not monotone, so that the path can turn back: a body that slides on four corners hands load from one
//! to another, and where the direction of slip differs, that mode has a stiffness near zero of either sign. There
//! a step would be cut to almost nothing. A proximal term δ w Δλ about the iterate (Levenberg-Marquardt; it changes no
//! solution) takes over: δ grows when steps are cut and shrinks when they are not.
//!
//! The convex relaxation has y = (σ_N/μ, σ_T). It is monotone, its matrix is symmetric, its path does not turn back, and δ
//! stays 0.

use super::lorentz::{Point, Scaling, dot, product, quotient, reach, size};
use super::mobility::Mobility;
use super::pass::Law;
use crate::residuals::larger;
use crate::sets::{Friction, ImpulseSet, MAX_DIM, Slope};

/// δ at the start, for Coulomb's law.
const FIRST_DELTA: f64 = 0.1;
/// δ at least and at most. Bodies wedged between others can be squeezed without limit if δ is 0.
const LEAST_DELTA: f64 = 3e-6;
const MOST_DELTA: f64 = 1.0;
/// Compliance of all rows, as a share of their weight. Where bodies are wedged, contacts can squeeze each other without limit, and a
/// method that stays away from the boundary of the cones does so: without it impulses of a `heap` (80) grow in 5 s to a
/// thousand times the impulse of its weight in a step. It changes velocities by 1e-9 of the speed that an impulse would give to a free body.
const SQUEEZE: f64 = 1e-9;
/// δ after a step that was cut, at least, and the factor of a change.
const RAISED_DELTA: f64 = 1e-4;
const DELTA_FACTOR: f64 = 10.0;
/// After a step shorter than this δ grows, after one longer than [`LONG`] it shrinks.
const CUT: f64 = 0.1;
const LONG: f64 = 0.5;
/// Share of the way to the boundary that a step may go.
const SHARE: f64 = 0.95;
/// τ w stays above this share of (y − F(σ))². With a smaller τ, steps that would still reduce y − F(σ) are cut at the boundary.
const BALANCE: f64 = 0.1;

/// A block as a cone: a contact with friction, or a ray.
#[derive(Clone, Copy, Debug)]
struct Cone {
    /// First row, and that of the normal.
    row: usize,
    normal: usize,
    /// μ; 0 for a ray, which has only the first component.
    mu: f64,
    /// Factor of ‖σ_T‖ in y: 1 for Coulomb's law, 0 for its convex relaxation.
    shift: f64,
    weight: f64,
    x: Point,
    y: Point,
    scaling: Scaling,
    /// y − F(σ).
    off: Point,
    /// Direction of slip σ_T/‖σ_T‖, which is in the first row of F′(σ).
    slip: [f64; 2],
    /// (1 + G R)⁻¹, G the slope with respect to σ; the slope is their product. Rows (n, t₁, t₂).
    yielding: [Point; 3],
    slope: [Point; 3],
    /// R + (ε + δ) w, ε being [`SQUEEZE`].
    compliance: Point,
    /// Second-order term of the corrector.
    second: Point,
    /// Right-hand side in terms of λ.
    drive: Point,
    dx: Point,
    dy: Point,
}

/// Buffers of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    cones: Vec<Cone>,
    slopes: Vec<Slope>,
    /// Values by row; impulses on the ports, and how these move.
    rows: Vec<f64>,
    on_ports: Vec<f64>,
    moved: Vec<f64>,
    delta: f64,
}

/// How a step of the method ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepEnd {
    Taken,
    /// No step leads on: a singular matrix, numbers that are not finite, or round-off in the convex relaxation, whose path
    /// does not turn back.
    Stuck,
}

impl Interior {
    /// Whether all blocks are contacts or rays.
    pub fn supports(sets: &[(ImpulseSet, usize)]) -> bool {
        let known =
            |set: &ImpulseSet| matches!(set, ImpulseSet::Coulomb { .. } | ImpulseSet::NonNegative);
        sets.iter().all(|(set, _)| known(set))
    }

    /// Start near λ and σ, at a distance from the boundary that is the residual there (m/s); λ moves there.
    pub fn start(&mut self, law: &Law, lambda: &mut [f64], sigma: &[f64], residual: f64) {
        self.delta = match law.friction {
            Friction::Convex => 0.0,
            _ => FIRST_DELTA,
        };
        self.cones.clear();
        for (&(set, row), &weight) in law.sets.iter().zip(law.weights) {
            let mu = match set {
                ImpulseSet::Coulomb { mu } => mu,
                _ => 0.0,
            };
            let normal = row + set.dim() - 1;
            let shift = if law.friction == Friction::Convex {
                0.0
            } else {
                1.0
            };
            let mut cone = Cone::new(row, normal, (mu, shift), weight);
            let s = cone.velocity(sigma, lambda);
            cone.x = cone.impulse(lambda);
            cone.x[0] = cone.x[0].max(size(cone.x[1], cone.x[2])) + residual / weight;
            cone.y = cone.f(&[s[0].max(0.0), s[1], s[2]]);
            cone.y[0] = cone.y[0].max(size(cone.y[1], cone.y[2])) + residual;
            cone.write(lambda);
            self.cones.push(cone);
        }
    }

    /// One step of all from λ, whose velocities are σ; λ moves with it.
    pub fn step(
        &mut self,
        law: &Law,
        mobility: &mut impl Mobility,
        (lambda, sigma): (&mut [f64], &[f64]),
    ) -> StepEnd {
        let count = self.cones.len() as f64;
        let gap = self.cones.iter().map(|c| dot(&c.x, &c.y)).sum::<f64>() / count;
        let mut off = 0.0;
        self.slopes.clear();
        for cone in &mut self.cones {
            let slope = cone.linearise(law, (lambda, sigma), self.delta);
            self.slopes.push(slope);
            off = cone.off.iter().fold(off, |m, o| larger(m, o.abs()));
        }
        if !mobility.factor(law, &self.slopes) {
            return StepEnd::Stuck;
        }
        // Predictor: straight to τ = 0.
        let reached = self.direction(law, mobility, 0.0).min(1.0);
        let left: f64 = self.cones.iter().map(|c| c.product_at(reached)).sum();
        let weight = self.cones.iter().map(|c| c.weight).sum::<f64>() / count;
        let least = BALANCE * off * off / (weight * gap);
        let centring = (left / (count * gap)).powi(3).max(least).clamp(0.0, 1.0);
        for cone in &mut self.cones {
            cone.second = product(&cone.scaling.undo(&cone.dx), &cone.scaling.apply(&cone.dy));
        }
        let mut length = SHARE * self.direction(law, mobility, centring * gap).min(1.0);
        if length < CUT {
            // Back to the path.
            self.cones.iter_mut().for_each(|c| c.second = [0.0; 3]);
            length = SHARE * self.direction(law, mobility, gap).min(1.0);
        }
        // Written so that a NaN fails too.
        if !(length.is_finite() && gap.is_finite()) {
            return StepEnd::Stuck;
        }
        if length < CUT && law.friction == Friction::Convex {
            return StepEnd::Stuck;
        }
        if length < CUT {
            self.delta = (DELTA_FACTOR * self.delta).clamp(RAISED_DELTA, MOST_DELTA);
        } else if length > LONG && law.friction != Friction::Convex {
            self.delta = (self.delta / DELTA_FACTOR).max(LEAST_DELTA);
        }
        for cone in &mut self.cones {
            cone.advance(length);
            cone.write(lambda);
        }
        StepEnd::Taken
    }

    /// Solve for the step to x ∘ y = τ e; returns how far the cones allow to go along it.
    fn direction(&mut self, law: &Law, mobility: &mut impl Mobility, tau: f64) -> f64 {
        self.rows.resize(law.compliance.len(), 0.0);
        for cone in &mut self.cones {
            cone.drive = cone.right_hand_side(tau);
            let rows = cone.in_row_order(&cone.drive);
            self.rows[cone.row..=cone.normal].copy_from_slice(&rows[..cone.dim()]);
        }
        law.ports.gather(law.sets, &self.rows, &mut self.on_ports);
        mobility.solve(&mut self.on_ports);
        mobility.multiply(&self.on_ports, &mut self.moved);
        law.ports.spread(law.sets, &self.moved, &mut self.rows);
        let mut length = f64::INFINITY;
        for cone in &mut self.cones {
            cone.respond(&self.rows[cone.row..=cone.normal]);
            length = length
                .min(reach(&cone.x, &cone.dx))
                .min(reach(&cone.y, &cone.dy));
        }
        length
    }
}

impl Cone {
    fn new(row: usize, normal: usize, (mu, shift): (f64, f64), weight: f64) -> Self {
        Self {
            row,
            normal,
            mu,
            shift,
            weight,
            x: [0.0; 3],
            y: [0.0; 3],
            scaling: Scaling::default(),
            off: [0.0; 3],
            slip: [0.0; 2],
            yielding: [[0.0; 3]; 3],
            slope: [[0.0; 3]; 3],
            compliance: [0.0; 3],
            second: [0.0; 3],
            drive: [0.0; 3],
            dx: [0.0; 3],
            dy: [0.0; 3],
        }
    }

    fn dim(&self) -> usize {
        self.normal + 1 - self.row
    }

    /// What λ_N is multiplied and σ_N divided by: μ, or 1 for a ray.
    fn unit(&self) -> f64 {
        if self.mu > 0.0 { self.mu } else { 1.0 }
    }

    /// (n, t₁, t₂) of values by row; 0 for the tangents of a ray.
    fn components(&self, rows: &[f64]) -> Point {
        if self.mu > 0.0 {
            [rows[self.normal], rows[self.row], rows[self.row + 1]]
        } else {
            [rows[self.normal], 0.0, 0.0]
        }
    }

    /// x of impulses by row.
    fn impulse(&self, lambda: &[f64]) -> Point {
        let [n, t1, t2] = self.components(lambda);
        [self.unit() * n, t1, t2]
    }

    /// σ with the compliance [`SQUEEZE`].
    fn velocity(&self, sigma: &[f64], lambda: &[f64]) -> Point {
        let (s, l) = (self.components(sigma), self.components(lambda));
        std::array::from_fn(|i| s[i] + SQUEEZE * self.weight * l[i])
    }

    /// F(σ).
    fn f(&self, s: &Point) -> Point {
        [
            s[0] / self.unit() + self.shift * size(s[1], s[2]),
            s[1],
            s[2],
        ]
    }

    fn in_row_order(&self, p: &Point) -> [f64; 3] {
        if self.dim() == 1 {
            [p[0], 0.0, 0.0]
        } else {
            [p[1], p[2], p[0]]
        }
    }

    /// Scaling, y − F(σ) and the slope −∂λ/∂σ at the point.
    fn linearise(&mut self, law: &Law, (lambda, sigma): (&[f64], &[f64]), delta: f64) -> Slope {
        let s = self.velocity(sigma, lambda);
        let f = self.f(&s);
        self.off = std::array::from_fn(|i| self.y[i] - f[i]);
        self.scaling = Scaling::between(&self.x, &self.y);
        let speed = size(s[1], s[2]);
        // Where nothing slips, F has a kink, and 0 is in its derivative.
        self.slip = if speed > 0.0 {
            [self.shift * s[1] / speed, self.shift * s[2] / speed]
        } else {
            [0.0; 2]
        };
        self.compliance = self
            .components(law.compliance)
            .map(|r| r + (SQUEEZE + delta) * self.weight);
        let square = self.scaling.square();
        let unit = self.unit();
        // G = S W² F′, S = diag(1/μ, 1, 1).
        let mut g = [[0.0; 3]; 3];
        for (i, row) in square.iter().enumerate() {
            let s = if i == 0 { 1.0 / unit } else { 1.0 };
            g[i] = [
                s * row[0] / unit,
                s * (row[0] * self.slip[0] + row[1]),
                s * (row[0] * self.slip[1] + row[2]),
            ];
        }
        if self.mu == 0.0 {
            g = [[g[0][0], 0.0, 0.0], [0.0; 3], [0.0; 3]];
        }
        let mut matrix = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                matrix[i][j] = g[i][j] * self.compliance[j];
            }
            matrix[i][i] += 1.0;
        }
        self.second = [0.0; 3];
        self.yielding = inverse(&matrix);
        for (row, &[a, b, c]) in self.slope.iter_mut().zip(&self.yielding) {
            *row = std::array::from_fn(|j| a * g[0][j] + b * g[1][j] + c * g[2][j]);
        }
        if self.dim() == 1 {
            let mut diagonal = [0.0; MAX_DIM];
            diagonal[0] = self.slope[0][0];
            return Slope::Diagonal(diagonal);
        }
        let order = [1, 2, 0];
        Slope::Full(order.map(|i| order.map(|j| self.slope[i][j])))
    }

    /// Δλ at Δu = 0 of the step to x ∘ y = τ e.
    fn right_hand_side(&self, tau: f64) -> Point {
        let at = self.scaling.apply(&self.y);
        let [a, b, c] = self.second;
        let towards = self.scaling.apply(&quotient(&at, &[tau - a, -b, -c]));
        let square = self.scaling.square();
        let mut drive: Point =
            std::array::from_fn(|i| dot(&square[i], &self.off) - self.x[i] + towards[i]);
        drive[0] /= self.unit();
        if self.mu == 0.0 {
            drive = [drive[0], 0.0, 0.0];
        }
        std::array::from_fn(|i| dot(&self.yielding[i], &drive))
    }

    /// Δx and Δy where the rows move by `rows`.
    fn respond(&mut self, rows: &[f64]) {
        let moved = match *rows {
            [t1, t2, n] if self.mu > 0.0 => [n, t1, t2],
            [.., n] => [n, 0.0, 0.0],
            [] => [0.0; 3],
        };
        let change: Point = std::array::from_fn(|i| self.drive[i] - dot(&self.slope[i], &moved));
        self.dx = [self.unit() * change[0], change[1], change[2]];
        let s: Point = std::array::from_fn(|i| moved[i] + self.compliance[i] * change[i]);
        let first = s[0] / self.unit() + self.slip[0] * s[1] + self.slip[1] * s[2];
        self.dy = [first - self.off[0], s[1] - self.off[1], s[2] - self.off[2]];
    }

    /// xᵀy after a step of this length.
    fn product_at(&self, length: f64) -> f64 {
        let at = |p: &Point, d: &Point| -> Point { std::array::from_fn(|i| p[i] + length * d[i]) };
        dot(&at(&self.x, &self.dx), &at(&self.y, &self.dy))
    }

    /// Go along the step.
    fn advance(&mut self, length: f64) {
        for i in 0..3 {
            self.x[i] += length * self.dx[i];
            self.y[i] += length * self.dy[i];
        }
    }

    /// Put the impulse into its rows.
    fn write(&self, lambda: &mut [f64]) {
        let impulse = [self.x[0] / self.unit(), self.x[1], self.x[2]];
        let rows = self.in_row_order(&impulse);
        lambda[self.row..=self.normal].copy_from_slice(&rows[..self.dim()]);
    }
}

/// The inverse of a 3x3 matrix that is regular.
fn inverse(m: &[Point; 3]) -> [Point; 3] {
    let cofactor = |a: usize, b: usize, c: usize, d: usize| m[a][c] * m[b][d] - m[a][d] * m[b][c];
    let first = [
        cofactor(1, 2, 1, 2),
        cofactor(1, 2, 2, 0),
        cofactor(1, 2, 0, 1),
    ];
    let determinant = dot(&m[0], &first);
    [
        [first[0], cofactor(2, 0, 1, 2), cofactor(0, 1, 1, 2)],
        [first[1], cofactor(2, 0, 2, 0), cofactor(0, 1, 2, 0)],
        [first[2], cofactor(2, 0, 0, 1), cofactor(0, 1, 0, 1)],
    ]
    .map(|row| row.map(|v| v / determinant))
}

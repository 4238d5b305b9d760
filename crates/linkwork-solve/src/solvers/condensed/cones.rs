//! Blocks as cones, four at a time: the variables of the interior-point method, their linearisation and their steps.

use super::interior::SQUEEZE;
use super::lorentz::{Point, Scaling, dot, product, quotient, reach, size, split};
use super::pass::Law;
use crate::lanes::{Lanes, WIDTH};
use crate::sets::{Friction, ImpulseSet, Slope3};
use std::array::from_fn;

/// Where the rows of a lane are.
#[derive(Clone, Copy, Debug)]
enum Rows {
    /// A contact with rows (t₁, t₂, n), and the first of them.
    Contact(usize),
    /// A ray of one row.
    Ray(usize),
    /// The lane is not in use.
    None,
}

/// Where cones are linearised.
pub(super) struct At<'a> {
    pub lambda: &'a [f64],
    pub sigma: &'a [f64],
    /// R by row, s/kg.
    pub compliance: &'a [f64],
    /// δ of the proximal term.
    pub delta: f64,
}

/// Where a step leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// x ∘ y = τ e.
    pub tau: f64,
    /// Share of y − F(σ) that is removed.
    pub share: f64,
}

/// Four blocks: contacts with friction, or rays, which have only the first component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cones {
    rows: [Rows; WIDTH],
    /// 1/μ, or 1 for a ray.
    per_unit: Lanes,
    unit: Lanes,
    /// 1 for contacts, 0 for rays and lanes that are not in use: factor of tangents.
    tangents: Lanes,
    /// 1 for blocks, 0 for lanes that are not in use.
    used: Lanes,
    /// Factor of ‖σ_T‖ in y: 1 for Coulomb's law, 0 for its convex relaxation.
    shift: Lanes,
    weight: Lanes,
    x: Point,
    y: Point,
    scaling: Scaling,
    /// W y = W⁻¹ x.
    scaled: Point,
    /// y − F(σ), and W² of it.
    off: Point,
    pull: Point,
    /// Direction of slip σ_T/‖σ_T‖, which is in the first row of F′(σ).
    slip: [Lanes; 2],
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

const ZERO: Point = [Lanes::ZERO; 3];

impl Cones {
    /// The blocks of the problem; x and y inside the cone in lanes that are not in use.
    pub fn lay_out(law: &Law, cones: &mut Vec<Self>) {
        cones.clear();
        let shift = match law.friction {
            Friction::Convex => 0.0,
            _ => 1.0,
        };
        for (sets, weights) in law.sets.chunks(WIDTH).zip(law.weights.chunks(WIDTH)) {
            let mut four = Self::empty(shift);
            for (lane, (&(set, row), &weight)) in sets.iter().zip(weights).enumerate() {
                let mu = match set {
                    ImpulseSet::Coulomb { mu } => mu,
                    _ => 0.0,
                };
                four.used.0[lane] = 1.0;
                four.weight.0[lane] = weight;
                four.rows[lane] = match set.dim() {
                    1 => Rows::Ray(row),
                    _ => Rows::Contact(row),
                };
                if mu > 0.0 {
                    four.unit.0[lane] = mu;
                    four.per_unit.0[lane] = 1.0 / mu;
                    four.tangents.0[lane] = 1.0;
                }
            }
            cones.push(four);
        }
    }

    fn empty(shift: f64) -> Self {
        let inside = [Lanes::ONE, Lanes::ZERO, Lanes::ZERO];
        Self {
            rows: [Rows::None; WIDTH],
            per_unit: Lanes::ONE,
            unit: Lanes::ONE,
            tangents: Lanes::ZERO,
            used: Lanes::ZERO,
            shift: Lanes::all(shift),
            weight: Lanes::ONE,
            x: inside,
            y: inside,
            scaling: Scaling::default(),
            scaled: inside,
            off: ZERO,
            pull: ZERO,
            slip: [Lanes::ZERO; 2],
            yielding: [ZERO; 3],
            slope: [ZERO; 3],
            compliance: ZERO,
            second: ZERO,
            drive: ZERO,
            dx: ZERO,
            dy: ZERO,
        }
    }

    /// x and y near λ and σ with x ∘ y = τ e. In units in which the block has weight 1, x − y does not change.
    pub fn start(&mut self, (lambda, sigma): (&[f64], &[f64]), tau: f64) {
        let s = self.velocity(sigma, lambda);
        let y = self.f(&s);
        let [n, t1, t2] = self.components(lambda);
        let x = [self.unit * n, t1, t2];
        let root = self.weight.sqrt();
        let per_root = Lanes::ONE / root;
        let z = from_fn(|i| root * x[i] - per_root * y[i]);
        let (a, b) = split(&z, Lanes::all(tau));
        self.x = a.map(|v| v * per_root);
        self.y = b.map(|v| v * root);
    }

    /// (n, t₁, t₂) of values by row; 0 for the tangents of a ray.
    #[inline(always)]
    fn components(&self, rows: &[f64]) -> Point {
        let mut point = ZERO;
        for (lane, at) in self.rows.iter().enumerate() {
            match *at {
                Rows::Contact(row) => {
                    let [t1, t2, n] = *rows[row..].first_chunk().expect("rows of a contact");
                    (point[0].0[lane], point[1].0[lane], point[2].0[lane]) = (n, t1, t2);
                }
                Rows::Ray(row) => point[0].0[lane] = rows[row],
                Rows::None => {}
            }
        }
        [point[0], self.tangents * point[1], self.tangents * point[2]]
    }

    /// Put (n, t₁, t₂) into their rows.
    #[inline(always)]
    fn put(&self, point: &Point, rows: &mut [f64]) {
        for (lane, at) in self.rows.iter().enumerate() {
            match *at {
                Rows::Contact(row) => {
                    let values = [point[1].0[lane], point[2].0[lane], point[0].0[lane]];
                    rows[row..row + 3].copy_from_slice(&values);
                }
                Rows::Ray(row) => rows[row] = point[0].0[lane],
                Rows::None => {}
            }
        }
    }

    /// σ with the compliance [`SQUEEZE`].
    #[inline(always)]
    fn velocity(&self, sigma: &[f64], lambda: &[f64]) -> Point {
        let (s, l) = (self.components(sigma), self.components(lambda));
        let yielding = Lanes::all(SQUEEZE) * self.weight;
        from_fn(|i| s[i] + yielding * l[i])
    }

    /// F(σ).
    #[inline(always)]
    fn f(&self, s: &Point) -> Point {
        let shifted = self.per_unit * s[0] + self.shift * size(s[1], s[2]);
        [shifted, s[1], s[2]]
    }

    /// xᵀy.
    #[inline(always)]
    pub fn gap(&self) -> Lanes {
        self.used * dot(&self.x, &self.y)
    }

    /// Scaling, y − F(σ) and the slope −∂λ/∂σ at the point; |y − F(σ)| (m/s), the largest component.
    #[inline(always)]
    pub fn linearise(&mut self, at: &At) -> Lanes {
        let s = self.velocity(at.sigma, at.lambda);
        let f = self.f(&s);
        self.off = from_fn(|i| self.used * (self.y[i] - f[i]));
        self.scaling = Scaling::between(&self.x, &self.y);
        self.scaled = self.scaling.apply(&self.y);
        let speed = size(s[1], s[2]);
        // Without slip, F has a kink, and 0 is in its derivative.
        let factor = Lanes::ZERO.where_less(speed, self.shift / speed, Lanes::ZERO);
        self.slip = [factor * s[1], factor * s[2]];
        let added = Lanes::all(SQUEEZE + at.delta) * self.weight;
        self.compliance = self.components(at.compliance).map(|r| r + added);
        let square = self.scaling.square();
        self.pull = from_fn(|i| dot(&square[i], &self.off));
        // G = S W² F′, S = diag(1/μ, 1, 1).
        let [a, b] = self.slip;
        let t = self.tangents;
        let row = |s: Lanes, w: &Point| -> Point {
            [
                s * w[0] * self.per_unit,
                s * t * (w[0] * a + w[1]),
                s * t * (w[0] * b + w[2]),
            ]
        };
        let g = [
            row(self.per_unit, &square[0]),
            row(t, &square[1]),
            row(t, &square[2]),
        ];
        let mut matrix: [Point; 3] = from_fn(|i| from_fn(|j| g[i][j] * self.compliance[j]));
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] += Lanes::ONE;
        }
        self.yielding = inverse(&matrix);
        self.slope = self
            .yielding
            .map(|[a, b, c]| from_fn(|j| a * g[0][j] + b * g[1][j] + c * g[2][j]));
        self.second = ZERO;
        let [x, y, z] = self.off.map(Lanes::abs);
        x.max(y).max(z)
    }

    /// Add the slopes of the blocks, in row order.
    #[inline(always)]
    pub fn push_slopes(&self, slopes: &mut Vec<Slope3>) {
        // From (n, t₁, t₂) to (t₁, t₂, n); a ray has one row.
        for (lane, at) in self.rows.iter().enumerate() {
            let order = match at {
                Rows::Contact(_) => [1, 2, 0],
                Rows::Ray(_) => [0, 1, 2],
                Rows::None => continue,
            };
            slopes.push(order.map(|i| order.map(|j| self.slope[i][j].0[lane])));
        }
    }

    /// Δλ at Δu = 0 of the step, also into their rows.
    #[inline(always)]
    pub fn drive(&mut self, target: &Target, rows: &mut [f64]) {
        let [a, b, c] = self.second;
        let wanted = [Lanes::all(target.tau) - a, -b, -c];
        let towards = self.scaling.apply(&quotient(&self.scaled, &wanted));
        let t = self.tangents;
        let share = Lanes::all(target.share);
        let [n, t1, t2] = from_fn(|i| share * self.pull[i] - self.x[i] + towards[i]);
        let drive = [self.per_unit * n, t * t1, t * t2];
        self.drive = from_fn(|i| dot(&self.yielding[i], &drive));
        self.put(&self.drive, rows);
    }

    /// Δx and Δy for the change `rows` of the rows; returns the step length that the cone allows.
    #[inline(always)]
    pub fn respond(&mut self, target: &Target, rows: &[f64]) -> Lanes {
        let moved = self.components(rows);
        let change: Point = from_fn(|i| self.used * (self.drive[i] - dot(&self.slope[i], &moved)));
        self.dx = [self.unit * change[0], change[1], change[2]];
        let s: Point = from_fn(|i| moved[i] + self.compliance[i] * change[i]);
        let first = self.per_unit * s[0] + self.slip[0] * s[1] + self.slip[1] * s[2];
        let share = Lanes::all(target.share);
        let to = [first, s[1], s[2]];
        self.dy = from_fn(|i| to[i] - share * self.off[i]);
        reach(&self.x, &self.dx).min(reach(&self.y, &self.dy))
    }

    /// xᵀy after a step of this length.
    #[inline(always)]
    pub fn gap_at(&self, length: f64) -> Lanes {
        let length = Lanes::all(length);
        let at = |p: &Point, d: &Point| -> Point { from_fn(|i| p[i] + length * d[i]) };
        self.used * dot(&at(&self.x, &self.dx), &at(&self.y, &self.dy))
    }

    /// The second-order term of the present step.
    #[inline(always)]
    pub fn find_second(&mut self) {
        self.second = product(&self.scaling.undo(&self.dx), &self.scaling.apply(&self.dy));
    }

    /// No second-order term.
    pub fn forget_second(&mut self) {
        self.second = ZERO;
    }

    /// Go along the step.
    pub fn advance(&mut self, length: f64) {
        let length = Lanes::all(length);
        for i in 0..3 {
            self.x[i] += length * self.dx[i];
            self.y[i] += length * self.dy[i];
        }
    }

    /// Put the impulses into their rows.
    pub fn write(&self, lambda: &mut [f64]) {
        let impulse = [self.per_unit * self.x[0], self.x[1], self.x[2]];
        self.put(&impulse, lambda);
    }
}

/// The inverse of regular 3x3 matrices.
#[inline(always)]
fn inverse(m: &[Point; 3]) -> [Point; 3] {
    let cofactor = |a: usize, b: usize, c: usize, d: usize| m[a][c] * m[b][d] - m[a][d] * m[b][c];
    let first = [
        cofactor(1, 2, 1, 2),
        cofactor(1, 2, 2, 0),
        cofactor(1, 2, 0, 1),
    ];
    let per_determinant = Lanes::ONE / dot(&m[0], &first);
    [
        [first[0], cofactor(2, 0, 1, 2), cofactor(0, 1, 1, 2)],
        [first[1], cofactor(2, 0, 2, 0), cofactor(0, 1, 2, 0)],
        [first[2], cofactor(2, 0, 0, 1), cofactor(0, 1, 0, 1)],
    ]
    .map(|row| row.map(|v| v * per_determinant))
}

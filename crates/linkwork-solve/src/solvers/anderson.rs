//! Anderson acceleration (type II) of a fixed-point iteration t ← T(t).
//!
//! With residuals r = T(t) − t and differences ΔR, ΔT of the last m iterations, the next point is
//! T(t) − (ΔT) γ, γ = argmin ‖r − ΔR γ‖: the combination of known points whose residual is least.
//! The least-squares problem is solved by its normal equations with a small relative ridge, which is
//! enough for the few columns used and keeps stale directions from spoiling the step.

/// Memory of the last iterations. Vectors are passed in scaled form, so that all rows have the same weight.
#[derive(Clone, Debug, Default)]
pub struct Anderson {
    memory: usize,
    /// Number of stored differences for vectors of the present length: more would be dependent.
    room: usize,
    /// Number of columns held and where the next goes.
    held: usize,
    next: usize,
    primed: bool,
    previous_t: Vec<f64>,
    previous_r: Vec<f64>,
    /// Columns ΔT and ΔR, one after another.
    delta_t: Vec<f64>,
    delta_r: Vec<f64>,
    /// Gram matrix ΔRᵀ ΔR.
    gram: Vec<f64>,
    matrix: Vec<f64>,
    gamma: Vec<f64>,
}

/// Relative ridge on the diagonal of the Gram matrix.
const RIDGE: f64 = 1e-10;

impl Anderson {
    /// With room for `memory` differences; 0 turns it off.
    pub fn new(memory: usize) -> Self {
        Self {
            memory,
            ..Self::default()
        }
    }

    /// Forget all differences.
    pub fn clear(&mut self) {
        self.held = 0;
        self.next = 0;
        self.primed = false;
    }

    /// Replace `image` = T(t) by the accelerated point; `r` = T(t) − t.
    pub fn accelerate(&mut self, image: &mut [f64], r: &[f64]) {
        if self.memory == 0 {
            return;
        }
        let n = image.len();
        if self.held == 0 {
            self.room = self.memory.min(2 * n);
        }
        if self.primed && self.previous_r.len() == n {
            self.add_column(image, r);
        }
        self.previous_t.clear();
        self.previous_t.extend_from_slice(image);
        self.previous_r.clear();
        self.previous_r.extend_from_slice(r);
        self.primed = true;
        if self.held == 0 || !self.combine(r) {
            return;
        }
        for (c, &g) in self.gamma.iter().enumerate() {
            let column = &self.delta_t[c * n..(c + 1) * n];
            for (x, d) in image.iter_mut().zip(column) {
                *x -= g * d;
            }
        }
    }

    fn add_column(&mut self, image: &[f64], r: &[f64]) {
        let (n, m) = (image.len(), self.room);
        self.delta_t.resize(n * m, 0.0);
        self.delta_r.resize(n * m, 0.0);
        self.gram.resize(m * m, 0.0);
        let c = self.next;
        for i in 0..n {
            self.delta_t[c * n + i] = image[i] - self.previous_t[i];
            self.delta_r[c * n + i] = r[i] - self.previous_r[i];
        }
        self.held = (self.held + 1).min(m);
        self.next = (c + 1) % m;
        for k in 0..self.held {
            let g = dot(
                &self.delta_r[c * n..(c + 1) * n],
                &self.delta_r[k * n..(k + 1) * n],
            );
            self.gram[c * m + k] = g;
            self.gram[k * m + c] = g;
        }
    }

    /// Solve (ΔRᵀ ΔR) γ = ΔRᵀ r by Cholesky; false where it breaks down.
    fn combine(&mut self, r: &[f64]) -> bool {
        let (n, m, k) = (r.len(), self.room, self.held);
        self.gamma.clear();
        self.matrix.clear();
        for a in 0..k {
            self.gamma.push(dot(&self.delta_r[a * n..(a + 1) * n], r));
            for b in 0..k {
                let ridge = if a == b { 1.0 + RIDGE } else { 1.0 };
                self.matrix.push(ridge * self.gram[a * m + b]);
            }
        }
        let (l, x) = (&mut self.matrix, &mut self.gamma);
        for c in 0..k {
            let s: f64 = (0..c).map(|j| l[c * k + j] * l[c * k + j]).sum();
            let pivot = l[c * k + c] - s;
            if pivot <= 0.0 || pivot.is_nan() {
                return false;
            }
            l[c * k + c] = pivot.sqrt();
            for a in c + 1..k {
                let s: f64 = (0..c).map(|j| l[a * k + j] * l[c * k + j]).sum();
                l[a * k + c] = (l[a * k + c] - s) / l[c * k + c];
            }
        }
        for c in 0..k {
            let s: f64 = (0..c).map(|j| l[c * k + j] * x[j]).sum();
            x[c] = (x[c] - s) / l[c * k + c];
        }
        for c in (0..k).rev() {
            let s: f64 = (c + 1..k).map(|j| l[j * k + c] * x[j]).sum();
            x[c] = (x[c] - s) / l[c * k + c];
        }
        x.iter().all(|g| g.is_finite())
    }
}

/// Dot product in four fixed partial sums: the order never depends on the machine, and the processor
/// can overlap them.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sum = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for k in 0..4 {
            sum[k] += a[k] * b[k];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sum[0] + sum[2]) + (sum[1] + sum[3]) + rest
}

//! The quadratic model of ½ ‖r‖² around x within the active edges, and its Newton and Cauchy points
//! [Todorov eq. 22-29].

use super::law::Slope;
use super::system::{Point, System, apply};
use crate::solvers::scaled::Matrix;
use faer::linalg::solvers::Solve;
use faer::{Mat, Side};

/// The model in coordinates ξ of the tangent space, x + B ξ, B orthonormal.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Columns of B: block and direction.
    basis: Vec<(usize, [f64; 3])>,
    /// Blocks on an active cone edge.
    cones: Vec<usize>,
    slopes: Vec<Slope>,
    /// J B.
    jacobian: Matrix,
    /// Bᵀ JᵀJ B.
    hessian: Matrix,
    /// Bᵀ g.
    gradient: Vec<f64>,
    step: Vec<f64>,
    product: Vec<f64>,
}

impl Model {
    /// Build at `point`: find the active edges, J and H.
    pub fn build(&mut self, system: &System, point: &Point) {
        self.find_active(system, point);
        let n = system.rows();
        let m = self.basis.len();
        *self.jacobian = Mat::zeros(n, m);
        for (j, &(k, b)) in self.basis.iter().enumerate() {
            let rows = system.blocks[k].1.clone();
            let mut y = [0.0; 3];
            apply(&self.slopes[k], &b[..rows.len()], &mut y[..rows.len()]);
            let column = self.jacobian.col_as_slice_mut(j);
            // Column of (A − 1) ∂f b − b.
            for (i, row) in rows.clone().enumerate() {
                if y[i] != 0.0 {
                    let a = system.scaled.a.col_as_slice(row);
                    for (c, a) in column.iter_mut().zip(a) {
                        *c += a * y[i];
                    }
                }
                column[row] -= y[i] + b[i];
            }
        }
        *self.hessian = self.jacobian.transpose() * &*self.jacobian;
        self.gradient.clear();
        self.gradient.extend((0..m).map(|j| {
            let column = self.jacobian.col_as_slice(j);
            column.iter().zip(&point.r).map(|(j, r)| j * r).sum::<f64>()
        }));
    }

    /// Slopes and tangent directions of all blocks. An edge is active if the cost rises on both sides of
    /// it; then the slope is the mean of the two for which the gradient lies within the edge [eq. 25-26].
    fn find_active(&mut self, system: &System, point: &Point) {
        self.basis.clear();
        self.cones.clear();
        self.slopes.clear();
        let (x, r) = (&point.x, &point.r);
        self.product.resize(x.len(), 0.0);
        system.multiply(r, &mut self.product);
        for (k, (law, rows)) in system.blocks.iter().enumerate() {
            let (x, r) = (&x[rows.clone()], &r[rows.clone()]);
            let dim = rows.len();
            let Some(edge) = law.edge(x) else {
                self.slopes.push(law.slope(x));
                self.push_all(k, dim);
                continue;
            };
            let d = &edge.normal[..dim];
            // rᵀ J d: the cost's derivative along d with the given slope.
            let along = |slope: &Slope| {
                let mut y = [0.0; 3];
                apply(slope, d, &mut y[..dim]);
                let ar = &self.product[rows.clone()];
                let sum = |i: usize| ar[i] * y[i] - r[i] * d[i];
                (0..dim).map(sum).sum::<f64>()
            };
            let [first, second] = &edge.slopes;
            let (up, down) = (along(first), -along(second));
            if up < 0.0 || down < 0.0 {
                self.slopes.push(if up < down { *first } else { *second });
                self.push_all(k, dim);
                continue;
            }
            let total = up + down;
            let share = if total > 0.0 { down / total } else { 0.5 };
            let mean = |i: usize, j: usize| share * first[i][j] + (1.0 - share) * second[i][j];
            self.slopes
                .push(std::array::from_fn(|i| std::array::from_fn(|j| mean(i, j))));
            if dim == 3 {
                self.basis.extend(tangents(&edge.normal).map(|t| (k, t)));
            }
            if edge.is_cone {
                self.cones.push(k);
            }
        }
    }

    /// All directions of block k.
    fn push_all(&mut self, k: usize, dim: usize) {
        for i in 0..dim {
            let mut b = [0.0; 3];
            b[i] = 1.0;
            self.basis.push((k, b));
        }
    }

    /// Bᵀ g.
    #[cfg(test)]
    pub fn gradient(&self) -> &[f64] {
        &self.gradient
    }

    /// x = A⁺ q, which makes every block stick: one step of (A² + λ)⁻¹ A q with small λ instead of the
    /// pseudo-inverse. Zero where that fails.
    pub fn stick(&mut self, system: &System, damping: f64, x: &mut [f64]) {
        let (n, a) = (x.len(), &*system.scaled.a);
        let mut square = a.transpose() * a;
        for i in 0..n {
            square[(i, i)] += damping;
        }
        let q = Mat::from_fn(n, 1, |i, _| system.scaled.q[i]);
        let mut right = a * &q;
        if let Ok(factor) = square.llt(Side::Lower) {
            factor.solve_in_place(&mut right);
            x.copy_from_slice(right.col_as_slice(0));
        }
    }

    /// x_N = x − B (Bᵀ H B + λ)⁻¹ Bᵀ g into `to` and the decrease of the cost that the model predicts;
    /// None if the matrix is not positive.
    pub fn newton(
        &mut self,
        system: &System,
        x: &[f64],
        damping: f64,
        to: &mut Vec<f64>,
    ) -> Option<f64> {
        let m = self.basis.len();
        let mut shifted = self.hessian.clone();
        for i in 0..m {
            shifted[(i, i)] += damping;
        }
        let factor = shifted.llt(Side::Lower).ok()?;
        let mut step = Mat::from_fn(m, 1, |i, _| -self.gradient[i]);
        factor.solve_in_place(&mut step);
        self.step.clear();
        self.step.extend((0..m).map(|i| step[(i, 0)]));
        Some(self.take(system, x, to))
    }

    /// x_C = x − B Bᵀg (gᵀBBᵀg)/(gᵀBBᵀHBBᵀg) into `to`.
    pub fn cauchy(&mut self, system: &System, x: &[f64], to: &mut Vec<f64>) {
        let g = &self.gradient;
        let steep: f64 = g.iter().map(|g| g * g).sum();
        let curved = self.curvature(g);
        // A flat model (g = 0) leaves x where it is.
        let length = if curved > 0.0 { steep / curved } else { 0.0 };
        self.step.clear();
        self.step.extend(self.gradient.iter().map(|g| -length * g));
        self.take(system, x, to);
    }

    /// ‖J B ξ‖².
    fn curvature(&self, xi: &[f64]) -> f64 {
        let column = |j: usize| self.hessian.col_as_slice(j);
        let dot = |j: usize| column(j).iter().zip(xi).map(|(h, x)| h * x).sum::<f64>();
        xi.iter().enumerate().map(|(j, x)| x * dot(j)).sum()
    }

    /// x + B ξ, projected on the active cones, into `to`; the predicted decrease −gᵀξ − ½ ξᵀHξ.
    fn take(&self, system: &System, x: &[f64], to: &mut Vec<f64>) -> f64 {
        to.clear();
        to.extend_from_slice(x);
        for (&(k, b), xi) in self.basis.iter().zip(&self.step) {
            let rows = system.blocks[k].1.clone();
            for (i, b) in rows.zip(b) {
                to[i] += b * xi;
            }
        }
        for &k in &self.cones {
            let (law, rows) = system.blocks[k].clone();
            law.project(&mut to[rows]);
        }
        let slope: f64 = self
            .gradient
            .iter()
            .zip(&self.step)
            .map(|(g, s)| g * s)
            .sum();
        -slope - 0.5 * self.curvature(&self.step)
    }
}

/// Two unit vectors that make an orthonormal basis with `n`. Which two does not matter [Todorov §III-D].
fn tangents(n: &[f64; 3]) -> [[f64; 3]; 2] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let helper = if n[0].abs() < 0.7 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let t = cross(*n, helper);
    let size = t.iter().map(|t| t * t).sum::<f64>().sqrt();
    let t = t.map(|t| t / size);
    [t, cross(*n, t)]
}

//! Dense factorisations of at most a few hundred rows, without allocation once grown.

/// A square matrix by rows, to be factored in place.
#[derive(Clone, Debug, Default)]
pub(super) struct Factors {
    n: usize,
    a: Vec<f64>,
}

impl Factors {
    /// A matrix of zeros of size `n`, to fill.
    pub fn begin(&mut self, n: usize) -> &mut [f64] {
        self.n = n;
        self.a.clear();
        self.a.resize(n * n, 0.0);
        &mut self.a
    }

    /// x ← A⁻¹ x; whether that went well.
    pub fn solve(&mut self, symmetric: bool, x: &mut [f64]) -> bool {
        if symmetric {
            self.cholesky(x)
        } else {
            self.lu(x)
        }
    }

    /// L Lᵀ in the lower triangle, by rows.
    fn cholesky(&mut self, x: &mut [f64]) -> bool {
        let n = self.n;
        for r in 0..n {
            let (above, row) = self.a.split_at_mut(r * n);
            let row = &mut row[..=r];
            for c in 0..r {
                let other = &above[c * n..c * n + c + 1];
                let sum = dot(&row[..c], &other[..c]);
                row[c] = (row[c] - sum) * other[c];
            }
            let pivot = row[r] - dot(&row[..r], &row[..r]);
            // Written so that a NaN fails too.
            if !(pivot > 0.0 && pivot < f64::INFINITY) {
                return false;
            }
            row[r] = 1.0 / pivot.sqrt();
            x[r] = (x[r] - dot(&row[..r], &x[..r])) * row[r];
        }
        for r in (0..n).rev() {
            let row = &self.a[r * n..r * n + r + 1];
            x[r] *= row[r];
            let s = x[r];
            for (x, a) in x[..r].iter_mut().zip(row) {
                *x -= s * a;
            }
        }
        true
    }

    /// Gauss with row exchanges.
    fn lu(&mut self, x: &mut [f64]) -> bool {
        let n = self.n;
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| {
                let (a, b) = (self.a[i * n + k].abs(), self.a[j * n + k].abs());
                a.total_cmp(&b)
            });
            let p = pivot.unwrap_or(k);
            if p != k {
                let (first, second) = self.a.split_at_mut(p * n);
                first[k * n..k * n + n].swap_with_slice(&mut second[..n]);
                x.swap(k, p);
            }
            let (done, below) = self.a.split_at_mut((k + 1) * n);
            let row = &done[k * n..];
            if !(row[k].abs() > 0.0 && row[k].abs() < f64::INFINITY) {
                return false;
            }
            let inverse = 1.0 / row[k];
            for (i, other) in below.chunks_exact_mut(n).enumerate() {
                let s = other[k] * inverse;
                if s != 0.0 {
                    for (o, r) in other[k + 1..].iter_mut().zip(&row[k + 1..]) {
                        *o -= s * r;
                    }
                    x[k + 1 + i] -= s * x[k];
                }
            }
        }
        for k in (0..n).rev() {
            let row = &self.a[k * n..(k + 1) * n];
            let sum = dot(&row[k + 1..], &x[k + 1..]);
            x[k] = (x[k] - sum) / row[k];
        }
        true
    }
}

/// A fixed order of four sums, which the processor can overlap.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

//! Dense factors of at most a few hundred rows, without allocation once grown.

use crate::arithmetic::{Arithmetic, Plain, Routine, run};

/// L U of a square matrix by rows, with row exchanges; unit L, the diagonal of U inverted.
#[derive(Clone, Debug, Default)]
pub(super) struct Lu {
    n: usize,
    a: Vec<f64>,
    exchanged: Vec<usize>,
}

impl Lu {
    /// Factor 1 + B C, square by rows, C symmetric; whether all pivots are good.
    pub fn factor_one_plus(&mut self, b: &[f64], c: &[f64], n: usize) -> bool {
        self.n = n;
        self.a.clear();
        self.a.resize(n * n, 0.0);
        run(FactorOnePlus { lu: self, b, c })
    }

    #[inline(always)]
    fn fill<A: Arithmetic>(&mut self, b: &[f64], c: &[f64]) {
        let n = self.n;
        let rows = self.a.chunks_exact_mut(n).zip(b.chunks_exact(n));
        for (r, (row, b)) in rows.enumerate() {
            row[r] = 1.0;
            for (b, c) in b.iter().zip(c.chunks_exact(n)) {
                if *b != 0.0 {
                    for (a, c) in row.iter_mut().zip(c) {
                        *a = A::madd(*b, *c, *a);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn factor<A: Arithmetic>(&mut self) -> bool {
        let n = self.n;
        self.exchanged.clear();
        for k in 0..n {
            let size = |i: &usize| self.a[i * n + k].abs();
            let p = (k..n)
                .max_by(|i, j| size(i).total_cmp(&size(j)))
                .unwrap_or(k);
            self.exchanged.push(p);
            if p != k {
                let (first, second) = self.a.split_at_mut(p * n);
                first[k * n..k * n + n].swap_with_slice(&mut second[..n]);
            }
            let (done, below) = self.a.split_at_mut((k + 1) * n);
            let row = &mut done[k * n..];
            // Written so that a NaN fails too.
            if !(row[k].abs() > 0.0 && row[k].abs() < f64::INFINITY) {
                return false;
            }
            row[k] = 1.0 / row[k];
            for other in below.chunks_exact_mut(n) {
                let s = other[k] * row[k];
                other[k] = s;
                if s != 0.0 {
                    for (o, r) in other[k + 1..].iter_mut().zip(&row[k + 1..]) {
                        *o = A::madd(-s, *r, *o);
                    }
                }
            }
        }
        true
    }

    /// x ← A⁻¹ x.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for (k, &p) in self.exchanged.iter().enumerate() {
            x.swap(k, p);
        }
        for r in 0..n {
            x[r] -= dot(&self.a[r * n..r * n + r], &x[..r]);
        }
        for r in (0..n).rev() {
            let row = &self.a[r * n..(r + 1) * n];
            x[r] = (x[r] - dot(&row[r + 1..], &x[r + 1..])) * row[r];
        }
    }
}

struct FactorOnePlus<'a> {
    lu: &'a mut Lu,
    b: &'a [f64],
    c: &'a [f64],
}

impl Routine for FactorOnePlus<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> bool {
        self.lu.fill::<A>(self.b, self.c);
        self.lu.factor::<A>()
    }
}

/// out = A x, A square by rows.
pub(super) fn multiply(a: &[f64], x: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.resize(x.len(), 0.0);
    run(Multiply { a, x, out });
}

struct Multiply<'a> {
    a: &'a [f64],
    x: &'a [f64],
    out: &'a mut [f64],
}

impl Routine for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let rows = self.a.chunks_exact(self.x.len().max(1));
        for (out, row) in self.out.iter_mut().zip(rows) {
            *out = dot_with::<A>(row, self.x);
        }
    }
}

/// aᵀ b.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    dot_with::<Plain>(a, b)
}

/// A fixed order of four sums, which the processor can overlap.
#[inline(always)]
fn dot_with<A: Arithmetic>(a: &[f64], b: &[f64]) -> f64 {
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a4.iter().zip(b4) {
        for i in 0..4 {
            sums[i] = A::madd(a[i], b[i], sums[i]);
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

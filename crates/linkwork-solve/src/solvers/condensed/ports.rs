//! C: how the rows of the small problem act on its ports.

use crate::arithmetic::{Arithmetic, Plain, Routine, run};
use crate::blocks::dot6;
use crate::condense::UNIT_ROWS;
use crate::sets::{ImpulseSet, Slope};

/// One block of C: rows on a port.
#[derive(Clone, Copy, Debug)]
struct Term {
    /// First row of the port.
    port: usize,
    /// First of its values; `None` where the port is the block itself.
    values: Option<usize>,
}

/// C, by blocks of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Ports {
    /// Number of port rows.
    pub len: usize,
    ends: Vec<usize>,
    terms: Vec<Term>,
    values: Vec<[f64; 6]>,
}

impl Ports {
    pub fn clear(&mut self) {
        self.ends.clear();
        self.terms.clear();
        self.values.clear();
        self.len = 0;
    }

    /// Add to the block at hand its rows on a body that is a port.
    pub fn on_body(&mut self, port: usize, rows: &[[f64; 6]]) {
        let values = Some(self.values.len());
        self.values.extend_from_slice(rows);
        self.terms.push(Term { port, values });
    }

    /// The block at hand is a port itself.
    pub fn on_itself(&mut self, port: usize) {
        self.terms.push(Term { port, values: None });
    }

    /// The next block follows.
    pub fn end_block(&mut self) {
        self.ends.push(self.terms.len());
    }

    #[inline]
    fn terms(&self, block: usize) -> &[Term] {
        let start = if block == 0 { 0 } else { self.ends[block - 1] };
        &self.terms[start..self.ends[block]]
    }

    /// out = C_k d for the rows of block k.
    #[inline]
    pub fn multiply(&self, block: usize, d: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for term in self.terms(block) {
            match term.values {
                Some(at) => {
                    let d: &[f64; 6] = d[term.port..].first_chunk().expect("a body's six rows");
                    for (out, c) in out.iter_mut().zip(&self.values[at..]) {
                        *out += dot6::<Plain>(c, d);
                    }
                }
                None => {
                    for (out, d) in out.iter_mut().zip(&d[term.port..]) {
                        *out += d;
                    }
                }
            }
        }
    }

    /// w += C_kᵀ λ for the rows of block k.
    #[inline]
    pub fn add_transposed(&self, block: usize, lambda: &[f64], w: &mut [f64]) {
        for term in self.terms(block) {
            let w = &mut w[term.port..];
            match term.values {
                Some(at) => {
                    for (l, c) in lambda.iter().zip(&self.values[at..]) {
                        for (w, c) in w.iter_mut().zip(c) {
                            *w += l * c;
                        }
                    }
                }
                None => {
                    for (w, l) in w.iter_mut().zip(lambda) {
                        *w += l;
                    }
                }
            }
        }
    }

    /// w += Cᵀ λ for the rows of all blocks.
    pub fn gather(&self, sets: &[(ImpulseSet, usize)], lambda: &[f64], w: &mut [f64]) {
        run(Gather {
            ports: self,
            sets,
            lambda,
            w,
        });
    }

    /// out = C d for the rows of all blocks.
    pub fn spread(&self, sets: &[(ImpulseSet, usize)], d: &[f64], out: &mut [f64]) {
        run(Spread {
            ports: self,
            sets,
            d,
            out,
        });
    }

    /// W += C_kᵀ G C_k, W by rows of `len`.
    pub fn add_stiffness(&self, block: usize, dim: usize, slope: &Slope, stiffness: &mut [f64]) {
        let n = self.len;
        for s in self.terms(block) {
            // G C_s, row by row.
            let mut weighed = [[0.0; 6]; 6];
            let width = if s.values.is_some() { 6 } else { dim };
            for (r, out) in weighed[..dim].iter_mut().enumerate() {
                for k in 0..dim {
                    let g = slope.entry(r, k);
                    if g == 0.0 {
                        continue;
                    }
                    match s.values {
                        Some(at) => {
                            for (out, c) in out.iter_mut().zip(&self.values[at + k]) {
                                *out += g * c;
                            }
                        }
                        None => out[k] += g,
                    }
                }
            }
            for t in self.terms(block) {
                for (r, weighed) in weighed[..dim].iter().enumerate() {
                    let (height, c) = match t.values {
                        Some(at) => (6, self.values[at + r]),
                        None => (dim, UNIT_ROWS[r]),
                    };
                    for (i, c) in c[..height].iter().enumerate() {
                        if *c == 0.0 {
                            continue;
                        }
                        let row = &mut stiffness[(t.port + i) * n + s.port..][..width];
                        for (w, g) in row.iter_mut().zip(weighed) {
                            *w += c * g;
                        }
                    }
                }
            }
        }
    }

    /// tr(C_k Λ C_kᵀ) of block k.
    pub fn trace(&self, block: usize, dim: usize, mobility: &[f64]) -> f64 {
        let mut sum = 0.0;
        for s in self.terms(block) {
            for t in self.terms(block) {
                sum += (0..dim)
                    .map(|r| self.product(s, t, r, dim, mobility))
                    .sum::<f64>();
            }
        }
        sum
    }

    /// c_sᵀ Λ_st c_t for row `r` of two terms of a block.
    fn product(&self, s: &Term, t: &Term, r: usize, dim: usize, mobility: &[f64]) -> f64 {
        let row = |term: &Term| match term.values {
            Some(at) => (6, self.values[at + r]),
            None => (dim, UNIT_ROWS[r]),
        };
        let ((height, cs), (width, ct)) = (row(s), row(t));
        let rows = cs[..height].iter().enumerate().map(|(i, a)| {
            let row = &mobility[(s.port + i) * self.len + t.port..][..width];
            a * row.iter().zip(&ct).map(|(m, b)| m * b).sum::<f64>()
        });
        rows.sum()
    }
}

struct Gather<'a> {
    ports: &'a Ports,
    sets: &'a [(ImpulseSet, usize)],
    lambda: &'a [f64],
    w: &'a mut [f64],
}

impl Routine for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for (k, &(set, row)) in self.sets.iter().enumerate() {
            let lambda = &self.lambda[row..row + set.dim()];
            for term in self.ports.terms(k) {
                let Some(at) = term.values else {
                    for (w, l) in self.w[term.port..].iter_mut().zip(lambda) {
                        *w += l;
                    }
                    continue;
                };
                let w: &mut [f64; 6] = self.w[term.port..]
                    .first_chunk_mut()
                    .expect("a body's six rows");
                let mut sum = *w;
                for (l, c) in lambda.iter().zip(&self.ports.values[at..]) {
                    for i in 0..6 {
                        sum[i] = A::madd(*l, c[i], sum[i]);
                    }
                }
                *w = sum;
            }
        }
    }
}

struct Spread<'a> {
    ports: &'a Ports,
    sets: &'a [(ImpulseSet, usize)],
    d: &'a [f64],
    out: &'a mut [f64],
}

impl Routine for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for (k, &(set, row)) in self.sets.iter().enumerate() {
            let out = &mut self.out[row..row + set.dim()];
            out.fill(0.0);
            for term in self.ports.terms(k) {
                let Some(at) = term.values else {
                    for (out, d) in out.iter_mut().zip(&self.d[term.port..]) {
                        *out += d;
                    }
                    continue;
                };
                let d: &[f64; 6] = self.d[term.port..]
                    .first_chunk()
                    .expect("a body's six rows");
                for (out, c) in out.iter_mut().zip(&self.ports.values[at..]) {
                    *out += dot6::<A>(c, d);
                }
            }
        }
    }
}

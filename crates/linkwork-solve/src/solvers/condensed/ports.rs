//! C: the rows of the small problem on its ports.

use crate::arithmetic::{Arithmetic, Routine, run};
use crate::blocks::dot6;
use crate::condense::UNIT_ROWS;
use crate::sets::Slopes;
use std::ops::Range;

/// One block of C: rows on a port.
#[derive(Clone, Copy, Debug)]
struct Term {
    /// First row of the port.
    port: usize,
    /// First of its values; `None` where the port is the block itself.
    values: Option<usize>,
    /// Its columns, if the block is a contact.
    columns: usize,
}

/// Rows that belong together.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// Behind its last row and its last term.
    rows: usize,
    terms: usize,
    /// Whether it has three rows on bodies.
    is_contact: bool,
}

/// C, by blocks of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Ports {
    /// Number of port rows.
    pub len: usize,
    blocks: Vec<Block>,
    terms: Vec<Term>,
    values: Vec<[f64; 6]>,
    /// The values of terms of three rows once more, by column, with a lane to spare: C d is a sum of columns.
    columns: Vec<[[f64; 4]; 6]>,
}

impl Ports {
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.terms.clear();
        self.values.clear();
        self.columns.clear();
        self.len = 0;
    }

    /// Adds to the present block its rows on a body that is a port.
    pub fn on_body(&mut self, port: usize, rows: &[[f64; 6]]) {
        let values = Some(self.values.len());
        self.values.extend_from_slice(rows);
        let columns = self.columns.len();
        if let [a, b, c] = rows {
            self.columns
                .push(std::array::from_fn(|i| [a[i], b[i], c[i], 0.0]));
        }
        self.terms.push(Term {
            port,
            values,
            columns,
        });
    }

    /// The present block is a port itself.
    pub fn on_itself(&mut self, port: usize) {
        self.terms.push(Term {
            port,
            values: None,
            columns: 0,
        });
    }

    /// The present block has this many rows; the next one follows.
    pub fn end_block(&mut self, dim: usize) {
        let (rows, terms) = self.starts(self.blocks.len());
        let on_bodies = self.terms[terms..].iter().all(|t| t.values.is_some());
        self.blocks.push(Block {
            rows: rows + dim,
            terms: self.terms.len(),
            is_contact: dim == 3 && on_bodies,
        });
    }

    /// First row and first term of a block.
    #[inline]
    fn starts(&self, block: usize) -> (usize, usize) {
        match block.checked_sub(1) {
            Some(before) => (self.blocks[before].rows, self.blocks[before].terms),
            None => (0, 0),
        }
    }

    #[inline]
    fn terms(&self, block: usize) -> &[Term] {
        &self.terms[self.starts(block).1..self.blocks[block].terms]
    }

    /// Number of rows of all blocks.
    pub fn rows(&self) -> usize {
        self.starts(self.blocks.len()).0
    }

    /// Rows of a block.
    #[inline]
    pub fn rows_of(&self, block: usize) -> Range<usize> {
        self.starts(block).0..self.blocks[block].rows
    }

    /// w += Cᵀ λ.
    pub fn gather(&self, lambda: &[f64], w: &mut [f64]) {
        run(Gather {
            ports: self,
            lambda,
            w,
        });
    }

    /// out = C d.
    pub fn spread(&self, d: &[f64], out: &mut [f64]) {
        run(Spread {
            ports: self,
            d,
            out,
        });
    }

    /// W += C_kᵀ G C_k, W by rows of `len`.
    pub fn add_stiffness(
        &self,
        block: usize,
        slopes: &(impl Slopes + ?Sized),
        stiffness: &mut [f64],
    ) {
        let n = self.len;
        let dim = self.rows_of(block).len();
        for s in self.terms(block) {
            // G C_s, row by row.
            let mut weighed = [[0.0; 6]; 6];
            let width = if s.values.is_some() { 6 } else { dim };
            for (r, out) in weighed[..dim].iter_mut().enumerate() {
                for k in 0..dim {
                    let g = slopes.entry(block, r, k);
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
    pub fn trace(&self, block: usize, mobility: &[f64]) -> f64 {
        let mut sum = 0.0;
        let dim = self.rows_of(block).len();
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

/// The six rows of a port that is a body.
#[inline(always)]
fn six(rows: &[f64], port: usize) -> &[f64; 6] {
    rows[port..].first_chunk().expect("a body's six rows")
}

/// The same, to change.
#[inline(always)]
fn six_mut(rows: &mut [f64], port: usize) -> &mut [f64; 6] {
    rows[port..].first_chunk_mut().expect("a body's six rows")
}

struct Gather<'a> {
    ports: &'a Ports,
    lambda: &'a [f64],
    w: &'a mut [f64],
}

impl Routine for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let Ports { values, terms, .. } = self.ports;
        let (mut row, mut term) = (0, 0);
        for block in &self.ports.blocks {
            let lambda = &self.lambda[row..block.rows];
            let own = &terms[term..block.terms];
            (row, term) = (block.rows, block.terms);
            for term in own {
                let Some(at) = term.values else {
                    for (w, l) in self.w[term.port..].iter_mut().zip(lambda) {
                        *w += l;
                    }
                    continue;
                };
                let w = six_mut(self.w, term.port);
                let mut sum = *w;
                if let ([a, b, c], Some(rows)) = (lambda, values[at..].first_chunk::<3>()) {
                    for i in 0..6 {
                        sum[i] = A::madd(*a, rows[0][i], sum[i]);
                        sum[i] = A::madd(*b, rows[1][i], sum[i]);
                        sum[i] = A::madd(*c, rows[2][i], sum[i]);
                    }
                } else {
                    for (l, c) in lambda.iter().zip(&values[at..]) {
                        for i in 0..6 {
                            sum[i] = A::madd(*l, c[i], sum[i]);
                        }
                    }
                }
                *w = sum;
            }
        }
    }
}

struct Spread<'a> {
    ports: &'a Ports,
    d: &'a [f64],
    out: &'a mut [f64],
}

impl Routine for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        let Ports {
            values,
            columns,
            terms,
            ..
        } = self.ports;
        let (mut row, mut term) = (0, 0);
        for block in &self.ports.blocks {
            let out = &mut self.out[row..block.rows];
            let own = &terms[term..block.terms];
            (row, term) = (block.rows, block.terms);
            if block.is_contact {
                let mut sum = [0.0; 4];
                for term in own {
                    let d = six(self.d, term.port);
                    for (c, d) in columns[term.columns].iter().zip(d) {
                        for r in 0..4 {
                            sum[r] = A::madd(c[r], *d, sum[r]);
                        }
                    }
                }
                out.copy_from_slice(&sum[..3]);
                continue;
            }
            out.fill(0.0);
            for term in own {
                let Some(at) = term.values else {
                    for (out, d) in out.iter_mut().zip(&self.d[term.port..]) {
                        *out += d;
                    }
                    continue;
                };
                let d = six(self.d, term.port);
                for (out, c) in out.iter_mut().zip(&values[at..]) {
                    *out += dot6::<A>(c, d);
                }
            }
        }
    }
}

//! Sparse matrices of FCLIB: compressed by rows or columns, or triplets.

use super::FclibError;
use super::file::Source;

/// A matrix as (row, column, value); equal positions add up.
#[derive(Clone, Debug, Default)]
pub(super) struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub entries: Vec<(usize, usize, f64)>,
}

impl Matrix {
    /// Reads the matrix of `group`.
    ///
    /// `nz` defines the format: −2 rows compressed, −1 columns compressed, otherwise the number of triplets. A triplet
    /// has its row in `i` and its column in `p`, as in CSparse and in existing files; the comment in `fclib.h` states
    /// the opposite.
    pub fn read(source: &Source, group: &str) -> Result<Self, FclibError> {
        let name = |dataset: &str| format!("{group}/{dataset}");
        let size = |dataset: &str| {
            let value = source.integer(&name(dataset))?;
            usize::try_from(value)
                .map_err(|_| source.invalid(&name(dataset), format!("{value}, must be ≥ 0")))
        };
        let (rows, columns) = (size("m")?, size("n")?);
        let nz = source.integer(&name("nz"))?;
        let p = source.integers(&name("p"))?;
        let i = source.integers(&name("i"))?;
        let x = source.numbers(&name("x"))?;

        let mut entries = Vec::with_capacity(x.len());
        match nz {
            -2 => {
                let ranges = ranges(source, &name("p"), &p, rows, i.len().min(x.len()))?;
                for (r, range) in ranges.into_iter().enumerate() {
                    for k in range {
                        entries.push((r, index(source, &name("i"), &i, k, columns)?, x[k]));
                    }
                }
            }
            -1 => {
                let ranges = ranges(source, &name("p"), &p, columns, i.len().min(x.len()))?;
                for (c, range) in ranges.into_iter().enumerate() {
                    for k in range {
                        entries.push((index(source, &name("i"), &i, k, rows)?, c, x[k]));
                    }
                }
            }
            count @ 0.. => {
                let held = p.len().min(i.len()).min(x.len());
                let count = usize::try_from(count).unwrap_or(usize::MAX);
                if count > held {
                    let message = format!("{count} triplets, but p, i and x hold {held}");
                    return Err(source.invalid(&name("nz"), message));
                }
                for (k, &x) in x[..count].iter().enumerate() {
                    let r = index(source, &name("i"), &i, k, rows)?;
                    entries.push((r, index(source, &name("p"), &p, k, columns)?, x));
                }
            }
            other => {
                let message =
                    format!("{other}, must be −2 (rows), −1 (columns) or the number of triplets");
                return Err(source.invalid(&name("nz"), message));
            }
        }
        Ok(Self {
            rows,
            columns,
            entries,
        })
    }

    /// Check the size.
    pub fn sized(
        self,
        source: &Source,
        group: &str,
        rows: usize,
        columns: usize,
    ) -> Result<Self, FclibError> {
        if (self.rows, self.columns) == (rows, columns) {
            return Ok(self);
        }
        let (m, n) = (self.rows, self.columns);
        let message = format!("is {m} x {n} where {rows} x {columns} is needed");
        Err(source.invalid(group, message))
    }

    /// Mirrors a symmetric matrix of which only one triangle is stored; returns whether it was.
    ///
    /// A matrix with entries on one side of the diagonal only cannot be intended as such: it would be as far from
    /// symmetric as possible.
    pub fn mirror_triangle(&mut self) -> bool {
        let side = |above: bool| {
            let off = self.entries.iter().filter(|e| e.2 != 0.0);
            off.filter(|e| if above { e.1 > e.0 } else { e.1 < e.0 })
                .count()
        };
        if (side(true) == 0) == (side(false) == 0) {
            return false;
        }
        let off: Vec<_> = self
            .entries
            .iter()
            .filter(|e| e.0 != e.1)
            .copied()
            .collect();
        self.entries.extend(off.iter().map(|&(r, c, x)| (c, r, x)));
        true
    }
}

/// The ranges between the `count + 1` starts in `p`, within `held` entries.
fn ranges(
    source: &Source,
    name: &str,
    p: &[i64],
    count: usize,
    held: usize,
) -> Result<Vec<std::ops::Range<usize>>, FclibError> {
    if count.checked_add(1) != Some(p.len()) {
        let message = format!("{} starts where {count} + 1 are needed", p.len());
        return Err(source.invalid(name, message));
    }
    p.windows(2)
        .map(|w| match (usize::try_from(w[0]), usize::try_from(w[1])) {
            (Ok(from), Ok(to)) if from <= to && to <= held => Ok(from..to),
            _ => {
                let message = format!(
                    "{} to {} is no range of the {held} entries in i and x",
                    w[0], w[1]
                );
                Err(source.invalid(name, message))
            }
        })
        .collect()
}

/// Entry `k` of the indices `i`, below `bound`.
fn index(
    source: &Source,
    name: &str,
    i: &[i64],
    k: usize,
    bound: usize,
) -> Result<usize, FclibError> {
    match usize::try_from(i[k]) {
        Ok(index) if index < bound => Ok(index),
        _ => {
            let message = format!("index {} at {k} is not in 0 … {bound} − 1", i[k]);
            Err(source.invalid(name, message))
        }
    }
}

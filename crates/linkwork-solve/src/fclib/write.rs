//! From a [`Problem`] to a local FCLIB file.

use super::{FclibError, our_row};
use crate::delassus::delassus_matrix;
use crate::problem::{Operator, Problem};
use crate::sets::ImpulseSet;
use hdf5_pure::{FileBuilder, GroupBuilder, LibVer};
use std::collections::BTreeMap;
use std::path::Path;

/// Write `problem` as a local FCLIB problem to `path`, replacing what is there.
///
/// Contacts become W, q and μ, free rows the equalities V, R and s; compliance goes on the diagonals
/// of W and R, and v* into q and s. Rows change place: contacts first, then free rows. A problem with
/// one-sided or bounded rows without friction is refused: FCLIB has no place for them.
pub fn write_local(path: &Path, problem: &Problem, title: &str) -> Result<(), FclibError> {
    if let Some(what) = inexpressible(problem) {
        let path = path.to_owned();
        return Err(FclibError::NotExpressible { path, what });
    }
    let bytes = encode(problem, title).map_err(|e| FclibError::Invalid {
        path: path.to_owned(),
        dataset: "fclib_local".to_owned(),
        message: format!("cannot be written: {e}"),
    })?;
    std::fs::write(path, bytes).map_err(|source| FclibError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Parts of the problem that FCLIB cannot express.
fn inexpressible(problem: &Problem) -> Option<String> {
    let mut counts = BTreeMap::new();
    for (set, _) in problem.sets.iter() {
        if !set.is_free() && !matches!(set, ImpulseSet::Coulomb { .. }) {
            *counts.entry(set.name()).or_insert(0) += set.dim();
        }
    }
    let part = |(name, rows)| format!("{rows} rows of kind {name}");
    let mut parts: Vec<String> = counts.into_iter().map(part).collect();
    if parts.is_empty() && problem.sets.contacts() == 0 {
        parts.push("a problem without contacts".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn encode(problem: &Problem, title: &str) -> Result<Vec<u8>, hdf5_pure::Error> {
    let order = fclib_order(problem);
    let contacts = problem.sets.contacts();
    let (m, p) = (3 * contacts, order.len() - 3 * contacts);
    let d = rows_in_order(problem, &order);
    let q = problem.free_velocity();
    let q: Vec<f64> = order.iter().map(|&i| q[i]).collect();
    let mu: Vec<f64> = problem
        .sets
        .iter()
        .filter_map(|(set, _)| match set {
            ImpulseSet::Coulomb { mu } => Some(mu),
            _ => None,
        })
        .collect();

    let mut file = FileBuilder::new();
    // The oldest format the crate writes: FCLIB is built against old HDF5 too.
    file.with_libver_bounds(LibVer::Earliest, LibVer::V18);
    let mut root = file.create_group("fclib_local");
    root.create_dataset("spacedim").with_i32_data(&[3]);
    push_matrix(&mut root, "W", &d[..m], 0..m);
    let mut vectors = root.create_group("vectors");
    vectors.create_dataset("q").with_f64_data(&q[..m]);
    vectors.create_dataset("mu").with_f64_data(&mu);
    if p > 0 {
        push_matrix(&mut root, "V", &d[..m], m..m + p);
        push_matrix(&mut root, "R", &d[m..], m..m + p);
        vectors.create_dataset("s").with_f64_data(&q[m..]);
    }
    root.add_group(vectors.finish());
    let mut info = root.create_group("info");
    let texts = [
        ("title", title),
        (
            "description",
            "written by Linkwork; contact rows (n, t1, t2)",
        ),
        ("math_info", ""),
    ];
    for (name, text) in texts {
        let dataset = info.create_dataset(name);
        // Wide enough for the terminating zero that readers in C expect.
        dataset.with_strings_sized(&[text], text.len() as u32 + 1)?;
        dataset.with_shape(&[]);
    }
    root.add_group(info.finish());
    file.add_group(root.finish());
    file.finish()
}

/// Our row of every row of the file.
fn fclib_order(problem: &Problem) -> Vec<usize> {
    let of_kind = |contact: bool| {
        let sets = problem.sets.iter();
        sets.filter(move |(set, _)| matches!(set, ImpulseSet::Coulomb { .. }) == contact)
    };
    let contacts = of_kind(true).flat_map(|(_, rows)| (0..3).map(move |i| rows.start + our_row(i)));
    contacts
        .chain(of_kind(false).flat_map(|(_, rows)| rows))
        .collect()
}

/// Rows of D + R in the file's order, (column, value) by rising column.
fn rows_in_order(problem: &Problem, order: &[usize]) -> Vec<Vec<(usize, f64)>> {
    let n = order.len();
    let mut place = vec![0; n];
    for (file, &ours) in order.iter().enumerate() {
        place[ours] = file;
    }
    let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
    match &problem.operator {
        Operator::Delassus { matrix, .. } => {
            for r in 0..n {
                rows[place[r]].extend(matrix.row(r).map(|(c, x)| (place[c], x)));
            }
        }
        Operator::Bodies { .. } => {
            let mut d = Vec::new();
            delassus_matrix(problem, &mut d);
            for (file, &r) in order.iter().enumerate() {
                let row = order.iter().map(|&c| d[c * n + r]).enumerate();
                rows[file].extend(row.filter(|(_, x)| *x != 0.0));
            }
        }
    }
    for (file, row) in rows.iter_mut().enumerate() {
        let compliance = problem.compliance[order[file]];
        match row.iter_mut().find(|e| e.0 == file) {
            Some(diagonal) => diagonal.1 += compliance,
            None => row.push((file, compliance)),
        }
        row.sort_by_key(|e| e.0);
    }
    rows
}

/// The part of `rows` in `columns`, compressed by rows (nz = −2).
fn push_matrix(
    root: &mut GroupBuilder,
    name: &str,
    rows: &[Vec<(usize, f64)>],
    columns: std::ops::Range<usize>,
) {
    let (mut p, mut i, mut x) = (vec![0i32], Vec::new(), Vec::new());
    for row in rows {
        for &(c, value) in row.iter().filter(|e| columns.contains(&e.0)) {
            i.push((c - columns.start) as i32);
            x.push(value);
        }
        p.push(i.len() as i32);
    }
    let mut group = root.create_group(name);
    let mut integer = |name: &str, value: i32| {
        group.create_dataset(name).with_i32_data(&[value]);
    };
    integer("m", rows.len() as i32);
    integer("n", columns.len() as i32);
    integer("nz", -2);
    integer("nzmax", i.len() as i32);
    group.create_dataset("p").with_i32_data(&p);
    group.create_dataset("i").with_i32_data(&i);
    group.create_dataset("x").with_f64_data(&x);
    root.add_group(group.finish());
}

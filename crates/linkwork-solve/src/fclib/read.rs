//! From an FCLIB file to a [`Problem`].

use super::condense::{NotPositive, condense};
use super::file::Source;
use super::matrix::Matrix;
use super::{FclibError, FclibForm, FclibProblem, our_row};
use crate::blocks::SparseSym;
use crate::problem::{Operator, Problem};
use crate::sets::{ImpulseSet, ImpulseSets};
use std::path::Path;

/// Asymmetry of W relative to its largest entry above which symmetrising it is reported in a note.
const ROUND_OFF: f64 = 1e-12;

/// Read the FCLIB problem in `path`, local or global.
///
/// W is symmetrised; where that changes it, a note says by how much.
pub fn read(path: &Path) -> Result<FclibProblem, FclibError> {
    let source = Source::open(path)?;
    let (form, root) = find_problem(&source)?;
    let mut notes = Vec::new();
    let parts = match form {
        FclibForm::Local => read_local(&source, &mut notes)?,
        FclibForm::Global => read_global(&source, &mut notes)?,
    };
    Ok(FclibProblem {
        problem: assemble(&source, parts, &mut notes)?,
        form,
        title: source.text(&format!("{root}/info/title")),
        description: source.text(&format!("{root}/info/description")),
        notes,
    })
}

/// D = [W V; Vᵀ R] and v_f = (q, s) in FCLIB's row order, and where they came from.
struct Parts {
    d: Matrix,
    v_free: Vec<f64>,
    mu: Vec<f64>,
    matrix: &'static str,
}

/// Which form the file holds, and its group; the local one where it holds both.
fn find_problem(source: &Source) -> Result<(FclibForm, &'static str), FclibError> {
    let roots = source.roots()?;
    if let Some(rolling) = roots.iter().find(|name| name.contains("rolling")) {
        return Err(rolling_friction(source, rolling));
    }
    let has = |name: &str| roots.iter().any(|r| r == name);
    let (form, root) = match (has("fclib_local"), has("fclib_global")) {
        (true, _) => (FclibForm::Local, "fclib_local"),
        (false, true) => (FclibForm::Global, "fclib_global"),
        (false, false) => {
            let found = match roots.is_empty() {
                true => "no group at all".to_owned(),
                false => roots.join(", "),
            };
            let path = source.path();
            return Err(FclibError::NoProblem { path, found });
        }
    };
    let dataset = format!("{root}/spacedim");
    let mu_rolling = format!("{root}/vectors/mu_r");
    match source.integer(&dataset)? {
        5 => Err(rolling_friction(source, &dataset)),
        _ if source.has(&mu_rolling) => Err(rolling_friction(source, &mu_rolling)),
        3 => Ok((form, root)),
        spacedim => Err(FclibError::Dimension {
            path: source.path(),
            dataset,
            spacedim,
        }),
    }
}

fn rolling_friction(source: &Source, what: &str) -> FclibError {
    FclibError::RollingFriction {
        path: source.path(),
        what: what.to_owned(),
    }
}

fn read_local(source: &Source, notes: &mut Vec<String>) -> Result<Parts, FclibError> {
    let mu = source.numbers("fclib_local/vectors/mu")?;
    let m = 3 * mu.len();
    let mut v_free = source.vector("fclib_local/vectors/q", m)?;
    let mut d = Matrix::read(source, "fclib_local/W")?.sized(source, "fclib_local/W", m, m)?;
    note_mirrored(&mut d, "W", notes);
    let (has_v, has_r) = (
        source.has_group("fclib_local/V"),
        source.has_group("fclib_local/R"),
    );
    if has_v || has_r {
        let s = source.numbers("fclib_local/vectors/s")?;
        let p = s.len();
        let v = Matrix::read(source, "fclib_local/V")?.sized(source, "fclib_local/V", m, p)?;
        let mut r = Matrix::read(source, "fclib_local/R")?.sized(source, "fclib_local/R", p, p)?;
        note_mirrored(&mut r, "R", notes);
        (d.rows, d.columns) = (m + p, m + p);
        for (row, column, x) in v.entries {
            d.entries.push((row, m + column, x));
            d.entries.push((m + column, row, x));
        }
        let r = r.entries.into_iter();
        d.entries
            .extend(r.map(|(row, column, x)| (m + row, m + column, x)));
        v_free.extend(s);
    }
    Ok(Parts {
        d,
        v_free,
        mu,
        matrix: "fclib_local/W",
    })
}

fn read_global(source: &Source, notes: &mut Vec<String>) -> Result<Parts, FclibError> {
    let mu = source.numbers("fclib_global/vectors/mu")?;
    let f = source.numbers("fclib_global/vectors/f")?;
    let (m, n) = (3 * mu.len(), f.len());
    let mut v_free = source.vector("fclib_global/vectors/w", m)?;
    let mut mass = Matrix::read(source, "fclib_global/M")?.sized(source, "fclib_global/M", n, n)?;
    note_mirrored(&mut mass, "M", notes);
    // B = [H G].
    let mut b = Matrix::read(source, "fclib_global/H")?.sized(source, "fclib_global/H", n, m)?;
    if source.has_group("fclib_global/G") {
        let bias = source.numbers("fclib_global/vectors/b")?;
        let p = bias.len();
        let g = Matrix::read(source, "fclib_global/G")?.sized(source, "fclib_global/G", n, p)?;
        b.columns = m + p;
        let g = g.entries.into_iter();
        b.entries
            .extend(g.map(|(row, column, x)| (row, m + column, x)));
        v_free.extend(bias);
    }
    let (d, free) = condense(&mass, &b, &f).map_err(|NotPositive| {
        source.invalid(
            "fclib_global/M",
            "not positive definite; every coordinate needs mass",
        )
    })?;
    for (v, free) in v_free.iter_mut().zip(free) {
        *v += free;
    }
    Ok(Parts {
        d,
        v_free,
        mu,
        matrix: "fclib_global/M",
    })
}

fn note_mirrored(matrix: &mut Matrix, name: &str, notes: &mut Vec<String>) {
    if matrix.mirror_triangle() {
        notes.push(format!("only one triangle of {name} is stored: mirrored"));
    }
}

/// The problem in our row order: contacts, then equalities.
fn assemble(source: &Source, parts: Parts, notes: &mut Vec<String>) -> Result<Problem, FclibError> {
    let Parts {
        d,
        v_free: q,
        mu,
        matrix: name,
    } = parts;
    let (n, contact_rows) = (q.len(), 3 * mu.len());
    let ours = |i: usize| if i < contact_rows { our_row(i) } else { i };

    let entries: Vec<_> = d
        .entries
        .iter()
        .map(|&(r, c, x)| (ours(r), ours(c), x))
        .collect();
    let (matrix, skew) = SparseSym::from_triplets(n, &entries);
    if skew > ROUND_OFF {
        notes.push(format!(
            "{name} is asymmetric by {skew:.1e} of its largest entry: symmetrised"
        ));
    }
    if let Some(r) = (0..n).find(|&r| matrix.get(r, r) < 0.0) {
        let message = format!(
            "diagonal entry of row {r} is {}; W must be positive semi-definite",
            matrix.get(r, r)
        );
        return Err(source.invalid(name, message));
    }
    let mut v_free = vec![0.0; n];
    for (i, &q) in q.iter().enumerate() {
        v_free[ours(i)] = q;
    }
    let mut sets = ImpulseSets::new();
    for (k, &mu) in mu.iter().enumerate() {
        if mu < 0.0 {
            let dataset = format!("{}/vectors/mu", name.split('/').next().unwrap_or_default());
            return Err(source.invalid(&dataset, format!("μ of contact {k} is {mu}, must be ≥ 0")));
        }
        sets.push(ImpulseSet::Coulomb { mu });
    }
    // The file does not say which equalities belong to one joint.
    for _ in contact_rows..n {
        sets.push(ImpulseSet::Free { dim: 1 });
    }
    Ok(Problem {
        dt: 1.0,
        operator: Operator::Delassus { matrix, v_free },
        v_bias: vec![0.0; n],
        compliance: vec![0.0; n],
        sets,
    })
}

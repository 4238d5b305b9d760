//! FCLIB files: every layout gives the same problem, ours read back, bad ones are refused by name.

#[path = "../body_graphs/mod.rs"]
mod body_graphs;
mod files;
#[path = "../../../../tests/missing.rs"]
mod missing;
mod refusals;

use body_graphs::*;
use files::*;
use linkwork_solve::fclib::{FclibForm, read, write_local};
use linkwork_solve::*;
use nalgebra::{DMatrix, DVector};

/// D of a problem on its Delassus matrix, and v_f.
fn delassus(problem: &Problem) -> (DMatrix<f64>, DVector<f64>) {
    let Operator::Delassus { matrix, v_free } = &problem.operator else {
        panic!("a problem on its Delassus matrix");
    };
    let n = matrix.rows();
    let d = DMatrix::from_fn(n, n, |r, c| matrix.get(r, c));
    (d, DVector::from_column_slice(v_free))
}

/// Two contacts that share a body; W = A Aᵀ in FCLIB's order (n, t₁, t₂).
fn two_contacts() -> Vec<Vec<f64>> {
    let a = DMatrix::from_fn(6, 5, |r, c| ((7 * r + 3 * c) % 11) as f64 - 4.0);
    let w = &a * a.transpose();
    (0..6).map(|r| w.row(r).iter().copied().collect()).collect()
}

const Q: [f64; 6] = [-1.0, 2.0, 3.0, -4.0, 5.0, 6.0];
const MU: [f64; 2] = [0.0, 0.7];

fn local(format: Format, keep: fn(usize, usize) -> bool) -> Layout<'static> {
    Layout {
        root: "fclib_local",
        spacedim: 3,
        matrices: vec![("W", store(&two_contacts(), format, keep))],
        vectors: vec![("q", Q.to_vec()), ("mu", MU.to_vec())],
    }
}

#[test]
fn every_matrix_format_gives_the_same_problem() {
    let file = Temporary::new("formats");
    let w = two_contacts();
    // Our row k is FCLIB's row ORDER[k]: (t₁, t₂, n) of each contact.
    const ORDER: [usize; 6] = [1, 2, 0, 4, 5, 3];
    type Keep = fn(usize, usize) -> bool;
    let keeps: [(Keep, usize); 3] = [(|_, _| true, 0), (|r, c| c >= r, 1), (|r, c| c <= r, 1)];
    for format in FORMATS {
        for (keep, notes) in keeps {
            local(format, keep).write(&file.0);
            let read = read(&file.0).unwrap();
            let (d, v_free) = delassus(&read.problem);
            assert_eq!(d, DMatrix::from_fn(6, 6, |r, c| w[ORDER[r]][ORDER[c]]));
            assert_eq!(v_free, DVector::from_fn(6, |r, _| Q[ORDER[r]]));
            assert_eq!(read.problem.check(), Ok(()));
            assert_eq!(read.notes.len(), notes, "{format:?}: {:?}", read.notes);
            let sets: Vec<_> = read.problem.sets.iter().map(|(set, _)| set).collect();
            assert_eq!(sets, MU.map(|mu| ImpulseSet::Coulomb { mu }));
        }
    }
}

#[test]
fn an_asymmetric_w_is_symmetrised_and_noted() {
    let file = Temporary::new("asymmetric");
    let mut w = two_contacts();
    let (largest, entry) = (w.iter().flatten().fold(0.0, |a: f64, x| a.max(*x)), w[0][4]);
    w[0][4] += 2e-3 * largest;
    let mut layout = local(Format::Rows, |_, _| true);
    layout.matrices[0].1 = store(&w, Format::Rows, |_, _| true);
    layout.write(&file.0);
    let read = read(&file.0).unwrap();
    assert!(
        read.notes[0].contains("asymmetric by 2.0e-3"),
        "{:?}",
        read.notes
    );
    // FCLIB's (0, 4), the normal of one and a tangent of the other contact, is our (2, 3).
    let (d, _) = delassus(&read.problem);
    assert_eq!(d, d.transpose());
    assert!((d[(2, 3)] - (entry + 1e-3 * largest)).abs() < 1e-12 * largest);
}

/// M v = H r + G λ + f, u = Hᵀ v + w, Gᵀ v + b = 0 on six coordinates: M, H, G, f, w, b.
struct Global {
    m: DMatrix<f64>,
    h: DMatrix<f64>,
    g: DMatrix<f64>,
    f: DVector<f64>,
    w: DVector<f64>,
    b: DVector<f64>,
}

impl Global {
    fn random(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut matrix = |r, c| DMatrix::from_fn(r, c, |_, _| random.symmetric());
        let (a, h, g) = (matrix(8, 8), matrix(8, 6), matrix(8, 2));
        let vectors = matrix(8, 3);
        Self {
            m: &a * a.transpose() + DMatrix::identity(8, 8),
            h,
            g,
            f: vectors.column(0).into(),
            w: vectors.column(1).rows(0, 6).into(),
            b: vectors.column(2).rows(0, 2).into(),
        }
    }

    fn layout(&self, format: Format) -> Layout<'static> {
        let rows = |a: &DMatrix<f64>| -> Vec<Vec<f64>> {
            (0..a.nrows())
                .map(|r| a.row(r).iter().copied().collect())
                .collect()
        };
        let stored = |a: &DMatrix<f64>| store(&rows(a), format, |_, _| true);
        let values = |v: &DVector<f64>| v.iter().copied().collect();
        Layout {
            root: "fclib_global",
            spacedim: 3,
            matrices: vec![
                ("M", store(&rows(&self.m), format, |r, c| c >= r)),
                ("H", stored(&self.h)),
                ("G", stored(&self.g)),
            ],
            vectors: vec![
                ("f", values(&self.f)),
                ("w", values(&self.w)),
                ("b", values(&self.b)),
                ("mu", MU.to_vec()),
            ],
        }
    }
}

/// The condensed problem agrees with the equations of the global one for any impulse.
#[test]
fn a_global_problem_moves_as_its_bodies_do() {
    let file = Temporary::new("global");
    for (seed, format) in (1..).zip(FORMATS) {
        let global = Global::random(seed);
        global.layout(format).write(&file.0);
        let read = read(&file.0).unwrap();
        assert_eq!(read.form, FclibForm::Global);
        assert_eq!(read.problem.rows(), 8);
        assert_eq!(read.problem.check(), Ok(()));

        let mut random = Random(seed + 10);
        let impulse: Vec<f64> = (0..8).map(|_| random.symmetric()).collect();
        let mut sigma = Vec::new();
        read.problem.sigma(&impulse, &mut sigma, &mut Vec::new());
        // r in FCLIB's order (n, t₁, t₂).
        let r = DVector::from_fn(6, |i, _| impulse[[2, 0, 1, 5, 3, 4][i]]);
        let lambda = DVector::from_column_slice(&impulse[6..]);
        let Global { m, h, g, f, w, b } = &global;
        let v = m.clone().lu().solve(&(h * r + g * lambda + f)).unwrap();
        let (u, c) = (h.transpose() * &v + w, g.transpose() * &v + b);
        let expected = [u[1], u[2], u[0], u[4], u[5], u[3], c[0], c[1]];
        for (sigma, expected) in sigma.iter().zip(expected) {
            assert!((sigma - expected).abs() < 1e-12, "{sigma} {expected}");
        }
    }
}

/// A problem on bodies written and read has, up to the order of its rows, the same D + R and free
/// velocity, and the same answer.
#[test]
fn what_is_written_reads_back() {
    let file = Temporary::new("round-trip");
    for seed in 0..8 {
        let mut graph = Graph::new(seed, 4);
        graph.hinge(None, 0, false);
        graph.contact(Some(0), 1, 0.5);
        graph.hinge(Some(1), 2, false);
        graph.contact(Some(2), 3, 0.0);
        let mut problem = graph.problem();
        problem.v_bias[3] = 0.25;
        problem.v_bias[6] = -0.5;
        for (i, r) in problem.compliance.iter_mut().enumerate() {
            *r = 0.01 * i as f64;
        }
        write_local(&file.0, &problem, "two hinges").unwrap();
        let read = read(&file.0).unwrap();
        assert_eq!(
            (read.form, read.title.as_str()),
            (FclibForm::Local, "two hinges")
        );
        assert_eq!(read.notes, [""; 0]);

        // Rows: hinge 0 … 4, contact 5 … 7, hinge 8 … 12, contact 13 … 15.
        let order: Vec<usize> = [5..8, 13..16, 0..5, 8..13].into_iter().flatten().collect();
        let (_, mut d) = dense(&problem);
        for i in 0..16 {
            d[(i, i)] += problem.compliance[i];
        }
        let (found, v_free) = delassus(&read.problem);
        let expected = DMatrix::from_fn(16, 16, |r, c| d[(order[r], order[c])]);
        assert!((found - &expected).amax() < 1e-12 * expected.amax());
        let q = problem.free_velocity();
        for (v, &i) in v_free.iter().zip(&order) {
            assert!((v - q[i]).abs() < 1e-14);
        }

        // The answer to the problem read is, row by row, an answer to the problem written.
        let settings = SolverSettings::default();
        let mut solver = solver_by_name(DEFAULT_SOLVER, settings).unwrap();
        let (mut theirs, mut ours) = (Solution::default(), Solution::default());
        let report = solver.solve(&read.problem, &mut theirs, &mut ());
        assert_eq!(report.status, Status::Converged);
        ours.lambda = vec![0.0; 16];
        for (theirs, &i) in theirs.lambda.iter().zip(&order) {
            ours.lambda[i] = *theirs;
        }
        let residuals = residuals(&problem, &ours, solver.model());
        assert!(residuals.meets(2.0 * settings.tolerance), "{residuals:?}");
    }
}

/// Writing a problem that was read, and reading it, changes no bit.
#[test]
fn a_local_problem_round_trips_bit_for_bit() {
    let file = Temporary::new("bits");
    local(Format::Columns, |_, _| true).write(&file.0);
    let first = read(&file.0).unwrap();
    write_local(&file.0, &first.problem, "").unwrap();
    assert_eq!(read(&file.0).unwrap().problem, first.problem);
}

#[test]
fn the_shared_files_agree_with_their_manifest() {
    let Some(folder) = shared_data() else { return };
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).unwrap();
    let mut lines = manifest.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name| header.iter().position(|h| *h == name).unwrap();
    let [name, nc, rows] = ["name", "nc", "rows"].map(column);
    let [mu_min, mu_max, nnz] = ["mu_min", "mu_max", "nnz"].map(column);
    let [asym, norm_q] = ["asym", "norm_q"].map(column);
    let mut read_files = 0;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |k: usize| fields[k].parse::<f64>().unwrap();
        let path = folder.join(format!("{}.hdf5", fields[name]));
        let found = read(&path).unwrap_or_else(|e| panic!("{e}"));
        let problem = &found.problem;
        assert_eq!(problem.check(), Ok(()));
        assert_eq!(
            problem.sets.contacts() as f64,
            number(nc),
            "{}",
            fields[name]
        );
        assert_eq!(problem.rows() as f64, number(rows), "{}", fields[name]);
        let mu = problem.sets.iter().map(|(set, _)| match set {
            ImpulseSet::Coulomb { mu } => mu,
            other => panic!("{other:?}"),
        });
        let (low, high) = mu.fold((f64::INFINITY, 0.0f64), |(a, b), mu| (a.min(mu), b.max(mu)));
        assert!((low - number(mu_min)).abs() < 1e-6 && (high - number(mu_max)).abs() < 1e-6);
        let Operator::Delassus { matrix, v_free } = &problem.operator else {
            panic!("a problem on its Delassus matrix");
        };
        // The manifest rounds to two or three digits.
        let entries = (0..matrix.rows())
            .map(|r| matrix.row(r).count())
            .sum::<usize>();
        assert!(entries as f64 >= number(nnz), "{}", fields[name]);
        let q = v_free.iter().map(|v| v * v).sum::<f64>().sqrt();
        assert!(
            (q - number(norm_q)).abs() <= 6e-3 * q,
            "{} {q}",
            fields[name]
        );
        // Only differences above round-off cause a note, which then states the same number.
        let skew = number(asym);
        let note = found.notes.iter().find(|n| n.contains("asymmetric"));
        assert_eq!(note.is_some(), skew > 1e-12, "{} {skew}", fields[name]);
        if let Some(note) = note {
            assert!(note.contains(&format!("{skew:.1e}")), "{note} {skew}");
        }
        read_files += 1;
    }
    assert!(read_files > 0);
    eprintln!("{read_files} files");
}

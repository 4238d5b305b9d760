//! Small FCLIB files of every kind, written dataset by dataset, and where the large ones are.

use crate::missing::missing;
use hdf5_pure::{FileBuilder, GroupBuilder};
use std::path::{Path, PathBuf};

/// A file of this test run that is removed with it.
pub struct Temporary(pub PathBuf);

impl Temporary {
    pub fn new(name: &str) -> Self {
        let name = format!("linkwork-fclib-{}-{name}.hdf5", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The folder of FCLIB files, if it exists on this machine; otherwise prints a message.
pub fn shared_data() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let given = std::env::var_os("LINKWORK_DATA").map(PathBuf::from);
    let folders = [given, Some(above), Some("/work/shared/data".into())];
    let found = folders.into_iter().flatten().map(|f| f.join("fclib"));
    let found = found.into_iter().find(|f| f.join("manifest.csv").is_file());
    if found.is_none() {
        missing("no folder of FCLIB files; set LINKWORK_DATA to the one that has fclib/");
    }
    found
}

/// How a matrix is stored.
#[derive(Clone, Copy, Debug)]
pub enum Format {
    Rows,
    Columns,
    Triplets,
}

pub const FORMATS: [Format; 3] = [Format::Rows, Format::Columns, Format::Triplets];

/// The stored part of a dense matrix, row by row, as the datasets nz, p, i and x.
pub struct Stored {
    pub size: (usize, usize),
    pub nz: i32,
    pub p: Vec<i32>,
    pub i: Vec<i32>,
    pub x: Vec<f64>,
}

/// The nonzero entries of `a` that `keep` (row, column) keeps.
pub fn store(a: &[Vec<f64>], format: Format, keep: fn(usize, usize) -> bool) -> Stored {
    let size = (a.len(), a.first().map_or(0, Vec::len));
    let mut entries = Vec::new();
    for (r, row) in a.iter().enumerate() {
        for (c, &x) in row.iter().enumerate() {
            if x != 0.0 && keep(r, c) {
                entries.push((r, c, x));
            }
        }
    }
    let starts = |count: usize, of: fn(&(usize, usize, f64)) -> usize| {
        let before = |k| entries.iter().filter(|e| of(e) < k).count() as i32;
        (0..=count).map(before).collect::<Vec<i32>>()
    };
    let (nz, p) = match format {
        Format::Rows => (-2, starts(size.0, |e| e.0)),
        Format::Columns => (-1, starts(size.1, |e| e.1)),
        Format::Triplets => (entries.len() as i32, Vec::new()),
    };
    if let Format::Columns = format {
        entries.sort_by_key(|e| (e.1, e.0));
    }
    let take = |of: fn(&(usize, usize, f64)) -> usize| {
        entries.iter().map(|e| of(e) as i32).collect::<Vec<i32>>()
    };
    let (p, i) = match format {
        Format::Rows => (p, take(|e| e.1)),
        Format::Columns => (p, take(|e| e.0)),
        Format::Triplets => (take(|e| e.1), take(|e| e.0)),
    };
    let x = entries.iter().map(|e| e.2).collect();
    Stored { size, nz, p, i, x }
}

/// A file with the root group `root`, its matrices and its vectors.
pub struct Layout<'a> {
    pub root: &'a str,
    pub spacedim: i32,
    pub matrices: Vec<(&'a str, Stored)>,
    pub vectors: Vec<(&'a str, Vec<f64>)>,
}

impl Layout<'_> {
    pub fn write(&self, path: &Path) {
        let mut file = FileBuilder::new();
        let mut root = file.create_group(self.root);
        root.create_dataset("spacedim")
            .with_i32_data(&[self.spacedim]);
        for (name, matrix) in &self.matrices {
            push_matrix(&mut root, name, matrix);
        }
        let mut vectors = root.create_group("vectors");
        for (name, values) in &self.vectors {
            vectors.create_dataset(name).with_f64_data(values);
        }
        root.add_group(vectors.finish());
        file.add_group(root.finish());
        file.write(path).unwrap();
    }

    pub fn vector(&mut self, name: &str) -> &mut Vec<f64> {
        &mut self.vectors.iter_mut().find(|v| v.0 == name).unwrap().1
    }

    pub fn matrix(&mut self, name: &str) -> &mut Stored {
        &mut self.matrices.iter_mut().find(|v| v.0 == name).unwrap().1
    }
}

fn push_matrix(root: &mut GroupBuilder, name: &str, matrix: &Stored) {
    let mut group = root.create_group(name);
    let sizes = [
        ("m", matrix.size.0 as i32),
        ("n", matrix.size.1 as i32),
        ("nz", matrix.nz),
        ("nzmax", matrix.x.len() as i32),
    ];
    for (name, value) in sizes {
        group.create_dataset(name).with_i32_data(&[value]);
    }
    group.create_dataset("p").with_i32_data(&matrix.p);
    group.create_dataset("i").with_i32_data(&matrix.i);
    group.create_dataset("x").with_f64_data(&matrix.x);
    root.add_group(group.finish());
}

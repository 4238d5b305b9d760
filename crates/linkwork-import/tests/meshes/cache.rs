//! The cache: the same bits with and without it, in any state of its folder.

use crate::shapes;
use crate::support::Folder;
use crate::writers;
use linkwork::math::Vec3;
use linkwork_import::mesh::Mesh;
use linkwork_import::{Cache, Imported, Options, Place, Progress, load};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A ring, which has more corners than a hull keeps, and an angle, whose concavity is reported, on a slide each; one of
/// them occurs twice.
const MODEL: &str = "<mujoco><asset><mesh name='ring' file='ring.stl'/><mesh name='angle' file='angle.stl'/>
  <mesh name='large' file='ring.stl' scale='2 2 2'/></asset><worldbody>
  <body><joint type='slide'/><geom type='mesh' mesh='ring'/><geom type='mesh' mesh='ring' pos='3 0 0'/></body>
  <body pos='9 0 0'><joint type='slide'/><geom type='mesh' mesh='angle'/></body>
  <body pos='0 9 0'><joint type='slide'/><geom type='mesh' mesh='large'/></body></worldbody></mujoco>";

/// A ring of some size.
fn ring(size: f64) -> Mesh {
    let place = Place::file("ring");
    shapes::torus().scaled(Vec3::repeat(size), &place).unwrap()
}

fn model() -> Folder {
    let folder = Folder::new();
    folder.write("model.xml", MODEL);
    folder.write("ring.stl", writers::stl_binary(&ring(1.0)));
    folder.write("angle.stl", writers::stl_binary(&shapes::angle()));
    folder
}

fn import(folder: &Folder, cache: Cache, decompose: bool) -> Imported {
    let options = Options::with(|s| {
        s.cache = cache;
        s.decompose = decompose;
    });
    load(&folder.path().join("model.xml"), &options).unwrap_or_else(|e| panic!("{e}"))
}

/// Files of the cache.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let list = fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = list.map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
}

fn same(a: &Imported, b: &Imported) {
    assert_eq!(a.model.hash(), b.model.hash());
    assert_eq!(a.model.shapes(), b.model.shapes());
    assert_eq!(a.notices, b.notices);
}

#[test]
fn cached_and_uncached_models_are_the_same_to_the_bit() {
    let folder = model();
    for decompose in [false, true] {
        let kept = Folder::new();
        let plain = import(&folder, Cache::off(), decompose);
        let first = import(&folder, Cache::at(kept.path()), decompose);
        let written = entries(kept.path());
        // Three different solids: a scale is part of the content.
        assert_eq!(written.len(), 3);
        let before: Vec<_> = written.iter().map(|p| fs::read(p).unwrap()).collect();
        let second = import(&folder, Cache::at(kept.path()), decompose);
        same(&plain, &first);
        same(&plain, &second);
        let after: Vec<_> = written.iter().map(|p| fs::read(p).unwrap()).collect();
        assert_eq!(entries(kept.path()), written);
        assert_eq!(before, after);
    }
}

/// The stored result is read, not computed again: otherwise nothing is saved.
#[test]
fn entries_are_used() {
    let (folder, kept) = (model(), Folder::new());
    import(&folder, Cache::at(kept.path()), false);
    let written = entries(kept.path());
    // Exchanged, each with its checksum, they make another model.
    let (a, b) = (&written[0], &written[1]);
    let other = kept.path().join("other");
    fs::rename(a, &other).unwrap();
    fs::rename(b, a).unwrap();
    fs::rename(&other, b).unwrap();
    let plain = import(&folder, Cache::off(), false);
    let exchanged = import(&folder, Cache::at(kept.path()), false);
    assert_ne!(plain.model.shapes(), exchanged.model.shapes());
}

#[test]
fn damaged_and_foreign_entries_are_written_again() {
    let (folder, kept) = (model(), Folder::new());
    let plain = import(&folder, Cache::at(kept.path()), false);
    let written = entries(kept.path());
    let whole: Vec<_> = written.iter().map(|p| fs::read(p).unwrap()).collect();
    let damage: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes.clear(),
        |bytes| bytes.truncate(30),
        |bytes| *bytes.last_mut().unwrap() ^= 1,
        |bytes| bytes[0] = b'x',
        |bytes| {
            *bytes = b"a text that is longer than the mark and the checksum of an entry".to_vec()
        },
    ];
    for damage in damage {
        for (path, bytes) in written.iter().zip(&whole) {
            let mut bytes = bytes.clone();
            damage(&mut bytes);
            fs::write(path, bytes).unwrap();
        }
        same(&plain, &import(&folder, Cache::at(kept.path()), false));
        let again: Vec<_> = written.iter().map(|p| fs::read(p).unwrap()).collect();
        assert_eq!(whole, again);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_no_error() {
    let (folder, kept) = (model(), Folder::new());
    kept.write("file", "not a folder");
    let plain = import(&folder, Cache::off(), false);
    let cache = Cache::at(kept.path().join("file"));
    same(&plain, &import(&folder, cache, false));
    let below = Cache::at(kept.path().join("file/below"));
    same(&plain, &import(&folder, below, false));
}

#[test]
fn the_oldest_entries_are_removed_and_other_files_are_not() {
    let (folder, kept) = (model(), Folder::new());
    import(&folder, Cache::at(kept.path()), false);
    kept.write("notes.txt", "of the user");
    let written = entries(kept.path());
    let size: u64 = written.iter().map(|p| p.metadata().unwrap().len()).sum();
    // A new entry is written, and the first instance to write one tidies.
    folder.write("ring.stl", writers::stl_binary(&ring(1.5)));
    import(&folder, Cache::bounded(kept.path(), size), false);
    let left = entries(kept.path());
    assert!(left.contains(&kept.path().join("notes.txt")));
    assert!(written.iter().any(|old| !left.contains(old)));
    let none = Cache::bounded(kept.path(), 0);
    folder.write("ring.stl", writers::stl_binary(&ring(1.7)));
    import(&folder, none, false);
    assert!(entries(kept.path()).contains(&kept.path().join("notes.txt")));
}

#[test]
fn progress_counts_the_meshes() {
    let folder = model();
    let told = Arc::new(Mutex::new(Vec::new()));
    let list = told.clone();
    let progress = Progress::new(move |loading| {
        let name = loading.file.file_name().unwrap().to_owned();
        list.lock()
            .unwrap()
            .push((loading.done, loading.total, name));
    });
    let options = Options::with(|s| s.progress = Some(progress));
    load(&folder.path().join("model.xml"), &options).unwrap_or_else(|e| panic!("{e}"));
    let told = told.lock().unwrap();
    let expected = [(0, "ring.stl"), (1, "angle.stl"), (2, "ring.stl")];
    let expected = expected.map(|(done, name)| (done, Some(3), name.into()));
    assert_eq!(*told, expected);
}

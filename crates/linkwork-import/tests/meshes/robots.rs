//! The meshes of the shared robot models, if they are there.

use crate::missing::missing;
use linkwork::collision::convex_hull;
use linkwork_import::mesh::{self, HULL_CORNERS, InertiaMode};
use linkwork_import::{Assets, Notices, Place};
use std::path::{Path, PathBuf};

fn models() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = std::env::var_os("LINKWORK_DATA").map_or_else(|| beside.into(), PathBuf::from);
    Some(data.join("models")).filter(|m| m.is_dir())
}

fn meshes_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        if path.is_dir() {
            meshes_below(&path, found);
        } else if ["stl", "obj", "dae", "msh"].iter().any(|e| extension == *e) {
            found.push(path);
        }
    }
}

#[test]
fn all_meshes_of_the_shared_robots_load_and_hold_together() {
    let Some(root) = models() else {
        missing("no shared models (set LINKWORK_DATA)");
        return;
    };
    let assets = Assets::below(&root).unwrap();
    let mut files = Vec::new();
    meshes_below(&root, &mut files);
    files.sort();
    assert!(files.len() > 200, "{} files", files.len());
    let (mut closed, mut warned) = (0, 0);
    for file in &files {
        let place = Place::file(file);
        let mut notices = Notices::default();
        let mesh = mesh::load(&assets, file, &place, &mut notices).unwrap();
        let name = file.file_stem().unwrap();
        // The one mesh that is flat on purpose.
        if name == "plane" {
            assert!(mesh::hull(&mesh, HULL_CORNERS, &place, &mut notices).is_err());
            continue;
        }
        let hull = convex_hull("mesh", &mesh.vertices).unwrap();
        assert_encloses(&hull.vertices, &hull.triangles, &mesh.vertices, file);
        let few = mesh::thin(&hull, HULL_CORNERS, &place).unwrap();
        assert!(few.vertices.len() <= HULL_CORNERS);
        assert!(
            (0.0..0.10).contains(&few.loss.max(0.0)),
            "{}: {}",
            file.display(),
            few.loss
        );
        if mesh.closed() {
            closed += 1;
            assert!(
                mesh.volume().abs() <= hull.volume() * (1.0 + 1e-9),
                "{}",
                file.display()
            );
            let mut told = Notices::default();
            mesh.mass(InertiaMode::Exact, &place, &mut told).unwrap();
            mesh::hull(&mesh, HULL_CORNERS, &place, &mut told).unwrap();
            warned += usize::from(told.all().iter().any(|n| n.what.contains("hollows")));
        }
    }
    println!(
        "{} meshes, {closed} closed, {warned} with a hull 20 % larger",
        files.len()
    );
    assert!(closed > 100 && warned > 50);
}

/// Every point lies behind every face.
fn assert_encloses(
    vertices: &[linkwork::math::Vec3],
    triangles: &[[u32; 3]],
    points: &[linkwork::math::Vec3],
    file: &Path,
) {
    let size = vertices
        .iter()
        .map(|v| (v - vertices[0]).norm())
        .fold(0.0, f64::max);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| vertices[i as usize]);
        let normal = (b - a).cross(&(c - a));
        // Slivers have no reliable normal.
        if normal.norm() < 1e-10 * size * size {
            continue;
        }
        let normal = normal.normalize();
        for p in points {
            assert!(normal.dot(&(p - a)) < 1e-9 * size, "{}", file.display());
        }
    }
}

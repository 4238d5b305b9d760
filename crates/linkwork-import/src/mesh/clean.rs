//! Conversion of file content to a [`Mesh`]: checked, each vertex once, nothing degenerate.

use super::Mesh;
use super::collide::hull_of;
use super::raw::{Raw, within_limit};
use crate::{Fault, ImportError, Notices, Place};
use linkwork::math::Vec3;
use std::collections::HashMap;

/// Largest coordinate, m: its cube must stay far from overflow, and robots are smaller.
const FARTHEST: f64 = 1e30;

pub(super) fn clean(raw: Raw, place: &Place, notices: &mut Notices) -> Result<Mesh, ImportError> {
    within_limit(raw.vertices.len() as u64, "vertices", place)?;
    within_limit(raw.triangles.len() as u64, "triangles", place)?;
    check(&raw, place)?;
    raw.tell(place, notices);
    if raw.triangles.is_empty() {
        let what = "the mesh has no faces: it is the convex hull of its vertices";
        notices.chose(place, what, "");
        return Ok(hull_of(&raw.vertices, place)?.into());
    }
    let (vertices, numbers) = distinct(&raw.vertices);
    let given = raw.triangles.len();
    let renumbered = raw.triangles.iter().map(|t| t.map(|i| numbers[i as usize]));
    let renumbered: Vec<[u32; 3]> = renumbered.collect();
    let kept = |k: &usize| has_area(&vertices, &renumbered[*k]);
    let kept: Vec<usize> = (0..given).filter(kept).collect();
    let triangles: Vec<[u32; 3]> = kept.iter().map(|k| renumbered[*k]).collect();
    if triangles.is_empty() {
        let what = format!("none of the {given} triangles of the mesh has an area");
        let remedy = "check its coordinates";
        return Err(ImportError::new(place, Fault::BadValue, what, remedy));
    }
    let dropped = given - triangles.len();
    if dropped > 0 {
        let what = format!("{dropped} of {given} triangles have no area and are left out");
        notices.ignored(place, what);
    }
    let mut mesh = without_unused(vertices, triangles, place, notices);
    if raw.coordinates.len() == given {
        mesh.coordinates = kept.iter().map(|k| raw.coordinates[*k]).collect();
    }
    mesh.look = raw.look;
    Ok(mesh)
}

fn check(raw: &Raw, place: &Place) -> Result<(), ImportError> {
    let near = |v: &Vec3| v.iter().all(|x| x.abs() <= FARTHEST);
    if let Some(k) = raw.vertices.iter().position(|v| !near(v)) {
        let v = raw.vertices[k];
        let what = format!("vertex {k} is at {} {} {}", v.x, v.y, v.z);
        let remedy = format!("coordinates must be finite and within {FARTHEST:e} m");
        return Err(ImportError::new(place, Fault::BadValue, what, remedy));
    }
    for (k, triangle) in raw.triangles.iter().enumerate() {
        if let Some(i) = triangle.iter().find(|i| **i as usize >= raw.vertices.len()) {
            let have = raw.vertices.len();
            let what = format!("triangle {k} uses vertex {i}, but there are {have}");
            let remedy = "indices count from 0 here; export the mesh again";
            return Err(ImportError::new(place, Fault::BadValue, what, remedy));
        }
    }
    Ok(())
}

/// Each position once, in order of first use, and the new index of every old one. Positions are the same if their bits
/// are, except that −0 equals 0.
fn distinct(given: &[Vec3]) -> (Vec<Vec3>, Vec<u32>) {
    let mut known: HashMap<[u64; 3], u32> = HashMap::with_capacity(given.len());
    let mut vertices = Vec::new();
    let numbers = given
        .iter()
        .map(|v| {
            let v = v.add_scalar(0.0);
            *known
                .entry([v.x, v.y, v.z].map(f64::to_bits))
                .or_insert_with(|| {
                    vertices.push(v);
                    vertices.len() as u32 - 1
                })
        })
        .collect();
    (vertices, numbers)
}

fn has_area(vertices: &[Vec3], triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|i| vertices[i as usize]);
    let [p, q, r] = *triangle;
    p != q && q != r && r != p && (b - a).cross(&(c - a)) != Vec3::zeros()
}

fn without_unused(
    vertices: Vec<Vec3>,
    mut triangles: Vec<[u32; 3]>,
    place: &Place,
    notices: &mut Notices,
) -> Mesh {
    let mut used = vec![false; vertices.len()];
    for i in triangles.iter().flatten() {
        used[*i as usize] = true;
    }
    let unused = used.iter().filter(|u| !**u).count();
    if unused == 0 {
        return Mesh {
            vertices,
            triangles,
            ..Mesh::default()
        };
    }
    notices.ignored(
        place,
        format!("{unused} vertices belong to no triangle and are left out"),
    );
    let mut numbers = vec![0u32; vertices.len()];
    let mut kept = Vec::with_capacity(vertices.len() - unused);
    for (i, v) in vertices.into_iter().enumerate().filter(|(i, _)| used[*i]) {
        numbers[i] = kept.len() as u32;
        kept.push(v);
    }
    for i in triangles.iter_mut().flatten() {
        *i = numbers[*i as usize];
    }
    Mesh {
        vertices: kept,
        triangles,
        ..Mesh::default()
    }
}

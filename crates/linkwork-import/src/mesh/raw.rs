//! Vertices and faces as in a file, and their limits.

use super::Mesh;
use super::assembly::{Frame, within_scene};
use super::ears;
use super::look::LookOf;
use crate::{Fault, ImportError, Notices, Place};
use linkwork::math::Vec3;
use std::collections::BTreeMap;

/// Most triangles, and most vertices, of a mesh.
pub const MAX_TRIANGLES: usize = 20_000_000;

/// Maximum number of corners of a face that is not simply split into a fan.
const MAX_CORNERS: usize = 500;

/// What a reader collects.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// Positions, m.
    pub vertices: Vec<Vec3>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of their corners, for all of them or none.
    pub coordinates: Vec<[[f32; 2]; 3]>,
    /// What it looks like.
    pub look: Option<LookOf>,
    /// Self-intersecting faces or faces with too many corners, whose triangles overlap.
    pub notched: usize,
    /// What is left out, and how often it is met.
    pub skipped: BTreeMap<&'static str, usize>,
}

impl Raw {
    /// Adds a face of three or more corners: the two triangles along the shorter diagonal of a quadrilateral, otherwise
    /// a fan of triangles. Invalid corners are refused later, during cleaning.
    pub fn face(&mut self, corners: &[u32]) {
        if let &[a, b, c, d] = corners {
            let across = |p: u32, q: u32| {
                let [p, q] = [p, q].map(|i| self.vertices.get(i as usize));
                p.zip(q).map_or(0.0, |(p, q)| (p - q).norm_squared())
            };
            if across(a, c) < across(b, d) {
                self.triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                self.triangles.extend([[a, b, d], [b, c, d]]);
            }
        } else {
            self.fan(corners);
        }
        let added = corners.len().saturating_sub(2);
        let first = self.triangles.len() - added;
        if added > 1 && self.overlaps(first) && !self.cut_ears(corners, first) {
            self.notched += 1;
        }
    }

    /// Splits a non-convex face into triangles other than those from `first` on, if possible.
    fn cut_ears(&mut self, corners: &[u32], first: usize) -> bool {
        let places = corners.iter().map(|i| self.vertices.get(*i as usize));
        let places: Option<Vec<Vec3>> = places.map(|v| v.copied()).collect();
        // A triangulation takes the cube of the corners at worst.
        let few = places.filter(|p| p.len() <= MAX_CORNERS);
        let Some(triangles) = few.and_then(|p| ears::triangles(&p)) else {
            return false;
        };
        self.triangles.truncate(first);
        self.triangles
            .extend(triangles.iter().map(|t| t.map(|i| corners[i])));
        true
    }

    /// Add triangles that all share the first corner.
    pub fn fan(&mut self, corners: &[u32]) {
        let sides = corners.windows(2).skip(1);
        self.triangles
            .extend(sides.map(|w| [corners[0], w[0], w[1]]));
    }

    /// Adds triangles that each share two corners with the one before; every second one is reversed.
    pub fn strip(&mut self, corners: &[u32]) {
        for (k, w) in corners.windows(3).enumerate() {
            let odd = k % 2;
            self.triangles.push([w[odd], w[1 - odd], w[2]]);
        }
    }

    /// Whether the triangles from `first` on face in opposite directions.
    fn overlaps(&self, first: usize) -> bool {
        let normals = self.triangles[first..].iter().map(|t| {
            let [a, b, c] = t.map(|i| self.vertices.get(i as usize).copied().unwrap_or_default());
            (b - a).cross(&(c - a))
        });
        let whole: Vec3 = normals.clone().sum();
        let size = whole.norm_squared();
        normals.map(|n| n.dot(&whole)).any(|d| d < -1e-6 * size)
    }

    /// Adds a copy of `part` in a frame. A mirror image keeps facing outwards.
    pub fn append(&mut self, part: &Raw, frame: &Frame, place: &Place) -> Result<(), ImportError> {
        let (vertices, triangles) = (self.vertices.len(), self.triangles.len());
        within_scene(vertices + part.vertices.len(), place)?;
        within_scene(triangles + part.triangles.len(), place)?;
        let ends = part.vertices.len();
        let stray = |t: &&[u32; 3]| t.iter().any(|i| *i as usize >= ends);
        if let Some([a, b, c]) = part.triangles.iter().find(stray) {
            let what = format!("a triangle uses vertices {a}, {b}, {c}, but there are {ends}");
            let remedy = "indices count from 0: export the mesh again";
            return Err(ImportError::new(place, Fault::BadValue, what, remedy));
        }
        let moved = part.vertices.iter().map(|v| frame.turn * v + frame.shift);
        self.vertices.extend(moved);
        let mirrored = frame.turn.determinant() < 0.0;
        let renumbered = part.triangles.iter().map(|&[a, b, c]| {
            let [b, c] = if mirrored { [c, b] } else { [b, c] };
            [a, b, c].map(|i| i + vertices as u32)
        });
        self.triangles.extend(renumbered);
        if !part.coordinates.is_empty() || !self.coordinates.is_empty() {
            self.coordinates.resize(triangles, [[0.0; 2]; 3]);
            let turned = |&[a, b, c]: &[[f32; 2]; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
            self.coordinates.extend(part.coordinates.iter().map(turned));
            self.coordinates.resize(self.triangles.len(), [[0.0; 2]; 3]);
        }
        if self.look.is_none() {
            self.look.clone_from(&part.look);
        } else if part.look.is_some() && part.look != self.look {
            self.skip("material other than the first: the mesh is shown with one");
        }
        self.notched += part.notched;
        for (what, count) in &part.skipped {
            *self.skipped.entry(what).or_default() += count;
        }
        Ok(())
    }

    /// Count something that is left out.
    pub fn skip(&mut self, what: &'static str) {
        *self.skipped.entry(what).or_default() += 1;
    }

    /// Reports what was omitted or is doubtful.
    pub fn tell(&self, place: &Place, notices: &mut Notices) {
        for (what, count) in &self.skipped {
            notices.ignored(place, format!("{count} times a {what}"));
        }
        if self.notched > 0 {
            let what = format!(
                "{} face(s) that cross themselves, or have more than 500 corners and some that are concave: cut into triangles that overlap",
                self.notched
            );
            let remedy = "triangulate the mesh in the program it was made with";
            notices.warn(place, what, remedy);
        }
    }
}

/// Refuse more than [`MAX_TRIANGLES`] of something.
pub(super) fn within_limit(count: u64, what: &str, place: &Place) -> Result<usize, ImportError> {
    if count <= MAX_TRIANGLES as u64 {
        return Ok(count as usize);
    }
    let what = format!("the mesh has {count} {what}");
    let remedy = format!("simplify it: at most {MAX_TRIANGLES} are taken");
    Err(ImportError::new(place, Fault::TooLarge, what, remedy))
}

impl From<linkwork::collision::HullMesh> for Mesh {
    fn from(hull: linkwork::collision::HullMesh) -> Self {
        Self {
            vertices: hull.vertices,
            triangles: hull.triangles,
            ..Mesh::default()
        }
    }
}

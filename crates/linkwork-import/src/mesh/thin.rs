//! Convex hulls with fewer corners.
//!
//! Starting from a large tetrahedron and the corners farthest along each axis, the corner that protrudes most is added
//! until there are enough. The protrusion of a corner is the largest of its distances from the planes of the faces so
//! far, so the final maximum is (nearly) the distance between the two hulls. It only decreases as corners are added:
//! old values are upper bounds, and only the corner that may be the farthest is measured again.

use super::collide::hull_of;
use crate::{ImportError, Place};
use linkwork::collision::HullMesh;
use linkwork::math::Vec3;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Corners within this fraction of the hull's size from its surface are dropped even if more are allowed.
const FLUSH: f64 = 1e-9;
/// Fewest corners of a hull.
const FEWEST: usize = 10;

/// A hull with few corners.
#[derive(Clone, Debug, PartialEq)]
pub struct Thinned {
    /// Corners, m.
    pub vertices: Vec<Vec3>,
    /// How far the farthest of the dropped corners sticks out, m.
    pub depth: f64,
    /// Volume lost, as a fraction.
    pub loss: f64,
}

/// `hull` with at most `corners` of its corners (at least 10 are kept). The result lies within `hull`.
pub fn thin(hull: &HullMesh, corners: usize, place: &Place) -> Result<Thinned, ImportError> {
    let corners = corners.max(FEWEST);
    if hull.vertices.len() <= corners {
        return Ok(Thinned {
            vertices: hull.vertices.clone(),
            depth: 0.0,
            loss: 0.0,
        });
    }
    let mut chosen = outermost(&hull.vertices);
    let mut inner = hull_of(&pick(&hull.vertices, &chosen), place)?;
    let size = hull
        .vertices
        .iter()
        .map(|v| (v - hull.vertices[0]).norm())
        .fold(0.0, f64::max);
    let mut planes = planes(&inner);
    let mut waiting: BinaryHeap<Candidate> = (0..hull.vertices.len())
        .filter(|i| !chosen.contains(i))
        .map(|corner| Candidate {
            beyond: beyond(&hull.vertices[corner], &planes),
            corner,
        })
        .collect();
    while chosen.len() < corners {
        let Some(next) = farthest(&mut waiting, &hull.vertices, &planes) else {
            break;
        };
        if next.beyond <= FLUSH * size {
            waiting.push(next);
            break;
        }
        chosen.push(next.corner);
        inner = hull_of(&pick(&hull.vertices, &chosen), place)?;
        planes = self::planes(&inner);
    }
    let left = farthest(&mut waiting, &hull.vertices, &planes);
    Ok(Thinned {
        depth: left.map_or(0.0, |c| c.beyond.max(0.0)),
        loss: 1.0 - inner.volume() / hull.volume(),
        vertices: inner.vertices,
    })
}

/// A corner and a bound of how far it sticks out, m.
#[derive(PartialEq)]
struct Candidate {
    beyond: f64,
    corner: usize,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        // Ties go to the lower number, so that the choice does not depend on the heap.
        let lower = other.corner.cmp(&self.corner);
        self.beyond.total_cmp(&other.beyond).then(lower)
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Take out the corner that sticks out most beyond `planes`.
fn farthest(
    waiting: &mut BinaryHeap<Candidate>,
    vertices: &[Vec3],
    planes: &[(Vec3, f64)],
) -> Option<Candidate> {
    loop {
        let Candidate { corner, .. } = waiting.pop()?;
        let beyond = beyond(&vertices[corner], planes);
        let now = Candidate { beyond, corner };
        if waiting.peek().is_none_or(|rival| now >= *rival) {
            return Some(now);
        }
        waiting.push(now);
    }
}

/// The corners of a large tetrahedron, and those farthest along and against each axis.
fn outermost(vertices: &[Vec3]) -> Vec<usize> {
    let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
        let height = |i: &usize| measure(&vertices[*i]);
        let order = |i: &usize, j: &usize| height(i).total_cmp(&height(j));
        (0..vertices.len()).max_by(order).unwrap_or(0)
    };
    let a = farthest(&|v| v.x);
    let p = vertices[a];
    let b = farthest(&|v| (v - p).norm());
    let along = vertices[b] - p;
    let c = farthest(&|v| along.cross(&(v - p)).norm());
    let normal = along.cross(&(vertices[c] - p));
    let d = farthest(&|v| normal.dot(&(v - p)).abs());
    let mut found = vec![a, b, c, d];
    for axis in 0..3 {
        found.push(farthest(&|v| v[axis]));
        found.push(farthest(&|v| -v[axis]));
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn pick(vertices: &[Vec3], chosen: &[usize]) -> Vec<Vec3> {
    chosen.iter().map(|&i| vertices[i]).collect()
}

/// Unit normal and offset of the plane of each face.
fn planes(hull: &HullMesh) -> Vec<(Vec3, f64)> {
    let plane = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| hull.vertices[i as usize]);
        // Slivers have no reliable normal.
        let normal = (b - a).cross(&(c - a)).try_normalize(f64::MIN_POSITIVE)?;
        Some((normal, normal.dot(&a)))
    };
    hull.triangles.iter().filter_map(plane).collect()
}

fn beyond(v: &Vec3, planes: &[(Vec3, f64)]) -> f64 {
    planes
        .iter()
        .map(|(n, offset)| n.dot(v) - offset)
        .fold(f64::NEG_INFINITY, f64::max)
}

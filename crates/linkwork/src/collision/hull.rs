//! Convex polyhedra with faces of any number of corners.

use super::extremes::Extremes;
use super::patch::MAX_CORNERS;
use super::stretch::hull_of_any;
use crate::math::{Vec3, tangent_basis};
use std::collections::BTreeMap;

/// Points within this fraction of the hull's size from a plane lie in that face.
const COPLANAR: f64 = 1e-7;

/// A face of a hull.
#[derive(Clone, Debug)]
pub struct Face {
    /// Outward unit normal.
    pub normal: Vec3,
    /// Height of the highest corner along it, m.
    pub height: f64,
    /// Corners, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
    /// Numbers of the edges from corner i to corner i + 1.
    pub edges: Vec<u32>,
}

/// A convex polyhedron.
#[derive(Clone, Debug)]
pub struct Hull {
    /// Corners, m.
    pub vertices: Vec<Vec3>,
    /// Faces.
    pub faces: Vec<Face>,
    /// Outward unit normals of the faces.
    normals: Vec<Vec3>,
    far_vertices: Extremes,
    far_normals: Extremes,
}

impl Hull {
    /// The hull of points; `None` if it has no volume.
    pub fn new(points: &[Vec3]) -> Option<Self> {
        let (vertices, triangles) = hull_of_any(points)?;
        let centre = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
        let size = vertices
            .iter()
            .map(|v| (v - centre).norm())
            .fold(0.0, f64::max);
        let mut faces: Vec<Face> = Vec::new();
        let mut edge_numbers = BTreeMap::new();
        for triangle in &triangles {
            let [a, b, c] = triangle.map(|i| vertices[i as usize]);
            let cross = (b - a).cross(&(c - a));
            // Slivers have no reliable normal; their corners belong to neighbouring faces.
            if cross.norm() < 1e-9 * size * size {
                continue;
            }
            let normal = cross.normalize();
            if faces.iter().any(|f| {
                f.normal.dot(&normal) > 0.9 && triangle.iter().all(|i| f.corners.contains(i))
            }) {
                continue;
            }
            let offset = normal.dot(&a);
            // A flat set of points has two opposite faces and nothing in between.
            if offset - normal.dot(&centre) < 1e-9 * size {
                return None;
            }
            let mut corners: Vec<u32> = (0..vertices.len() as u32)
                .filter(|&i| (normal.dot(&vertices[i as usize]) - offset).abs() < COPLANAR * size)
                .collect();
            sort_around(&vertices, &normal, &mut corners);
            thin_out(&vertices, &mut corners);
            let edges = (0..corners.len())
                .map(|i| {
                    let (p, q) = (corners[i], corners[(i + 1) % corners.len()]);
                    let next = (vertices.len() + edge_numbers.len()) as u32;
                    *edge_numbers.entry((p.min(q), p.max(q))).or_insert(next)
                })
                .collect();
            let heights = vertices.iter().map(|v| v.dot(&normal));
            faces.push(Face {
                normal,
                height: heights.fold(f64::NEG_INFINITY, f64::max),
                corners,
                edges,
            });
        }
        if faces.len() < 4 {
            return None;
        }
        let normals: Vec<Vec3> = faces.iter().map(|f| f.normal).collect();
        Some(Self {
            far_vertices: Extremes::new(&vertices),
            far_normals: Extremes::new(&normals),
            vertices,
            faces,
            normals,
        })
    }

    /// The corners of a hull without faces.
    pub fn without_faces(vertices: Vec<Vec3>) -> Self {
        Self {
            far_vertices: Extremes::new(&vertices),
            far_normals: Extremes::new(&[]),
            vertices,
            faces: Vec::new(),
            normals: Vec::new(),
        }
    }

    /// The farthest corner along `direction`.
    #[inline]
    pub fn support(&self, direction: &Vec3) -> Vec3 {
        self.vertices[self.far_vertices.farthest(&self.vertices, direction)]
    }

    /// The face that looks most along `direction`.
    #[inline]
    pub fn facing(&self, direction: &Vec3) -> &Face {
        &self.faces[self.far_normals.farthest(&self.normals, direction)]
    }
}

/// Order corners counter-clockwise about `normal`, starting with the lowest number.
fn sort_around(vertices: &[Vec3], normal: &Vec3, corners: &mut [u32]) {
    let centre = corners.iter().map(|&i| vertices[i as usize]).sum::<Vec3>() / corners.len() as f64;
    let (t1, t2) = tangent_basis(normal);
    let angle = |i: &u32| {
        let d = vertices[*i as usize] - centre;
        d.dot(&t2).atan2(d.dot(&t1))
    };
    corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let first = (0..corners.len()).min_by_key(|&k| corners[k]).unwrap_or(0);
    corners.rotate_left(first);
}

/// Removes the corners that contribute least to the area until the rest fit a patch.
fn thin_out(vertices: &[Vec3], corners: &mut Vec<u32>) {
    while corners.len() > MAX_CORNERS {
        let n = corners.len();
        let ear = |k: usize| {
            let [a, b, c] = [k + n - 1, k, k + 1].map(|i| vertices[corners[i % n] as usize]);
            (b - a).cross(&(c - a)).norm_squared()
        };
        let least = (0..n)
            .min_by(|&i, &j| ear(i).total_cmp(&ear(j)))
            .unwrap_or(0);
        corners.remove(least);
    }
}

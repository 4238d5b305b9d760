//! Prepared surfaces of triangles: neighbours and flat edges.

use super::broad::Bounds;
use super::hull::Hull;
use super::manifold::FLAT;
use super::solid::{Core, Solid};
use super::stretch::hull_of_any;
use super::tree::Tree;
use crate::math::Vec3;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Sine of the angle between neighbours up to which their common edge counts as flat.
const FLAT_ANGLE: f64 = 1e-5;
/// Marks an edge with no single neighbour.
const NOBODY: u32 = u32::MAX;

/// A triangle mesh or height field.
#[derive(Clone)]
pub struct Surface {
    /// Corner positions, m.
    pub vertices: Vec<Vec3>,
    /// Whether everything below the surface along z is solid (height fields).
    pub solid_below: bool,
    facets: Vec<Facet>,
    /// Facets as solids about their centroids, and the centroids.
    triangles: Vec<(Solid, Vec3)>,
    /// Neighbours of vertex i along edges: `ring[start[i]..start[i + 1]]`.
    ring: Vec<u32>,
    start: Vec<usize>,
    /// Over the triangles.
    pub tree: Tree,
    highest: f64,
    /// Its convex hull, without faces, if it has a volume and is not a height field.
    pub around: Option<Solid>,
    /// Whether it is closed: every edge joins two triangles that run along it in opposite directions.
    pub is_closed: bool,
    /// Whether it is the closed surface of a convex solid.
    pub is_convex: bool,
}

#[derive(Clone)]
struct Facet {
    corners: [u32; 3],
    normal: Vec3,
    /// Feature numbers, [`FLAT`] for features that do not protrude.
    corner_features: [u32; 3],
    edge_features: [u32; 3],
    /// Number of the coplanar region it belongs to.
    face: u32,
    /// The third corner of the neighbour across each edge, or [`NOBODY`].
    across: [u32; 3],
}

impl Surface {
    /// From vertices and triangles with valid indices; `None` if no triangle has an area.
    pub fn new(vertices: &[Vec3], triangles: &[[u32; 3]], solid_below: bool) -> Option<Self> {
        let same = weld(vertices);
        let mut facets: Vec<Facet> = Vec::new();
        for triangle in triangles {
            let corners = triangle.map(|i| same[i as usize]);
            let [a, b, c] = corners.map(|i| vertices[i as usize]);
            let cross = (b - a).cross(&(c - a));
            let longest2 = (b - a)
                .norm_squared()
                .max((c - a).norm_squared())
                .max((c - b).norm_squared());
            // A sliver has no normal; its neighbours close the surface.
            if cross.norm() <= 1e-10 * longest2 {
                continue;
            }
            facets.push(Facet {
                corners,
                normal: cross.normalize(),
                corner_features: corners,
                edge_features: [0; 3],
                face: 0,
                across: [NOBODY; 3],
            });
        }
        if facets.is_empty() {
            return None;
        }
        let edges = connect(vertices, &mut facets);
        let around = Around::new(vertices, &facets).filter(|_| !solid_below);
        let (ring, start) = rings(vertices.len(), &facets);
        let boxes: Vec<Bounds> = facets
            .iter()
            .map(|f| {
                let [a, b, c] = f.corners.map(|i| vertices[i as usize]);
                Bounds {
                    lo: a.inf(&b).inf(&c),
                    hi: a.sup(&b).sup(&c),
                }
            })
            .collect();
        Some(Self {
            highest: boxes
                .iter()
                .map(|b| b.hi.z)
                .fold(f64::NEG_INFINITY, f64::max),
            vertices: vertices.to_vec(),
            solid_below,
            tree: Tree::new(&boxes),
            // Each of several parts may be convex although the whole is not.
            is_closed: edges.closed,
            is_convex: edges.convex && around.as_ref().is_some_and(|a| a.fills > 1.0 - 1e-4),
            around: around.map(|a| a.solid),
            triangles: facets.iter().map(|f| f.solid(vertices)).collect(),
            facets,
            ring,
            start,
        })
    }

    /// Number of triangles.
    #[cfg(test)]
    pub fn len(&self) -> u32 {
        self.facets.len() as u32
    }

    /// Triangles that may touch the box from `lo` to `hi` (surface frame, m), ascending.
    pub fn near(&self, lo: &Vec3, hi: &Vec3, found: &mut Vec<u32>) {
        let mut query = Bounds { lo: *lo, hi: *hi };
        if self.solid_below {
            // A body that has sunk in must still see the surface above it.
            query.hi.z = hi.z.max(self.highest);
        }
        found.clear();
        self.tree.overlapping(&query, |i| found.push(i));
        found.sort_unstable();
    }

    /// Triangle `index` as a solid about its centroid, and the centroid (surface frame, m).
    #[inline]
    pub fn triangle(&self, index: u32) -> &(Solid, Vec3) {
        &self.triangles[index as usize]
    }

    /// Corners of triangle `index`, counter-clockwise seen from outside (surface frame, m).
    pub fn corners_of(&self, index: u32) -> [Vec3; 3] {
        let corners = self.facets[index as usize].corners;
        corners.map(|i| self.vertices[i as usize])
    }

    /// Corners of each triangle, counter-clockwise seen from outside, m.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> {
        (0..self.facets.len() as u32).map(|i| self.corners_of(i))
    }

    /// The feature of triangle `index` that faces the unit vector `n` (surface frame), and whether the whole surface
    /// next to that feature lies behind it: only then can a body touch the surface there with this normal.
    pub fn feature_facing(&self, index: u32, n: &Vec3) -> (u32, bool) {
        let facet = &self.facets[index as usize];
        let points = facet.corners.map(|i| self.vertices[i as usize]);
        let heights = points.map(|p| p.dot(n));
        let top = heights[0].max(heights[1]).max(heights[2]);
        let size = self.triangles[index as usize].0.size;
        let is_top = heights.map(|h| h >= top - 1e-6 * size);
        let behind = |w: u32, v: Vec3| {
            let d = self.vertices[w as usize] - v;
            let rise = n.dot(&d);
            rise <= 0.0 || rise * rise <= 1e-12 * d.norm_squared()
        };
        match is_top {
            [true, true, true] => (facet.face, n.dot(&facet.normal) > 0.0),
            _ if is_top.iter().filter(|t| **t).count() == 2 => {
                let k = (0..3)
                    .find(|&k| is_top[k] && is_top[(k + 1) % 3])
                    .unwrap_or(0);
                let across = facet.across[k];
                let free = across == NOBODY || behind(across, points[k]);
                (facet.edge_features[k], free)
            }
            _ => {
                let k = is_top.iter().position(|t| *t).unwrap_or(0);
                let v = facet.corners[k] as usize;
                let around = &self.ring[self.start[v]..self.start[v + 1]];
                let free = around.iter().all(|&w| behind(w, points[k]));
                (facet.corner_features[k], free)
            }
        }
    }

    /// The corner of triangle `index` that alone is foremost along the unit vector `n`, if one is, and all its corners
    /// (surface frame, m).
    pub fn foremost_corner(&self, index: u32, n: &Vec3) -> Option<(usize, [Vec3; 3])> {
        let corners = self.corners_of(index);
        let heights = corners.map(|p| p.dot(n));
        let top = heights[0].max(heights[1]).max(heights[2]);
        let near = 1e-6 * self.triangles[index as usize].0.size;
        let mut foremost = (0..3).filter(|&k| heights[k] >= top - near);
        match (foremost.next(), foremost.next()) {
            (Some(k), None) => Some((k, corners)),
            _ => None,
        }
    }

    /// Whether `p` (surface frame, m) is within `reach` (m) of a triangle other than `index`. Triangles whose normals
    /// differ by more than 120° are ignored, so that the far side of a thin plate does not count.
    pub fn is_near_another(&self, index: u32, p: &Vec3, reach: f64) -> bool {
        let normal = self.normal(index);
        let here = Bounds { lo: *p, hi: *p };
        let mut found = false;
        self.tree.overlapping(&here.grown(reach), |other| {
            found |= other != index
                && self.normal(other).dot(&normal) > -0.5
                && self.distance(other, p) < reach;
        });
        found
    }

    /// Distance of `p` from triangle `index` (surface frame, m).
    fn distance(&self, index: u32, p: &Vec3) -> f64 {
        let corners = self.corners_of(index);
        let normal = self.normal(index);
        let mut beside = f64::INFINITY;
        for k in 0..3 {
            let (from, edge) = (corners[k], corners[(k + 1) % 3] - corners[k]);
            let d = p - from;
            if normal.cross(&edge).dot(&d) < 0.0 {
                let along = (d.dot(&edge) / edge.norm_squared()).clamp(0.0, 1.0);
                beside = beside.min((d - edge * along).norm());
            }
        }
        // Over the triangle itself.
        if beside == f64::INFINITY {
            beside = normal.dot(&(p - corners[0])).abs();
        }
        beside
    }

    /// Outward unit normal of triangle `index` (surface frame).
    pub fn normal(&self, index: u32) -> Vec3 {
        self.facets[index as usize].normal
    }
}

impl Facet {
    /// As a solid about its centroid, and the centroid.
    fn solid(&self, vertices: &[Vec3]) -> (Solid, Vec3) {
        let points = self.corners.map(|i| vertices[i as usize]);
        let centroid = (points[0] + points[1] + points[2]) / 3.0;
        let points = points.map(|p| p - centroid);
        let size = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        let solid = Solid {
            core: Core::Triangle {
                points,
                normal: self.normal,
                corners: self.corner_features,
                edges: self.edge_features,
                face: self.face,
            },
            rounding: 0.0,
            size,
        };
        (solid, centroid)
    }
}

/// The convex hull of a surface.
struct Around {
    solid: Solid,
    /// Volume of the surface relative to that of the hull.
    fills: f64,
}

impl Around {
    fn new(vertices: &[Vec3], facets: &[Facet]) -> Option<Self> {
        let mut used: Vec<u32> = facets.iter().flat_map(|f| f.corners).collect();
        used.sort_unstable();
        used.dedup();
        let points: Vec<Vec3> = used.iter().map(|i| vertices[*i as usize]).collect();
        let (corners, triangles) = hull_of_any(&points)?;
        let of = |v: &[Vec3], t: [u32; 3]| {
            let [a, b, c] = t.map(|i| v[i as usize] - corners[0]);
            a.cross(&b).dot(&c)
        };
        let whole: f64 = triangles.iter().map(|t| of(&corners, *t)).sum();
        let volume: f64 = facets.iter().map(|f| of(vertices, f.corners)).sum();
        let size = corners.iter().map(|v| v.norm()).fold(0.0, f64::max);
        let core = Core::Hull(Arc::new(Hull::without_faces(corners)));
        Some(Self {
            solid: Solid {
                core,
                rounding: 0.0,
                size,
            },
            fills: volume / whole,
        })
    }
}

/// For every vertex the first one at exactly the same position: files often repeat corners.
fn weld(vertices: &[Vec3]) -> Vec<u32> {
    let mut seen = HashMap::new();
    vertices
        .iter()
        .enumerate()
        // Adding zero turns -0 into 0.
        .map(|(i, v)| {
            *seen
                .entry([v.x, v.y, v.z].map(|x| (x + 0.0).to_bits()))
                .or_insert(i as u32)
        })
        .collect()
}

/// What all edges of a surface have in common.
struct Edges {
    /// Each joins two triangles that run along it opposite ways.
    closed: bool,
    /// The same, and none is hollow.
    convex: bool,
}

/// Fill in neighbours, features and coplanar regions.
fn connect(vertices: &[Vec3], facets: &mut [Facet]) -> Edges {
    let mut sides: BTreeMap<(u32, u32), Vec<(usize, usize)>> = BTreeMap::new();
    for (f, facet) in facets.iter().enumerate() {
        for k in 0..3 {
            let (p, q) = (facet.corners[k], facet.corners[(k + 1) % 3]);
            sides.entry((p.min(q), p.max(q))).or_default().push((f, k));
        }
    }
    let mut region: Vec<usize> = (0..facets.len()).collect();
    let mut sticks_out = vec![false; vertices.len()];
    let mut all = Edges {
        closed: true,
        convex: true,
    };
    for (number, (ends, users)) in sides.iter().enumerate() {
        let mut feature = (vertices.len() + number) as u32;
        if let [(f, k), (g, l)] = users[..] {
            let across = [
                facets[g].corners[(l + 2) % 3],
                facets[f].corners[(k + 2) % 3],
            ];
            let d = vertices[across[0] as usize] - vertices[ends.0 as usize];
            let edge = vertices[ends.1 as usize] - vertices[ends.0 as usize];
            let wide = edge.cross(&d).norm() / edge.norm();
            let rise = facets[f].normal.dot(&d) / wide;
            facets[f].across[k] = across[0];
            facets[g].across[l] = across[1];
            // A fold of half a turn has no rise either, but its normals are opposite.
            let opposite = facets[f].normal.dot(&facets[g].normal) < 0.0;
            // Both may run along it the same way: one of them is inside out.
            all.closed &= facets[f].corners[k] != facets[g].corners[l];
            all.convex &= all.closed && rise <= FLAT_ANGLE;
            if rise.abs() <= FLAT_ANGLE && !opposite {
                let (x, y) = (root(&region, f), root(&region, g));
                region[x.max(y)] = x.min(y);
            }
            // Flat and hollow edges carry no load beyond that of the adjacent faces.
            if rise >= -FLAT_ANGLE && !opposite {
                feature = FLAT;
            }
        } else {
            (all.closed, all.convex) = (false, false);
        }
        if feature != FLAT {
            sticks_out[ends.0 as usize] = true;
            sticks_out[ends.1 as usize] = true;
        }
        for &(f, k) in users {
            facets[f].edge_features[k] = feature;
        }
    }
    for (f, facet) in facets.iter_mut().enumerate() {
        facet.face = (vertices.len() + sides.len() + root(&region, f)) as u32;
        for (feature, v) in facet.corner_features.iter_mut().zip(facet.corners) {
            *feature = if sticks_out[v as usize] { v } else { FLAT };
        }
    }
    all
}

fn root(region: &[usize], mut i: usize) -> usize {
    while region[i] != i {
        i = region[i];
    }
    i
}

/// Neighbours of every vertex along edges, ascending.
fn rings(vertices: usize, facets: &[Facet]) -> (Vec<u32>, Vec<usize>) {
    let mut pairs: Vec<(u32, u32)> = facets
        .iter()
        .flat_map(|f| {
            let [a, b, c] = f.corners;
            [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)]
        })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let start = (0..=vertices as u32)
        .map(|v| pairs.partition_point(|p| p.0 < v))
        .collect();
    (pairs.into_iter().map(|p| p.1).collect(), start)
}

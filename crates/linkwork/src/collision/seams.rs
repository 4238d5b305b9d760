//! Shapes of one body, or of the world, that lie flush against each other act as one surface.
//!
//! A solid on its own would stop a body that slides onto it from its neighbour: the shortest way out leads back,
//! through the face that the neighbour covers. A contact is a ghost contact if neighbours cover all its points (see
//! `cover`). Then the uncovered faces of the solid replace the axis, the best first. Triangles of surfaces do the same
//! with their own normal (see `triangle`).

use super::broad::Bounds;
use super::convex::{Axis, Scratch, clip_along};
use super::cover::{Covers, FLUSH, IS_FACE, Spot};
use super::manifold::Manifold;
use super::patch::{Outline, Patch};
use super::prepare::{Form, Prepared};
use super::solid::{Core, Placed, Solid};
use super::tree::Tree;
use crate::math::Vec3;
use std::collections::BTreeMap;

/// Neighbouring shapes of the same body: solids with faces, and surfaces.
pub struct Neighbours {
    /// Those of shape i: `listed[start[i]..start[i + 1]]`, ascending.
    start: Vec<u32>,
    listed: Vec<u32>,
}

/// The solid of a shape that has faces to lie flush with.
pub fn faced(form: &Form) -> Option<&Solid> {
    match form {
        Form::Solid(solid) => match solid.core {
            Core::Box { .. } | Core::Cylinder { .. } | Core::Hull(_) => Some(solid),
            _ => None,
        },
        _ => None,
    }
}

impl Neighbours {
    /// Of all shapes.
    pub fn new(shapes: &[Prepared]) -> Self {
        let mut bodies: BTreeMap<Option<usize>, Vec<(u32, Bounds)>> = BTreeMap::new();
        for (i, shape) in (0..).zip(shapes) {
            if faced(&shape.form).is_some() || matches!(shape.form, Form::Surface(_)) {
                let rotation = shape.local.rotation.to_rotation_matrix().into_inner();
                let (centre, half) = shape.bounds(&rotation, &shape.local.position);
                let half = half.add_scalar(FLUSH * shape.size);
                let (lo, hi) = (centre - half, centre + half);
                let all = bodies.entry(shape.body).or_default();
                all.push((i, Bounds { lo, hi }));
            }
        }
        let mut pairs = Vec::new();
        for all in bodies.values().filter(|all| all.len() > 1) {
            let boxes: Vec<Bounds> = all.iter().map(|x| x.1).collect();
            let tree = Tree::new(&boxes);
            for (i, bounds) in all {
                tree.overlapping(bounds, |k| {
                    let j = all[k as usize].0;
                    if j != *i {
                        pairs.push((*i, j));
                    }
                });
            }
        }
        pairs.sort_unstable();
        Self {
            start: (0..=shapes.len() as u32)
                .map(|i| pairs.partition_point(|p| p.0 < i) as u32)
                .collect(),
            listed: pairs.into_iter().map(|p| p.1).collect(),
        }
    }

    /// Of one shape.
    #[inline]
    pub fn of(&self, shape: u32) -> &[u32] {
        let i = shape as usize;
        &self.listed[self.start[i] as usize..self.start[i + 1] as usize]
    }
}

/// A solid (`own`) with neighbours, and what touches it.
pub struct Seam<'a> {
    /// The solid.
    pub own: Placed<'a>,
    /// What touches it.
    pub other: Placed<'a>,
    /// Whether any neighbour that the other may touch covers a position.
    pub covers: &'a Covers<'a>,
    /// How far contacts are looked for, m.
    pub reach: f64,
}

impl Seam<'_> {
    /// Replaces the points (normals from `own` to `other`) if all are ghost contacts. `faces` is working memory.
    pub fn leave(
        &self,
        scratch: &mut Scratch,
        faces: &mut Vec<(f64, Vec3)>,
        points: &mut Manifold,
    ) {
        if !self.is_ghost(points, &mut scratch.patches[0]) {
            return;
        }
        points.clear();
        faces.clear();
        let round = self.own.solid.rounding + self.other.solid.rounding;
        self.own.all_faces(|n, height| {
            let lowest = n.dot(&self.other.support(&-n)) - round;
            faces.push((lowest - height, n));
        });
        let order = |v: &Vec3| [v.x, v.y, v.z];
        faces.sort_unstable_by(|x, y| {
            let [p, q] = [order(&x.1), order(&y.1)];
            let by_normal = || p.partial_cmp(&q).unwrap_or(std::cmp::Ordering::Equal);
            y.0.total_cmp(&x.0).then_with(by_normal)
        });
        for &(separation, n) in faces.iter() {
            let axis = Axis {
                n,
                separation,
                owner: Some(0),
            };
            clip_along(&self.own, &self.other, &axis, &mut scratch.patches, points);
            if !self.is_ghost(points, &mut scratch.patches[0]) {
                if separation > self.reach {
                    points.clear();
                }
                return;
            }
            points.clear();
        }
    }

    /// Whether there are points, and all of them are covered.
    fn is_ghost(&self, points: &Manifold, patch: &mut Patch) -> bool {
        let Some(n) = points.first().map(|c| c.normal) else {
            return false;
        };
        self.own.patch(&n, patch);
        let face = centre_of_face(patch, &n);
        let size = self.own.solid.size;
        points
            .iter()
            .all(|c| (self.covers)(&Spot::new(c.on_a, n, face, size)))
    }
}

/// The middle of the face outlined by a patch, if `n` is its normal.
fn centre_of_face(patch: &Patch, n: &Vec3) -> Option<Vec3> {
    let points = &patch.points[..patch.len];
    match patch.outline {
        Outline::Disk { centre, axis, .. } => (axis.dot(n) >= IS_FACE).then_some(centre),
        Outline::Polygon => {
            let middle = points.iter().sum::<Vec3>() / points.len() as f64;
            let first = points[0];
            let normal = (2..points.len())
                .map(|k| (points[k - 1] - first).cross(&(points[k] - first)))
                .sum::<Vec3>();
            // Corners may run either way round.
            let is_face = normal.dot(n).abs() >= IS_FACE * normal.norm();
            is_face.then_some(middle)
        }
        Outline::Point | Outline::Segment => None,
    }
}

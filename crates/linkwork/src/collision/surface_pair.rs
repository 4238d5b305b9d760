//! A surface against a convex solid, triangle by triangle, and against another surface.

use super::convex::{PREFER_FACE, Scratch, pair_size, separation};
use super::cover::Covers;
use super::gjk::{Answer, witness};
use super::manifold::Manifold;
use super::solid::{Placed, Solid};
use super::surface::Surface;
use super::triangle::{Against, collide};
use crate::math::{Mat3, Vec3};

/// A surface at a place.
#[derive(Clone, Copy)]
pub struct PlacedSurface<'a> {
    /// The surface.
    pub surface: &'a Surface,
    /// Orientation.
    pub rotation: Mat3,
    /// Position of its origin, m.
    pub position: Vec3,
    /// Whether neighbours cover a place of it, if it has any.
    pub covers: Option<&'a Covers<'a>>,
}

impl PlacedSurface<'_> {
    /// One of its triangles, about its centroid.
    #[inline]
    pub fn placed<'s>(&self, solid: &'s Solid, centroid: &Vec3) -> Placed<'s> {
        Placed {
            solid,
            rotation: self.rotation,
            position: self.position + self.rotation * centroid,
        }
    }

    /// A solid in the frame of the surface.
    fn whole<'s>(&self, solid: &'s Solid) -> Placed<'s> {
        Placed {
            solid,
            rotation: self.rotation,
            position: self.position,
        }
    }

    /// The box around `b`, grown by `reach`, in the frame of the surface.
    fn bounds(&self, b: &Placed, reach: f64) -> (Vec3, Vec3) {
        let (mut lo, mut hi) = (Vec3::zeros(), Vec3::zeros());
        let grow = reach + b.solid.rounding;
        for k in 0..3 {
            let axis: Vec3 = self.rotation.column(k).into();
            hi[k] = axis.dot(&(b.support(&axis) - self.position)) + grow;
            lo[k] = axis.dot(&(b.support(&-axis) - self.position)) - grow;
        }
        (lo, hi)
    }
}

/// Working memory: triangles, pairs of them, and nodes of two trees.
#[derive(Default)]
pub struct Near {
    triangles: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    stack: Vec<(u32, u32)>,
}

/// Contacts of a surface (A) and a convex solid (B).
pub fn solid(
    a: &PlacedSurface,
    b: &Placed,
    reach: f64,
    scratch: &mut Scratch,
    near: &mut Near,
    out: &mut Manifold,
) {
    let (lo, hi) = a.bounds(b, reach);
    a.surface.near(&lo, &hi, &mut near.triangles);
    let against = Against::new(a, b, reach);
    let first = out.len();
    let mut tilted = false;
    for &index in &near.triangles {
        tilted |= collide(&against, index, scratch, out);
    }
    if tilted && let Some(around) = &a.surface.around {
        bound(&a.whole(around), b, first, scratch, out);
    }
}

/// Removes the points from `first` on that are deeper than a shift that separates both convex hulls, along the normal
/// of a triangle or edge that the other has nearly passed.
fn bound(a: &Placed, b: &Placed, first: usize, scratch: &mut Scratch, out: &mut Manifold) {
    let Answer::Near(found) = witness(a, b, f64::INFINITY, &mut scratch.expansion) else {
        return;
    };
    let deepest = separation(a, b, &found.n) - PREFER_FACE * pair_size(a, b);
    let mut keep = first;
    for k in first..out.len() {
        if out[k].gap >= deepest {
            out[keep] = out[k];
            keep += 1;
        }
    }
    out.truncate(keep);
}

/// Contacts of two surfaces: triangles of B against those of A.
pub fn surface(
    a: &PlacedSurface,
    b: &PlacedSurface,
    reach: f64,
    scratch: &mut Scratch,
    near: &mut Near,
    out: &mut Manifold,
) {
    let rotation = a.rotation.tr_mul(&b.rotation);
    let position = a.rotation.tr_mul(&(b.position - a.position));
    let Near { pairs, stack, .. } = near;
    pairs.clear();
    a.surface.tree.near_pairs(
        &b.surface.tree,
        (&rotation, &position),
        reach,
        a.surface.solid_below,
        stack,
        |i, j| pairs.push((j, i)),
    );
    pairs.sort_unstable();
    let first = out.len();
    let mut tilted = false;
    for &(j, i) in pairs.iter() {
        let (triangle, centroid) = b.surface.triangle(j);
        let placed = b.placed(triangle, centroid);
        tilted |= collide(&Against::new(a, &placed, reach), i, scratch, out);
    }
    if tilted && let (Some(p), Some(q)) = (&a.surface.around, &b.surface.around) {
        bound(&a.whole(p), &b.whole(q), first, scratch, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::manifold::Candidate;
    use crate::collision::solid::Core;
    use crate::math::exp;

    /// A bumpy sheet, or a ball of triangles.
    fn surfaces() -> [Surface; 2] {
        let n = 12;
        let at = |k: u32| {
            let (x, y) = (f64::from(k / n), f64::from(k % n));
            Vec3::new(x - 5.5, y - 5.5, (1.7 * x).sin() + (2.3 * y).cos()) * 0.1
        };
        let sheet: Vec<Vec3> = (0..n * n).map(at).collect();
        let cells = (0..n - 1).flat_map(|i| (0..n - 1).map(move |j| n * i + j));
        let triangles: Vec<[u32; 3]> = cells
            .flat_map(|a| [[a, a + n, a + n + 1], [a, a + n + 1, a + 1]])
            .collect();
        let ball = (0..60).map(|k| {
            let z: f64 = 1.0 - (2.0 * f64::from(k) + 1.0) / 60.0;
            let (s, c) = (2.4 * f64::from(k)).sin_cos();
            Vec3::new((1.0 - z * z).sqrt() * c, (1.0 - z * z).sqrt() * s, z) * 0.3
        });
        let ball: Vec<Vec3> = ball.collect();
        let (vertices, facets) = crate::collision::library::convex_hull(&ball).unwrap();
        [
            Surface::new(&sheet, &triangles, false).unwrap(),
            Surface::new(&vertices, &facets, false).unwrap(),
        ]
    }

    /// Those within reach, in order.
    fn kept(mut points: Manifold, reach: f64) -> Vec<(u64, [f64; 7])> {
        points.retain(|c| c.gap <= reach);
        let numbers = |c: &Candidate| {
            let (p, n) = (c.point(), c.normal);
            (c.key(), [p.x, p.y, p.z, n.x, n.y, n.z, c.gap])
        };
        let mut all: Vec<_> = points.iter().map(numbers).collect();
        all.sort_by(|x, y| x.partial_cmp(y).unwrap());
        all
    }

    fn agree(x: &[(u64, [f64; 7])], y: &[(u64, [f64; 7])]) -> bool {
        let close = |p: &[f64; 7], q: &[f64; 7]| p.iter().zip(q).all(|(a, b)| (a - b).abs() < 1e-9);
        x.len() == y.len()
            && x.iter()
                .zip(y)
                .all(|(a, b)| a.0 == b.0 && close(&a.1, &b.1))
    }

    #[test]
    fn trees_leave_out_no_contact_that_all_triangles_give() {
        let surfaces = surfaces();
        let reach = 0.01;
        let (mut scratch, mut near) = (Scratch::default(), Near::default());
        let cores = [
            Core::Box {
                half: Vec3::new(0.1, 0.15, 0.2),
            },
            Core::Point,
            Core::Cylinder {
                radius: 0.1,
                half: 0.2,
            },
        ];
        let mut found = [0; 2];
        for k in 0..40 {
            let turn = Vec3::new(0.3, 1.7, -0.9) * f64::from(k);
            let b = PlacedSurface {
                surface: &surfaces[1],
                rotation: exp(&turn).to_rotation_matrix().into_inner(),
                position: Vec3::new(0.02 * f64::from(k % 5), 0.1, 0.2 + 0.01 * f64::from(k % 13)),
                covers: None,
            };
            let a = PlacedSurface {
                surface: &surfaces[0],
                rotation: exp(&-turn.yzx()).to_rotation_matrix().into_inner(),
                position: Vec3::zeros(),
                covers: None,
            };
            let (mut by_tree, mut by_all) = (Manifold::new(), Manifold::new());
            surface(&a, &b, reach, &mut scratch, &mut near, &mut by_tree);
            let mut tilted = false;
            for j in 0..b.surface.len() {
                let (triangle, centroid) = b.surface.triangle(j);
                let placed = b.placed(triangle, centroid);
                for i in 0..a.surface.len() {
                    let against = Against::new(&a, &placed, reach);
                    tilted |= collide(&against, i, &mut scratch, &mut by_all);
                }
            }
            if tilted && let (Some(p), Some(q)) = (&a.surface.around, &b.surface.around) {
                bound(&a.whole(p), &b.whole(q), 0, &mut scratch, &mut by_all);
            }
            let (by_tree, by_all) = (kept(by_tree, reach), kept(by_all, reach));
            assert!(agree(&by_tree, &by_all), "{k}");
            found[0] += by_tree.len();

            let rounding = if k % 3 == 1 { 0.2 } else { 0.0 };
            let solid_b = Solid {
                core: cores[k as usize % 3].clone(),
                rounding,
                size: 0.3,
            };
            let placed = Placed {
                solid: &solid_b,
                rotation: b.rotation,
                position: b.position,
            };
            let (mut by_tree, mut by_all) = (Manifold::new(), Manifold::new());
            solid(&a, &placed, reach, &mut scratch, &mut near, &mut by_tree);
            let against = Against::new(&a, &placed, reach);
            let mut tilted = false;
            for i in 0..a.surface.len() {
                tilted |= collide(&against, i, &mut scratch, &mut by_all);
            }
            if tilted && let Some(around) = &a.surface.around {
                bound(&a.whole(around), &placed, 0, &mut scratch, &mut by_all);
            }
            let (by_tree, by_all) = (kept(by_tree, reach), kept(by_all, reach));
            assert!(agree(&by_tree, &by_all), "{k}");
            found[1] += by_tree.len();
        }
        assert!(found[0] > 100 && found[1] > 100, "{found:?}");
    }
}

//! The depth of an overlap: a polytope inside the difference of two cores is expanded, where it is nearest to the
//! origin, until it reaches the surface of the difference.
//!
//! The depth is at least the distance of the nearest facet, because the polytope lies in the difference, and at most
//! the height of the difference along the normal of any facet. The search ends where the two bounds meet. A facet in
//! whose plane the new point lies counts as visible from it, so that flat facets of the difference are covered by one
//! fan without slivers.

use super::difference::{Difference, Point};
use super::gjk::Witness;
use super::simplex::Simplex;
use super::solid::Placed;
use crate::math::{Vec3, tangent_basis};

/// Allowed difference between the bounds of the depth, relative to the sizes of the solids.
const ENOUGH: f64 = 1e-10;
/// Height above a facet up to which a point counts as lying in it, relative to the sizes of the solids.
const LEVEL: f64 = 1e-14;
/// Maximum number of corners; polyhedra need tens, curved solids about a hundred.
const MOST: usize = 400;
/// Thickness, relative to the sizes of the solids, below which a difference has no volume.
const FLAT: f64 = 1e-12;

/// Working memory.
#[derive(Default)]
pub struct Expansion {
    points: Vec<Point>,
    facets: Vec<Facet>,
    /// Facets visible from the newest point, and whether they are connected with the facet for which it was computed.
    seen: Vec<(Facet, bool)>,
    horizon: Vec<[u32; 2]>,
}

#[derive(Clone, Copy, Debug)]
struct Facet {
    corners: [u32; 3],
    /// Outward unit normal; zero if there is no area.
    normal: Vec3,
    /// Of its plane, m; infinite without area.
    height: f64,
}

impl Facet {
    fn edges(&self) -> [[u32; 2]; 3] {
        let [p, q, r] = self.corners;
        [[p, q], [q, r], [r, p]]
    }
}

impl Expansion {
    /// Deepest points of overlapping or touching cores, from a simplex that contains the origin, or nearly contains it.
    pub fn deepest(&mut self, a: &Placed, difference: &Difference, from: &Simplex) -> Witness {
        let size = difference.size;
        self.points.clear();
        self.facets.clear();
        if let Err(n) = self.start(difference, from) {
            // No volume: the depth is zero, across its plane.
            let on_a = a.position + a.rotation * from.on_a();
            let n = a.rotation * n;
            return Witness {
                n,
                on_a,
                on_b: on_a,
            };
        }
        let mut best = (f64::INFINITY, self.facets[0]);
        while let Some(near) = self.nearest() {
            let facet = self.facets[near];
            let point = difference.support(&facet.normal);
            let height = facet.normal.dot(&point.w);
            if height < best.0 {
                best = (height, facet);
            }
            let known = facet.corners.map(|i| self.points[i as usize].w);
            if best.0 - facet.height <= ENOUGH * size
                || known.contains(&point.w)
                || self.points.len() >= MOST
            {
                break;
            }
            self.expand(near, point, LEVEL * size);
        }
        let (height, facet) = best;
        let n = a.rotation * -facet.normal;
        let on_a = a.position + a.rotation * self.foot(&facet);
        Witness {
            n,
            on_a,
            on_b: on_a - n * height,
        }
    }

    /// A tetrahedron that contains the simplex; the normal of the difference if it is flat.
    fn start(&mut self, difference: &Difference, from: &Simplex) -> Result<(), Vec3> {
        let thin = FLAT * difference.size;
        self.points.extend_from_slice(&from.points[..from.len]);
        // The farther of the support points along ± d from the first one, if that is far enough.
        let farther = |p: &Vec3, d: &Vec3| {
            let ends = [difference.support(d), difference.support(&-d)];
            let far = ends.map(|e| (e.w - p).dot(d).abs());
            let end = if far[0] >= far[1] { 0 } else { 1 };
            (far[end] > thin).then_some(ends[end])
        };
        if self.points.len() == 1 {
            let p = self.points[0].w;
            let found = [Vec3::x(), Vec3::y(), Vec3::z()]
                .iter()
                .find_map(|d| farther(&p, d));
            self.points.push(found.ok_or(Vec3::z())?);
        }
        if self.points.len() == 2 {
            let p = self.points[0].w;
            let d = (self.points[1].w - p).normalize();
            let (t, u) = tangent_basis(&d);
            let found = farther(&p, &t).or_else(|| farther(&p, &u));
            self.points.push(found.ok_or(t)?);
        }
        if self.points.len() == 3 {
            let [p, q, r] = [0, 1, 2].map(|i: usize| self.points[i].w);
            let n = (q - p).cross(&(r - p));
            let n = n
                .try_normalize(0.0)
                .unwrap_or_else(|| tangent_basis(&(q - p).normalize()).0);
            self.points.push(farther(&p, &n).ok_or(n)?);
        }
        let [p, q, r, s] = [0, 1, 2, 3].map(|i: usize| self.points[i].w);
        let n = (q - p).cross(&(r - p));
        let order = if n.dot(&(s - p)) > 0.0 {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        } else {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
        };
        for corners in order {
            let facet = self.facet(corners);
            self.facets.push(facet);
        }
        Ok(())
    }

    fn facet(&self, corners: [u32; 3]) -> Facet {
        let [p, q, r] = corners.map(|i| self.points[i as usize].w);
        let cross = (q - p).cross(&(r - p));
        match cross.try_normalize(0.0) {
            Some(normal) => Facet {
                corners,
                normal,
                height: normal.dot(&p),
            },
            None => Facet {
                corners,
                normal: Vec3::zeros(),
                height: f64::INFINITY,
            },
        }
    }

    /// The facet nearest to the origin; a facet with the origin beyond it counts as nearer.
    fn nearest(&self) -> Option<usize> {
        let (mut best, mut least) = (None, f64::INFINITY);
        for (i, facet) in self.facets.iter().enumerate() {
            if facet.height < least {
                (best, least) = (Some(i), facet.height);
            }
        }
        best
    }

    /// Replaces the facets visible from `point`, including `near`, by those between it and their outline. Only facets
    /// connected with `near` are replaced. For a convex polytope all visible facets are, but because of rounding a
    /// facet elsewhere may count as visible too. Replacing it with the others would leave two more facets each time,
    /// and further facets that are visible by rounding: two cones took 1e9 of them.
    fn expand(&mut self, near: usize, point: Point, level: f64) {
        let new = self.points.len() as u32;
        self.points.push(point);
        self.seen.clear();
        let mut i = 0;
        let mut near = Some(near);
        while i < self.facets.len() {
            let facet = self.facets[i];
            let rise = facet.normal.dot(&point.w) - facet.height;
            // Facets without area are not visible from anywhere (their height is minus infinity).
            if rise < -level && near != Some(i) {
                i += 1;
                continue;
            }
            let last = self.facets.len() - 1;
            self.facets.swap_remove(i);
            self.seen.push((facet, near == Some(i)));
            near = match near {
                Some(n) if n == i => None,
                Some(n) if n == last => Some(i),
                other => other,
            };
        }
        self.link_seen();
        self.horizon.clear();
        for (facet, linked) in &self.seen {
            if !linked {
                self.facets.push(*facet);
                continue;
            }
            for [from, to] in facet.edges() {
                match self.horizon.iter().position(|e| *e == [to, from]) {
                    Some(k) => {
                        self.horizon.swap_remove(k);
                    }
                    None => self.horizon.push([from, to]),
                }
            }
        }
        for k in 0..self.horizon.len() {
            let [from, to] = self.horizon[k];
            let facet = self.facet([from, to, new]);
            self.facets.push(facet);
        }
    }

    /// Marks the visible facets that are connected over edges with a marked one.
    fn link_seen(&mut self) {
        let mut grows = true;
        while grows {
            grows = false;
            for i in 0..self.seen.len() {
                let (facet, linked) = self.seen[i];
                let meets = |other: &Facet| {
                    let edges = other.edges();
                    facet.edges().iter().any(|[p, q]| edges.contains(&[*q, *p]))
                };
                if !linked
                    && self
                        .seen
                        .iter()
                        .any(|(other, linked)| *linked && meets(other))
                {
                    self.seen[i].1 = true;
                    grows = true;
                }
            }
        }
    }

    /// The point of A that belongs to the projection of the origin on a facet, frame of A, m.
    fn foot(&self, facet: &Facet) -> Vec3 {
        let mut simplex = Simplex::new(self.points[facet.corners[0] as usize]);
        for corner in &facet.corners[1..] {
            simplex.push(self.points[*corner as usize]);
        }
        simplex.nearest();
        simplex.on_a()
    }
}

//! The Minkowski difference of two boxes, capsules or cylinders: a sum of segments and disks.
//!
//! All these solids are symmetric about their centres. With w the vector from centre to centre, the separation along a
//! unit vector n with n·w ≥ 0 is therefore
//! f(n) = n·w - Σ sᵢ |n·dᵢ| - Σ rₖ |n - (n·uₖ) uₖ|,
//! with segments ± sᵢ dᵢ and disks of radius rₖ perpendicular to uₖ. The signed distance is the maximum of f. The
//! difference is the intersection of the half spaces through its facets. These are flat (normal to two of the segments,
//! or to a disk), ruled by a segment, or formed by two rims. So the maxima over the circles n ⊥ dᵢ, the disk axes, and
//! for two disks a search over the rims, find every overlap. For separated solids the nearest point may also lie on an
//! edge or a corner.

use crate::math::{Vec3, tangent_basis};

/// Sine of the angle up to which a segment or disk counts as perpendicular to the axis.
pub(super) const ACROSS: f64 = 1e-11;
/// Residual of a projected point that proves a distance, relative to the size of the pair.
const PROVEN: f64 = 1e-10;

/// Sum of `S` segments and `D` disks around the origin, seen from the point `w`.
pub struct Sum<const S: usize, const D: usize> {
    /// The point, m.
    pub w: Vec3,
    /// Unit direction and half length (m) of each segment.
    pub segments: [(Vec3, f64); S],
    /// Unit axis and radius (m) of each disk.
    pub disks: [(Vec3, f64); D],
    /// Radius of a ball inside the sum, m.
    pub inside: f64,
    /// Length that sets the tolerances, m.
    pub size: f64,
}

/// The point of the sum nearest to the one at height -f below `w` along an axis.
pub struct Foot<const S: usize, const D: usize> {
    /// Position on each segment, m.
    pub along: [f64; S],
    /// Position on each disk, m.
    pub across: [Vec3; D],
    /// What is left between it and the foot of `w`, m.
    pub rest: Vec3,
    /// Whether that is zero: the projected point lies on the sum, so the axis is a local maximum; for separated solids,
    /// the maximum.
    pub proven: bool,
}

/// An axis and the separation along it, m.
#[derive(Clone, Copy, Debug)]
pub struct Best {
    /// Unit vector with n·w ≥ 0.
    pub n: Vec3,
    /// Separation, m.
    pub f: f64,
}

impl<const S: usize, const D: usize> Sum<S, D> {
    /// Separation along the unit vector `n`, m.
    #[inline]
    pub fn separation(&self, n: &Vec3) -> f64 {
        let mut f = n.dot(&self.w).abs();
        for (d, s) in &self.segments {
            f -= s * n.dot(d).abs();
        }
        for (u, r) in &self.disks {
            f -= r * (n - u * n.dot(u)).norm();
        }
        f
    }

    /// The unit vector `n` or its opposite with the separation along it.
    pub fn towards(&self, n: Vec3) -> Best {
        let f = self.separation(&n);
        let n = if n.dot(&self.w) < 0.0 { -n } else { n };
        Best { n, f }
    }

    /// The foot of `w` along an axis.
    pub fn foot(&self, best: &Best) -> Foot<S, D> {
        let n = &best.n;
        let mut rest = self.w - n * best.f;
        let mut along = [0.0; S];
        let mut free = [0; S];
        let mut count = 0;
        for (k, (d, s)) in self.segments.iter().enumerate() {
            let slope = n.dot(d);
            if slope.abs() <= ACROSS {
                free[count] = k;
                count += 1;
            } else {
                along[k] = s.copysign(slope);
                rest -= d * along[k];
            }
        }
        let mut across = [Vec3::zeros(); D];
        let mut flat = [false; D];
        for (k, (u, r)) in self.disks.iter().enumerate() {
            let radial = n - u * n.dot(u);
            let norm = radial.norm();
            if norm <= ACROSS {
                flat[k] = true;
            } else {
                across[k] = radial * (r / norm);
                rest -= across[k];
            }
        }
        let free = &free[..count];
        let mut solved = false;
        if let ([i, j], false) = (free, flat.contains(&true)) {
            // Two segments span the facet: their parts by Cramer's rule.
            let ((di, si), (dj, sj)) = (self.segments[*i], self.segments[*j]);
            let (x, y, z) = (rest.dot(&di), rest.dot(&dj), di.dot(&dj));
            let det = 1.0 - z * z;
            solved = det > 1e-8;
            if solved {
                along[*i] = ((x - z * y) / det).clamp(-si, si);
                along[*j] = ((y - z * x) / det).clamp(-sj, sj);
                rest -= di * along[*i] + dj * along[*j];
            }
        }
        if !solved {
            // One part after the other; exact at once if they are perpendicular or parallel.
            for _ in 0..8 {
                let before = rest;
                for &k in free {
                    let (d, s) = &self.segments[k];
                    let to = (along[k] + rest.dot(d)).clamp(-s, *s);
                    rest -= d * (to - along[k]);
                    along[k] = to;
                }
                for k in (0..D).filter(|k| flat[*k]) {
                    let (u, r) = &self.disks[k];
                    let to = across[k] + (rest - u * rest.dot(u));
                    let norm = to.norm();
                    let to = if norm > *r { to * (r / norm) } else { to };
                    rest -= to - across[k];
                    across[k] = to;
                }
                if (rest - before).norm_squared() <= 1e-24 * self.size * self.size {
                    break;
                }
            }
        }
        Foot {
            along,
            across,
            rest,
            proven: rest.norm() <= PROVEN * self.size,
        }
    }

    /// For separated solids, or between two rims: ascend from `best` with the segments fixed at the ends they have at
    /// its projected point, as long as that helps.
    pub fn climb(&self, best: &Best) -> Option<(Best, Foot<S, D>)> {
        let mut foot = self.foot(best);
        let mut best = *best;
        let mut found = None;
        for _ in 0..6 {
            let mut to = self.w;
            for ((d, s), along) in self.segments.iter().zip(foot.along) {
                to -= d * s.copysign(along);
            }
            let Some(n) = self.corner(&to, &self.off_cap(&best, &foot)) else {
                break;
            };
            let next = self.towards(n);
            if next.f <= best.f {
                break;
            }
            foot = self.foot(&next);
            best = next;
            let proven = foot.proven;
            found = Some(best);
            if proven {
                break;
            }
        }
        found.map(|best| {
            let foot = self.foot(&best);
            (best, foot)
        })
    }

    /// If f has a peak because a disk is perpendicular to the axis, an axis beside the peak: up the slope by about the
    /// distance of the next maximum. Otherwise the axis itself.
    fn off_cap(&self, best: &Best, foot: &Foot<S, D>) -> Vec3 {
        let slope = foot.rest.norm();
        let flat = |u: &Vec3| best.n.cross(u).norm() <= ACROSS;
        if foot.proven || !self.disks.iter().any(|(u, _)| flat(u)) {
            return best.n;
        }
        let up = foot.rest / slope;
        let bend = self
            .disks
            .iter()
            .filter(|(u, _)| !flat(u))
            .fold(best.f, |bend, (u, r)| {
                let rim = u.cross(&best.n);
                let norm = rim.norm();
                bend + r / norm * (rim.dot(&up) / norm).powi(2)
            });
        let step = if bend > 0.0 { slope / bend } else { 0.1 };
        (best.n + up * step.clamp(1e-6, 0.3)).normalize()
    }

    /// The best axis towards `to` from the disks alone, starting from `start` if there are two.
    fn corner(&self, to: &Vec3, start: &Vec3) -> Option<Vec3> {
        match self.disks.as_slice() {
            [] => to.try_normalize(0.0),
            [(u, r)] => {
                let flat = to - u * to.dot(u);
                let norm = flat.norm();
                // Over the disk its own axis is the best.
                (norm > *r)
                    .then(|| to - flat * (r / norm))
                    .and_then(|n| n.try_normalize(1e-14 * self.size))
            }
            _ => self.rims(to, start),
        }
    }

    /// Newton's method on the sphere for n·to - Σ r |n - (n·u) u|.
    fn rims(&self, to: &Vec3, start: &Vec3) -> Option<Vec3> {
        let value = |n: &Vec3| {
            self.disks
                .iter()
                .fold(n.dot(to), |f, (u, r)| f - r * u.cross(n).norm())
        };
        let mut n = *start;
        let mut f = value(&n);
        for _ in 0..30 {
            let (t1, t2) = tangent_basis(&n);
            let mut rest = *to;
            let (mut h11, mut h12, mut h22) = (0.0, 0.0, 0.0);
            for (u, r) in &self.disks {
                let radial = n - u * n.dot(u);
                let norm = radial.norm();
                if norm <= ACROSS {
                    continue;
                }
                rest -= radial * (r / norm);
                let rim = u.cross(&radial) / norm;
                let (x, y) = (rim.dot(&t1), rim.dot(&t2));
                let bend = r / norm;
                h11 += bend * x * x;
                h12 += bend * x * y;
                h22 += bend * y * y;
            }
            let (g1, g2) = (rest.dot(&t1), rest.dot(&t2));
            let convex = (h11 + f) * (h22 + f) - h12 * h12 > 1e-9 * h11 * h22 && h11 + f > 0.0;
            // Where f bends the wrong way a shorter step still climbs.
            let shift = if convex { f } else { f.abs() + 0.1 * self.size };
            let (a, b, c) = (h11 + shift, h12, h22 + shift);
            let det = a * c - b * b;
            let (x, y) = ((c * g1 - b * g2) / det, (a * g2 - b * g1) / det);
            let size2 = x * x + y * y;
            if size2.is_nan() {
                return None;
            }
            let mut scale = if size2 > 0.25 {
                0.5 / size2.sqrt()
            } else {
                1.0
            };
            let mut climbed = false;
            for _ in 0..8 {
                let next = (n + (t1 * x + t2 * y) * scale).normalize();
                let g = value(&next);
                // Near the top rounding hides the gain.
                if g > f || (size2 < 1e-12 && g > f - 1e-13 * self.size) {
                    (n, f) = (next, g);
                    climbed = true;
                    break;
                }
                scale *= 0.3;
            }
            if !climbed || size2 < 1e-18 {
                break;
            }
        }
        Some(n)
    }
}

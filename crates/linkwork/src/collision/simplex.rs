//! The point of a simplex nearest to the origin.

use super::difference::Point;
use crate::math::Vec3;

/// Up to four points of a difference of solids.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simplex {
    /// The points in use, then others.
    pub points: [Point; 4],
    /// How many are in use.
    pub len: usize,
    /// Shares of the points in the nearest one.
    weights: [f64; 4],
}

/// The nearest point of a part of a simplex.
struct Nearest {
    v: Vec3,
    /// Of the four points of the simplex.
    weights: [f64; 4],
}

impl Simplex {
    /// One point.
    pub fn new(point: Point) -> Self {
        Self {
            points: [point; 4],
            len: 1,
            weights: [1.0, 0.0, 0.0, 0.0],
        }
    }

    /// Add a point, which must leave room for no more than four.
    pub fn push(&mut self, point: Point) {
        self.points[self.len] = point;
        self.len += 1;
    }

    /// Whether it has this point already.
    pub fn contains(&self, w: &Vec3) -> bool {
        self.points[..self.len].iter().any(|p| p.w == *w)
    }

    /// The point nearest to the origin. Keeps the corners between which it lies. `None` if the origin is inside, with
    /// all four kept.
    pub fn nearest(&mut self) -> Option<Vec3> {
        let found = match self.len {
            1 => self.corner(0),
            2 => self.edge(0, 1),
            3 => self.triangle([0, 1, 2]),
            _ => self.tetrahedron()?,
        };
        let before = self.points;
        let mut len = 0;
        for (point, weight) in before.iter().zip(found.weights) {
            if weight > 0.0 {
                self.points[len] = *point;
                self.weights[len] = weight;
                len += 1;
            }
        }
        self.len = len;
        Some(found.v)
    }

    /// The point of A that belongs to the nearest point, frame of A, m.
    pub fn on_a(&self) -> Vec3 {
        let used = self.points.iter().zip(&self.weights).take(self.len);
        used.map(|(p, weight)| p.on_a * *weight).sum()
    }

    fn corner(&self, i: usize) -> Nearest {
        let mut weights = [0.0; 4];
        weights[i] = 1.0;
        let v = self.points[i].w;
        Nearest { v, weights }
    }

    fn edge(&self, i: usize, j: usize) -> Nearest {
        let (p, q) = (self.points[i].w, self.points[j].w);
        let d = q - p;
        let s = -p.dot(&d) / d.norm_squared();
        // Two points on the same spot (NaN) are one.
        if s.is_nan() || s <= 0.0 {
            return self.corner(i);
        }
        if s >= 1.0 {
            return self.corner(j);
        }
        let mut weights = [0.0; 4];
        (weights[i], weights[j]) = (1.0 - s, s);
        // From the nearer end, to keep digits.
        let v = if s < 0.5 {
            p + d * s
        } else {
            q - d * (1.0 - s)
        };
        Nearest { v, weights }
    }

    fn triangle(&self, [i, j, k]: [usize; 3]) -> Nearest {
        let [a, b, c] = [i, j, k].map(|x| self.points[x].w);
        let n = (b - a).cross(&(c - a));
        let shares = [
            n.dot(&b.cross(&c)),
            n.dot(&c.cross(&a)),
            n.dot(&a.cross(&b)),
        ];
        let area2 = n.norm_squared();
        if shares.iter().all(|s| *s > 0.0) {
            let total: f64 = shares.iter().sum();
            let mut weights = [0.0; 4];
            for (x, share) in [i, j, k].into_iter().zip(shares) {
                weights[x] = share / total;
            }
            // The nearest corner has the height with the most digits.
            let near = [a, b, c]
                .into_iter()
                .min_by(|p, q| p.norm_squared().total_cmp(&q.norm_squared()))
                .unwrap_or(a);
            let v = n * (n.dot(&near) / area2);
            return Nearest { v, weights };
        }
        // Beyond the edge opposite to a negative coordinate; without area all edges count.
        let mut best: Option<Nearest> = None;
        for (x, (p, q)) in [(j, k), (k, i), (i, j)].into_iter().enumerate() {
            if shares[x] <= 0.0 || shares[x].is_nan() {
                closer(&mut best, self.edge(p, q));
            }
        }
        best.unwrap_or_else(|| self.corner(i))
    }

    fn tetrahedron(&self) -> Option<Nearest> {
        let p = self.points.map(|x| x.w);
        let volume = |a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3| (b - a).cross(&(c - a)).dot(&(d - a));
        let whole = volume(&p[0], &p[1], &p[2], &p[3]);
        let size = p.iter().map(|x| x.amax()).fold(0.0, f64::max);
        // So thin that the signs of volumes are not reliable.
        let is_flat = whole.abs() <= 1e-15 * size * size * size;
        let zero = Vec3::zeros();
        let mut best: Option<Nearest> = None;
        for [i, j, k, other] in [[0, 1, 2, 3], [0, 3, 1, 2], [0, 2, 3, 1], [1, 3, 2, 0]] {
            let beyond =
                volume(&p[i], &p[j], &p[k], &zero) * volume(&p[i], &p[j], &p[k], &p[other]);
            if is_flat || beyond < 0.0 {
                closer(&mut best, self.triangle([i, j, k]));
            }
        }
        best
    }
}

fn closer(best: &mut Option<Nearest>, next: Nearest) {
    if best
        .as_ref()
        .is_none_or(|b| next.v.norm_squared() < b.v.norm_squared())
    {
        *best = Some(next);
    }
}

//! The best axis on a circle across a segment: a one-dimensional search.

use super::sum::{ACROSS, Best, Sum};
use crate::math::tangent_basis;

/// A direction in the plane of a circle.
#[derive(Clone, Copy)]
struct Turn {
    c: f64,
    s: f64,
}

impl Turn {
    fn new(c: f64, s: f64) -> Self {
        let norm = (c * c + s * s).sqrt();
        Self {
            c: c / norm,
            s: s / norm,
        }
    }

    /// Sine of the angle from `self` to `other`.
    fn sine(self, other: Turn) -> f64 {
        self.c * other.s - self.s * other.c
    }
}

/// A disk in the plane of a circle: components of its axis in and perpendicular to the plane.
#[derive(Clone, Copy)]
struct Rim {
    a: f64,
    b: f64,
    out2: f64,
    r: f64,
}

impl Rim {
    /// Extent along the turn with its first and second derivative by the angle.
    fn extent(&self, m: Turn) -> [f64; 3] {
        let x = self.a * m.s - self.b * m.c;
        let y = self.a * m.c + self.b * m.s;
        let g2 = self.out2 + x * x;
        if g2 <= 0.0 {
            // Along the axis the disk has no extent.
            return [0.0; 3];
        }
        let g = g2.sqrt();
        let slope = x * y / g;
        [
            self.r * g,
            self.r * slope,
            self.r * ((y * y - x * x) - slope * slope) / g,
        ]
    }
}

impl<const S: usize, const D: usize> Sum<S, D> {
    /// The best axis perpendicular to segment `i`, if it can be better than `floor` (m).
    pub fn circle(&self, i: usize, floor: f64) -> Option<Best> {
        let d = &self.segments[i].0;
        let flat = self.w - d * self.w.dot(d);
        let far = flat.norm();
        if far - self.inside <= floor {
            return None;
        }
        let p = if far > 1e-12 * self.size {
            flat / far
        } else {
            // Centre over centre: every direction is as good.
            tangent_basis(d).0
        };
        let q = d.cross(&p);
        let far = self.w.dot(&p);
        // The other segments, and the angles perpendicular to them, where f has a peak.
        let mut others = [(0.0, 0.0); S];
        let mut nodes = [(0.0, Turn { c: 1.0, s: 0.0 }); 8];
        nodes[0] = (f64::NEG_INFINITY, Turn { c: 0.0, s: -1.0 });
        let mut count = 1;
        let mut add = |c: f64, s: f64| {
            // The other half of the circle has n·w < 0.
            let x = s / c;
            if x.is_finite() && count < 7 {
                let node = (x, Turn::new(c.abs(), s * 1.0_f64.copysign(c)));
                let mut k = count;
                while k > 0 && nodes[k - 1].0 > x {
                    nodes[k] = nodes[k - 1];
                    k -= 1;
                }
                nodes[k] = node;
                count += 1;
            }
        };
        for (k, (e, s)) in self.segments.iter().enumerate() {
            if k != i {
                let (a, b) = (e.dot(&p), e.dot(&q));
                others[k] = (a * s, b * s);
                if a.abs().max(b.abs()) > ACROSS {
                    add(b, -a);
                }
            }
        }
        let mut varies = false;
        let rims = self.disks.map(|(u, r)| {
            let (a, b, o) = (u.dot(&p), u.dot(&q), u.dot(d));
            if a.abs().max(b.abs()) > ACROSS {
                varies = true;
                add(a, b);
            }
            Rim {
                a,
                b,
                out2: o * o,
                r,
            }
        });
        nodes[count] = (f64::INFINITY, Turn { c: 0.0, s: 1.0 });
        count += 1;

        let sum = |m: Turn| {
            rims.iter().fold([0.0; 3], |t, rim| {
                let e = rim.extent(m);
                [t[0] + e[0], t[1] + e[1], t[2] + e[2]]
            })
        };
        let mut best: Option<(f64, Turn)> = None;
        let mut consider = |f: f64, m: Turn| {
            if best.is_none_or(|(g, _)| f > g) {
                best = Some((f, m));
            }
        };
        let mut right = sum(nodes[0].1);
        for k in 1..count {
            let (from, to) = (nodes[k - 1].1, nodes[k].1);
            let left = right;
            right = sum(to);
            // Between two nodes the segments add up to lc cos + ls sin.
            // (Opposite turns, the ends of a half circle without peaks, leave no sign to choose.)
            let middle = (from.c + to.c, from.s + to.s);
            let (mut lc, mut ls) = (far, 0.0);
            for (a, b) in others {
                let sign = 1.0_f64.copysign(a * middle.0 + b * middle.1);
                lc -= sign * a;
                ls -= sign * b;
            }
            let rises = ls * from.c - lc * from.s - left[1] > 0.0;
            let falls = ls * to.c - lc * to.s - right[1] < 0.0;
            if rises && falls {
                let (f, m) = peak(from, to, lc, ls, varies, &sum);
                consider(f, m);
                continue;
            }
            let (m, e) = if rises { (to, right) } else { (from, left) };
            consider(lc * m.c + ls * m.s - e[0], m);
            // For overlapping shapes, f can rise to a peak and fall again before it rises to the end.
            let start = if rises { from } else { to };
            if varies
                && rises != falls
                && lc * m.c + ls * m.s + e[2] < 0.0
                && let Some((f, m)) = hidden_peak(start, m, lc, ls, &sum)
            {
                consider(f, m);
            }
        }
        let (f, m) = best?;
        (f > floor).then(|| Best {
            n: p * m.c + q * m.s,
            f,
        })
    }
}

/// The highest point between two angles, where lc cos + ls sin - `sum` first rises and finally falls: Newton's method,
/// restricted to the interval.
fn peak(
    from: Turn,
    to: Turn,
    lc: f64,
    ls: f64,
    varies: bool,
    sum: &impl Fn(Turn) -> [f64; 3],
) -> (f64, Turn) {
    if !varies {
        let m = Turn::new(lc, ls);
        return (lc * m.c + ls * m.s - sum(m)[0], m);
    }
    let (mut from, mut to) = (from, to);
    // Never opposite: a disk that varies has put a node between.
    let mut m = Turn::new(from.c + to.c, from.s + to.s);
    let mut last = false;
    for _ in 0..60 {
        let e = sum(m);
        let line = lc * m.c + ls * m.s;
        let slope = ls * m.c - lc * m.s - e[1];
        if last || slope == 0.0 {
            return (line - e[0], m);
        }
        if slope > 0.0 {
            from = m;
        } else {
            to = m;
        }
        let bend = line + e[2];
        let step = slope / bend;
        let next = Turn::new(m.c - step * m.s, m.s + step * m.c);
        m = if bend > 0.0 && from.sine(next) >= 0.0 && next.sine(to) >= 0.0 && step.abs() < 1.0 {
            // The error after a step is about its square.
            last = step.abs() < 1e-8;
            next
        } else {
            Turn::new(from.c + to.c, from.s + to.s)
        };
    }
    (lc * m.c + ls * m.s - sum(m)[0], m)
}

/// A peak before `end`, going up from `start`. Near the axis of a disk f is curved downwards, less and less with
/// distance, so Newton's method does not step over a peak.
fn hidden_peak(
    start: Turn,
    end: Turn,
    lc: f64,
    ls: f64,
    sum: &impl Fn(Turn) -> [f64; 3],
) -> Option<(f64, Turn)> {
    let side = start.sine(end);
    let mut m = start;
    for _ in 0..30 {
        let e = sum(m);
        let line = lc * m.c + ls * m.s;
        let bend = line + e[2];
        let step = (ls * m.c - lc * m.s - e[1]) / bend;
        m = Turn::new(m.c - step * m.s, m.s + step * m.c);
        // Bent upwards, or beyond the end: no peak between.
        if bend <= 0.0 || step.abs() > 1.0 || m.sine(end) * side < 0.0 {
            return None;
        }
        if step.abs() < 1e-8 {
            return Some((lc * m.c + ls * m.s - sum(m)[0], m));
        }
    }
    None
}

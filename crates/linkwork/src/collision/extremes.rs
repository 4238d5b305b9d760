//! The farthest of many points along a direction, from a table.
//!
//! Directions are sorted into the cells of a grid on the sides of a cube. A point can be the farthest along a direction
//! in a cell unless another is farther along all four corners of the cell, because an inequality at the corners of a
//! cone holds in all of it. Each cell lists the few remaining points. A search among these finds exactly the same point
//! as a search among all.

use crate::math::Vec3;

/// Fewer points than this are searched one by one.
const FEW: usize = 12;
/// Most cells along the side of the cube.
const MOST: usize = 8;
/// Distance by which a point must be farther to rule out another, relative to the largest distance from the origin:
/// rounding may put a direction into the neighbouring cell.
const CLEARLY: f64 = 1e-9;

/// Points that can be the farthest, by direction.
#[derive(Clone, Debug)]
pub struct Extremes {
    /// Cells along the side of the cube; none for few points.
    cells: usize,
    /// Points of cell i: `listed[start[i]..start[i + 1]]`, ascending.
    start: Vec<u32>,
    listed: Vec<u32>,
}

impl Extremes {
    /// Of these points.
    pub fn new(points: &[Vec3]) -> Self {
        let mut table = Self {
            cells: 0,
            start: Vec::new(),
            listed: Vec::new(),
        };
        if points.len() < FEW {
            return table;
        }
        // About as many cells as points.
        let n = ((points.len() as f64 / 6.0).sqrt().ceil() as usize).clamp(2, MOST);
        table.cells = n;
        let enough = CLEARLY * points.iter().map(|p| p.amax()).fold(0.0, f64::max);
        table.start.push(0);
        let mut left = Vec::new();
        for side in 0..6 {
            let heights = corner_heights(points, side, n);
            for i in 0..n {
                for j in 0..n {
                    let corners = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)];
                    let at = corners.map(|(i, j)| &heights[(i * (n + 1) + j) * points.len()..]);
                    let rules_out = |p: usize, q: usize| at.iter().all(|h| h[p] > h[q] + enough);
                    let highest = at.map(|h| first_of_highest(&h[..points.len()]));
                    left.clear();
                    left.extend(
                        (0..points.len()).filter(|&q| highest.iter().all(|&p| !rules_out(p, q))),
                    );
                    let last = left
                        .iter()
                        .filter(|&&q| !left.iter().any(|&p| rules_out(p, q)));
                    table.listed.extend(last.map(|&q| q as u32));
                    table.start.push(table.listed.len() as u32);
                }
            }
        }
        table
    }

    /// Index of the farthest of the points, which are those of [`new`](Self::new), along `direction` (any length); the
    /// first of equally distant ones.
    #[inline]
    pub fn farthest(&self, points: &[Vec3], direction: &Vec3) -> usize {
        if self.cells == 0 {
            return first_of_highest_by(0..points.len(), |i| points[i].dot(direction));
        }
        let cell = self.cell(direction);
        let range = self.start[cell] as usize..self.start[cell + 1] as usize;
        let listed = self.listed[range].iter().map(|&i| i as usize);
        first_of_highest_by(listed, |i| points[i].dot(direction))
    }

    #[inline]
    fn cell(&self, d: &Vec3) -> usize {
        let k = d.iamax();
        let scale = 0.5 * self.cells as f64 / d[k].abs();
        let middle = 0.5 * self.cells as f64;
        // The cast turns NaN into zero, so that an undefined direction has a cell too.
        let along = |x: f64| ((x * scale + middle) as usize).min(self.cells - 1);
        let side = 2 * k + usize::from(d[k] < 0.0);
        let (i, j) = (along(d[(k + 1) % 3]), along(d[(k + 2) % 3]));
        (side * self.cells + i) * self.cells + j
    }
}

/// Heights of all points along the corners of the cells of a side of the cube.
fn corner_heights(points: &[Vec3], side: usize, n: usize) -> Vec<f64> {
    let k = side / 2;
    let mut heights = Vec::with_capacity((n + 1) * (n + 1) * points.len());
    let at = |i: usize| 2.0 * i as f64 / n as f64 - 1.0;
    for i in 0..=n {
        for j in 0..=n {
            let mut d = Vec3::zeros();
            d[k] = if side.is_multiple_of(2) { 1.0 } else { -1.0 };
            d[(k + 1) % 3] = at(i);
            d[(k + 2) % 3] = at(j);
            heights.extend(points.iter().map(|p| p.dot(&d)));
        }
    }
    heights
}

fn first_of_highest(heights: &[f64]) -> usize {
    first_of_highest_by(0..heights.len(), |i| heights[i])
}

/// The first of the highest.
#[inline]
fn first_of_highest_by(all: impl Iterator<Item = usize>, height: impl Fn(usize) -> f64) -> usize {
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    for i in all {
        let h = height(i);
        if h > highest {
            (best, highest) = (i, h);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Directions all over the sphere, with many along axes, cell borders and corners.
    fn directions() -> Vec<Vec3> {
        let steps = || (-24..=24).map(|i| f64::from(i) / 24.0);
        let mut all = Vec::new();
        for x in steps() {
            for y in steps() {
                for z in [-1.0, -0.37, 0.0, 0.51, 1.0] {
                    all.extend([Vec3::new(x, y, z), Vec3::new(z, x, y), Vec3::new(y, z, x)]);
                }
            }
        }
        all.retain(|d| d.norm() > 0.0);
        all
    }

    #[test]
    fn the_farthest_point_is_that_of_a_search_among_all() {
        let spiral = |n: usize| -> Vec<Vec3> {
            (0..n)
                .map(|i| {
                    let z: f64 = 1.0 - (2 * i + 1) as f64 / n as f64;
                    let (s, c) = (2.4 * i as f64).sin_cos();
                    let r = (1.0 - z * z).sqrt();
                    Vec3::new(0.5 * r * c, 0.2 * r * s, 0.01 * z + 0.3)
                })
                .collect()
        };
        // Flat faces have many corners that are equally far.
        let grid = (0..125)
            .map(|i| Vec3::new((i % 5) as f64, (i / 5 % 5) as f64, (i / 25) as f64))
            .collect();
        for points in [spiral(5), spiral(12), spiral(64), spiral(2000), grid] {
            let table = Extremes::new(&points);
            for d in directions() {
                let all = first_of_highest_by(0..points.len(), |i| points[i].dot(&d));
                assert_eq!(table.farthest(&points, &d), all, "{} points", points.len());
            }
            let cells = 6 * table.cells * table.cells;
            assert!(table.listed.len() <= 6 * cells + 4 * points.len());
        }
    }
}

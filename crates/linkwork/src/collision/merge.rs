//! Convex parts that fit together made one.

use super::enclose::{HullMesh, convex_hull};
use crate::math::Vec3;
use std::collections::BTreeMap;

/// Replace the two hulls whose common hull adds the least volume by that hull, until there are at most
/// `parts` and another one would add more than `negligible` (m³).
pub(super) fn merge(mut hulls: Vec<HullMesh>, parts: usize, negligible: f64) -> Vec<HullMesh> {
    let mut pairs: BTreeMap<(usize, usize), Option<Union>> = BTreeMap::new();
    loop {
        for j in 0..hulls.len() {
            for i in 0..j {
                pairs
                    .entry((i, j))
                    .or_insert_with(|| Union::of(&hulls[i], &hulls[j]));
            }
        }
        let cost = |union: &Option<Union>| union.as_ref().map_or(f64::INFINITY, |u| u.added);
        let cheapest = pairs.iter().min_by(|a, b| cost(a.1).total_cmp(&cost(b.1)));
        let Some((&(i, j), union)) = cheapest else {
            return hulls;
        };
        let enough = hulls.len() <= parts && cost(union) > negligible;
        let Some(union) = union.as_ref().filter(|_| !enough) else {
            return hulls;
        };
        hulls[i] = union.hull.clone();
        hulls.swap_remove(j);
        // The last hull now has the index of the removed one.
        let (last, gone) = (hulls.len(), [i, j]);
        let old = std::mem::take(&mut pairs);
        for ((a, b), union) in old {
            if gone.contains(&a) || gone.contains(&b) {
                continue;
            }
            let b = if b == last { j } else { b };
            pairs.insert((a.min(b), a.max(b)), union);
        }
    }
}

/// Two hulls as one.
struct Union {
    hull: HullMesh,
    /// Volume in neither of the two, m³; overlap of the two counts as negative.
    added: f64,
}

impl Union {
    fn of(a: &HullMesh, b: &HullMesh) -> Option<Self> {
        let points: Vec<Vec3> = a.vertices.iter().chain(&b.vertices).copied().collect();
        let hull = convex_hull("", &points).ok()?;
        let added = hull.volume() - a.volume() - b.volume();
        Some(Self { hull, added })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [[f64; 3]; 8] = [
        [0., 0., 0.],
        [1., 0., 0.],
        [0., 1., 0.],
        [1., 1., 0.],
        [0., 0., 1.],
        [1., 0., 1.],
        [0., 1., 1.],
        [1., 1., 1.],
    ];

    #[test]
    fn hulls_that_fit_together_are_merged() {
        let cell = |x: f64| {
            let points: Vec<Vec3> = CORNERS
                .iter()
                .map(|p| Vec3::from(*p) + Vec3::x() * x)
                .collect();
            convex_hull("cell", &points).unwrap()
        };
        let merged = merge(
            vec![cell(0.0), cell(5.0), cell(1.0), cell(6.0), cell(2.0)],
            8,
            1e-9,
        );
        let mut volumes: Vec<f64> = merged.iter().map(HullMesh::volume).collect();
        volumes.sort_by(f64::total_cmp);
        assert_eq!(volumes.len(), 2);
        assert!((volumes[0] - 2.0).abs() < 1e-12 && (volumes[1] - 3.0).abs() < 1e-12);
        assert_eq!(merge(merged, 1, 0.0).len(), 1);
    }
}

//! Who may touch whom, and at what distance.

use super::prepare::Prepared;
use crate::model::{BodyId, Shape, ShapePair};
use std::sync::Arc;

/// Exclusions, pairs and clearances of a model.
#[derive(Clone)]
pub struct Rules {
    /// Body pairs that never collide, lower first, sorted.
    excluded: Arc<[(usize, usize)]>,
    /// Bodies that never touch the world, sorted.
    off_world: Arc<[usize]>,
    /// Shape pairs that collide in any case, lower first, sorted, with their clearance (m).
    pairs: Arc<[((u32, u32), f64)]>,
    /// Clearance of each shape, m.
    own: Arc<[f64]>,
    /// Largest clearance that each shape has towards another, without the other's own, m.
    reach: Arc<[f64]>,
}

impl Rules {
    /// Those of these shapes.
    pub fn new(
        shapes: &[Shape],
        excluded: &[(BodyId, BodyId)],
        excluded_from_world: &[BodyId],
        pairs: &[ShapePair],
    ) -> Self {
        let mut off_world: Vec<usize> = excluded_from_world.iter().map(|b| b.index()).collect();
        off_world.sort_unstable();
        let mut excluded: Vec<(usize, usize)> = excluded
            .iter()
            .map(|(a, b)| (a.index().min(b.index()), a.index().max(b.index())))
            .collect();
        excluded.sort_unstable();
        let own: Vec<f64> = shapes.iter().map(|s| s.material.clearance).collect();
        let mut reach = own.clone();
        let mut known = Vec::with_capacity(pairs.len());
        for pair in pairs {
            let clearance = pair.surface.clearance;
            for shape in [pair.a, pair.b] {
                let reach = &mut reach[shape.index()];
                *reach = reach.max(clearance);
            }
            known.push(((pair.a.0.min(pair.b.0), pair.a.0.max(pair.b.0)), clearance));
        }
        known.sort_unstable_by_key(|(pair, _)| *pair);
        Self {
            excluded: excluded.into(),
            off_world: off_world.into(),
            pairs: known.into(),
            own: own.into(),
            reach: reach.into(),
        }
    }

    /// Whether shapes `a` < `b` may touch.
    pub fn may_touch(&self, shapes: &[Prepared], a: u32, b: u32) -> bool {
        let (p, q) = (&shapes[a as usize], &shapes[b as usize]);
        if p.body == q.body {
            return false;
        }
        if self.pair(a, b).is_some() {
            return true;
        }
        match (p.body, q.body) {
            _ if !p.group.meets(&q.group) => false,
            (Some(p), Some(q)) => {
                let pair = (p.min(q), p.max(q));
                self.excluded.binary_search(&pair).is_err()
            }
            (Some(body), None) | (None, Some(body)) => self.off_world.binary_search(&body).is_err(),
            (None, None) => true,
        }
    }

    /// Distance at which shapes `a` < `b` touch, m.
    pub fn clearance(&self, a: u32, b: u32) -> f64 {
        let sum = || self.own[a as usize] + self.own[b as usize];
        self.pair(a, b).unwrap_or_else(sum)
    }

    /// How much farther than its surface a shape is looked for, m.
    pub fn reach(&self, shape: usize) -> f64 {
        self.reach[shape]
    }

    fn pair(&self, a: u32, b: u32) -> Option<f64> {
        let at = self.pairs.binary_search_by_key(&(a, b), |(p, _)| *p);
        at.ok().map(|i| self.pairs[i].1)
    }
}

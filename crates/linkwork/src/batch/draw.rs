//! Random variations that follow from a seed and the number of a world, whatever else is drawn.

use super::Variation;
use crate::model::Model;

/// Ranges of the factors that a [`Draw`] gives; `None` leaves things as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ranges {
    /// Factor on the mass of each body.
    pub masses: Option<[f64; 2]>,
    /// Factor on the friction of all surfaces.
    pub friction: Option<[f64; 2]>,
    /// Factor on stiffness and damping of each drive.
    pub gains: Option<[f64; 2]>,
    /// Factor on the lengths of each body.
    pub lengths: Option<[f64; 2]>,
}

/// Random numbers of one world.
///
/// Each is a function of (seed, world, kind, element): SplitMix64 over the four [Steele, Lea, Flood, OOPSLA 2014]. So a
/// world draws the same whether it is alone or one of thousands, and drawing friction too does not change the masses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Seed of the experiment.
    pub seed: u64,
    /// Number of the world in the experiment.
    pub world: u64,
}

impl Draw {
    /// A number in [0, 1) for an element of a kind.
    pub fn unit(&self, kind: u64, element: u64) -> f64 {
        let mut z = mix(self.seed);
        for part in [self.world, kind, element] {
            z = mix(z ^ part);
        }
        (z >> 11) as f64 * 2.0_f64.powi(-53)
    }

    /// A number between two bounds.
    pub fn between(&self, [low, high]: [f64; 2], kind: u64, element: usize) -> f64 {
        low + (high - low) * self.unit(kind, element as u64)
    }

    /// The variation of this world, factors uniform in their ranges.
    pub fn variation(&self, model: &Model, ranges: &Ranges) -> Variation {
        let each = |range: Option<[f64; 2]>, kind, n: usize| {
            let range = range.filter(|_| n > 0);
            range.map_or(Vec::new(), |r| {
                (0..n).map(|i| self.between(r, kind, i)).collect()
            })
        };
        let bodies = model.bodies().len();
        Variation {
            masses: each(ranges.masses, 1, bodies),
            friction: ranges.friction.map(|r| self.between(r, 2, 0)),
            gains: each(ranges.gains, 3, model.coordinate_count()),
            lengths: each(ranges.lengths, 4, bodies),
        }
    }
}

fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

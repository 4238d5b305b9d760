//! A chain in a model, with what follows from its links alone at hand: a step asks for it many times.

use super::{
    Chain, JointType, Label, MAX_COORDINATES, Parameter, Relative, RelativeMotion, Row, labels,
};

/// A chain with its labels.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    chain: Chain,
    locked: &'static [Label],
    coordinates: &'static [Label],
    /// How many locked rows are translations.
    translations: usize,
}

impl Ready {
    pub fn new(chain: &Chain) -> Self {
        Self {
            locked: chain.locked(),
            coordinates: chain.coordinates(),
            translations: labels::translations(chain.links()),
            chain: chain.clone(),
        }
    }
}

impl JointType for Ready {
    fn name(&self) -> &'static str {
        self.chain.name()
    }

    fn locked(&self) -> &'static [Label] {
        self.locked
    }

    fn coordinates(&self) -> &'static [Label] {
        self.coordinates
    }

    fn constrain(&self, rel: &Relative, turns: &[f64], rows: &mut [Row]) {
        self.chain
            .constrain_with(self.translations, rel, turns, rows);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        self.chain.measure(rel, turns, coordinates);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        self.chain.place(coordinates)
    }

    fn bend(
        &self,
        rel: &Relative,
        turns: &[f64],
        motion: &RelativeMotion,
    ) -> Option<[f64; MAX_COORDINATES]> {
        self.chain.bend(rel, turns, motion)
    }

    fn settles(&self) -> bool {
        self.chain.settles()
    }

    fn home(&self, coordinate: usize) -> f64 {
        self.chain.home(coordinate)
    }

    fn parameter(&self) -> Option<(&'static str, Parameter)> {
        self.chain.parameter()
    }

    fn validate(&self) -> Result<(), String> {
        self.chain.validate()
    }
}

//! A chain in a model with precomputed data of its links: a step needs it many times.

use super::motion::Links;
use super::{Chain, Course, JointType, Label, Parameter, Relative, Row};
use crate::math::Vec3;

/// A chain with its labels.
#[derive(Clone, Debug)]
pub(super) struct Ready {
    chain: Chain,
    locked: &'static [Label],
    coordinates: &'static [Label],
    /// As in [`Course`] and [`Links`].
    translations: usize,
    reference: Vec3,
    meet: bool,
}

impl Ready {
    pub fn new(chain: &Chain) -> Self {
        let course = chain.course();
        Self {
            locked: chain.locked(),
            coordinates: chain.coordinates(),
            translations: course.translations,
            reference: course.links.reference,
            meet: course.links.meet,
            chain: chain.clone(),
        }
    }

    fn course(&self) -> Course<'_> {
        let links = Links {
            all: self.chain.links(),
            reference: self.reference,
            meet: self.meet,
        };
        Course {
            links,
            translations: self.translations,
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
        self.course().rows(rel, turns, rows, &mut []);
    }

    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]) {
        self.course().rows(rel, turns, &mut [], coordinates);
    }

    fn rows(
        &self,
        rel: &Relative,
        turns: &[f64],
        locked: &mut [Row],
        coordinates: &mut [Row],
    ) -> bool {
        self.course().rows(rel, turns, locked, coordinates)
    }

    fn residual(&self, rel: &Relative, turns: &[f64], guess: &mut [f64], values: &mut [f64]) {
        self.course().values(rel, turns, guess, values);
    }

    fn searches(&self) -> bool {
        true
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        self.chain.place(coordinates)
    }

    fn home(&self, coordinate: usize) -> f64 {
        self.chain.home(coordinate)
    }

    fn parameters(&self) -> Vec<(&'static str, Parameter)> {
        self.chain.parameters()
    }

    fn validate(&self) -> Result<(), String> {
        self.chain.validate()
    }
}

//! K = ℝ₊, its own dual: Signorini's law, 0 ≤ λ ⟂ σ ≥ 0.

use super::{Cone, Face, Friction, ImpulseSet, MAX_DIM, Set, Slack, Slope};

/// ℝ₊.
#[derive(Clone, Copy)]
pub(super) struct NonNegative;

impl Set for NonNegative {
    const NAME: &'static str = "NonNegative";
    const IS_CONE: bool = true;
    #[cfg(test)]
    const SAMPLES: &'static [ImpulseSet] = &[ImpulseSet::NonNegative];

    #[inline]
    fn dim(&self) -> usize {
        1
    }

    fn is_valid(&self) -> bool {
        true
    }

    #[inline]
    fn project(&self, x: &mut [f64]) {
        // Not `max`, which turns NaN into 0.
        if x[0] < 0.0 {
            x[0] = 0.0;
        }
    }

    fn project_dual(&self, x: &mut [f64]) {
        self.project(x);
    }

    #[inline]
    fn respond(&self, _: Friction, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        if tau[0] < 0.0 {
            tau[0] = 0.0;
            return Slope::Zero;
        }
        Slope::Diagonal(*inverse)
    }

    #[inline]
    fn face(&self, tau: &[f64]) -> Face {
        if tau[0] < 0.0 {
            Face::Open
        } else {
            Face::Interior
        }
    }

    fn cones(&self, add: &mut dyn FnMut(Cone, &[Slack])) {
        add(Cone::NonNegative, &[Slack::of(0, 1.0)]);
    }

    fn in_units(&self, _: f64) -> ImpulseSet {
        ImpulseSet::NonNegative
    }
}

//! K = ℝᵐ: no restriction. K* = {0}, and the response to a velocity is linear.

use super::{Cone, Face, Friction, ImpulseSet, MAX_DIM, Set, Slack, Slope};

/// ℝᵐ.
#[derive(Clone, Copy)]
pub(super) struct Free {
    pub dim: usize,
}

impl Set for Free {
    const NAME: &'static str = "Free";
    const IS_CONE: bool = true;
    #[cfg(test)]
    const SAMPLES: &'static [ImpulseSet] =
        &[ImpulseSet::Free { dim: 1 }, ImpulseSet::Free { dim: 6 }];

    #[inline]
    fn dim(&self) -> usize {
        self.dim
    }

    fn is_valid(&self) -> bool {
        (1..=MAX_DIM).contains(&self.dim)
    }

    #[inline]
    fn project(&self, _: &mut [f64]) {}

    fn project_dual(&self, x: &mut [f64]) {
        // Not `fill(0.0)`: 0 NaN is NaN.
        x.iter_mut().for_each(|x| *x *= 0.0);
    }

    #[inline]
    fn respond(&self, _: Friction, _: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        Slope::Diagonal(*inverse)
    }

    #[inline]
    fn face(&self, _: &[f64]) -> Face {
        Face::Interior
    }

    fn cones(&self, _: &mut dyn FnMut(Cone, &[Slack])) {}

    fn in_units(&self, _: f64) -> ImpulseSet {
        ImpulseSet::Free { dim: self.dim }
    }
}

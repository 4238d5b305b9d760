//! K = [−b, b]: dry friction and drives with an effort limit. σ = 0 inside, σ ≤ 0 at b, σ ≥ 0 at −b.

use super::{Cone, Face, Friction, ImpulseSet, MAX_DIM, Set, Slack, Slope};

/// [−bound, bound].
#[derive(Clone, Copy)]
pub(super) struct Interval {
    pub bound: f64,
}

impl Set for Interval {
    const NAME: &'static str = "Interval";
    const IS_CONE: bool = false;
    #[cfg(test)]
    const SAMPLES: &'static [ImpulseSet] = &[
        ImpulseSet::Interval { bound: 0.7 },
        ImpulseSet::Interval { bound: 0.0 },
    ];

    #[inline]
    fn dim(&self) -> usize {
        1
    }

    fn is_valid(&self) -> bool {
        self.bound >= 0.0
    }

    #[inline]
    fn project(&self, x: &mut [f64]) {
        x[0] = match self.face(x) {
            Face::High => self.bound,
            Face::Low => -self.bound,
            // Inside, or a NaN on either side of the comparison.
            _ if x[0].abs() <= self.bound => x[0],
            _ => f64::NAN,
        };
    }

    fn project_dual(&self, _: &mut [f64]) {}

    #[inline]
    fn respond(&self, _: Friction, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        let before = tau[0];
        self.project(tau);
        if tau[0] == before {
            Slope::Diagonal(*inverse)
        } else {
            Slope::Zero
        }
    }

    #[inline]
    fn face(&self, tau: &[f64]) -> Face {
        if tau[0] > self.bound {
            Face::High
        } else if tau[0] < -self.bound {
            Face::Low
        } else {
            Face::Interior
        }
    }

    fn stays(&self, lambda: &[f64], sigma: &[f64], margin: f64) -> bool {
        let outward = -sigma[0] * lambda[0].signum();
        self.bound == 0.0 || (lambda[0].abs() == self.bound && outward > margin)
    }

    fn cones(&self, add: &mut dyn FnMut(Cone, &[Slack])) {
        let side = |factor: f64| Slack {
            constant: self.bound,
            row: 0,
            factor,
        };
        if self.bound > 0.0 {
            add(Cone::NonNegative, &[side(-1.0), side(1.0)]);
        } else {
            // Two inequalities would leave an interior-point method no interior.
            add(Cone::Zero, &[Slack::of(0, -1.0)]);
        }
    }

    fn in_units(&self, unit: f64) -> ImpulseSet {
        ImpulseSet::Interval {
            bound: self.bound / unit,
        }
    }
}

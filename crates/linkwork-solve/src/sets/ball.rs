//! K = {‖λ‖ ≤ r} in six rows, for tests.

use super::{Cone, Face, Friction, ImpulseSet, MAX_DIM, Set, Slack, Slope};

/// The ball of this radius.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    pub radius: f64,
}

impl Set for Ball {
    const NAME: &'static str = "Ball";
    const IS_CONE: bool = false;
    const SAMPLES: &'static [ImpulseSet] = &[
        ImpulseSet::Ball { radius: 3.5 },
        ImpulseSet::Ball { radius: 2.0 },
    ];

    fn dim(&self) -> usize {
        MAX_DIM
    }

    fn is_valid(&self) -> bool {
        self.radius >= 0.0
    }

    fn project(&self, x: &mut [f64]) {
        let size = norm(x);
        if size > self.radius {
            x.iter_mut().for_each(|x| *x *= self.radius / size);
        } else if self.radius.is_nan() {
            x.fill(f64::NAN);
        }
    }

    fn project_dual(&self, _: &mut [f64]) {}

    fn level(&self, compliance: &mut [f64]) {
        let softest = compliance.iter().fold(0.0, |a: f64, r| a.max(*r));
        compliance.fill(softest);
    }

    fn respond(&self, _: Friction, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope {
        let size = norm(tau);
        if size <= self.radius {
            return Slope::Diagonal(*inverse);
        }
        let t: [f64; MAX_DIM] = std::array::from_fn(|i| tau[i] / size);
        let k = self.radius / size;
        tau.iter_mut().for_each(|x| *x *= k);
        Slope::Full6(std::array::from_fn(|a| {
            std::array::from_fn(|b| {
                let identity = if a == b { 1.0 } else { 0.0 };
                k * (identity - t[a] * t[b]) * inverse[b]
            })
        }))
    }

    fn face(&self, tau: &[f64]) -> Face {
        let size = norm(tau);
        if size <= self.radius {
            return Face::Interior;
        }
        Face::Slip {
            direction: std::array::from_fn(|i| tau[i] / size),
        }
    }

    fn cones(&self, add: &mut dyn FnMut(Cone, &[Slack])) {
        let mut slacks = [Slack::of(0, 0.0); MAX_DIM + 1];
        slacks[0].constant = self.radius;
        for row in 0..MAX_DIM {
            slacks[row + 1] = Slack::of(row, 1.0);
        }
        add(Cone::SecondOrder, &slacks);
    }

    fn in_units(&self, unit: f64) -> ImpulseSet {
        ImpulseSet::Ball {
            radius: self.radius / unit,
        }
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

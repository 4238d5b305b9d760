//! Springs that give back what the steps have gained.
//!
//! A spring that the step hardly resolves (ω dt ~ 1), on a coordinate whose mobility changes, makes the energy of the
//! steps drift although each of them is within `closure.energy`: 1.5 % in 5 s at 5 ms on a point that slides on a line
//! (mechanism 1140 of seed 3; 1595 of seed 4). The gain is known: it is the surplus of the energy books. Once it
//! exceeds a share of the kinetic energy, springs act with their force at the time ½ + ξ of the step instead of its
//! middle, which takes k ξ Δq² from the motion in a step. ξ is such that this is the excess, and at most ½, the force
//! at the end of the step.

use super::EnergyBooks;
use crate::integrator::Plan;
use crate::rows::{Geared, eases};
use crate::simulator::Simulator;

/// Share of the largest kinetic energy that steps may have gained before springs give it back.
const KEPT: f64 = 2.5e-3;
/// Largest ξ.
const LATEST: f64 = 0.5;

impl EnergyBooks {
    /// What springs have to give back, J.
    pub(super) fn excess(&self) -> f64 {
        (self.surplus - KEPT * self.peak).max(0.0)
    }
}

impl Simulator {
    /// ξ of a step under this plan.
    pub(super) fn ease(&self, plan: &Plan) -> f64 {
        let excess = self.energy_books.excess();
        let staggered = plan.laws.spring == [plan.behind, plan.ahead];
        if excess == 0.0 || !staggered {
            return 0.0;
        }
        // At the rates of the last step.
        let springs = self.model.layout().geared.iter().zip(&self.carried);
        let all: f64 = springs
            .filter(|(along, _)| eases(&self.model, **along))
            .map(|(along, last)| {
                let way = plan.ahead * last.rate;
                along.axis(&self.model).spring.stiffness * way * way
            })
            .sum();
        if all > 0.0 {
            (excess / all).min(LATEST)
        } else {
            0.0
        }
    }

    /// Enters what the springs gave back in the step found.
    pub(super) fn pay_back(&mut self) {
        let rate = |g: &Geared| self.rows.rate_after(g, &self.solution);
        let paid: f64 = self.rows.geared.iter().map(|g| g.eased(rate(g))).sum();
        self.energy_books.surplus -= paid;
    }
}

//! Forward runs to invert.

use linkwork::inverse::{Before, Forces, Inverse, InverseSettings};
use linkwork::model::Model;
use linkwork::reactions::{ContactForce, Effort, Reaction};
use linkwork::{Outcome, Run, Settings, State};
use std::sync::Arc;

/// What a simulator says of a step that took `states[0]` over `states[1]` to `states[2]`.
pub struct Acted {
    /// The states before, at and after.
    pub states: [State; 3],
    /// Forces along coordinates.
    pub efforts: Vec<Effort>,
    /// Joint reactions.
    pub reactions: Vec<Reaction>,
    /// Contact impulses.
    pub contacts: Vec<ContactForce>,
}

/// A run as it went: the model, how it was run, and every `every`-th step of `steps` that was one step, between two that
/// were.
pub struct Ran {
    pub model: Arc<Model>,
    pub settings: Settings,
    pub acted: Vec<Acted>,
}

impl Ran {
    /// Step `run`.
    pub fn of(run: &mut Run, steps: usize, every: usize) -> Self {
        let simulator = run.simulator();
        let (model, settings) = (simulator.model().clone(), simulator.settings().clone());
        let mut states = vec![simulator.state().clone()];
        let mut acted = Vec::new();
        let mut single = 0;
        for i in 0..steps {
            let report = run.step().unwrap();
            let whole = report.outcome == Outcome::Applied && report.status.is_solved();
            single = if whole { single + 1 } else { 0 };
            let simulator = run.simulator();
            states.push(simulator.state().clone());
            if states.len() > 3 {
                states.remove(0);
            }
            if single >= 2 && states.len() == 3 && i % every == 0 {
                acted.push(Acted {
                    states: states.clone().try_into().unwrap(),
                    efforts: simulator.coordinate_efforts(),
                    reactions: simulator.joint_reactions(),
                    contacts: simulator.contact_forces(),
                });
            }
        }
        Self {
            model,
            settings,
            acted,
        }
    }

    /// Forces of each step, as found.
    pub fn invert(&self, options: InverseSettings, near: bool) -> Vec<Forces> {
        let mut inverse = Inverse::new(self.model.clone(), &self.settings, options).unwrap();
        let find = |a: &Acted| {
            if near {
                inverse.set_near(&a.contacts);
            }
            let [before, here, after] = &a.states;
            inverse.forces(Before::State(before), here, after).unwrap()
        };
        self.acted.iter().map(find).collect()
    }
}

/// Largest difference of the torques found from those that acted, over the largest that acted; of the determined ones, or
/// of all.
pub fn torque_error(acted: &Acted, found: &Forces, all: bool) -> f64 {
    let largest = acted.efforts.iter().fold(0.0, |m: f64, e| m.max(e.drive.abs()));
    let each = acted.efforts.iter().zip(&found.efforts).zip(&found.determined);
    let counted = each.filter(|(_, determined)| all || **determined);
    counted.fold(0.0, |m: f64, ((a, f), _)| m.max((a.drive - f.drive).abs())) / largest.max(1e-9)
}

//! Forward runs to invert.

use linkwork::inverse::{Before, Forces, Inverse, InverseSettings};
use linkwork::model::Model;
use linkwork::reactions::{ContactForce, Effort, Reaction};
use linkwork::{Outcome, Run, Settings, State};
use std::sync::Arc;

/// The simulator's report of a step from `states[0]` over `states[1]` to `states[2]`.
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

/// A run as it went.
pub struct Ran {
    pub model: Arc<Model>,
    pub settings: Settings,
    /// Every so many steps one that was taken whole, after another that was.
    pub acted: Vec<Acted>,
}

impl Ran {
    /// Take `steps` steps and keep one of `every`.
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
        assert!(acted.len() > 3, "too few whole steps");
        Self {
            model,
            settings,
            acted,
        }
    }

    /// The steps with the forces found for each; `near` the contact forces that acted, or not.
    pub fn invert(&self, options: InverseSettings, near: bool) -> Vec<(&Acted, Forces)> {
        let mut inverse = Inverse::new(self.model.clone(), &self.settings, options).unwrap();
        let mut all = Vec::new();
        for acted in &self.acted {
            if near {
                inverse.set_near(&acted.contacts);
            }
            let [before, here, after] = &acted.states;
            let found = inverse.forces(Before::State(before), here, after);
            all.push((acted, found.unwrap()));
        }
        all
    }

    /// Largest torque of a drive in the run, N m.
    pub fn largest_torque(&self) -> f64 {
        let efforts = self.acted.iter().flat_map(|a| &a.efforts);
        efforts.fold(0.0, |m: f64, e| m.max(e.drive.abs()))
    }
}

/// Largest difference of a torque found from the one that acted, of those that the motion determines or of all, N m.
pub fn torque_error(acted: &Acted, found: &Forces, all: bool) -> f64 {
    let each = acted.efforts.iter().zip(&found.efforts);
    let counted = each.zip(&found.determined).filter(|(_, d)| all || **d);
    counted.fold(0.0, |m: f64, ((a, f), _)| m.max((a.drive - f.drive).abs()))
}

//! What is recorded of a step.

use linkwork::math::Wrench;
use linkwork::model::BodyId;
use linkwork::reactions::{ContactForce, Effort, Reaction};
use linkwork::{Moment, State, StepReport};

/// A step as it is recorded: the state it led to and all that acted. Everything else of interest
/// (joint velocities, closure errors, momenta) follows from it and the model.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRecord {
    /// Steps since the start of the run.
    pub step: u64,
    /// Length of the (last sub-)step that led here, s; forces are impulses over it.
    pub dt: f64,
    /// Time, poses, twists, joint coordinates.
    pub state: State,
    /// Position target of every coordinate's drive, m or rad.
    pub targets: Vec<f64>,
    /// Forces along every joint coordinate.
    pub efforts: Vec<Effort>,
    /// Reactions of the joints that lock anything; empty before the first step.
    pub reactions: Vec<Reaction>,
    /// Contact points of the step with their impulses.
    pub contacts: Vec<ContactForce>,
    /// Rate of change of each body's momentum, about its centre of mass.
    pub net_forces: Vec<Wrench>,
    /// Total energy, J, as in [`linkwork::RunSummary::energy_end`].
    pub energy: f64,
    /// What the step said; `None` at the start.
    pub report: Option<StepReport>,
}

impl StepRecord {
    /// Record a moment of a run.
    pub fn of(moment: &Moment) -> Self {
        let simulator = moment.simulator;
        let bodies = simulator.model().bodies().len() as u32;
        let (reactions, efforts) = simulator.joint_forces();
        Self {
            step: moment.step,
            dt: match moment.report {
                Some(_) => simulator.problem().dt,
                None => simulator.settings().dt,
            },
            state: simulator.state().clone(),
            targets: moment.control.targets.clone(),
            efforts,
            reactions,
            contacts: simulator.contact_forces(),
            net_forces: (0..bodies)
                .map(|b| simulator.net_force(BodyId(b)))
                .collect(),
            energy: moment.energy,
            report: moment.report.copied(),
        }
    }
}

//! What is recorded of a step.

use crate::signals::Signals;
use linkwork::math::Wrench;
use linkwork::model::BodyId;
use linkwork::reactions::{ContactForce, Effort, Reaction};
use linkwork::{Control, Moment, Simulator, State, StepReport};

/// A step as it is recorded: the state it led to and all that acted. Everything else of interest
/// (joint velocities, closure errors, momenta) follows from it and the model.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRecord {
    /// Steps since the start of the run.
    pub step: u64,
    /// Length of the (last sub-)step that led here, s; forces are impulses over it.
    pub dt: f64,
    /// Time, poses, twists at the time of the poses, joint coordinates.
    pub state: State,
    /// Position target of every coordinate's drive, m or rad.
    pub targets: Vec<f64>,
    /// Forces along every joint coordinate.
    pub efforts: Vec<Effort>,
    /// Applied force along every joint coordinate during the step, N or N m: of motors, muscles and scripts
    /// ([`Control::forces`]). NaN in recordings that do not have it.
    pub applied: Vec<f64>,
    /// Reactions of the joints that lock anything; empty before the first step.
    pub reactions: Vec<Reaction>,
    /// Contact points of the step with their impulses.
    pub contacts: Vec<ContactForce>,
    /// Rate of change of each body's momentum, about its centre of mass.
    pub net_forces: Vec<Wrench>,
    /// Total energy of the state, J.
    pub energy: f64,
    /// Controls and values of sensors, as the header names them.
    pub signals: Vec<f64>,
    /// The report of the step; `None` at the start.
    pub report: Option<StepReport>,
}

impl StepRecord {
    /// Record a moment of a run.
    pub fn of(moment: &Moment) -> Self {
        let mut record = Self::empty(moment);
        record.update(moment);
        record
    }

    fn empty(moment: &Moment) -> Self {
        Self {
            step: 0,
            dt: 0.0,
            state: moment.simulator.state().clone(),
            targets: Vec::new(),
            efforts: Vec::new(),
            applied: Vec::new(),
            reactions: Vec::new(),
            contacts: Vec::new(),
            net_forces: Vec::new(),
            energy: 0.0,
            signals: Vec::new(),
            report: None,
        }
    }

    /// Record the last step of a simulator, which was taken under `control`, without a [`Run`](linkwork::Run); its
    /// number is 0.
    pub fn of_step(simulator: &Simulator, control: &Control, report: &StepReport) -> Self {
        Self::of(&Moment {
            step: 0,
            simulator,
            control,
            report: Some(report),
            energy: f64::NAN,
        })
    }

    /// The same, with the values of `signals`.
    pub fn with(moment: &Moment, signals: &dyn Signals) -> Self {
        let mut record = Self::of(moment);
        record.signals = signals.read(moment, &record.state);
        record
    }

    /// The same, without `efforts` and `reactions`, which are costly.
    pub fn without_joint_forces(moment: &Moment, signals: &dyn Signals) -> Self {
        let mut record = Self::empty(moment);
        record.update_motion(moment);
        record.signals = signals.read(moment, &record.state);
        record
    }

    /// Record another moment in the same memory; without signals.
    pub fn update(&mut self, moment: &Moment) {
        self.update_motion(moment);
        (self.reactions, self.efforts) = moment.simulator.joint_forces();
    }

    fn update_motion(&mut self, moment: &Moment) {
        let simulator = moment.simulator;
        self.step = moment.step;
        self.dt = length(moment);
        (self.state, self.energy) = moment.synchronised();
        self.targets.clone_from(&moment.control.targets);
        self.applied.clone_from(&moment.control.forces);
        if moment.report.is_none() {
            self.applied.fill(0.0);
        }
        self.contacts.clear();
        self.contacts.extend(simulator.each_contact_force());
        self.net_forces.clear();
        let bodies = 0..simulator.model().bodies().len() as u32;
        let force = |b| simulator.net_force(BodyId(b));
        self.net_forces.extend(bodies.map(force));
        self.signals.clear();
        self.report = moment.report.copied();
    }
}

/// Length of the last (sub-)step, s.
fn length(moment: &Moment) -> f64 {
    match moment.report {
        Some(_) => moment.simulator.step_length(),
        None => moment.simulator.settings().dt,
    }
}

//! One world of a batch.

use super::Snapshot;
use crate::control::Control;
use crate::model::Model;
use crate::report::{StepError, StepReport};
use crate::settings::Settings;
use crate::setup::SetupError;
use crate::simulator::Simulator;
use crate::state::State;
use linkwork_solve::{Status, raise};
use std::sync::Arc;

/// Why a world is set aside.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Divergence {
    /// A step was refused; the state is the one before it.
    #[error(transparent)]
    Refused(#[from] StepError),
    /// It was set aside when the snapshot was taken that it goes on from.
    #[error("{0}")]
    Before(String),
    /// A body moves faster than the batch allows.
    #[error(
        "body '{body}' moves at {speed:.3e} m/s or rad/s at t = {time} s, beyond max_speed; reset the world, and check gains and forces or shorten dt"
    )]
    Runaway {
        /// The body.
        body: String,
        /// The larger of its speed (m/s) and its rate of turn (rad/s).
        speed: f64,
        /// Time, s.
        time: f64,
    },
}

/// What the steps of one call of [`Batch::step`](super::Batch::step) amount to in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Steps taken.
    pub steps: u32,
    /// Steps whose solve did not converge.
    pub failed: u32,
    /// The worst status.
    pub status: Status,
    /// Largest scaled natural map, N s or m/s.
    pub residual: f64,
    /// Largest translational joint residual after a step, m.
    pub closure_linear: f64,
    /// Largest rotational joint or coupling residual after a step, rad.
    pub closure_angular: f64,
}

impl Default for Span {
    fn default() -> Self {
        Self {
            steps: 0,
            failed: 0,
            status: Status::Converged,
            residual: 0.0,
            closure_linear: 0.0,
            closure_angular: 0.0,
        }
    }
}

impl Span {
    fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.failed += u32::from(!report.status.is_solved());
        self.status = self.status.worse(report.status);
        raise(&mut self.residual, report.residuals.scaled());
        raise(&mut self.closure_linear, report.closure_linear);
        raise(&mut self.closure_angular, report.closure_angular);
    }
}

/// A simulator with its control.
pub struct World {
    simulator: Simulator,
    control: Control,
    steps: u64,
    span: Span,
    aside: Option<Divergence>,
}

impl World {
    pub(super) fn new(model: Arc<Model>, settings: Settings) -> Result<Self, SetupError> {
        Ok(Self {
            control: Control::new(&model),
            simulator: Simulator::new(model, settings)?,
            steps: 0,
            span: Span::default(),
            aside: None,
        })
    }

    /// The simulator.
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// The present state.
    pub fn state(&self) -> &State {
        self.simulator.state()
    }

    /// Targets and forces, held from step to step.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The control, to change it.
    pub fn control_mut(&mut self) -> &mut Control {
        &mut self.control
    }

    /// Change the control by the state.
    pub fn drive(&mut self, change: impl FnOnce(&State, &mut Control)) {
        change(self.simulator.state(), &mut self.control);
    }

    /// Steps taken since it was made or reset.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What the last call of [`Batch::step`](super::Batch::step) amounts to.
    pub fn span(&self) -> &Span {
        &self.span
    }

    /// Why it is set aside, if it is.
    pub fn set_aside(&self) -> Option<&Divergence> {
        self.aside.as_ref()
    }

    pub(super) fn reset(&mut self, state: State) -> Result<(), SetupError> {
        self.simulator.set_state(state)?;
        self.control = Control::new(self.simulator.model());
        self.steps = 0;
        self.span = Span::default();
        self.aside = None;
        Ok(())
    }

    /// Take steps until one diverges.
    pub(super) fn advance(
        &mut self,
        steps: u32,
        max_speed: f64,
        mut drive: impl FnMut(&State, &mut Control),
    ) {
        self.span = Span::default();
        if self.aside.is_some() {
            return;
        }
        for _ in 0..steps {
            drive(self.simulator.state(), &mut self.control);
            match self.simulator.step(&self.control) {
                Ok(report) => {
                    self.steps += 1;
                    self.span.add(&report);
                    self.aside = self.runaway(max_speed);
                }
                Err(error) => {
                    if matches!(error, StepError::Misfit(_)) {
                        // What was refused is told; kept, it would spoil snapshots.
                        self.control = Control::new(self.simulator.model());
                    }
                    self.aside = Some(Divergence::Refused(error));
                }
            }
            if self.aside.is_some() {
                return;
            }
        }
    }

    fn runaway(&self, max_speed: f64) -> Option<Divergence> {
        let state = self.simulator.state();
        let speeds = state.twists.iter();
        let mut speeds = speeds.map(|t| t.linear.norm().max(t.angular.norm()));
        let at = speeds.position(|speed| speed > max_speed)?;
        let twist = &state.twists[at];
        Some(Divergence::Runaway {
            body: self.simulator.model().bodies()[at].name.clone(),
            speed: twist.linear.norm().max(twist.angular.norm()),
            time: state.time,
        })
    }

    /// What to go on from with the same bits.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state().clone(),
            control: self.control.clone(),
            memory: self.simulator.memory(),
            steps: self.steps,
            aside: self.aside.as_ref().map(ToString::to_string),
        }
    }

    /// Go on where a snapshot of a world of the same model was taken, with the same bits. On an error nothing changes.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SetupError> {
        let control = snapshot.control.check(self.simulator.model());
        control.map_err(|error| SetupError::Checkpoint(error.to_string()))?;
        let before = (self.state().clone(), self.simulator.memory());
        self.simulator.set_state(snapshot.state.clone())?;
        if let Err(error) = self.simulator.remember(&snapshot.memory) {
            self.simulator.set_state(before.0)?;
            self.simulator.remember(&before.1)?;
            return Err(error);
        }
        self.control.clone_from(&snapshot.control);
        self.steps = snapshot.steps;
        self.span = Span::default();
        self.aside = snapshot.aside.clone().map(Divergence::Before);
        Ok(())
    }
}

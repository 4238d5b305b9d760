//! One world of a batch.

use super::lanes::Program;
use super::{Ration, Snapshot};
use crate::checkpoint::Memory;
use crate::collision::CollisionWorld;
use crate::control::Control;
use crate::model::Model;
use crate::report::{StepError, StepReport};
use crate::settings::{FailurePolicy, Settings};
use crate::setup::SetupError;
use crate::simulator::Simulator;
use crate::state::State;
use linkwork_solve::{Status, raise};
use std::sync::{Arc, Mutex, OnceLock};

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
        "body '{body}' moves at {speed:.3e} m/s or rad/s at t = {time} s, beyond max_speed; reset the world, and check gains and forces or shorten dt",
        time = crate::time::plain_time(*time)
    )]
    Runaway {
        /// The body.
        body: String,
        /// The larger of its speed (m/s) and its rate of turn (rad/s).
        speed: f64,
        /// Time, s.
        time: f64,
    },
    /// Its steps took more work than the batch allows, several times in a row.
    #[error(
        "{steps} steps in a row up to t = {time} s used up their iterations; reset the world and check forces and gains, or allow more by max_iterations",
        time = crate::time::plain_time(*time)
    )]
    Hard {
        /// Number of these steps.
        steps: u32,
        /// Time, s.
        time: f64,
    },
}

/// Steps in a row that use up their iterations before a world is set aside.
const MOST_STRAINED: u32 = 10;

/// What the steps of one call of [`Batch::step`](super::Batch::step) amount to in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Steps taken.
    pub steps: u32,
    /// Those of them that the world's simulator took: all but those in lanes.
    pub alone: u32,
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
            alone: 0,
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
        self.alone += 1;
        self.failed += u32::from(!report.status.is_solved());
        self.status = self.status.worse(report.status);
        raise(&mut self.residual, report.residuals.scaled());
        raise(&mut self.closure_linear, report.closure_linear);
        raise(&mut self.closure_angular, report.closure_angular);
    }
}

/// A simulator with its control.
pub struct World {
    model: Arc<Model>,
    /// The simulator, if it is where the world is.
    simulator: OnceLock<Box<Simulator>>,
    /// The simulator, if it has been left behind by steps in lanes.
    behind: Mutex<Option<Box<Simulator>>>,
    /// Of worlds that are stepped in lanes: where they are.
    passenger: Option<Box<Passenger>>,
    control: Control,
    steps: u64,
    /// Iterations of its simulator, and steps in a row that used them up.
    ration: Ration,
    strained: u32,
    span: Span,
    aside: Option<Divergence>,
}

/// A world that is stepped in lanes.
pub(super) struct Passenger {
    pub state: State,
    pub memory: Memory,
    /// What the last step of the last call went on from.
    before: (State, Memory, Control),
}

impl World {
    pub(super) fn new(
        model: Arc<Model>,
        settings: Settings,
        program: Option<&Program>,
    ) -> Result<Self, SetupError> {
        let control = Control::new(&model);
        let mut simulator = Simulator::new(model.clone(), settings)?;
        let ration = Ration::new();
        simulator.set_ration(&ration)?;
        let rides = program.is_some_and(|program| program.fits(&model));
        let passenger = rides.then(|| {
            let (state, memory) = (simulator.state().clone(), simulator.memory());
            Box::new(Passenger {
                before: (state.clone(), memory.clone(), control.clone()),
                state,
                memory,
            })
        });
        Ok(Self {
            model,
            control,
            simulator: OnceLock::from(Box::new(simulator)),
            behind: Mutex::new(None),
            passenger,
            ration,
            strained: 0,
            steps: 0,
            span: Span::default(),
            aside: None,
        })
    }

    /// The model, with the variation of this world.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The simulator. Where the last step was taken in lanes, its simulator repeats that step first, for what is read of it beyond the
    /// state: forces, accelerations, rows. Nothing that follows depends on it.
    pub fn simulator(&self) -> &Simulator {
        self.simulator.get_or_init(|| {
            let mut behind = self.behind.lock().unwrap_or_else(|e| e.into_inner());
            let mut simulator = behind.take().expect("it is here or behind");
            if let Some(passenger) = &self.passenger {
                passenger.repeat(&mut simulator);
            }
            simulator
        })
    }

    /// The simulator where the world is, without its last step.
    fn simulator_mut(&mut self) -> &mut Simulator {
        if self.simulator.get().is_none() {
            let behind = self.behind.get_mut().unwrap_or_else(|e| e.into_inner());
            let mut simulator = behind.take().expect("it is here or behind");
            if let Some(passenger) = &self.passenger {
                simulator.go_on_from(&passenger.state, &passenger.memory);
            }
            self.simulator = OnceLock::from(simulator);
        }
        self.simulator.get_mut().expect("made above")
    }

    /// The present state.
    pub fn state(&self) -> &State {
        match &self.passenger {
            Some(passenger) => &passenger.state,
            None => self.simulator().state(),
        }
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
        let state = match (&self.passenger, self.simulator.get()) {
            (Some(passenger), _) => &passenger.state,
            (None, Some(simulator)) => simulator.state(),
            (None, None) => unreachable!("only worlds in lanes leave their simulator behind"),
        };
        change(state, &mut self.control);
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
        self.simulator_mut().set_state(state)?;
        self.board();
        self.control = Control::new(&self.model);
        (self.steps, self.strained) = (0, 0);
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
        for _ in 0..steps {
            if self.aside.is_some() {
                return;
            }
            self.drive(&mut drive);
            self.step_alone(max_speed);
        }
    }

    pub(super) fn begin_span(&mut self) {
        self.span = Span::default();
    }

    /// Whether it is stepped in lanes at all.
    pub(super) fn rides(&self) -> bool {
        self.passenger.is_some()
    }

    /// Whether its steps are taken whole, and its last one was within its ration.
    pub(super) fn goes_whole(&self) -> bool {
        let memory = &self.passenger().memory;
        self.strained == 0 && memory.pace.level == 0
    }

    /// Where it is; of worlds in lanes.
    pub(super) fn passenger(&self) -> &Passenger {
        self.passenger.as_ref().expect("a world in lanes")
    }

    /// The same, to change it: the simulator is left behind.
    pub(super) fn passenger_mut(&mut self) -> &mut Passenger {
        if let Some(simulator) = self.simulator.take() {
            *self.behind.get_mut().unwrap_or_else(|e| e.into_inner()) = Some(simulator);
        }
        self.passenger.as_mut().expect("a world in lanes")
    }

    /// What finds its contacts: that of its simulator, which is left behind.
    pub(super) fn collision(&mut self) -> &mut CollisionWorld {
        self.passenger_mut();
        let behind = self.behind.get_mut().unwrap_or_else(|e| e.into_inner());
        &mut behind.as_mut().expect("left behind above").collision
    }

    /// Note what the step that follows goes on from.
    pub(super) fn note_departure(&mut self) {
        let passenger = self.passenger.as_mut().expect("a world in lanes");
        let (state, memory, control) = &mut passenger.before;
        state.clone_from(&passenger.state);
        memory.clone_from(&passenger.memory);
        control.clone_from(&self.control);
    }

    /// A step of `dt` (s) was taken in lanes, with this scaled residual and these residuals of the joints (m, rad).
    pub(super) fn arrive(&mut self, dt: f64, residual: f64, [linear, angular]: [f64; 2]) {
        self.passenger_mut().state.time += dt;
        self.steps += 1;
        self.span.steps += 1;
        raise(&mut self.span.residual, residual);
        raise(&mut self.span.closure_linear, linear);
        raise(&mut self.span.closure_angular, angular);
    }

    /// Take a step by the simulator, from where the world is.
    pub(super) fn step_alone(&mut self, max_speed: f64) {
        self.simulator_mut();
        let simulator = self.simulator.get_mut().expect("made above");
        let iterations = simulator.settings.solve.max_iterations as u64;
        self.ration.set((iterations >> self.strained).max(1));
        let usual = simulator.settings.failure;
        if let FailurePolicy::Substep { depth } = &mut simulator.settings.failure {
            *depth = depth.saturating_sub(self.strained);
        }
        let stepped = simulator.step(&self.control);
        simulator.settings.failure = usual;
        self.strained = if self.ration.lift() {
            self.strained + 1
        } else {
            0
        };
        match stepped {
            Ok(report) => {
                self.steps += 1;
                self.span.add(&report);
                self.board();
                self.aside = self.runaway(max_speed).or_else(|| self.hard());
            }
            Err(error) => {
                if matches!(error, StepError::Misfit(_)) {
                    // What was refused is told; kept, it would spoil snapshots.
                    self.control = Control::new(&self.model);
                }
                self.aside = Some(Divergence::Refused(error));
            }
        }
    }

    /// Take the passenger to where the simulator is.
    fn board(&mut self) {
        if let (Some(passenger), Some(simulator)) = (&mut self.passenger, self.simulator.get()) {
            passenger.state.clone_from(simulator.state());
            passenger.memory = simulator.memory();
        }
    }

    fn hard(&self) -> Option<Divergence> {
        let (steps, time) = (self.strained, self.state().time);
        (steps >= MOST_STRAINED).then_some(Divergence::Hard { steps, time })
    }

    fn runaway(&self, max_speed: f64) -> Option<Divergence> {
        let state = self.state();
        let speeds = state.twists.iter();
        let mut speeds = speeds.map(|t| t.linear.norm().max(t.angular.norm()));
        let at = speeds.position(|speed| speed > max_speed)?;
        let twist = &state.twists[at];
        Some(Divergence::Runaway {
            body: self.model.bodies()[at].name.clone(),
            speed: twist.linear.norm().max(twist.angular.norm()),
            time: state.time,
        })
    }

    /// What to go on from with the same bits.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            state: self.state().clone(),
            control: self.control.clone(),
            memory: self.memory(),
            steps: self.steps,
            strained: self.strained,
            aside: self.aside.as_ref().map(ToString::to_string),
        }
    }

    fn memory(&self) -> Memory {
        match &self.passenger {
            Some(passenger) => passenger.memory.clone(),
            None => self.simulator().memory(),
        }
    }

    /// Go on where a snapshot of a world of the same model was taken, with the same bits. On an error nothing changes.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SetupError> {
        let control = snapshot.control.check(&self.model);
        control.map_err(|error| SetupError::Checkpoint(error.to_string()))?;
        let before = (self.state().clone(), self.memory());
        let simulator = self.simulator_mut();
        simulator.set_state(snapshot.state.clone())?;
        if let Err(error) = simulator.remember(&snapshot.memory) {
            simulator.set_state(before.0)?;
            simulator.remember(&before.1)?;
            return Err(error);
        }
        self.board();
        self.control.clone_from(&snapshot.control);
        (self.steps, self.strained) = (snapshot.steps, snapshot.strained);
        self.span = Span::default();
        self.aside = snapshot.aside.clone().map(Divergence::Before);
        Ok(())
    }
}

impl Passenger {
    /// Let a simulator take the last step again, and end where that led in lanes.
    fn repeat(&self, simulator: &mut Simulator) {
        let (state, memory, control) = &self.before;
        simulator.go_on_from(state, memory);
        let applied = simulator.step(control).is_ok();
        simulator.end_at(&self.state, &self.memory, applied);
    }
}

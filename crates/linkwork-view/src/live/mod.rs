//! A simulation that viewers watch and control: the loop behind `linkwork run --view`.

mod backend;
mod commands;
mod desk;
mod history;
mod overlay;
mod pace;
mod publish;
mod speedometer;

use crate::hello::{Hello, Mode};
use crate::server::{Hub, Outbox};
use backend::Event;
use history::History;
use linkwork::Script;
use linkwork::{Checkpoint, Moment, Run, Simulator, StepError, StepReport};
use overlay::SharedOverlay;
use pace::Pace;
use speedometer::Speedometer;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

pub use backend::LiveBackend;
pub use desk::{ActuatorInfo, Desk, FindKeyframe, Overrides};

/// Shortest time between frames.
const FRAME_TIME: Duration = Duration::from_micros(16_667);
/// Time between bursts of steps: short for the eye, and long enough to sleep in between.
const BURST_TIME: Duration = Duration::from_millis(4);
/// Time between the frames that are kept while nobody watches.
const UNSEEN_TIME: Duration = Duration::from_millis(100);
/// Longest time between messages about the state of the view.
const STATUS_TIME: Duration = Duration::from_millis(500);
/// Maximum number of events processed before the simulation continues.
const MAX_EVENTS: usize = 256;

/// How a live view begins and ends.
#[derive(Clone, Debug)]
pub struct LiveOptions {
    /// Name shown to viewers.
    pub title: String,
    /// Multiple of real time; 0 is as fast as possible.
    pub speed: f64,
    /// Starts paused. Otherwise it starts when the first viewer connects.
    pub paused: bool,
    /// Time to simulate, s; no end if `None`.
    pub time: Option<f64>,
}

/// Observer of every step of a live run, e.g. to record it. An error is a text that is shown to the viewers; the
/// observer is not called again after it.
pub trait Witness: Send {
    /// The start of the run, or the end of a step.
    fn moment(&mut self, moment: &Moment) -> Result<(), String>;
    /// The run ends, or returns to its start after this step: what follows would not be a continuation. The text
    /// reports the result of the observation.
    fn end(self: Box<Self>, moment: &Moment) -> Result<String, String>;
}

/// Stores steps that fail, e.g. in files from which they can be repeated. It gets the control of the step, including
/// pulls and settings of viewers. Its result is shown to the viewers.
pub trait Keeper: Send {
    /// The solve of this moment's step failed.
    fn failed(&mut self, moment: &Moment) -> Option<String>;
    /// The step after `steps` steps was refused.
    fn refused(&mut self, run: &Run, steps: u64) -> Option<String>;
}

/// A running simulation with its viewers.
pub struct Live {
    run: Run,
    start: Checkpoint,
    overlay: SharedOverlay,
    desk: Option<Desk>,
    /// Who holds the grabbed body.
    holder: Option<Arc<Outbox>>,
    hub: Arc<Hub>,
    events: Receiver<Event>,
    witness: Option<Box<dyn Witness>>,
    keeper: Option<Box<dyn Keeper>>,
    /// Last step, if there is one.
    steps: Option<u64>,
    pace: Pace,
    paused: bool,
    /// For the first viewer.
    waiting: bool,
    /// Requested single steps.
    pending: u64,
    step: u64,
    report: Option<StepReport>,
    /// Why the run cannot continue.
    stopped: Option<String>,
    /// What was shown, for pages that come later.
    history: History,
    /// The state jumped since the last frame.
    jumped: bool,
    /// The state has changed since the last frame.
    fresh: bool,
    /// There is a new state to send.
    changed: bool,
    advanced: Instant,
    shown: Instant,
    told: Instant,
    speedometer: Speedometer,
}

impl Live {
    /// A live view of a simulation, and the backend through which viewers reach it.
    pub fn new(
        simulator: Simulator,
        script: Option<Script>,
        options: &LiveOptions,
        hub: Arc<Hub>,
        witness: Option<Box<dyn Witness>>,
    ) -> (Self, LiveBackend) {
        Self::with_desk(simulator, script, options, hub, witness, None)
    }

    /// A live view with actuators, stored states and signals.
    pub fn with_desk(
        simulator: Simulator,
        script: Option<Script>,
        options: &LiveOptions,
        hub: Arc<Hub>,
        witness: Option<Box<dyn Witness>>,
        desk: Option<Desk>,
    ) -> (Self, LiveBackend) {
        let settings = simulator.settings();
        let mut hello = Hello::new(Mode::Live, &options.title, simulator.model(), settings);
        if let Some(desk) = &desk {
            hello.signals = desk.signals.infos().to_vec();
            hello.actuators = desk.actuators.clone();
            hello.keyframes = desk.keyframes.clone();
        }
        let (backend, events) = LiveBackend::new(hello);
        let overlay = SharedOverlay::default();
        let run = Run::new(simulator, Some(overlay.over(script)));
        let steps = options.time.map(|time| run.steps_in(time));
        let now = Instant::now();
        let live = Self {
            start: run.checkpoint(),
            speedometer: Speedometer::new(run.simulator().state().time),
            run,
            overlay,
            desk,
            holder: None,
            hub,
            events,
            witness,
            keeper: None,
            steps,
            pace: Pace::new(options.speed),
            paused: options.paused,
            waiting: !options.paused,
            pending: 0,
            step: 0,
            report: None,
            stopped: None,
            history: History::default(),
            jumped: false,
            fresh: true,
            changed: true,
            advanced: now,
            shown: now,
            told: now,
        };
        (live, backend)
    }

    /// Let this one keep steps that fail.
    pub fn keep_failures(mut self, keeper: Box<dyn Keeper>) -> Self {
        self.keeper = Some(keeper);
        self
    }

    /// Simulate and serve viewers until the server is stopped.
    pub fn run(mut self) {
        self.witness();
        while self.listen() {
            self.advance();
            self.show();
            self.tell();
        }
    }

    /// Processes events and waits until there is something to do. False when the server has stopped.
    fn listen(&mut self) -> bool {
        for _ in 0..MAX_EVENTS {
            let event = match self.due() {
                Some(due) => {
                    let wait = due.saturating_duration_since(Instant::now());
                    self.events.recv_timeout(wait)
                }
                None => self
                    .events
                    .recv()
                    .map_err(|_| RecvTimeoutError::Disconnected),
            };
            match event {
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => return true,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
        true
    }

    /// Time at which the loop must continue; `None` if only an event can wake it.
    fn due(&mut self) -> Option<Instant> {
        let now = Instant::now();
        let mut due = None;
        let mut at = |time: Instant| due = Some(due.map_or(time, |d: Instant| d.min(time)));
        if self.pending > 0 {
            at(now);
        } else if self.running() {
            let time = self.run.simulator().state().time;
            let paced = |due: Instant| due.max(self.advanced + BURST_TIME);
            at(self.pace.due(time, now).map_or(now, paced));
        }
        if self.hub.viewers() > 0 {
            if self.fresh {
                at(self.shown + FRAME_TIME);
            }
            at(if self.changed {
                now
            } else {
                self.told + STATUS_TIME
            });
        }
        due
    }

    fn running(&self) -> bool {
        !self.paused && !self.waiting
    }

    /// Takes the steps that are due, but no more than fit between two frames.
    fn advance(&mut self) {
        self.advanced = Instant::now();
        let end = self.advanced + FRAME_TIME;
        loop {
            let now = Instant::now();
            let time = self.run.simulator().state().time;
            let due = self.running() && self.pace.due(time, now).is_none();
            if now >= end || !(self.pending > 0 || due) {
                return;
            }
            self.take_step();
        }
    }

    fn take_step(&mut self) {
        let result = self.run.step();
        self.keep(&result);
        self.overlay.lock().lift(self.run.control_mut());
        match result {
            Ok(report) => {
                self.step += 1;
                self.pending = self.pending.saturating_sub(1);
                self.report = Some(report);
                self.fresh = true;
                self.witness();
                if self.steps == Some(self.step) {
                    self.pause();
                    self.dismiss();
                }
            }
            Err(error) => {
                self.pause();
                self.stopped = Some(error.to_string());
                self.hub.error(&error.to_string());
            }
        }
    }

    /// Let the keeper have a step that failed.
    fn keep(&mut self, result: &Result<StepReport, StepError>) {
        let Some(keeper) = &mut self.keeper else {
            return;
        };
        let said = match result {
            Ok(report) if report.status.is_solved() => return,
            Ok(report) => keeper.failed(&self.run.moment(self.step + 1, Some(report))),
            Err(StepError::NotConverged { .. } | StepError::NotFinite { .. }) => {
                keeper.refused(&self.run, self.step)
            }
            Err(_) => return,
        };
        if let Some(said) = said {
            self.hub.error(&said);
        }
    }

    /// Stand still.
    fn pause(&mut self) {
        self.paused = true;
        self.pending = 0;
        self.fresh = true;
        self.changed = true;
    }

    /// Shows the present state of the run to the observer.
    fn witness(&mut self) {
        let moment = self.run.moment(self.step, self.report.as_ref());
        if let Some(witness) = &mut self.witness
            && let Err(error) = witness.moment(&moment)
        {
            self.witness = None;
            self.hub.error(&error);
        }
    }

    /// Ends the observation; returns its message.
    fn dismiss(&mut self) -> Option<String> {
        let moment = self.run.moment(self.step, self.report.as_ref());
        let ended = self.witness.take()?.end(&moment);
        ended.map_err(|error| self.hub.error(&error)).ok()
    }
}

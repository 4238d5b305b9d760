//! Runs of many steps, and their summary.

mod balance;
mod clock;
mod summary;
mod tally;

pub use clock::{Elapsed, Stopwatch};
pub use summary::{RunSummary, StatusCounts, UNACCOUNTED};

use crate::control::Control;
use crate::gradient::{GradientError, Parameter, StepGradient};
use crate::metrics::{kinetic_energy, potential_energy};
use crate::report::{StepError, StepReport};
use crate::scene::{Scene, Script};
use crate::setup::SetupError;
use crate::simulator::Simulator;
use crate::state::State;
use balance::Energy;
use std::ops::ControlFlow;
use tally::Tally;

/// A simulator with the script that moves it.
pub struct Run {
    simulator: Simulator,
    script: Option<Script>,
    control: Control,
}

/// The start of a run, or the end of a step, as passed to an observer.
pub struct Moment<'a> {
    /// Steps taken so far.
    pub step: u64,
    /// The simulator, after the step.
    pub simulator: &'a Simulator,
    /// The control of the step; at the start, the initial control.
    pub control: &'a Control,
    /// The report of the step; `None` at the start.
    pub report: Option<&'a StepReport>,
    /// Total energy at the time of the mid-step velocities, J, which changes by exactly the work that steps report: the
    /// potentials are means over the last step.
    pub energy: f64,
}

impl Moment<'_> {
    /// The state with its velocities at the time of its poses ([`Simulator::synchronised`]), and its energy, J; with
    /// those of mid-step if the solve for them fails. Costs a solve.
    pub fn synchronised(&self) -> (State, f64) {
        at_poses(self.simulator, self.control)
    }
}

/// State and energy (J) with the velocities at the time of the poses, or of mid-step if these are not available.
fn at_poses(simulator: &Simulator, control: &Control) -> (State, f64) {
    let state = simulator.synchronised(control);
    let state = state.unwrap_or_else(|_| simulator.state().clone());
    let model = simulator.model();
    let energy = kinetic_energy(model, &state) + potential_energy(model, &state);
    (state, energy)
}

impl Run {
    /// A run from the simulator's present state.
    pub fn new(simulator: Simulator, script: Option<Script>) -> Self {
        let control = Control::new(simulator.model());
        Self {
            simulator,
            script,
            control,
        }
    }

    /// A run of a scene with its own settings.
    pub fn of(scene: Scene) -> Result<Self, SetupError> {
        let simulator = Simulator::new(scene.model, scene.settings)?;
        Ok(Self::new(simulator, scene.script))
    }

    /// The simulator.
    pub fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    /// The control, constant from step to step; a script changes it before each step.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The control, to change it.
    pub fn control_mut(&mut self) -> &mut Control {
        &mut self.control
    }

    /// The simulator, to change it between steps.
    pub fn simulator_mut(&mut self) -> &mut Simulator {
        &mut self.simulator
    }

    /// What an observer would get now, `step` steps into the run and after a step with this report. For loops that call
    /// [`Run::step`] themselves.
    pub fn moment<'a>(&'a self, step: u64, report: Option<&'a StepReport>) -> Moment<'a> {
        Moment {
            step,
            simulator: &self.simulator,
            control: &self.control,
            report,
            energy: Energy::of(&self.simulator).total(),
        }
    }

    /// Number of whole steps that cover at least `time` (s).
    pub fn steps_in(&self, time: f64) -> u64 {
        // A time that is a multiple of dt up to round-off gets no extra step.
        let steps = time / self.simulator.settings().dt;
        (steps - 1e-9 * steps.max(1.0)).ceil().max(0.0) as u64
    }

    /// Takes `steps` steps. `observe` is called once at the start and after every step, and may stop the run. A refused
    /// step ends the run too, with the error in the summary.
    pub fn steps(
        &mut self,
        steps: u64,
        mut observe: impl FnMut(&Moment) -> ControlFlow<()>,
    ) -> RunSummary {
        let mut tally = Tally::start(&self.simulator, &self.control);
        let watch = Stopwatch::start();
        let mut error = None;
        let mut flow = observe(&tally.moment(self, None));
        for _ in 0..steps {
            if flow.is_break() {
                break;
            }
            match self.step() {
                Ok(report) => {
                    tally.add(&self.simulator, &self.control, &report);
                    flow = observe(&tally.moment(self, Some(&report)));
                }
                Err(refused) => {
                    error = Some(refused);
                    break;
                }
            }
        }
        let elapsed = watch.stop();
        tally.finish(&mut self.simulator, &self.control, elapsed, error)
    }

    /// [`Run::steps`] for a time, s.
    pub fn time(
        &mut self,
        time: f64,
        observe: impl FnMut(&Moment) -> ControlFlow<()>,
    ) -> RunSummary {
        self.steps(self.steps_in(time), observe)
    }

    /// Takes one step: the script, if there is one, sets the control first.
    pub fn step(&mut self) -> Result<StepReport, StepError> {
        self.ask_script();
        self.simulator.step(&self.control)
    }

    /// Takes one step and differentiates it, with the control set by the script held constant.
    pub fn step_gradient(
        &mut self,
        parameters: &[Parameter],
    ) -> Result<StepGradient, GradientError> {
        self.ask_script();
        self.simulator.step_gradient(&self.control, parameters)
    }

    fn ask_script(&mut self) {
        if let Some(script) = &mut self.script {
            let simulator = &self.simulator;
            script(simulator.model(), simulator.state(), &mut self.control);
        }
    }
}

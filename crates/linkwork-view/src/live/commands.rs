//! What viewers can do to a live simulation.

use super::Live;
use super::backend::Event;
use super::pace::Pace;
use super::speedometer::Speedometer;
use crate::command::Command;
use crate::grab::Grab;
use crate::server::Outbox;
use linkwork::Simulator;
use linkwork::math::Vec3;
use linkwork::model::BodyId;
use linkwork_solve::SolverSettings;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tungstenite::Message;

impl Live {
    /// Processes an event; errors are reported to the sender.
    pub(super) fn handle(&mut self, event: Event) {
        match event {
            Event::Entered(viewer) => {
                for message in self.history.messages() {
                    viewer.send(Message::Binary(message));
                }
                self.waiting = false;
                self.fresh = true;
                self.changed = true;
            }
            Event::Command(command, from) => {
                if let Err(reason) = self.obey(command, &from) {
                    from.error(&reason);
                }
            }
            Event::Left(viewer) => {
                // A page that was closed while it pulled a body does not pull it forever.
                if self
                    .holder
                    .as_ref()
                    .is_some_and(|h| Arc::ptr_eq(h, &viewer))
                {
                    self.release();
                }
                self.changed = true;
            }
        }
    }

    fn obey(&mut self, command: Command, from: &Arc<Outbox>) -> Result<(), String> {
        match command {
            Command::Pause { value: true } => self.pause(),
            Command::Pause { value: false } => {
                self.may_go_on()?;
                self.stopped = None;
                self.paused = false;
                self.pending = 0;
                self.pace.restart();
            }
            Command::Step { count } => {
                self.may_go_on()?;
                self.paused = true;
                let left = self.steps.map_or(u64::MAX, |end| end - self.step);
                self.pending = self.pending.saturating_add(count).min(left);
            }
            Command::Reset => self.reset()?,
            Command::Speed { value } => self.pace = Pace::new(value),
            Command::Target { coordinate, value } => {
                let model = self.run.simulator().model();
                self.overlay.lock().target(model, coordinate, value)?;
            }
            Command::Control { actuator, value } => self.set_control(actuator, value)?,
            Command::Keyframe { index } => self.go_to(index)?,
            Command::Grab {
                body,
                local,
                target,
            } => {
                // A pointer moves often; only the start of a pull is reported.
                return self.grab(body, local, target, from);
            }
            Command::Release => self.release(),
            Command::Solver { name } => {
                let solve = self.run.simulator().settings().solve;
                self.set_solver(&name, solve)?;
            }
            Command::Tolerance { value } => {
                let settings = self.run.simulator().settings();
                let (name, mut solve) = (settings.solver.clone(), settings.solve);
                solve.tolerance = value;
                self.set_solver(&name, solve)?;
            }
            // Not passed on by the backend.
            Command::Frame { .. } | Command::Series { .. } => {}
        }
        self.changed = true;
        self.fresh = true;
        Ok(())
    }

    fn may_go_on(&self) -> Result<(), String> {
        if self.steps.is_some_and(|end| self.step >= end) {
            let time = linkwork::plain_time(self.run.simulator().state().time);
            return Err(format!(
                "the run ended at {time} s, as --time asked; reset it to run it again"
            ));
        }
        Ok(())
    }

    /// Set the control of an actuator until the next reset.
    fn set_control(&mut self, actuator: usize, value: f64) -> Result<(), String> {
        let desk = self.desk.as_ref().ok_or("the model has no actuators")?;
        let count = desk.actuators.len();
        if actuator >= count {
            return Err(format!(
                "there is no actuator {actuator}; the model has {count}"
            ));
        }
        lock(&desk.overrides).insert(actuator, value);
        Ok(())
    }

    /// Restarts at a stored state, with its controls.
    fn go_to(&mut self, index: usize) -> Result<(), String> {
        let desk = self.desk.as_ref().ok_or("the model has no stored states")?;
        let name = desk.keyframes.get(index);
        let name = name.ok_or_else(|| format!("there is no stored state {index}"))?;
        let found = (desk.find)(index);
        let (mut state, controls) = found.map_err(|e| format!("'{name}': {e}"))?;
        self.reset()?;
        state.time = self.start.state.time;
        let simulator = self.run.simulator_mut();
        simulator.set_state(state).map_err(|e| e.to_string())?;
        if let Some(desk) = &self.desk {
            *lock(&desk.overrides) = controls.into_iter().enumerate().collect();
        }
        Ok(())
    }

    /// Back to the start, with the present solver and tolerance. Targets and forces are those of the script again.
    fn reset(&mut self) -> Result<(), String> {
        let simulator = self.run.simulator();
        let mut start = self.start.clone();
        start.settings = simulator.settings().clone();
        let again =
            Simulator::resume(simulator.model().clone(), &start).map_err(|e| e.to_string())?;
        if let Some(seen) = self.dismiss() {
            self.hub
                .error(&format!("what follows the reset is not recorded; {seen}"));
        }
        *self.run.simulator_mut() = again;
        *self.run.control_mut() = start.control;
        self.overlay.lock().clear();
        if let Some(desk) = &self.desk {
            lock(&desk.overrides).clear();
        }
        self.holder = None;
        self.step = 0;
        self.pending = 0;
        self.report = None;
        self.stopped = None;
        self.jumped = true;
        self.pace.restart();
        self.speedometer = Speedometer::new(self.start.state.time);
        Ok(())
    }

    fn grab(
        &mut self,
        body: usize,
        local: [f64; 3],
        target: [f64; 3],
        from: &Arc<Outbox>,
    ) -> Result<(), String> {
        let simulator = self.run.simulator();
        let (model, dt) = (simulator.model(), simulator.settings().dt);
        let bodies = model.bodies().len();
        if body >= bodies {
            return Err(format!("there is no body {body}; the model has {bodies}"));
        }
        let [local, target] = [local, target].map(Vec3::from);
        let grab = Grab::new(model, BodyId(body as u32), local, target, dt);
        let before = self.overlay.lock().grab.replace(grab);
        self.changed |= before.is_none_or(|g| g.body.index() != body);
        self.holder = Some(from.clone());
        Ok(())
    }

    fn release(&mut self) {
        self.overlay.lock().grab = None;
        self.holder = None;
    }

    fn set_solver(&mut self, name: &str, solve: SolverSettings) -> Result<(), String> {
        let simulator = self.run.simulator_mut();
        simulator.set_solver(name, solve).map_err(|e| e.to_string())
    }
}

fn lock(overrides: &Mutex<BTreeMap<usize, f64>>) -> MutexGuard<'_, BTreeMap<usize, f64>> {
    overrides.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Springs that add energy when the velocities of a step are completed.
//!
//! A spring acts with the impulse λ₁ in the kick before a step and with the same in the kick that completes it, where
//! its coordinate may have another mobility D. This adds ½ λ₁² ΔD, which no work of the step shows: near gimbal lock
//! D grows as 1/cos² b, and on a point that slides along a line as the square of the lever arm. (Two bodies on a gimbal
//! gained 70 % of their energy in one step of 5 ms, mechanism 524 of seed 5.) Where this may be more than a share of
//! the kinetic energy, the step starts from velocities at the time of the poses, and the energy there is an upper bound
//! for that at its end: if the completion exceeds it, it is applied in part. That is a share of all impulses of the
//! completion, so momentum is kept.

use crate::control::Control;
use crate::math::Twist;
use crate::metrics::{kinetic_energy, potential_energy};
use crate::report::{StepError, StepReport, Work};
use crate::simulator::Simulator;
use crate::state::State;

/// Share of the kinetic energy by which a completion may differ unchecked.
const UNCHECKED: f64 = 1e-5;

impl Simulator {
    /// Completes the velocities of the last step if their energy is bounded; returns the work.
    pub(super) fn complete_within(&mut self, control: &Control) -> Work {
        let Some(most) = self.pose_energy.take() else {
            return Work::default();
        };
        let before = self.state.twists.clone();
        let mut work = self.synchronise(control);
        let mut state = std::mem::take(&mut self.state);
        let removed = self.bound(&before, &mut state, most);
        self.state = state;
        work.joints -= removed;
        self.energy_books.surplus -= removed;
        work
    }

    /// Takes back as much of the completion, from the twists `before` to those of the state, as takes its energy to
    /// `most`, J, or to its least value. Returns the energy taken back, J.
    pub(crate) fn bound(&self, before: &[Twist], state: &mut State, most: f64) -> f64 {
        let reached = self.energy_of(state);
        if reached <= most {
            return 0.0;
        }
        let after = state.twists.clone();
        // e(α) = e₀ + a α + b α², exactly.
        let mut at = |share: f64| {
            for ((twist, from), to) in state.twists.iter_mut().zip(before).zip(&after) {
                twist.linear = from.linear + share * (to.linear - from.linear);
                twist.angular = from.angular + share * (to.angular - from.angular);
            }
            self.energy_of(state)
        };
        let (none, half) = (at(0.0), at(0.5));
        let (a, b) = (
            4.0 * half - 3.0 * none - reached,
            2.0 * (reached - 2.0 * half + none),
        );
        let square = a * a - 4.0 * b * (none - most);
        let share = (-a + square.max(0.0).sqrt()) / (2.0 * b);
        let share = if b > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 };
        reached - at(share)
    }

    /// If springs may add energy when the step found is completed: solves it again from velocities at the time of the
    /// poses, and bounds the energy at its end.
    pub(super) fn bound_completion(
        &mut self,
        control: &Control,
        dt: f64,
        report: &mut StepReport,
    ) -> Result<(), StepError> {
        if !self.completion_varies() {
            return Ok(());
        }
        if self.lag() > 0.0 {
            let work = self.synchronise(control);
            let cost = *report;
            *report = self.solve_step(control, dt)?;
            report.add_cost(&cost);
            report.work.add(&work);
        }
        self.pose_energy = Some(self.energy_of(&self.state) + self.external_work(report));
        Ok(())
    }

    /// Energy that other elements than springs and joints added in the step found, J.
    fn external_work(&self, report: &StepReport) -> f64 {
        let Work {
            limits,
            friction,
            contacts,
            applied,
            drives,
            ..
        } = report.work;
        let drives = drives - self.measure.stores;
        [limits, friction, contacts, applied, drives]
            .iter()
            .map(|w| w.max(0.0))
            .sum()
    }

    fn completion_varies(&self) -> bool {
        let staggered = self.settings.integrator.is_staggered();
        if self.rows.geared.is_empty() || !staggered {
            return false;
        }
        let end = &self.closure.end_poses;
        let gain = self.rows.mobility_gain(&self.motion(), &self.solution, end);
        gain > UNCHECKED * self.measure.before.max(self.measure.solved)
    }

    /// Energy of a state, with rotors at the rates of their coordinates, J.
    fn energy_of(&self, state: &State) -> f64 {
        let model = &self.model;
        let rotors: f64 = model
            .layout()
            .geared
            .iter()
            .map(|along| {
                let rate = along.rate(model, state);
                0.5 * along.axis(model).armature * rate * rate
            })
            .sum();
        kinetic_energy(model, state) + potential_energy(model, state) + rotors
    }
}

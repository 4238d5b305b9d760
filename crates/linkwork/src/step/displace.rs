//! Joints that a failed step leaves open.
//!
//! A step that would add energy is held back and leaves its joints open (`step/energy.rs`). The next step closes them
//! with the velocity C/dt, which is energy again, and is held back too: the joints come apart step by step, and the
//! impulses that pull at them grow. Without a velocity, closing costs no kinetic energy. Such a step therefore moves
//! the bodies by the least distance that closes the joints, in the metric of their masses (a mechanism that nothing
//! holds keeps its centre of mass), and the change of potential energy counts as work of the joints. It stays a failed
//! step. Scenes that need it: the whip at 10 ms with four halvings (`tests/harmless.rs`), whose joints were open by 0.11 m,
//! and mechanisms 1457 of seed 2 and 1042 of seed 3 at 5 ms, by 5 and 9 mm.

use crate::assemble::close_nearby;
use crate::closure::{Violation, closing_tolerance};
use crate::metrics::potential_energy;
use crate::report::StepReport;
use crate::simulator::Simulator;

/// How far joints may be open, m or rad, before bodies are displaced: less is closed by the velocities of later steps.
pub(super) const OPEN: f64 = 1e-6;

impl Simulator {
    /// Closes the joints at the end of the step found by moving the bodies, if they are open.
    pub(super) fn close_by_displacement(&mut self, report: &mut StepReport) {
        let open = report.closure_linear.max(report.closure_angular);
        // Not a number: the state will be refused.
        let displaces = open > OPEN && open.is_finite();
        if !displaces || !self.settings.closure.enabled {
            return;
        }
        let model = &self.model;
        let mut state = self.state.clone();
        state.poses.clone_from(&self.closure.end_poses);
        state.update_coordinates(model);
        let before = potential_energy(model, &state);
        let aim = closing_tolerance(&self.settings, self.rows.problem.dt);
        close_nearby(model, &mut state, aim);
        let gain = potential_energy(model, &state) - before;
        let found = std::mem::replace(&mut self.closure.end_poses, state.poses);
        let violation = self.measure_closure();
        // Joints that contradict each other stay where the impulses leave them. So do those of a mechanism with a spring
        // near gimbal lock, if a displacement turns its coordinate so far that it gains more than joints may give.
        let closed = violation.linear.max(violation.angular) <= OPEN;
        if closed && gain <= self.allowed_at_limit() {
            report.enter(&violation);
            report.work.joints += gain;
        } else {
            self.closure.end_poses = found;
            self.measure_closure();
        }
    }

    /// Violations at the present end poses.
    fn measure_closure(&mut self) -> Violation {
        let mut closure = std::mem::take(&mut self.closure);
        let violation = closure.measure(&self.motion(), &self.rows, &self.solution);
        self.closure = closure;
        violation
    }
}

impl StepReport {
    /// Takes over the violations at the end of the step.
    pub(super) fn enter(&mut self, violation: &Violation) {
        self.closure_linear = violation.linear;
        self.closure_angular = violation.angular;
        self.limit_violation = violation.limit;
    }
}

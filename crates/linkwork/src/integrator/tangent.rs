//! Projects velocities at the end of a step on those the joints allow, for schemes that violate J u = 0.
//!
//! If velocities before and after a step share in moving the poses (θ_vq < 1), the old ones move bodies into contacts
//! and limits, and the new ones have to move them out again. At the end of the step the contacts are closed, with a
//! velocity that is not a motion but a correction. Such rows are stopped once the poses are reached, by no more than
//! the impulse that corrected them, so that both together still only push: the velocity half of RATTLE. Joints take
//! part with J u = 0.
//!
//! In smooth motion joints have such velocities too, of the order of dt³, with alternating sign. Removing them in every
//! step would cost energy, a share of dt³ over time (a double pendulum: 2.9 % in 200 s at 10 ms, 0.4 % at 5 ms);
//! otherwise they neither grow nor matter. They are removed when velocities are read ([`Simulator::synchronised`]).

use super::Plan;
use crate::control::Control;
use crate::integrate::{free_momenta, free_motion};
use crate::math::Vec3;
use crate::report::{StepError, StepReport};
use crate::rows::{Inputs, Rows};
use crate::simulator::Simulator;
use crate::state::State;
use crate::synchronise::set_twists;
use linkwork_solve::{DEFAULT_SOLVER, Solution, SolveReport, Solver, SolverSettings, solver_entry};
use std::sync::{Mutex, PoisonError};

/// Buffers for these velocities, separate from the problem of the step, which can still be read.
pub(crate) struct Tangent {
    solver: Box<dyn Solver>,
    rows: Rows,
    wrenches: Vec<[Vec3; 2]>,
    momenta: Vec<Vec3>,
    solution: Solution,
}

impl Tangent {
    fn new(settings: SolverSettings) -> Box<Self> {
        let entry = solver_entry(DEFAULT_SOLVER).expect("the default solver is registered");
        Box::new(Self {
            solver: entry.make_unchecked(settings, false),
            rows: Rows::default(),
            wrenches: Vec::new(),
            momenta: Vec::new(),
            solution: Solution::default(),
        })
    }
}

impl Simulator {
    /// The state with velocities that its joints allow; nothing of the simulator changes.
    pub(crate) fn with_tangent_velocities(&self) -> Result<State, StepError> {
        let mut state = self.state.clone();
        if self.model.locked_rows() > 0 && self.last_dt.is_some() {
            let mut kept = self.tangent.lock().unwrap_or_else(PoisonError::into_inner);
            let mut tangent = kept.take().unwrap_or_else(|| self.make_tangent());
            let solve = self.find_tangent(&mut tangent, false);
            set_twists(&mut state, &tangent.solution);
            *kept = Some(tangent);
            if !solve.status.is_solved() {
                return Err(StepError::NotConverged {
                    time: self.state.time,
                    status: solve.status,
                    residual: solve.residuals.scaled(),
                    joints: String::new(),
                });
            }
        }
        Ok(state)
    }

    /// After a step: stops rows that were opened by a corrective velocity.
    pub(crate) fn end_pushes(&mut self, report: &mut StepReport) {
        let pushed = self
            .rows
            .pushed
            .iter()
            .any(|p| self.push_impulse(p.block) > 0.0);
        let joints = self.stage.plan.tangent && self.model.locked_rows() > 0;
        if !pushed && !joints {
            return;
        }
        let kept = self.tangent.get_mut();
        let kept = kept.unwrap_or_else(PoisonError::into_inner).take();
        let mut tangent = kept.unwrap_or_else(|| self.make_tangent());
        let solve = self.find_tangent(&mut tangent, true);
        report.iterations += solve.iterations;
        report.factorizations += solve.factorizations;
        if solve.status.is_solved() {
            let Tangent {
                rows,
                wrenches,
                momenta,
                solution,
                ..
            } = &mut *tangent;
            free_momenta(rows, &self.state, wrenches, 0.0, momenta);
            let applied = (&momenta[..], &wrenches[..], 0.0);
            let gyroscopic = self.settings.gyroscopic;
            let model = &self.model;
            report.work.add(
                &self
                    .work
                    .measure(rows, solution, model, applied, gyroscopic),
            );
            set_twists(&mut self.state, solution);
            self.rates_of_state();
        } else {
            report.status = report.status.worse(solve.status);
        }
        self.tangent = Mutex::new(Some(tangent));
    }

    fn make_tangent(&self) -> Box<Tangent> {
        Tangent::new(self.settings.solve)
    }

    /// The impulse that opened a contact or limit (block `k`) in the last step, N s or N m s.
    fn push_impulse(&self, k: usize) -> f64 {
        let range = self.rows.problem.sets.range(k);
        self.solution.lambda[range.end - 1]
    }

    /// Finds the velocities nearest to those of the state, in the metric of M, that joints allow, with armatures and,
    /// if requested, the rows that were opened.
    fn find_tangent(&self, tangent: &mut Tangent, pushed: bool) -> SolveReport {
        let (model, state, settings) = (&self.model, &self.state, &self.settings);
        let Tangent {
            solver,
            rows,
            wrenches,
            solution,
            ..
        } = tangent;
        let plan = Plan::impact(self.stage.plan.dt);
        rows.begin(model, state, plan.dt);
        wrenches.clear();
        wrenches.resize(model.bodies().len(), [Vec3::zeros(); 2]);
        free_motion(
            rows,
            model,
            state,
            (0.0, 0.0),
            settings.gyroscopic,
            wrenches,
        );
        // No gravity either.
        rows.let_free_be_before();
        let inputs = Inputs {
            model,
            state,
            control: &Control::new(model),
            settings,
            contacts: &[],
            carried: &self.carried,
            released: &self.released,
            plan: &plan,
        };
        rows.assemble_impacts(&inputs, &[]);
        if pushed {
            for push in &self.rows.pushed {
                let impulse = self.push_impulse(push.block);
                if impulse > 0.0 {
                    let step = (&self.rows, &self.contacts[..], &self.start_poses[..]);
                    rows.rest(&inputs, step, push, impulse);
                }
            }
        }
        solution.lambda.clear();
        solver.solve(&rows.problem, solution, &mut ())
    }
}

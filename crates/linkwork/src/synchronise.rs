//! Velocities at the time of the poses.
//!
//! Those of a [`State`] live half a step before its poses: each step kicks them over the time between the
//! middles of two steps and moves the poses with the result (leapfrog), which is what makes positions second
//! order. Read as if they belonged to the poses they are off by half a kick, and an energy of both by the order
//! of dt. The other half of the kick, with the joints' J u = 0 at the present poses, completes them: the
//! velocity half of RATTLE.

use crate::collision::ContactPoint;
use crate::control::Control;
use crate::integrate::{applied_wrenches, free_momenta, free_motion};
use crate::math::{Twist, Vec3};
use crate::report::{StepError, Work};
use crate::rows::{Inputs, RowSource, Rows};
use crate::settings::Gyroscopic;
use crate::simulator::Simulator;
use crate::state::State;
use linkwork_solve::{Solution, Status};

impl Simulator {
    /// Twists of the bodies as the steps carry them, half of the last step before the poses; the same as
    /// `state().twists`.
    pub fn mid_step_twists(&self) -> &[Twist] {
        &self.state.twists
    }

    /// The present state with its velocities at the time of its poses, under the control given: kicked by
    /// the forces over the rest of the last step, with joints, limits and contacts that hold. Costs a solve;
    /// nothing of the simulator changes.
    ///
    /// Before the first step with [`FirstKick::Half`](crate::FirstKick::Half) velocities are at the time of
    /// the poses already.
    pub fn synchronised(&mut self, control: &Control) -> Result<State, StepError> {
        if let Some(misfit) = control.misfit(&self.model) {
            return Err(StepError::Misfit(misfit));
        }
        let mut state = self.state.clone();
        let dt = self.lag();
        if dt == 0.0 {
            return Ok(state);
        }
        let (_, x) = self.half_kick(control, dt)?;
        set_twists(&mut state, &x);
        Ok(state)
    }

    /// Let the velocities be those at the time of the poses, and enter what that did in the books. Where the
    /// solve fails they stay as they are. Returned is the work.
    pub(crate) fn synchronise(&mut self, control: &Control) -> Work {
        let dt = self.lag();
        if dt == 0.0 {
            return Work::default();
        }
        let Ok((mut rows, mut x)) = self.half_kick(control, dt) else {
            return Work::default();
        };
        std::mem::swap(&mut self.rows, &mut rows);
        std::mem::swap(&mut self.solution, &mut x);
        self.kick = 0.5 * dt;
        let Self {
            rows: now,
            model,
            state,
            wrenches,
            kick,
            ..
        } = self;
        applied_wrenches(now, model, control, wrenches);
        free_momenta(now, state, wrenches, *kick, &mut self.momenta);
        let work = self.measure_work();
        self.measure_energy();
        self.keep_books(&work);
        self.add_external();
        set_twists(&mut self.state, &self.solution);
        self.last_dt = Some(0.0);
        std::mem::swap(&mut self.rows, &mut rows);
        std::mem::swap(&mut self.solution, &mut x);
        work
    }

    /// The second half of the last step's kick, of size `dt`.
    fn half_kick(&mut self, control: &Control, dt: f64) -> Result<(Rows, Solution), StepError> {
        let contacts = self.contacts_that_hold();
        let rows = self.rows_now(&contacts, control, dt);
        self.solver.supports(&rows.problem)?;
        let mut x = Solution::default();
        let solve = self.solver.solve(&rows.problem, &mut x, &mut ());
        if solve.status != Status::Converged {
            return Err(StepError::NotConverged {
                time: self.state.time,
                status: solve.status,
                residual: solve.residuals.scaled(),
                joints: String::new(),
            });
        }
        Ok((rows, x))
    }

    /// Contacts at the present poses that are closed, or were held closed by the last step.
    fn contacts_that_hold(&mut self) -> Vec<ContactPoint> {
        let mut contacts = self.detect_contacts().to_vec();
        contacts.retain(|c| c.gap <= 0.0 || self.held(&RowSource::Contact(c.key)));
        contacts
    }

    /// Whether a row carried an impulse in the last step.
    fn held(&self, source: &RowSource) -> bool {
        let entries = self.warm.entries();
        let found = entries.binary_search_by(|(s, _)| s.cmp(source));
        found.is_ok_and(|i| entries[i].1.iter().any(|l| *l != 0.0))
    }

    /// The problem of half a kick at the present poses, in which nothing moves the joints.
    fn rows_now(&self, contacts: &[ContactPoint], control: &Control, dt: f64) -> Rows {
        let (model, state, settings) = (&self.model, &self.state, &self.settings);
        let kick = 0.5 * dt;
        let mut rows = Rows::default();
        rows.begin(model, state, dt);
        // Angular momenta under the midpoint rule are those at the poses already.
        let turn = match settings.gyroscopic {
            Gyroscopic::Midpoint => 0.0,
            _ => kick,
        };
        let spans = (turn, kick);
        let mut wrenches = Vec::new();
        free_motion(
            &mut rows,
            model,
            state,
            control,
            spans,
            settings.gyroscopic,
            &mut wrenches,
        );
        rows.assemble(&Inputs {
            model,
            state,
            control,
            settings,
            contacts,
            dt,
            kick,
        });
        let problem = &mut rows.problem;
        for (k, source) in rows.sources.iter().enumerate() {
            let range = problem.sets.range(k);
            let stays = match source {
                RowSource::Joint(_) | RowSource::Coupling(_) | RowSource::Contact(_) => true,
                RowSource::Limit { .. } | RowSource::TendonLimit { .. } => self.held(source),
                _ => false,
            };
            let hard = problem.compliance[range.clone()].iter().all(|r| *r == 0.0);
            if stays && hard {
                problem.v_bias[range].fill(0.0);
            }
        }
        rows
    }
}

/// Let the twists be u⁺.
fn set_twists(state: &mut State, x: &Solution) {
    for (twist, u) in state.twists.iter_mut().zip(x.u_plus.chunks_exact(6)) {
        *twist = Twist::new(Vec3::new(u[0], u[1], u[2]), Vec3::new(u[3], u[4], u[5]));
    }
}

//! Velocities at the time of the poses.
//!
//! Those of a [`State`] are half a step before its poses: each step kicks them over the time between the middles of two
//! steps and moves the poses with the result (leapfrog), which makes positions second order. Read as velocities at the
//! poses they are off by half a kick, and the energy by the order of dt. The other half of the kick, with the joints' J
//! u = 0 at the present poses, completes them: the velocity half of RATTLE.

use crate::adhesion::add_adhesions;
use crate::collision::{CollisionWorld, ContactPoint, DetectSettings};
use crate::control::Control;
use crate::integrate::{applied_wrenches, free_momenta, free_motion};
use crate::integrator::Plan;
use crate::math::{Twist, Vec3};
use crate::report::{StepError, Work};
use crate::rows::{Inputs, RowSource, Rows};
use crate::settings::Gyroscopic;
use crate::simulator::{Simulator, make_solver};
use crate::state::State;
use linkwork_solve::{Solution, Solver};
use std::sync::{Mutex, PoisonError};

/// Data for the half kick, separate from the simulator's own, so that reading changes nothing.
pub(crate) struct Reader {
    pub solver: Box<dyn Solver>,
    collision: CollisionWorld,
    pub contacts: Vec<ContactPoint>,
    pub rows: Rows,
    pub wrenches: Vec<[Vec3; 2]>,
    pub solution: Solution,
}

impl Simulator {
    /// Twists of the bodies as carried by the steps, half of the last step before the poses; the same as
    /// `state().twists`. With an [`Integrator`](crate::Integrator) other than the default they are those at the time of
    /// the poses.
    pub fn mid_step_twists(&self) -> &[Twist] {
        &self.state.twists
    }

    /// The present state with its velocities at the time of its poses, under the given control: kicked by the forces
    /// over the rest of the last step, with joints, limits and contacts closed. Costs a solve; the simulator does not
    /// change. With an [`Integrator`](crate::Integrator) other than the default, velocities are at the time of the
    /// poses already, and the result has the nearest ones that the joints allow, J u = 0.
    ///
    /// Before the first step with [`FirstKick::Half`](crate::FirstKick::Half) velocities are at the time of the poses
    /// already.
    pub fn synchronised(&self, control: &Control) -> Result<State, StepError> {
        control.check(&self.model)?;
        if !self.settings.integrator.is_staggered() {
            return self.with_tangent_velocities();
        }
        let mut state = self.state.clone();
        if self.lag() > 0.0 {
            let mut kept = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            let mut reader = kept.take().unwrap_or_else(|| self.make_reader());
            let kicked = self.half_kick(control, &mut reader);
            set_twists(&mut state, &reader.solution);
            *kept = Some(reader);
            kicked?;
        }
        Ok(state)
    }

    /// Synchronises the velocities with the poses, and adds the work of that to the energy account. If the solve fails
    /// they do not change. Returns the work.
    pub(crate) fn synchronise(&mut self, control: &Control) -> Work {
        let mut work = Work::default();
        if self.lag() == 0.0 {
            return work;
        }
        let kept = self.reader.get_mut();
        let kept = kept.unwrap_or_else(PoisonError::into_inner).take();
        let mut reader = kept.unwrap_or_else(|| self.make_reader());
        if self.half_kick(control, &mut reader).is_ok() {
            self.swap_problem(&mut reader);
            self.kick = 0.5 * self.lag();
            let Self { rows, state, .. } = self;
            free_momenta(rows, state, &self.wrenches, self.kick, &mut self.momenta);
            work = self.measure_work();
            work.share_impacts();
            self.measure_energy();
            self.keep_books(&work);
            self.add_external();
            set_twists(&mut self.state, &self.solution);
            self.last_dt = Some(0.0);
            self.rows.complete_bends(
                &self.model,
                &self.carried,
                &self.solution.u_plus,
                &mut self.owed,
            );
            // The rotors' are those of the coordinates now.
            self.carried.clear();
            self.swap_problem(&mut reader);
        }
        self.reader = Mutex::new(Some(reader));
        work
    }

    fn swap_problem(&mut self, reader: &mut Reader) {
        std::mem::swap(&mut self.rows, &mut reader.rows);
        std::mem::swap(&mut self.solution, &mut reader.solution);
        std::mem::swap(&mut self.wrenches, &mut reader.wrenches);
    }

    pub(crate) fn make_reader(&self) -> Box<Reader> {
        let solver = make_solver(&self.model, &self.settings);
        Box::new(Reader {
            solver: self.rationed(solver.expect("made for the simulator already")),
            collision: self.model.collision().clone(),
            contacts: Vec::new(),
            rows: Rows::default(),
            wrenches: Vec::new(),
            solution: Solution::default(),
        })
    }

    /// The second half of the last step's kick.
    fn half_kick(&self, control: &Control, reader: &mut Reader) -> Result<(), StepError> {
        self.contacts_that_hold(reader);
        self.rows_now(control, reader);
        let Reader {
            solver,
            contacts,
            rows,
            solution,
            ..
        } = reader;
        solver.supports(&rows.problem)?;
        self.warm.guess(rows, contacts, &mut solution.lambda);
        // About half of the last step's impulses.
        solution.lambda.iter_mut().for_each(|l| *l *= 0.5);
        let solve = solver.solve(&rows.problem, solution, &mut ());
        if solve.status.is_solved() {
            return Ok(());
        }
        Err(StepError::NotConverged {
            time: self.state.time,
            status: solve.status,
            residual: solve.residuals.scaled(),
            joints: String::new(),
        })
    }

    /// Contacts at the present poses that are closed, or were kept closed by the last step.
    fn contacts_that_hold(&self, reader: &mut Reader) {
        let detect = DetectSettings {
            margin: self.settings.contact.margin,
            dt: self.settings.dt,
        };
        let State { poses, twists, .. } = &self.state;
        let contacts = &mut reader.contacts;
        reader
            .collision
            .detect(poses, twists, &detect, None, contacts);
        contacts.retain(|c| c.gap <= 0.0 || self.held(&RowSource::Contact(c.key)));
    }

    /// Whether a row carried an impulse in the last step.
    fn held(&self, source: &RowSource) -> bool {
        let entries = self.warm.entries();
        let found = entries.binary_search_by(|(s, _)| s.cmp(source));
        found.is_ok_and(|i| entries[i].1.iter().any(|l| *l != 0.0))
    }

    /// The problem of half a kick at the present poses, with joints at rest.
    fn rows_now(&self, control: &Control, reader: &mut Reader) {
        let (model, state, settings) = (&self.model, &self.state, &self.settings);
        let dt = self.lag();
        let kick = 0.5 * dt;
        let rows = &mut reader.rows;
        rows.begin(model, state, dt);
        // Angular momenta under the midpoint rule are those at the poses already.
        let turn = match settings.gyroscopic {
            Gyroscopic::Midpoint => 0.0,
            _ => kick,
        };
        let (spans, gyroscopic) = ((turn, kick), settings.gyroscopic);
        applied_wrenches(rows, model, control, &mut reader.wrenches);
        let (contacts, wrenches) = (&reader.contacts, &mut reader.wrenches);
        add_adhesions(&control.adhesions, contacts, state, wrenches);
        rows.add_springs(model, dt, &self.carried, &mut reader.wrenches);
        free_motion(rows, model, state, spans, gyroscopic, &reader.wrenches);
        rows.assemble(&Inputs {
            model,
            state,
            control,
            settings,
            contacts: &reader.contacts,
            carried: &self.carried,
            released: &self.released,
            plan: &Plan::completion(dt),
        });
        let problem = &mut rows.problem;
        for (k, source) in rows.sources.iter().enumerate() {
            let range = problem.sets.range(k);
            let stays = match source {
                RowSource::Joint(_) | RowSource::Coupling(_) | RowSource::Contact(_) => true,
                RowSource::Limit { .. }
                | RowSource::TendonLimit { .. }
                | RowSource::TurnLimit(_) => self.held(source),
                _ => false,
            };
            let hard = problem.compliance[range.clone()].iter().all(|r| *r == 0.0);
            if stays && hard {
                problem.v_bias[range].fill(0.0);
            }
        }
    }
}

/// Let the twists be u⁺.
pub(crate) fn set_twists(state: &mut State, x: &Solution) {
    for (twist, u) in state.twists.iter_mut().zip(x.u_plus.chunks_exact(6)) {
        *twist = Twist::new(Vec3::new(u[0], u[1], u[2]), Vec3::new(u[3], u[4], u[5]));
    }
}

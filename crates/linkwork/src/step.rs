//! One step of the simulation; [`Simulator::step`] reads as the algorithm.

mod adaptive;
mod blame;
mod curve;
mod displace;
mod energy;
mod pace;
mod released;
mod saved;
mod stopwatch;
mod substep;

pub(crate) use adaptive::Trials;
pub(crate) use curve::is_turned_through;
pub use energy::EnergyBooks;
pub(crate) use energy::{Judge, Measure, standstill};
pub use pace::Pace;
pub(crate) use saved::Saved;

use crate::adhesion::add_adhesions;
use crate::closure::{Closure, Refined};
use crate::control::Control;
use crate::integrate::{Motion, applied_wrenches, free_momenta, free_motion};
use crate::integrator::Plan;
use crate::math::{Twist, Vec3};
use crate::report::{Outcome, StepError, StepReport, Timings, Work};
use crate::rows::Inputs;
use crate::settings::{FailurePolicy, FirstKick, Gyroscopic, Impacts};
use crate::simulator::Simulator;
use linkwork_solve::{
    ContactModel, Problem, ResidualBuffers, Residuals, Solution, Solver, Status, Unsupported,
    larger, residuals_weighted, residuals_with,
};
use stopwatch::Clock;

impl Simulator {
    /// Advance by dt. On an error the state is as before.
    pub fn step(&mut self, control: &Control) -> Result<StepReport, StepError> {
        control.check(&self.model)?;
        let depth = match self.settings.failure {
            FailurePolicy::Substep { depth } => depth,
            _ => 0,
        };
        self.save();
        self.external = [Vec3::zeros(); 2];
        self.kinetic_peak = 0.0;
        self.blocked.list.clear();
        let dt = self.settings.dt;
        let result = match self.settings.adaptive {
            None => self.march(control, dt, depth),
            Some(adaptive) => self.adapt(control, dt, depth, adaptive),
        };
        if result.is_err() {
            self.restore();
        }
        result
    }

    /// Advances by `dt`, in halves if that is better; `whole` is the report of the step of which this is a half.
    fn advance(
        &mut self,
        control: &Control,
        dt: f64,
        depth: u32,
        whole: Option<&StepReport>,
    ) -> Result<StepReport, StepError> {
        let mut report = self.solve_step(control, dt)?;
        if depth > 0
            && (self.halving_helps(&report, whole) || self.turns_through() || self.springs_bend())
        {
            return self.substep(control, dt, depth - 1, &report);
        }
        let failed = |r: &StepReport| !r.status.is_solved();
        let policy = self.settings.failure;
        let refuses = matches!(policy, FailurePolicy::Error | FailurePolicy::Hold);
        if !(refuses && failed(&report)) {
            self.forbid_gain(&mut report);
        }
        if matches!(policy, FailurePolicy::Substep { .. }) && failed(&report) {
            self.close_by_displacement(&mut report);
        }
        match policy {
            FailurePolicy::Error if failed(&report) => Err(self.not_converged(&report)),
            FailurePolicy::Hold if failed(&report) => {
                self.state.twists.clone_from(&self.saved.state.twists);
                self.state.time += dt;
                Ok(StepReport {
                    outcome: Outcome::Held,
                    ..report
                })
            }
            _ => self.apply(report, dt),
        }
    }

    /// Everything up to the impulses. The state is only read, except for velocities if impacts are sequential.
    fn solve_step(&mut self, control: &Control, dt: f64) -> Result<StepReport, StepError> {
        let mut clock = Clock::start();
        self.applied = false;
        let mut plan = self.settings.integrator.plan(dt, self.lag());
        let left = self.saved.state.time + self.settings.dt - (self.state.time + dt);
        // Differences of times are rounded.
        plan.later = if left > 1e-6 * dt { left } else { 0.0 };
        self.lead(plan);
        self.detect(dt + plan.shift().max(0.0));
        let bounced = match self.settings.contact.impacts {
            Impacts::AtOnce => 0.0,
            Impacts::Sequential => self.bounce_in_turn(control, dt),
        };
        let collision = clock.lap();

        let Self {
            model,
            settings,
            rows,
            ..
        } = self;
        let state = self.stage.at(&self.state);
        rows.begin_at(model, state, self.stage.joints(&self.state), plan.span);
        applied_wrenches(rows, model, control, &mut self.wrenches);
        add_adhesions(
            &control.adhesions,
            &self.contacts,
            state,
            &mut self.wrenches,
        );
        rows.add_explicit(model, control, &plan, &mut self.wrenches);
        let gyroscopic = settings.gyroscopic;
        let turn = match gyroscopic {
            Gyroscopic::Midpoint => plan.after,
            _ => dt,
        };
        let spans = (turn, plan.kick);
        free_motion(rows, model, state, spans, gyroscopic, &self.wrenches);
        free_momenta(rows, state, &self.wrenches, plan.kick, &mut self.momenta);
        let inputs = Inputs {
            model,
            state,
            control,
            settings,
            contacts: &self.contacts,
            carried: &self.carried,
            released: &self.released,
            plan: &plan,
        };
        rows.assemble(&inputs);
        self.closure.begin(model, rows);
        self.closure.predict(rows, settings.closure.enabled);
        if settings.warm_start {
            self.warm
                .guess(rows, &self.contacts, &mut self.solution.lambda);
        } else {
            self.solution.lambda.clear();
        }
        if self.solver.model() == ContactModel::Ccp {
            rows.yield_overlaps(&inputs, &self.solution.lambda);
            rows.rest_on_springs(&inputs);
        }
        self.guess.clone_from(&self.solution.lambda);
        let assembled = clock.lap();

        let supported = self.solver.supports(&rows.problem);
        supported.map_err(|refusal| no_problem(&rows.problem, state.time, refusal))?;
        self.solution.u_plus.clone_from(&rows.u_minus);
        let mut report = self.find_impulses(false);
        if !report.status.is_solved() && self.let_overlaps_yield(control, &plan) {
            let cost = report;
            report = self.find_impulses(false);
            report.add_cost(&cost);
        }
        // Restitution must not add energy to the mechanism (`rows/bounces.rs`).
        while self.rows.bounces.can_yield() && self.impacts_give(&report.work) {
            self.rows.halve_bounces();
            let cost = report;
            report = self.find_impulses(true);
            report.add_cost(&cost);
        }
        report.work.contacts += bounced;
        report.timings.collision = collision;
        report.timings.rows = assembled;
        Ok(report)
    }

    /// Adds compliance to contacts that overlap if the solve with rigid ones failed; returns whether there are any.
    fn let_overlaps_yield(&mut self, control: &Control, plan: &Plan) -> bool {
        if self.solver.model() == ContactModel::Ccp {
            return false;
        }
        let inputs = Inputs {
            model: &self.model,
            state: self.stage.at(&self.state),
            control,
            settings: &self.settings,
            contacts: &self.contacts,
            carried: &self.carried,
            released: &self.released,
            plan,
        };
        let found = self.rows.yield_overlaps(&inputs, &self.guess);
        if found {
            self.solution.lambda.clone_from(&self.guess);
            self.solution.u_plus.clone_from(&self.rows.u_minus);
        }
        found
    }

    /// Solves the rows and closes the joints; `again` if only v* changed since the last time.
    fn find_impulses(&mut self, again: bool) -> StepReport {
        let mut clock = Clock::start();
        let Self {
            model,
            settings,
            rows,
            ..
        } = self;
        let locked = model.locked_rows();
        let state = self.stage.at(&self.state);
        let x = &mut self.solution;
        let solver = self.solver.as_mut();
        let mut solve = if again {
            solver.resolve(&rows.problem, x, &mut ())
        } else {
            solver.solve(&rows.problem, x, &mut ())
        };
        let solved = clock.lap();

        let motion = Motion {
            model,
            state,
            from: self.stage.from(&self.state),
            plan: &self.stage.plan,
            settings,
            momenta: &self.momenta,
        };
        let refined = if settings.closure.enabled {
            self.closure.refine(&motion, rows, solver, x, &mut solve)
        } else {
            Refined {
                violation: self.closure.evaluate(&motion, rows, x),
                passes: 0,
                closed: true,
            }
        };
        if settings.closure.enabled && refined.closed {
            Closure::settle(rows, x, locked);
        }
        if solve.status == Status::Blocked {
            let little = settings.closure.tolerance / rows.problem.dt;
            self.blocked.settle(rows, x, solver.yielded(), little);
            if self.blocked.list.is_empty() {
                solve.status = Status::Converged;
            }
        }
        // One grade for all solvers, from M and J.
        let residuals = grade(&rows.problem, x, solver, &mut self.buffers);
        let met = residuals.meets(settings.solve.tolerance) && refined.closed;
        let status = match solve.status {
            Status::IterationLimit | Status::Stalled if met => Status::Converged,
            Status::Converged | Status::Blocked if !met => Status::Stalled,
            status => status,
        };
        let violation = refined.violation;
        let passes = refined.passes;
        let rows = rows.problem.rows();
        let work = self.measure_work();
        self.measure_energy();
        let closed = clock.lap();

        StepReport {
            status,
            outcome: Outcome::Applied,
            residuals,
            iterations: solve.iterations,
            factorizations: solve.factorizations,
            closure_passes: passes,
            rows,
            contacts: self.contacts.len(),
            closure_linear: violation.linear,
            closure_angular: violation.angular,
            limit_violation: violation.limit,
            penetration: self.contacts.iter().fold(0.0, |p, c| larger(p, -c.gap)),
            local_error: 0.0,
            work,
            timings: Timings {
                solve: solved,
                closure: closed,
                ..Timings::default()
            },
        }
    }

    /// Move with the solution found.
    fn apply(&mut self, mut report: StepReport, dt: f64) -> Result<StepReport, StepError> {
        let mut clock = Clock::start();
        self.keep_books(&report.work);
        self.kinetic_peak = self.kinetic_peak.max(self.measure.solved);
        self.add_external();
        let end = &self.closure.end_poses;
        let mut twists = std::mem::take(&mut self.new_twists);
        twists.resize(end.len(), Twist::zero());
        let mut bends = std::mem::take(&mut self.bends);
        let motion = self.motion();
        motion.new_twists(&self.rows, &self.solution.u_plus, end, &mut twists);
        bends.clear();
        bends.extend(self.rows.bends(&motion, &self.carried, &self.solution, end));
        self.bends = bends;
        let at = self.stage.at(&self.state);
        self.before.clone_from(&at.coordinates);
        self.start_poses.clone_from(&at.poses);
        self.state.coordinates.copy_from_slice(&self.before);
        self.state.twists.copy_from_slice(&twists);
        self.state.poses.copy_from_slice(end);
        self.new_twists = twists;
        self.state.time += dt;
        let (places, guess) = (&self.closure.end_places, &self.closure.end_guess);
        self.rows
            .arrive(&self.model, &mut self.state, places, guess);
        self.release_jumped();
        if !self.rows.geared.is_empty() {
            let moved = (&self.before[..], &self.state);
            let x = &self.solution;
            self.rows
                .carry_rates(&self.model, moved, x, &mut self.carried);
            self.owed.resize(self.carried.len(), 0.0);
            for bend in &self.bends {
                bend.settle(&mut self.carried[bend.index], &mut self.owed[bend.index]);
            }
        }
        if !self.state.is_finite() {
            return Err(self.not_finite());
        }
        self.warm
            .store(&self.rows, &self.contacts, &self.solution.lambda);
        if report.status.is_solved() {
            self.closure.remember(&self.rows, &self.solution);
        } else {
            self.closure.history.clear();
        }
        self.last_dt = Some(dt);
        if report.status.is_solved() {
            let halvings = (self.settings.dt / dt).log2().round() as u32;
            self.finest = self.finest.max(halvings);
            self.coarse = self.coarse.max(self.coarseness(&report.work));
        }
        self.end_pushes(&mut report);
        self.applied = true;
        report.timings.integrate = clock.lap();
        Ok(report)
    }

    /// Twice the time by which the velocities are older than the poses, s: the size of the last step.
    pub(crate) fn lag(&self) -> f64 {
        if !self.settings.integrator.is_staggered() {
            return 0.0;
        }
        match (self.last_dt, self.settings.first_kick) {
            (Some(dt), _) => dt,
            (None, FirstKick::Full) => self.settings.dt,
            (None, FirstKick::Half) => 0.0,
        }
    }

    /// Whether to repeat the step in halves. Solves may fail at any step size, with first-order solvers or with joints
    /// that contradict each other. After a failed step, the halves of the next are therefore halved again only if that
    /// reduced the error.
    fn halving_helps(&self, report: &StepReport, whole: Option<&StepReport>) -> bool {
        if report.status.is_solved() {
            return self.is_inconsistent(&report.work);
        }
        !self.last_failed()
            || whole.is_none_or(|whole| {
                let open = |r: &StepReport| r.closure_linear.max(r.closure_angular);
                report.residuals.scaled() < 0.5 * whole.residuals.scaled()
                    || open(report) < 0.5 * open(whole)
            })
    }

    /// Whether the last step failed, which leaves no hidden velocities for prediction.
    fn last_failed(&self) -> bool {
        self.last_dt.is_some() && self.closure.history.values().0.is_empty()
    }

    /// Work of the solution found.
    pub(crate) fn measure_work(&mut self) -> Work {
        self.work.measure(
            &self.rows,
            &self.solution,
            &self.model,
            (&self.momenta, &self.wrenches, self.kick),
            self.settings.gyroscopic,
        )
    }

    /// Residuals of the solution found.
    pub(crate) fn grade(&mut self) -> Residuals {
        let solver = self.solver.as_ref();
        grade(
            &self.rows.problem,
            &self.solution,
            solver,
            &mut self.buffers,
        )
    }
}

/// Why the solver does not support the problem: usually its kind, or numbers without bound.
fn no_problem(problem: &Problem, time: f64, refusal: Unsupported) -> StepError {
    match problem.check() {
        Ok(()) => StepError::Unsupported(refusal),
        Err(error) => StepError::NotFinite {
            time,
            what: error.to_string(),
        },
    }
}

/// One way to compute residuals for all solvers, from M and J. Only the weights of the blocks, which belong to the
/// problem, are taken from a solver that has them.
fn grade(
    problem: &Problem,
    x: &Solution,
    solver: &dyn Solver,
    buffers: &mut ResidualBuffers,
) -> Residuals {
    let (model, weights) = (solver.model(), solver.weights());
    if weights.len() == problem.sets.len() {
        residuals_weighted(problem, x, model, weights, buffers)
    } else {
        residuals_with(problem, x, model, buffers)
    }
}

//! One step of the simulation; [`Simulator::step`] reads as the algorithm.

mod blame;
mod stopwatch;

use crate::closure::{Closure, Refined};
use crate::control::Control;
use crate::integrate::{Motion, free_momenta, free_motion};
use crate::math::Twist;
use crate::report::{Outcome, StepError, StepReport, Timings, Work};
use crate::rows::Inputs;
use crate::settings::{FailurePolicy, FirstKick};
use crate::simulator::Simulator;
use linkwork_solve::{Residuals, Status, residuals_with};
use stopwatch::Clock;

impl Simulator {
    /// Advance by dt. On an error the state is as before.
    pub fn step(&mut self, control: &Control) -> Result<StepReport, StepError> {
        if let Some(misfit) = control.misfit(&self.model) {
            return Err(StepError::Misfit(misfit));
        }
        let depth = match self.settings.failure {
            FailurePolicy::Substep { depth } => depth,
            _ => 0,
        };
        self.saved.clone_from(&self.state);
        let result = self.advance(control, self.settings.dt, depth);
        if result.is_err() {
            self.state.clone_from(&self.saved);
        }
        result
    }

    fn advance(&mut self, control: &Control, dt: f64, depth: u32) -> Result<StepReport, StepError> {
        let mut report = self.solve_step(control, dt)?;
        let failed = report.status != Status::Converged;
        if failed && depth > 0 {
            return self.substep(control, dt, depth - 1, report);
        }
        match self.settings.failure {
            FailurePolicy::Error if failed => Err(self.not_converged(&report)),
            FailurePolicy::Hold if failed => {
                self.state.time += dt;
                Ok(StepReport {
                    outcome: Outcome::Held,
                    ..report
                })
            }
            _ => {
                if failed {
                    self.coast_if_driven(&mut report);
                }
                self.apply(report, dt)
            }
        }
    }

    /// Everything up to the impulses; the state is only read.
    fn solve_step(&mut self, control: &Control, dt: f64) -> Result<StepReport, StepError> {
        let mut clock = Clock::start();
        self.applied = false;
        let kick = match self.settings.first_kick {
            FirstKick::Half if !self.started => 0.5 * dt,
            _ => dt,
        };
        self.kick = kick;
        self.detect(dt);
        let collision = clock.lap();

        let Self {
            model,
            state,
            settings,
            rows,
            ..
        } = self;
        rows.begin(model, state, dt);
        let gyroscopic = settings.gyroscopic;
        free_motion(
            rows,
            model,
            state,
            control,
            (dt, kick),
            gyroscopic,
            &mut self.wrenches,
        );
        free_momenta(rows, state, &self.wrenches, kick, &mut self.momenta);
        rows.assemble(&Inputs {
            model,
            state,
            control,
            settings,
            contacts: &self.contacts,
            dt,
            kick,
        });
        let locked = model.locked_rows();
        if settings.closure.enabled {
            self.closure.predict(rows, locked);
        }
        if settings.warm_start {
            self.warm
                .guess(rows, &self.contacts, &mut self.solution.lambda);
        } else {
            self.solution.lambda.clear();
        }
        self.guess.clone_from(&self.solution.lambda);
        let assembled = clock.lap();

        let x = &mut self.solution;
        let solver = self.solver.as_mut();
        solver.supports(&rows.problem)?;
        let mut solve = solver.solve(&rows.problem, x, &mut ());
        let solved = clock.lap();

        let motion = Motion {
            model,
            state,
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
        // One grade for all solvers, from M and J.
        let residuals = residuals_with(&rows.problem, x, solver.model(), &mut self.buffers);
        let met = residuals.meets(settings.solve.tolerance) && refined.closed;
        let status = match solve.status {
            Status::IterationLimit | Status::Stalled if met => Status::Converged,
            Status::Converged if !met => Status::Stalled,
            status => status,
        };
        let violation = refined.violation;
        let closed = clock.lap();

        Ok(StepReport {
            status,
            outcome: Outcome::Applied,
            residuals,
            iterations: solve.iterations,
            factorizations: solve.factorizations,
            closure_passes: refined.passes,
            rows: rows.problem.rows(),
            contacts: self.contacts.len(),
            closure_linear: violation.linear,
            closure_angular: violation.angular,
            limit_violation: violation.limit,
            penetration: self.contacts.iter().fold(0.0, |p, c| p.max(-c.gap)),
            work: Work::default(),
            timings: Timings {
                collision,
                rows: assembled,
                solve: solved,
                closure: closed,
                integrate: 0.0,
            },
        })
    }

    /// Move with the solution found.
    fn apply(&mut self, mut report: StepReport, dt: f64) -> Result<StepReport, StepError> {
        let mut clock = Clock::start();
        report.work = self.measure_work();
        let end = &self.closure.end_poses;
        let motion = Motion {
            model: &self.model,
            state: &self.state,
            settings: &self.settings,
            momenta: &self.momenta,
        };
        let twists = &mut self.new_twists;
        twists.resize(end.len(), Twist::zero());
        motion.new_twists(&self.rows, &self.solution.u_plus, end, twists);
        self.state.twists.copy_from_slice(twists);
        self.state.poses.copy_from_slice(end);
        self.state.time += dt;
        self.state.update_coordinates(&self.model);
        if !self.state.is_finite() {
            return Err(self.not_finite());
        }
        self.warm
            .store(&self.rows, &self.contacts, &self.solution.lambda);
        if report.status == Status::Converged {
            self.closure.remember(&self.rows, &self.solution);
        } else {
            self.closure.history.clear();
        }
        self.started = true;
        self.applied = true;
        report.timings.integrate = clock.lap();
        Ok(report)
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

    /// Residuals of the solution found: one grade for all solvers, from M and J.
    pub(crate) fn grade(&mut self) -> Residuals {
        let model = self.solver.model();
        residuals_with(&self.rows.problem, &self.solution, model, &mut self.buffers)
    }

    fn substep(
        &mut self,
        control: &Control,
        dt: f64,
        depth: u32,
        failed: StepReport,
    ) -> Result<StepReport, StepError> {
        let first = self.advance(control, 0.5 * dt, depth)?;
        let mut report = self.advance(control, 0.5 * dt, depth)?;
        let steps = |r: &StepReport| match r.outcome {
            Outcome::Substepped(n) => n,
            _ => 1,
        };
        report.outcome = Outcome::Substepped(steps(&first) + steps(&report));
        if first.status != Status::Converged {
            report.status = first.status;
            report.residuals = first.residuals;
        }
        report.iterations += first.iterations + failed.iterations;
        report.factorizations += first.factorizations + failed.factorizations;
        report.penetration = report.penetration.max(first.penetration);
        report.work.add(&first.work);
        report.timings.add(&first.timings);
        report.timings.add(&failed.timings);
        Ok(report)
    }
}

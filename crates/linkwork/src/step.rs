//! One step of the simulation; [`Simulator::step`] reads as the algorithm.

use crate::checkpoint::Memory;
use crate::closure::Closure;
use crate::collision::{CollisionWorld, ContactPoint, DetectSettings};
use crate::control::Control;
use crate::integrate::{free_momenta, free_motion, move_poses, new_twists};
use crate::math::Vec3;
use crate::model::Model;
use crate::report::{Outcome, StepError, StepReport, Timings, Work};
use crate::rows::{Inputs, RowSource, Rows};
use crate::settings::{FailurePolicy, FirstKick, Settings};
use crate::setup::{SetupError, check, check_state};
use crate::state::State;
use crate::warm::WarmStart;
use crate::work::WorkMeter;
use linkwork_solve::{
    Problem, ResidualBuffers, Residuals, Solution, Solver, SolverSettings, Status, residuals_with,
    solver_by_name,
};
use std::sync::Arc;
use std::time::Instant;

/// A step counts as closed if its joints are closed to this many times dt times the tolerance. The residual at
/// its end is dt times that of the rows, which is at most the tolerance, and what the step's nonlinearity
/// changed with the last pass's correction, which is as uncertain as the solves. The number is empirical: up
/// to 2.7 was seen (`figure54`), where passes no longer gain.
const CLOSED_WITHIN: f64 = 4.0;

/// Steps a [`State`] of a [`Model`] through time.
pub struct Simulator {
    pub(crate) model: Arc<Model>,
    pub(crate) settings: Settings,
    pub(crate) state: State,
    pub(crate) solver: Box<dyn Solver>,
    pool: Option<rayon::ThreadPool>,
    collision: CollisionWorld,
    pub(crate) contacts: Vec<ContactPoint>,
    pub(crate) rows: Rows,
    pub(crate) solution: Solution,
    /// λ the first solve of the last step started from.
    guess: Vec<f64>,
    warm: WarmStart,
    pub(crate) closure: Closure,
    buffers: ResidualBuffers,
    wrenches: Vec<[Vec3; 2]>,
    momenta: Vec<Vec3>,
    /// Duration of the last kick by forces, s.
    kick: f64,
    work: WorkMeter,
    spare_contacts: Vec<ContactPoint>,
    saved: State,
    started: bool,
    /// Whether `rows` and `solution` are those that led to `state`.
    pub(crate) applied: bool,
}

impl Simulator {
    /// A simulator at the model's initial state.
    pub fn new(model: Arc<Model>, settings: Settings) -> Result<Self, SetupError> {
        check(&settings)?;
        let solver = solver_by_name(&settings.solver, settings.solve)?;
        let pool = match settings.threads {
            0 | 1 => None,
            n => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(n)
                    .build()
                    .map_err(|_| SetupError::Threads(n))?,
            ),
        };
        let state = model.initial_state();
        Ok(Self {
            collision: model.collision().clone(),
            saved: state.clone(),
            model,
            settings,
            state,
            solver,
            pool,
            contacts: Vec::new(),
            rows: Rows::default(),
            solution: Solution::default(),
            guess: Vec::new(),
            warm: WarmStart::default(),
            closure: Closure::default(),
            buffers: ResidualBuffers::default(),
            wrenches: Vec::new(),
            momenta: Vec::new(),
            kick: 0.0,
            work: WorkMeter::default(),
            spare_contacts: Vec::new(),
            started: false,
            applied: false,
        })
    }

    /// The mechanism.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The present state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// How it is run.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Go on from another state, forgetting warm starts.
    pub fn set_state(&mut self, state: State) -> Result<(), SetupError> {
        check_state(&self.model, &state)?;
        self.state = state;
        self.warm.clear();
        self.closure.reset();
        self.started = false;
        self.applied = false;
        Ok(())
    }

    /// Solve with another solver or tolerance from now on. On an error nothing changes.
    pub fn set_solver(&mut self, name: &str, solve: SolverSettings) -> Result<(), SetupError> {
        let mut settings = self.settings.clone();
        name.clone_into(&mut settings.solver);
        settings.solve = solve;
        check(&settings)?;
        self.solver = solver_by_name(name, solve)?;
        self.settings = settings;
        Ok(())
    }

    /// What is remembered of earlier steps, for a [`Checkpoint`](crate::Checkpoint).
    pub(crate) fn memory(&self) -> Memory {
        let (biases, biases_dt) = self.closure.history();
        Memory {
            impulses: self.warm.entries().to_vec(),
            biases: biases.clone(),
            biases_dt,
            started: self.started,
        }
    }

    /// Go on from what another simulator remembered.
    pub(crate) fn remember(&mut self, memory: &Memory) -> Result<(), SetupError> {
        let sorted = memory.impulses.is_sorted_by(|a, b| a.0 < b.0);
        let finite = memory.impulses.iter().flat_map(|(_, l)| l);
        let mut finite = finite.chain(memory.biases.iter().flatten());
        if !sorted || !finite.all(|x| x.is_finite()) {
            let why = "its remembered impulses are not finite or not in order".to_owned();
            return Err(SetupError::Checkpoint(why));
        }
        self.warm.set(&memory.impulses);
        self.closure.set_history(&memory.biases, memory.biases_dt);
        self.started = memory.started;
        Ok(())
    }

    /// The problem of the last step.
    pub fn problem(&self) -> &Problem {
        &self.rows.problem
    }

    /// Where the rows of the last step came from, block by block.
    pub fn row_sources(&self) -> &[RowSource] {
        &self.rows.sources
    }

    /// Impulses and velocities of the last step.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Impulses that the last step's solve started from: those of the step before, matched by joint and
    /// contact key; empty without warm starts. N s or N m s.
    pub fn warm_guess(&self) -> &[f64] {
        &self.guess
    }

    /// Detect contacts at the present state, within the margin and what dt may close.
    pub fn detect_contacts(&mut self) -> &[ContactPoint] {
        // The last step's contacts stay, for reading its forces.
        std::mem::swap(&mut self.contacts, &mut self.spare_contacts);
        self.detect(self.settings.dt);
        std::mem::swap(&mut self.contacts, &mut self.spare_contacts);
        &self.spare_contacts
    }

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

        let context = (&**model, &*state, &*settings);
        let (violation, passes) = if settings.closure.enabled {
            self.closure.refine(context, rows, solver, x, &mut solve)
        } else {
            (self.closure.evaluate(context, rows, x), 0)
        };
        let tolerance = settings.solve.tolerance;
        let closed_enough = violation.change
            <= settings
                .closure
                .tolerance
                .max(CLOSED_WITHIN * dt * tolerance);
        // One grade for all solvers, from M and J.
        let mut residuals = residuals_with(&rows.problem, x, solver.model(), &mut self.buffers);
        if settings.closure.enabled && closed_enough && !residuals.meets(tolerance) {
            Closure::absorb(rows, x, locked);
            residuals = residuals_with(&rows.problem, x, solver.model(), &mut self.buffers);
        }
        let met = residuals.meets(tolerance) && (closed_enough || !settings.closure.enabled);
        let status = match solve.status {
            Status::IterationLimit | Status::Stalled if met => Status::Converged,
            Status::Converged if !met => Status::Stalled,
            status => status,
        };
        let closed = clock.lap();

        Ok(StepReport {
            status,
            outcome: Outcome::Applied,
            residuals,
            iterations: solve.iterations,
            factorizations: solve.factorizations,
            closure_passes: passes,
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
        let u_plus = &self.solution.u_plus;
        let end = &mut self.closure.end_poses;
        move_poses(&self.state.poses, u_plus, dt, end);
        let gyroscopic = self.settings.gyroscopic;
        let (model, rows) = (&self.model, &self.rows);
        new_twists(
            rows,
            model,
            &mut self.state,
            u_plus,
            &self.momenta,
            end,
            gyroscopic,
        );
        self.state.poses.copy_from_slice(end);
        self.state.time += dt;
        self.state.update_coordinates(model);
        if !self.state.is_finite() {
            return Err(self.not_finite());
        }
        self.warm.store(rows, &self.contacts, &self.solution.lambda);
        if report.status == Status::Converged {
            self.closure.remember(rows, model.locked_rows());
        } else {
            self.closure.reset();
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

    fn detect(&mut self, dt: f64) {
        let detect = DetectSettings {
            margin: self.settings.contact.margin,
            dt,
        };
        let State { poses, twists, .. } = &self.state;
        self.collision.detect(
            poses,
            twists,
            &detect,
            self.pool.as_ref(),
            &mut self.contacts,
        );
    }

    fn not_converged(&self, report: &StepReport) -> StepError {
        // The joints whose rows are violated most, if any are.
        let mut worst: Vec<(f64, &str)> = Vec::new();
        for (k, source) in self.rows.sources.iter().enumerate() {
            if let RowSource::Joint(id) = source {
                let range = self.rows.problem.sets.range(k);
                let size = self.solution.sigma[range]
                    .iter()
                    .fold(0.0, |a: f64, s| a.max(s.abs()));
                if size > self.settings.solve.tolerance {
                    worst.push((size, &self.model.joint(*id).name));
                }
            }
        }
        worst.sort_by(|a, b| b.0.total_cmp(&a.0));
        let names: Vec<&str> = worst.iter().take(3).map(|w| w.1).collect();
        StepError::NotConverged {
            time: self.state.time,
            status: report.status,
            residual: report.residuals.scaled(),
            joints: if names.is_empty() {
                String::new()
            } else {
                format!(" (joints {})", names.join(", "))
            },
        }
    }

    fn not_finite(&self) -> StepError {
        let bad = (0..self.state.poses.len())
            .find(|&i| !self.state.poses[i].is_finite() || !self.state.twists[i].is_finite());
        StepError::NotFinite {
            time: self.saved.time,
            what: match bad {
                Some(i) => format!("body '{}'", self.model.bodies()[i].name),
                None => "a joint coordinate".to_owned(),
            },
        }
    }
}

/// Laps of a stopwatch, s.
struct Clock(Instant);

impl Clock {
    fn start() -> Self {
        Self(Instant::now())
    }

    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = (now - self.0).as_secs_f64();
        self.0 = now;
        lap
    }
}

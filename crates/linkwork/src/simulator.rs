//! Steps a model through time: its parts, and what can be read and set between steps.

use crate::batch::{Ration, Rationed};
use crate::blocked::{Blocked, BlockedRows};
use crate::checkpoint::{Memory, kept};
use crate::closure::Closure;
use crate::collision::{CollisionWorld, ContactPoint, DetectSettings};
use crate::integrator::{Stage, Tangent};
use crate::math::{Pose, Twist, Vec3};
use crate::model::Model;
use crate::report::Escalations;
use crate::rows::{Bend, Carried, RowSource, Rows};
use crate::settings::Settings;
use crate::setup::{SetupError, check, check_closure, check_state};
use crate::state::State;
use crate::step::{EnergyBooks, Measure, Pace, Saved, Trials};
use crate::synchronise::Reader;
use crate::warm::WarmStart;
use crate::work::WorkMeter;
use linkwork_solve::{Problem, ResidualBuffers, Solution, Solver, SolverSettings, solver_entry};
use std::sync::{Arc, Mutex};

/// Steps a [`State`] of a [`Model`] through time.
pub struct Simulator {
    pub(crate) model: Arc<Model>,
    pub(crate) settings: Settings,
    pub(crate) state: State,
    pub(crate) solver: Box<dyn Solver>,
    /// The iterations that its solvers share, in a batch.
    ration: Option<Ration>,
    pool: Option<Arc<rayon::ThreadPool>>,
    pub(crate) collision: CollisionWorld,
    pub(crate) contacts: Vec<ContactPoint>,
    pub(crate) rows: Rows,
    pub(crate) solution: Solution,
    /// λ from which the first solve of the last step started.
    pub(crate) guess: Vec<f64>,
    pub(crate) warm: WarmStart,
    pub(crate) closure: Closure,
    /// What geared coordinates and tendons carry over from the last step; empty if unknown.
    pub(crate) carried: Vec<Carried>,
    /// Energy that each spring near gimbal lock gained and has not given back, J; negative where it was lost.
    pub(crate) owed: Vec<f64>,
    /// Springs near gimbal lock in the last step.
    pub(crate) bends: Vec<Bend>,
    /// Limits that are not in force, in order (`step/released.rs`).
    pub(crate) released: Vec<RowSource>,
    /// Joint coordinates before the last step, m or rad.
    pub(crate) before: Vec<f64>,
    pub(crate) buffers: ResidualBuffers,
    pub(crate) wrenches: Vec<[Vec3; 2]>,
    pub(crate) momenta: Vec<Vec3>,
    pub(crate) stage: Stage,
    /// Duration of the last kick by forces, s.
    pub(crate) kick: f64,
    pub(crate) work: WorkMeter,
    spare_contacts: Vec<ContactPoint>,
    pub(crate) new_twists: Vec<Twist>,
    /// Poses at the start of the last step, or of its last part.
    pub(crate) start_poses: Vec<Pose>,
    pub(crate) saved: Saved,
    pub(crate) trials: Trials,
    /// Size of the last step, s; `None` before the first.
    pub(crate) last_dt: Option<f64>,
    pub(crate) energy_books: EnergyBooks,
    pub(crate) pace: Pace,
    /// Halvings of the smallest part of the present step that was solved.
    pub(crate) finest: u32,
    /// Largest work of the joints in its parts, relative to the allowed work.
    pub(crate) coarse: f64,
    pub(crate) measure: Measure,
    /// Largest kinetic energy at the end of a part of the last step, J.
    pub(crate) kinetic_peak: f64,
    /// Times [`Escalations::restrained`] counts.
    pub(crate) restrained: u64,
    pub(crate) blocked: BlockedRows,
    /// Impulse of gravity and applied wrenches in the last step, N s, and its moment about the origin, N m s.
    pub(crate) external: [Vec3; 2],
    /// Made when velocities are first synchronised.
    pub(crate) reader: Mutex<Option<Box<Reader>>>,
    /// Created when velocities are first projected on J u = 0.
    pub(crate) tangent: Mutex<Option<Box<Tangent>>>,
    /// Whether `rows` and `solution` belong to the step that led to `state`.
    pub(crate) applied: bool,
}

impl Simulator {
    /// A simulator at the model's initial state.
    pub fn new(model: Arc<Model>, settings: Settings) -> Result<Self, SetupError> {
        check(&settings)?;
        check_closure(&model, &settings)?;
        let solver = make_solver(&model, &settings)?;
        let pool = make_pool(settings.threads)?;
        let state = model.initial_state();
        Ok(Self {
            collision: model.collision().clone(),
            saved: Saved::new(state.clone()),
            trials: Trials::default(),
            stage: Stage::new(&model),
            model,
            settings,
            state,
            solver,
            ration: None,
            pool,
            contacts: Vec::new(),
            rows: Rows::default(),
            solution: Solution::default(),
            guess: Vec::new(),
            warm: WarmStart::default(),
            closure: Closure::default(),
            carried: Vec::new(),
            owed: Vec::new(),
            bends: Vec::new(),
            released: Vec::new(),
            before: Vec::new(),
            buffers: ResidualBuffers::default(),
            wrenches: Vec::new(),
            momenta: Vec::new(),
            kick: 0.0,
            work: WorkMeter::default(),
            spare_contacts: Vec::new(),
            new_twists: Vec::new(),
            start_poses: Vec::new(),
            last_dt: None,
            energy_books: EnergyBooks::default(),
            pace: Pace::default(),
            finest: 0,
            coarse: 0.0,
            measure: Measure::default(),
            kinetic_peak: 0.0,
            restrained: 0,
            blocked: BlockedRows::default(),
            external: [Vec3::zeros(); 2],
            reader: Mutex::new(None),
            tangent: Mutex::new(None),
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

    /// Counts of fallbacks since it was created or its solver was selected.
    pub fn escalations(&self) -> Escalations {
        Escalations {
            solver: self.solver.escalations(),
            restrained: self.restrained,
        }
    }

    /// Contacts and limits of the last step that could not open and were relaxed; after a substepped step, those of the
    /// last substep that had any.
    pub fn blocked(&self) -> &[Blocked] {
        &self.blocked.list
    }

    /// How it is run.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Continues from another state and discards warm starts.
    pub fn set_state(&mut self, state: State) -> Result<(), SetupError> {
        check_state(&self.model, &state)?;
        self.state = state;
        self.warm.clear();
        self.closure.history.clear();
        self.carried.clear();
        self.owed.clear();
        self.released.clear();
        self.last_dt = None;
        self.energy_books = EnergyBooks::default();
        self.pace = Pace::default();
        self.applied = false;
        Ok(())
    }

    /// Changes the state in place, like [`set_state`](Self::set_state) with the changed state. On an error nothing
    /// changes.
    pub fn edit_state<R>(&mut self, change: impl FnOnce(&mut State) -> R) -> Result<R, SetupError> {
        let mut state = self.state.clone();
        let result = change(&mut state);
        self.set_state(state)?;
        Ok(result)
    }

    /// Continues with other settings, including the step size; warm starts are kept. On an error nothing changes.
    ///
    /// Another integrator takes the present velocities as those at the time of the poses, like
    /// [`set_state`](Self::set_state): set the state to [`Simulator::synchronised`] first.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), SetupError> {
        check(&settings)?;
        check_closure(&self.model, &settings)?;
        let solver = self.rationed(make_solver(&self.model, &settings)?);
        if settings.threads != self.settings.threads {
            self.pool = make_pool(settings.threads)?;
        }
        self.solver = solver;
        self.reader = Mutex::new(None);
        self.tangent = Mutex::new(None);
        let another = settings.integrator != self.settings.integrator;
        self.settings = settings;
        if another {
            self.set_state(self.state.clone())?;
        }
        Ok(())
    }

    /// Bound the iterations of all its solvers together.
    pub(crate) fn set_ration(&mut self, ration: &Ration) -> Result<(), SetupError> {
        self.ration = Some(ration.clone());
        self.set_settings(self.settings.clone())
    }

    /// The solver, within the ration if there is one.
    pub(crate) fn rationed(&self, solver: Box<dyn Solver>) -> Box<dyn Solver> {
        match &self.ration {
            Some(ration) => Box::new(Rationed::new(solver, ration)),
            None => solver,
        }
    }

    /// Uses this step size from now on, s. On an error nothing changes.
    pub fn set_dt(&mut self, dt: f64) -> Result<(), SetupError> {
        let settings = Settings {
            dt,
            ..self.settings.clone()
        };
        check(&settings)?;
        self.settings = settings;
        Ok(())
    }

    /// Uses another solver or tolerance from now on. On an error nothing changes.
    pub fn set_solver(&mut self, name: &str, solve: SolverSettings) -> Result<(), SetupError> {
        let mut settings = self.settings.clone();
        name.clone_into(&mut settings.solver);
        settings.solve = solve;
        self.set_settings(settings)
    }

    /// Data of earlier steps, for a [`Checkpoint`](crate::Checkpoint).
    pub(crate) fn memory(&self) -> Memory {
        let (hidden, hidden_dt) = self.closure.history.values();
        Memory {
            impulses: self.warm.entries().to_vec(),
            hidden: hidden.to_vec(),
            hidden_dt,
            rates: Carried::rates(&self.carried),
            bent: Carried::bent(&self.carried),
            owed: kept(&self.owed),
            released: self.released.clone(),
            last_dt: self.last_dt,
            energy: self.energy_books,
            pace: self.pace,
        }
    }

    /// Go on from what another simulator remembered.
    pub(crate) fn remember(&mut self, memory: &Memory) -> Result<(), SetupError> {
        let sorted = memory.impulses.is_sorted_by(|a, b| a.0 < b.0);
        let finite = memory.impulses.iter().flat_map(|(_, l)| l);
        let mut finite = finite
            .chain(memory.hidden.iter().flatten())
            .chain(&memory.rates)
            .chain(memory.bent.iter().flatten())
            .chain(&memory.owed);
        if !sorted || !finite.all(|x| x.is_finite()) {
            let why = "its remembered impulses or rates are not finite or not in order".to_owned();
            return Err(SetupError::Checkpoint(why));
        }
        let limited = &self.model.layout().limited;
        let limits = |source: &RowSource| {
            let mut sides = limited
                .iter()
                .flat_map(|l| [l.source(false), l.source(true)]);
            sides.any(|own| own == *source)
        };
        let released = &memory.released;
        if !released.is_sorted_by(|a, b| a < b) || !released.iter().all(limits) {
            let why = "it names limits that this model does not have".to_owned();
            return Err(SetupError::Checkpoint(why));
        }
        self.warm.set(&memory.impulses);
        self.closure.history.set(&memory.hidden, memory.hidden_dt);
        // Another number of them comes from another version: they are recomputed.
        self.carried.clear();
        if memory.rates.len() == self.model.layout().geared.len() {
            self.carried.extend(Carried::all(memory));
        }
        self.released.clone_from(&memory.released);
        self.owed.clone_from(&memory.owed);
        self.owed.resize(self.model.layout().geared.len(), 0.0);
        self.last_dt = memory.last_dt;
        self.energy_books = memory.energy;
        self.pace = memory.pace;
        Ok(())
    }

    /// Continues from a state and memory of a simulator of this model.
    pub(crate) fn go_on_from(&mut self, state: &State, memory: &Memory) {
        self.applied = false;
        self.end_at(state, memory, false);
    }

    /// Takes over a state and memory of this model to which the last step led; the present step counts as `applied` or
    /// not.
    pub(crate) fn end_at(&mut self, state: &State, memory: &Memory, applied: bool) {
        self.state.clone_from(state);
        self.warm.set(&memory.impulses);
        self.closure.history.set(&memory.hidden, memory.hidden_dt);
        self.carried.clear();
        self.carried.extend(Carried::all(memory));
        self.released.clone_from(&memory.released);
        self.owed.clone_from(&memory.owed);
        self.owed.resize(self.model.layout().geared.len(), 0.0);
        self.last_dt = memory.last_dt;
        self.energy_books = memory.energy;
        self.pace = memory.pace;
        self.applied &= applied;
    }

    /// The problem of the last step.
    pub fn problem(&self) -> &Problem {
        &self.rows.problem
    }

    /// Sources of the rows of the last step, block by block.
    pub fn row_sources(&self) -> &[RowSource] {
        &self.rows.sources
    }

    /// Size of the last step, or of the last part of it, s; 0 before the first.
    pub fn step_length(&self) -> f64 {
        self.stage.plan.dt
    }

    /// Impulses and velocities of the last step.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Impulses from which the solve of the last step started: those of the step before, matched by joint and contact
    /// key; empty without warm starts. N s or N m s.
    pub fn warm_guess(&self) -> &[f64] {
        &self.guess
    }

    /// Detects contacts at the present state, within the margin and the distance that may close in dt.
    pub fn detect_contacts(&mut self) -> &[ContactPoint] {
        // The contacts of the last step are kept for reading its forces.
        std::mem::swap(&mut self.contacts, &mut self.spare_contacts);
        // At the state itself, independent of where the next step evaluates its rows.
        let lead = std::mem::take(&mut self.stage.plan.lead);
        self.detect(self.settings.dt);
        self.stage.plan.lead = lead;
        std::mem::swap(&mut self.contacts, &mut self.spare_contacts);
        &self.spare_contacts
    }

    /// Finds the contacts at the poses where the rows of the present step are evaluated.
    pub(crate) fn detect(&mut self, dt: f64) {
        let detect = DetectSettings {
            margin: self.settings.contact.margin,
            dt,
        };
        let State { poses, twists, .. } = self.stage.at(&self.state);
        self.collision.detect(
            poses,
            twists,
            &detect,
            self.pool.as_deref(),
            &mut self.contacts,
        );
    }
}

impl Clone for Simulator {
    /// A simulator that continues with the same bits and has the same data of the last step.
    fn clone(&self) -> Self {
        // Solvers keep nothing from one problem to the next, so a new one with the same settings is equivalent.
        let solver = make_solver(&self.model, &self.settings);
        Self {
            model: self.model.clone(),
            settings: self.settings.clone(),
            state: self.state.clone(),
            solver: solver.expect("made of the same settings before"),
            ration: None,
            pool: self.pool.clone(),
            collision: self.collision.clone(),
            contacts: self.contacts.clone(),
            rows: self.rows.clone(),
            solution: self.solution.clone(),
            guess: self.guess.clone(),
            warm: self.warm.clone(),
            closure: self.closure.clone(),
            carried: self.carried.clone(),
            owed: self.owed.clone(),
            bends: self.bends.clone(),
            released: self.released.clone(),
            before: self.before.clone(),
            buffers: self.buffers.clone(),
            wrenches: self.wrenches.clone(),
            momenta: self.momenta.clone(),
            kick: self.kick,
            work: self.work.clone(),
            spare_contacts: self.spare_contacts.clone(),
            new_twists: self.new_twists.clone(),
            start_poses: self.start_poses.clone(),
            saved: self.saved.clone(),
            trials: Trials::default(),
            last_dt: self.last_dt,
            energy_books: self.energy_books,
            pace: self.pace,
            finest: self.finest,
            coarse: self.coarse,
            measure: self.measure,
            kinetic_peak: self.kinetic_peak,
            restrained: self.restrained,
            blocked: self.blocked.clone(),
            external: self.external,
            reader: Mutex::new(None),
            tangent: Mutex::new(None),
            stage: self.stage.clone(),
            applied: self.applied,
        }
    }
}

/// Threads for collision detection; none for one.
fn make_pool(threads: usize) -> Result<Option<Arc<rayon::ThreadPool>>, SetupError> {
    if threads <= 1 {
        return Ok(None);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|_| SetupError::Threads(threads))?;
    Ok(Some(Arc::new(pool)))
}

/// The solver of `settings`, which shares its plans with those of all simulators of the model.
pub(crate) fn make_solver(
    model: &Model,
    settings: &Settings,
) -> Result<Box<dyn Solver>, SetupError> {
    let entry = solver_entry(&settings.solver)?;
    // Rows are valid by construction. Values that are not finite fail the residuals of the step.
    let mut solver = entry.make_unchecked(settings.solve, settings.reduced);
    solver.share(model.plans());
    solver.set_operator(settings.operator);
    solver.set_threads(settings.threads);
    if settings.closure.enabled {
        solver.allow_contradictions(settings.closure.tolerance);
    }
    Ok(solver)
}

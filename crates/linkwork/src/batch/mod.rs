//! Many worlds of one model, stepped side by side.
//!
//! A world is a simulator with its control. Worlds share what belongs to the model: the elimination orders of its joints,
//! also where masses, friction, gains or lengths differ from world to world ([`Variation`]). What a world does follows
//! from its model, state and controls alone: not from the number of threads, nor from its place among the others.
//!
//! Worlds of models that are joints, drives, springs, dampers, armatures, dry friction and contacts are stepped eight at a time, one per lane of the processor's vectors
//! ([`Batch::has_lanes`]). They agree with a [`Simulator`](crate::Simulator) to the tolerances of the step, and not to the bit; [`World::simulator`] tells of
//! the last step what a simulator tells. Worlds of other models are simulators, to the bit.
//!
//! A world whose step is refused, or that runs away, is set aside ([`World::set_aside`]) and left alone until it is
//! reset; the others go on.
//!
//! ```
//! use linkwork::batch::{Batch, BatchSettings, Draw, Ranges};
//! use linkwork_scenes::scene;
//!
//! let scene = scene("fourbar_fixed", &[]).unwrap();
//! let limits = BatchSettings::with(|s| s.threads = 2);
//! let mut batch = Batch::new(scene.model.clone(), 8, scene.settings, limits).unwrap();
//! let ranges = Ranges { masses: Some([0.8, 1.2]), ..Ranges::default() };
//! for world in 0..8 {
//!     let draw = Draw { seed: 1, world: world as u64 };
//!     batch.vary(world, &draw.variation(&scene.model, &ranges)).unwrap();
//! }
//! // A torque on the crank (N m) that depends on the world.
//! batch.step(100, |world, _, control| control.forces[0] = 0.1 * world as f64);
//! assert!(batch.worlds().iter().all(|w| w.set_aside().is_none() && w.span().closure_linear < 1e-9));
//! ```

mod draw;
#[expect(
    clippy::needless_range_loop,
    reason = "loops over rows and components are unrolled, and read as the formulas they are"
)]
mod lanes;
mod ration;
mod snapshot;
mod tasks;
mod variation;
mod world;

pub use draw::{Draw, Ranges};
pub(crate) use ration::{Ration, Rationed};
pub use snapshot::Snapshot;
pub use variation::{Variation, VariationError};
pub use world::{Divergence, Span, World};

use crate::control::Control;
use crate::model::Model;
use crate::settings::{FailurePolicy, Settings};
use crate::setup::SetupError;
use crate::state::State;
use lanes::{Program, Stepper};
use rayon::prelude::*;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tasks::{Queue, SLICES, Task, Tasks};

/// How often a call may be ended, roughly.
const ATTENTION: Duration = Duration::from_millis(100);
/// A drive that is none.
type Unchanged = fn(usize, &State, &mut Control);

/// Sets the control of a world before a step; it is given the world's index and state.
pub type Steering<'a> = dyn Fn(usize, &State, &mut Control) + Sync + 'a;

/// Most worlds of a batch.
pub const MAX_WORLDS: usize = 1 << 20;

/// How a batch is run, beside the [`Settings`] of its worlds.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchSettings {
    /// Threads that step worlds; results do not depend on it. 1 … number of cores.
    pub threads: usize,
    /// Most halvings of a step whose solve fails, 0 … 8. It takes the place of the depth in
    /// [`FailurePolicy::Substep`], so that one hard world does not hold up the others: a step costs at most 2^(n+1) − 1
    /// solves.
    pub halvings: u32,
    /// Most iterations of a solve, in the place of a larger [`max_iterations`](linkwork_solve::SolverSettings), and most iterations besides the first of each solve in a
    /// step of a world's simulator, halves and closure passes included. A solve that would exceed them is ended ([`Status::Interrupted`](linkwork_solve::Status)). The number
    /// for a step, and the most halvings, are less after each step in a row that used it up, and a world with ten of these is set aside.
    pub iterations: usize,
    /// A world with a body faster than this, m/s or rad/s, is set aside; infinite for no bound.
    pub max_speed: f64,
}

impl Default for BatchSettings {
    fn default() -> Self {
        Self {
            threads: 1,
            halvings: 3,
            iterations: 300,
            max_speed: 1e4,
        }
    }
}

impl BatchSettings {
    /// The default ones with changes: `BatchSettings::with(|s| s.threads = 4)`.
    pub fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut settings = Self::default();
        change(&mut settings);
        settings
    }
}

/// What a batch cannot be made of.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BatchError {
    /// A size out of range.
    #[error("a batch of {0} worlds; it must have 1 … {MAX_WORLDS}")]
    Size(usize),
    /// An index out of range.
    #[error("there is no world {index}; the batch has {have}, numbered from 0")]
    NoWorld {
        /// The index.
        index: usize,
        /// How many there are.
        have: usize,
    },
    /// A setting of the batch.
    #[error("batch setting {name} is {value}; {remedy}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it should be.
        remedy: &'static str,
    },
    /// A simulator could not be made, or a state does not fit.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A variation of the model is impossible.
    #[error("world {world}: {error}")]
    Variation {
        /// The world.
        world: usize,
        /// Why.
        error: VariationError,
    },
}

/// Worlds of one model. See the [module](self).
pub struct Batch {
    model: Arc<Model>,
    settings: Settings,
    limits: BatchSettings,
    worlds: Vec<World>,
    /// How worlds are stepped eight at a time, where the model allows it.
    lanes: Option<Stepper>,
    pool: Option<rayon::ThreadPool>,
    /// Steps that are taken before somebody may end a call: as many as fit into [`ATTENTION`] or a few of it, as far as is known.
    piece: u32,
}

impl Batch {
    /// `n` worlds at the model's initial state.
    pub fn new(
        model: Arc<Model>,
        n: usize,
        settings: Settings,
        limits: BatchSettings,
    ) -> Result<Self, BatchError> {
        if n == 0 || n > MAX_WORLDS {
            return Err(BatchError::Size(n));
        }
        let settings = bounded(settings, &limits)?;
        let pool = match limits.threads {
            1 => None,
            threads => Some(
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .map_err(|_| SetupError::Threads(threads))?,
            ),
        };
        let lanes = Program::of(&model, &settings).map(Stepper::new);
        let program = lanes.as_ref().map(|lanes| &lanes.program);
        let world = |_| World::new(model.clone(), settings.clone(), program);
        let worlds = (0..n).map(world).collect::<Result<_, _>>()?;
        Ok(Self {
            model,
            settings,
            limits,
            worlds,
            lanes,
            pool,
            piece: 1,
        })
    }

    /// The model all worlds are made of.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// How worlds are run, with the bounds of the batch.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How the batch is run.
    pub fn limits(&self) -> &BatchSettings {
        &self.limits
    }

    /// Whether worlds are stepped eight at a time: those of models of joints, drives, springs, dampers, armatures, dry friction and contacts, without
    /// couplings, tendons, soft joints, springs on gimbals and contacts of physical compliance, by default settings of integrator and solver. Steps with a coordinate at its limit, or with contacts that
    /// bounce, are taken by the simulator of the world ([`Span::alone`]).
    pub fn has_lanes(&self) -> bool {
        self.lanes.is_some()
    }

    /// All worlds.
    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// All worlds, to change them between steps.
    pub fn worlds_mut(&mut self) -> &mut [World] {
        &mut self.worlds
    }

    /// One world.
    pub fn world(&self, index: usize) -> Result<&World, BatchError> {
        let have = self.worlds.len();
        let world = self.worlds.get(index);
        world.ok_or(BatchError::NoWorld { index, have })
    }

    /// One world, to change it.
    pub fn world_mut(&mut self, index: usize) -> Result<&mut World, BatchError> {
        let have = self.worlds.len();
        let world = self.worlds.get_mut(index);
        world.ok_or(BatchError::NoWorld { index, have })
    }

    /// Take `steps` steps in every world that is not set aside. `drive` sets the control of a world before each of its
    /// steps; it is given the world's index and state.
    pub fn step(&mut self, steps: u32, drive: impl Fn(usize, &State, &mut Control) + Sync) {
        self.advance(steps, Some(&drive), &mut || true);
    }

    /// Take `steps` steps in every world that is not set aside, with the controls as they are: as [`Batch::step`] with nothing to set, with the same
    /// bits, and quicker, because nobody has to be given the states in between.
    pub fn hold(&mut self, steps: u32) {
        self.advance(steps, None::<&Unchanged>, &mut || true);
    }

    /// [`Batch::step`], or [`Batch::hold`] without `drive`, that can be ended: a few times per second at least, when all worlds have taken the same number of steps,
    /// `goes_on` is asked. Returns that number. What worlds do does not depend on when it is asked.
    pub fn step_while(
        &mut self,
        steps: u32,
        drive: Option<&Steering<'_>>,
        mut goes_on: impl FnMut() -> bool,
    ) -> u32 {
        match drive {
            Some(drive) => self.advance(steps, Some(&drive), &mut goes_on),
            None => self.advance(steps, None::<&Unchanged>, &mut goes_on),
        }
    }

    fn advance(
        &mut self,
        steps: u32,
        drive: Option<&(impl Fn(usize, &State, &mut Control) + Sync)>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> u32 {
        self.worlds.iter_mut().for_each(World::begin_span);
        let mut done = 0;
        while done < steps && (done == 0 || goes_on()) {
            let piece = self.piece.min(steps - done);
            let start = Instant::now();
            self.take(piece, drive);
            done += piece;
            let took = start.elapsed();
            if took > 4 * ATTENTION {
                self.piece = (piece / 2).max(1);
            } else if took < ATTENTION && piece == self.piece {
                self.piece = piece.saturating_mul(2);
            }
        }
        done
    }

    fn take(&mut self, steps: u32, drive: Option<&(impl Fn(usize, &State, &mut Control) + Sync)>) {
        let size = self.lanes.as_ref().map_or(1, |_| lanes::WORLDS);
        let tasks = Tasks {
            lanes: self.lanes.as_ref(),
            steps,
            max_speed: self.limits.max_speed,
            drive,
        };
        let chunks = self.worlds.len().div_ceil(size);
        let mut chunks_left = self.worlds.chunks_mut(size).enumerate();
        let fresh = move || {
            let (chunk, worlds) = chunks_left.next()?;
            Some(Task::new(size * chunk, worlds))
        };
        match &self.pool {
            None => tasks.work(&Mutex::new(Queue::new(fresh)), steps),
            Some(pool) => {
                let slices = (SLICES * self.limits.threads).div_ceil(chunks) as u32;
                let queue = Mutex::new(Queue::new(fresh));
                pool.broadcast(|_| tasks.work(&queue, steps.div_ceil(slices)));
            }
        }
    }

    /// Look at all worlds, on all threads of the batch: `look` writes what it finds in a world into `width` numbers of `out`, which has those of one world after the other.
    /// Worth it for what [`World::simulator`] tells, which costs a step in worlds in lanes.
    ///
    /// # Panics
    /// If `out` is not `width` times as long as there are worlds.
    pub fn gather(
        &mut self,
        width: usize,
        out: &mut [f64],
        look: impl Fn(&World, &mut [f64]) + Sync,
    ) {
        assert_eq!(out.len(), width * self.worlds.len());
        if width == 0 {
            return;
        }
        let look = |(out, world): (&mut [f64], &mut World)| look(world, out);
        let worlds = &mut self.worlds;
        match &self.pool {
            None => out.chunks_exact_mut(width).zip(worlds).for_each(look),
            Some(pool) => pool.install(|| {
                let parts = out.par_chunks_exact_mut(width);
                parts.zip(worlds).for_each(look);
            }),
        }
    }

    /// Go on from `state` in one world, as a simulator that has taken no step: it forgets warm starts, and is no longer
    /// set aside.
    pub fn reset(&mut self, index: usize, state: State) -> Result<(), BatchError> {
        Ok(self.world_mut(index)?.reset(state)?)
    }

    /// Give one world a variation of the model, at its initial state.
    pub fn vary(&mut self, index: usize, variation: &Variation) -> Result<(), BatchError> {
        let fail = |error| BatchError::Variation {
            world: index,
            error,
        };
        let model = variation.apply(&self.model).map_err(fail)?;
        let program = self.lanes.as_ref().map(|lanes| &lanes.program);
        let world = World::new(model, self.settings.clone(), program)?;
        *self.world_mut(index)? = world;
        Ok(())
    }
}

/// Settings of the worlds: one thread each, and a bounded amount of work.
fn bounded(mut settings: Settings, limits: &BatchSettings) -> Result<Settings, BatchError> {
    let fail = |name, value: f64, remedy| {
        Err(BatchError::Setting {
            name,
            value,
            remedy,
        })
    };
    if limits.threads == 0 || limits.threads > 1024 {
        return fail("threads", limits.threads as f64, "it must be 1 … 1024");
    }
    if limits.halvings > 8 {
        return fail("halvings", f64::from(limits.halvings), "it must be 0 … 8");
    }
    if limits.iterations == 0 {
        return fail("iterations", 0.0, "it must be at least 1");
    }
    if limits.max_speed.is_nan() || limits.max_speed <= 0.0 {
        return fail("max_speed", limits.max_speed, "it must be positive");
    }
    settings.threads = 1;
    settings.solve.max_iterations = settings.solve.max_iterations.min(limits.iterations);
    if let FailurePolicy::Substep { depth } = &mut settings.failure {
        *depth = (*depth).min(limits.halvings);
    }
    Ok(settings)
}

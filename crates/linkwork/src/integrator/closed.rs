//! A configuration near the middle of a step in which the joints are closed.
//!
//! Half a step with the old velocities opens loops by the order of dt². Rows evaluated there do not belong to a
//! possible configuration of the mechanism: rows of redundant joints (the four hinges of a planar loop) are dependent
//! only where the loops are closed. Near such a configuration they are independent by a small amount, and require
//! impulses of the order of its inverse: a four-bar that tumbled at 5 rad/s had 1e3 N s of self-stress at 1 ms instead
//! of 5e-3 N s. The rows of joints are therefore evaluated at the closed configuration nearest to the middle, for
//! bodies that do not move.

use super::Integrator;
use crate::control::Control;
use crate::integrate::{free_motion, move_poses};
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::rows::{Inputs, RowSource, Rows};
use crate::settings::Settings;
use crate::state::State;
use linkwork_solve::{DEFAULT_SOLVER, Solution, Solver, raise, solver_entry};

/// Number of passes of the chord iteration; each leaves a share of about ω dt.
const PASSES: usize = 8;
/// Residual that is as good as none, m or rad.
const CLOSED: f64 = 1e-14;

/// The closed configuration, and buffers for finding it.
pub(super) struct Closed {
    /// Whether joints form loops.
    loops: bool,
    pub poses: Vec<Pose>,
    work: Option<Box<Work>>,
}

impl Clone for Closed {
    fn clone(&self) -> Self {
        Self {
            loops: self.loops,
            poses: self.poses.clone(),
            work: None,
        }
    }
}

impl std::fmt::Debug for Closed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Closed")
            .field("loops", &self.loops)
            .finish_non_exhaustive()
    }
}

struct Work {
    solver: Box<dyn Solver>,
    /// Rows along which the poses are moved.
    rows: Rows,
    /// Rows at the poses so far.
    probe: Rows,
    state: State,
    solution: Solution,
    wrenches: Vec<[Vec3; 2]>,
    next: Vec<Pose>,
}

impl Closed {
    pub fn new(model: &Model) -> Self {
        Self {
            loops: has_loops(model),
            poses: Vec::new(),
            work: None,
        }
    }

    /// Finds the poses of closed joints nearest to those of `middle`, starting from `start`, where they are closed.
    pub fn find(&mut self, model: &Model, settings: &Settings, start: &State, middle: &State) {
        self.poses.clear();
        if !self.loops || !settings.closure.enabled {
            return;
        }
        let work = self.work.get_or_insert_with(|| {
            let entry = solver_entry(DEFAULT_SOLVER).expect("the default solver is registered");
            let mut solver = entry.make_unchecked(settings.solve, false);
            solver.share(model.plans());
            Box::new(Work {
                solver,
                rows: Rows::default(),
                probe: Rows::default(),
                state: start.clone(),
                solution: Solution::default(),
                wrenches: vec![[Vec3::zeros(); 2]; model.bodies().len()],
                next: Vec::new(),
            })
        });
        let Work {
            solver,
            rows,
            probe,
            state,
            solution,
            wrenches,
            next,
        } = &mut **work;
        // A unit of time, in which velocities are displacements.
        let plan = Integrator::SemiImplicitEuler.plan(1.0, 1.0);
        let control = Control::new(model);
        let locked = |rows: &mut Rows, state: &State| {
            rows.assemble_locked(&Inputs {
                model,
                state,
                control: &control,
                settings,
                contacts: &[],
                carried: &[],
                released: &[],
                plan: &plan,
            });
            // What yields has no place to be.
            for k in 0..rows.sources.len() {
                let soft = match rows.sources[k] {
                    RowSource::Joint(id) => model.joint(id).softness.is_some(),
                    RowSource::Coupling(id) => model.couplings()[id.index()].softness.is_some(),
                    _ => false,
                };
                if soft {
                    let range = rows.problem.sets.range(k);
                    rows.problem.v_bias[range].fill(0.0);
                }
            }
        };
        // First along the rows of the start, which are those of closed joints, and then along those found: this is
        // symmetric in time.
        for level in 0..2 {
            let along = if level == 0 { start } else { &*state };
            rows.begin(model, along, 1.0);
            free_motion(
                rows,
                model,
                along,
                (0.0, 0.0),
                settings.gyroscopic,
                wrenches,
            );
            locked(rows, along);
            rows.bodies_mut().2.fill(0.0);
            state.poses.clone_from(&middle.poses);
            state.coordinates.clone_from(&middle.coordinates);
            let mut least = f64::INFINITY;
            for pass in 0..=PASSES {
                probe.begin(model, state, 1.0);
                locked(probe, state);
                let open = probe.problem.v_bias.iter().fold(0.0, |mut open, c| {
                    raise(&mut open, c.abs());
                    open
                });
                // Round-off, or an error that these rows cannot close.
                if open.is_nan() || open >= least {
                    break;
                }
                least = open;
                self.poses.clone_from(&state.poses);
                if open <= CLOSED || pass == PASSES {
                    break;
                }
                rows.problem.v_bias.copy_from_slice(&probe.problem.v_bias);
                if pass == 0 {
                    solution.lambda.clear();
                    solver.solve(&rows.problem, solution, &mut ());
                } else {
                    solver.resolve(&rows.problem, solution, &mut ());
                }
                move_poses(&state.poses, &solution.u_plus, 1.0, next);
                std::mem::swap(&mut state.poses, next);
            }
            // Not finite: the step itself will report it.
            if self.poses.is_empty() {
                return;
            }
            state.poses.clone_from(&self.poses);
        }
    }
}

/// Whether joints and couplings form a loop; otherwise their rows are independent in any configuration.
fn has_loops(model: &Model) -> bool {
    let bodies = model.bodies().len();
    // The world comes last.
    let mut group: Vec<usize> = (0..=bodies).collect();
    fn root(group: &mut [usize], mut i: usize) -> usize {
        while group[i] != i {
            group[i] = group[group[i]];
            i = group[i];
        }
        i
    }
    for (id, _) in model.layout().locking.iter() {
        let joint = model.joint(*id);
        let base = root(&mut group, joint.base.map_or(bodies, |b| b.index()));
        let follower = root(&mut group, joint.follower.index());
        if base == follower {
            return true;
        }
        group[base] = follower;
    }
    !model.couplings().is_empty()
}

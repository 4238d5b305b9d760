//! Simulator for rigid mechanisms: closed loops, redundant joints, limits, drives, couplings, impacts and
//! frictional contact, in maximal coordinates.
//!
//! A mechanism is described once with a [`model::ModelBuilder`], which checks it, and is immutable
//! afterwards ([`model::Model`]). A [`Simulator`] moves a [`State`] of it through time, one
//! [`step`](Simulator::step) after the other, under a [`Control`] (targets, forces, wrenches). Every step
//! returns a [`StepReport`]: the status of the solve, residuals recomputed from masses and Jacobian, remaining
//! joint errors, work done. A joint that closes a loop is an ordinary joint, and redundant joints are
//! allowed.
//!
//! ```
//! use linkwork::assemble::set_joint_coordinates;
//! use linkwork::math::{MassProperties, Vec3};
//! use linkwork::model::{BodyDef, JointDef, ModelBuilder};
//! use linkwork::{Control, Settings, Simulator};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     // A swing: a seat on two hanging bars. Its four hinges close a loop.
//!     let mut b = ModelBuilder::new();
//!     let bar = MassProperties::solid_box(1.0, Vec3::new(0.02, 0.02, 0.25));
//!     let board = MassProperties::solid_box(2.0, Vec3::new(0.2, 0.1, 0.02));
//!     let left = b.add_body(BodyDef::new("left", bar).at(-0.2, 0.0, -0.25));
//!     let right = b.add_body(BodyDef::new("right", bar).at(0.2, 0.0, -0.25));
//!     let seat = b.add_body(BodyDef::new("seat", board).at(0.0, 0.0, -0.5));
//!     let hinge = |j: JointDef, x, z| j.anchor(x, 0.0, z).axis(0.0, 1.0, 0.0);
//!     let a = b.add_joint(hinge(JointDef::revolute("A", None, left), -0.2, 0.0));
//!     b.add_joint(hinge(JointDef::revolute("B", left, seat), -0.2, -0.5));
//!     b.add_joint(hinge(JointDef::revolute("C", right, seat), 0.2, -0.5));
//!     b.add_joint(hinge(JointDef::revolute("D", None, right), 0.2, 0.0));
//!     let model = b.build()?;
//!
//!     // Pull it back by 0.6 rad, let it go, and simulate two seconds.
//!     let mut state = model.initial_state();
//!     set_joint_coordinates(&model, &mut state, a, &[0.6])?;
//!     let mut simulator = Simulator::new(model.clone(), Settings::default())?;
//!     simulator.set_state(state)?;
//!     for _ in 0..2000 {
//!         let report = simulator.step(&Control::new(&model))?;
//!         assert!(report.closure_linear < 1e-9, "the loop stays closed");
//!     }
//!     let angle = simulator.state().joint_coordinates(&model, a)[0];
//!     println!("after 2 s hinge A is at {angle:.3} rad");
//!     Ok(())
//! }
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`model`] | bodies, joints, couplings, shapes, materials, frames, keyframes; the builder and its checks |
//! | [`actuators`] | motors, servos and other actuators, driven by controls |
//! | [`sensors`] | sensor values from a state and from the last step |
//! | [`joints`] | joint types as functions of the relative placement of two frames |
//! | [`assemble`](mod@assemble) | poses that close every joint, velocities that keep them closed |
//! | [`mobility`](mod@mobility) | degrees of freedom, redundant rows, reactions that are not unique |
//! | [`dynamics`] | accelerations and reactions of a state, without a step |
//! | [`inverse`] | inverse dynamics: the forces behind a motion, including contacts |
//! | [`gradient`] | derivatives of a step |
//! | [`batch`] | many worlds of one model, stepped in parallel |
//! | [`reactions`] | joint reactions, efforts and contact forces of the last step |
//! | [`metrics`] | energies and momenta |
//! | [`collision`] | contact points between shapes |
//! | [`rows`] | the problem of a step for a model at a state |
//! | [`math`] | poses, rotations, twists, inertias |
//!
//! The problem of a step and its solvers are in the crate [`linkwork_solve`], which can be used alone; built-in
//! mechanisms are in the crate `linkwork-scenes`. Units are SI and
//! radians throughout. Poses and twists in a [`State`] are those of the centres of mass, in the world
//! frame; velocities belong to a time half a step before the poses.

pub mod actuators;
pub mod assemble;
pub mod batch;
pub mod collision;
pub mod dynamics;
pub mod gradient;
pub mod inverse;
pub mod joints;
pub mod math;
pub mod metrics;
pub mod mobility;
pub mod model;
pub mod reactions;
pub mod rows;
pub mod sensors;

mod adhesion;
mod blocked;
mod checkpoint;
mod closure;
mod control;
mod held;
mod impacts;
mod integrate;
mod integrator;
mod locked;
mod motion;
mod path;
mod posed;
mod queries;
mod report;
mod run;
mod scene;
mod settings;
mod setup;
mod simulator;
mod state;
mod step;
mod synchronise;
mod time;
mod warm;
mod work;

/// The problem of a step and its solvers, re-exported so that statuses and settings need no second dependency.
pub use linkwork_solve;

pub use adhesion::Adhesion;
pub use batch::{Batch, BatchSettings};
pub use blocked::Blocked;
pub use checkpoint::{Checkpoint, Memory};
pub use control::{Control, ControlError};
pub use integrator::{Integrator, UnknownIntegrator};
pub use motion::BodyMotion;
pub use path::{path_length, path_lines, path_pushes};
pub use queries::{ContactEvent, ContactEvents, RayHit};
pub use report::{Escalations, Outcome, StepError, StepReport, Timings, Work};
pub use run::{Elapsed, Moment, Run, RunSummary, StatusCounts, Stopwatch, UNACCOUNTED};
pub use scene::{Scene, Script};
pub use settings::{
    Adaptive, ClosureSettings, ContactSettings, FailurePolicy, FirstKick, Gyroscopic, Impacts,
    RestitutionRule, Settings, Stabilization,
};
pub use setup::SetupError;
pub use simulator::Simulator;
pub use state::State;
pub use step::{EnergyBooks, Pace};
pub use time::plain_time;

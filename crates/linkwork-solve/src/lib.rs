//! The complementarity problem that one step of a rigid multi-body simulation asks, and everything
//! that solves it. Usable alone: a solver gets a [`Problem`] and does not depend on bodies or joints.
//!
//! ```
//! use linkwork_solve::*;
//!
//! // A 2 kg ball falling at 1 m/s onto a floor with friction 0.5, sliding at 3 m/s.
//! let mut mass = BlockDiag6::new();
//! mass.push_rigid(2.0, &[1., 0., 0., 0., 1., 0., 0., 0., 1.], &[1., 0., 0., 0., 1., 0., 0., 0., 1.]);
//! let mut jacobian = BlockCsr6::new(1);
//! jacobian.push_block(3);
//! jacobian.push_entry(0, &[[1., 0., 0., 0., 0., 0.], [0., 1., 0., 0., 0., 0.], [0., 0., 1., 0., 0., 0.]]);
//! let mut problem = Problem::for_bodies(1e-3);
//! problem.operator = Operator::Bodies { mass, jacobian, u_free: vec![3., 0., -1., 0., 0., 0.] };
//! problem.v_bias = vec![0.0; 3];
//! problem.compliance = vec![0.0; 3];
//! problem.sets.push(ImpulseSet::Coulomb { mu: 0.5 });
//!
//! let mut solver = solver_by_name("admm-ncp-sa", SolverSettings::default()).unwrap();
//! let mut x = Solution::default();
//! let report = solver.solve(&problem, &mut x, &mut ());
//! assert_eq!(report.status, Status::Converged);
//! assert!((x.u_plus[0] - 2.5).abs() < 1e-7 && x.u_plus[2].abs() < 1e-7);
//! ```

pub mod condense;
pub mod delassus;
pub mod fclib;
pub mod solvers;

mod arithmetic;
mod blocks;
mod check;
mod file;
mod lanes;
mod measures;
mod normalise;
mod problem;
mod residuals;
mod sets;

pub use arithmetic::{Arithmetic, Fused, Plain, Routine, arithmetic, run, run_wide};
pub use blocks::{Block6, BlockCsr6, BlockDiag6, Entry, SparseSym};
pub use check::ProblemError;
pub use delassus::{Delassus, OperatorChoice};
pub use file::{FileError, MAX_PROBLEM_BYTES, PROBLEM_FORMAT};
pub use lanes::{Lanes, WIDE, WIDTH, Wide};
pub use measures::Measures;
pub use normalise::Units;
pub use problem::{Operator, Problem, Solution, SolveReport, Status};
pub use residuals::{
    ContactModel, ResidualBuffers, Residuals, larger, raise, relative_residual, residuals,
    residuals_weighted, residuals_with,
};
pub use sets::{Cone, Face, Friction, ImpulseSet, ImpulseSets, MAX_DIM, Slack, Slope};
pub use solvers::{
    Anderson, ContactSolver, DEFAULT_SOLVER, Observer, Solver, SolverEntry, SolverSettings,
    UnknownSolver, Unsupported, all_solvers, counterpart, known_solvers, minimum_norm,
    printed_solvers, solver_by_name, solver_entry,
};

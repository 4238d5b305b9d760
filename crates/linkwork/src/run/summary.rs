//! What a run adds up to.

use crate::report::{StepError, Timings, Work};
use linkwork_solve::Status;
use serde::Serialize;

/// How the solves of a run ended, in steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatusCounts {
    /// Residuals met the tolerance.
    pub converged: u64,
    /// Residuals within the tolerance, except for contacts or limits that could not open and were relaxed.
    pub blocked: u64,
    /// The iteration limit came first.
    pub iteration_limit: u64,
    /// The residuals stopped decreasing.
    pub stalled: u64,
    /// A factorisation failed or a number was not finite.
    pub numerical_failure: u64,
    /// An observer stopped the solver.
    pub interrupted: u64,
    /// Lemke's method ended on a ray.
    pub ray_termination: u64,
    /// Steps repeated as substeps under [`FailurePolicy::Substep`](crate::FailurePolicy), with any result.
    pub substepped: u64,
    /// The smaller steps taken instead of these.
    pub parts: u64,
    /// Steps discarded under [`FailurePolicy::Hold`](crate::FailurePolicy).
    pub held: u64,
    /// Steps in which the solver's first method failed and a more robust one was used
    /// ([`Solver::escalations`](linkwork_solve::Solver::escalations)), with any result.
    pub escalated: u64,
    /// Steps whose impulses were replaced, fully or in part, by impulses that do not add energy.
    pub restrained: u64,
}

impl StatusCounts {
    /// Steps whose solve failed; blocked steps are not included.
    pub fn failed(&self) -> u64 {
        self.iteration_limit
            + self.stalled
            + self.numerical_failure
            + self.interrupted
            + self.ray_termination
    }

    pub(super) fn add(&mut self, status: Status) {
        *match status {
            Status::Converged => &mut self.converged,
            Status::Blocked => &mut self.blocked,
            Status::IterationLimit => &mut self.iteration_limit,
            Status::Stalled => &mut self.stalled,
            Status::Interrupted => &mut self.interrupted,
            Status::RayTermination => &mut self.ray_termination,
            // As a status that is not known here, too.
            _ => &mut self.numerical_failure,
        } += 1;
    }
}

/// Share of the largest energy exchanged that may be unaccounted for at the end of a run.
pub const UNACCOUNTED: f64 = 1e-2;

/// Summary of a run in numbers. Maxima are over all steps and keep a NaN.
#[derive(Clone, Debug, Serialize)]
pub struct RunSummary {
    /// Steps taken.
    pub steps: u64,
    /// Simulated time, s.
    pub sim_time: f64,
    /// Wall time of stepping, bookkeeping and observer, s.
    pub wall_s: f64,
    /// CPU time of all threads over the same span, s; the wall time on systems other than Linux.
    pub cpu_s: f64,
    /// Steps per second of wall time.
    pub steps_per_s: f64,
    /// Steps per second of processor time.
    pub steps_per_cpu_s: f64,
    /// Bodies.
    pub bodies: usize,
    /// Joints.
    pub joints: usize,
    /// Most constraint rows of a step.
    pub rows: usize,
    /// Contact points per step, mean.
    pub contacts_mean: f64,
    /// Contact points of a step, most.
    pub contacts_max: usize,
    /// Solver iterations per step, mean.
    pub iterations_mean: f64,
    /// Solver iterations of a step, most.
    pub iterations_max: usize,
    /// Factorisations, all steps.
    pub factorizations: u64,
    /// Closure passes per step, mean.
    pub closure_passes_mean: f64,
    /// Steps whose solve did not converge.
    pub solves_failed: u64,
    /// How the solves ended.
    pub status: StatusCounts,
    /// Maximum number of contacts and limits of a step that could not open.
    pub blocked_max: usize,
    /// Largest velocity by which one of them was relaxed, m/s (rad/s for limits of rotations).
    pub blocked_speed_max: f64,
    /// Largest scaled natural map, N s.
    pub residual_max: f64,
    /// The same as a velocity, m/s.
    pub residual_velocity_max: f64,
    /// Largest natural map with unit step; mixes units.
    pub residual_unit_max: f64,
    /// Largest estimated error that a part of a step adds, m/s; 0 without adaptive substeps.
    pub local_error_max: f64,
    /// Largest translational joint residual after a step, m.
    pub closure_max_m: f64,
    /// Largest rotational joint or coupling residual after a step, rad.
    pub closure_max_rad: f64,
    /// Deepest overlap, m.
    pub penetration_max_m: f64,
    /// Deepest overlap at the end, m.
    pub penetration_end_m: f64,
    /// Largest violation of a joint limit after a step, m or rad.
    pub limit_violation_max: f64,
    /// Total energy at the start, J; see [`RunSummary::energy_end`].
    pub energy_start: f64,
    /// Total energy at the end, J: kinetic, gravity and joint springs, with the velocities at the time of the poses
    /// ([`Simulator::synchronised`](crate::Simulator::synchronised)).
    pub energy_end: f64,
    /// Gain (+) or loss (−) of the energy at mid-step beyond the work in `work`, relative to `energy_scale`: the error
    /// of the integrator. At mid-step, half of the last step before the end, the energy balance is exact. Overlap
    /// removal counts as work of contacts.
    pub energy_drift: f64,
    /// The largest of its absolute values over the run.
    pub energy_drift_max: f64,
    /// The larger of the largest kinetic energy, including that within substepped steps, and the largest change of
    /// potential energy, J; at least the kinetic energy of all bodies at 1 mm/s.
    pub energy_scale: f64,
    /// Whether |`energy_drift`| is at most [`UNACCOUNTED`]; false where it is not a number.
    pub energy_accounted: bool,
    /// Kinetic energy at the end, J, as in `energy_end`.
    pub kinetic_end: f64,
    /// Work done on the mechanism, J. Energy stored in springs is not in `drives` but part of the energy.
    #[serde(with = "WorkKeys")]
    pub work: Work,
    /// Largest error of the linear momentum balance with the impulses of gravity and applied wrenches, relative to the
    /// largest Σ|m v| of the bodies (at least that of all bodies at 1 mm/s). `None` if joints to the world or contacts
    /// with it act.
    pub momentum_drift: Option<f64>,
    /// The same of the angular momentum about the origin, over the largest Σ|r × m v| + |I ω| (at
    /// least all mass at 1 mm/s and 1 m).
    pub angular_momentum_drift: Option<f64>,
    /// Time in each phase, all steps, s.
    #[serde(rename = "phases_s", with = "TimingsKeys")]
    pub timings: Timings,
    /// Hash of every bit of the final state, 16 hexadecimal digits.
    pub state_hash: String,
    /// The arithmetic to which the state hash belongs ([`linkwork_solve::arithmetic`]).
    pub arithmetic: &'static str,
    /// The error of the refused step, if one ended the run.
    #[serde(skip)]
    pub error: Option<StepError>,
}

#[derive(Serialize)]
#[serde(remote = "Work")]
struct WorkKeys {
    joints: f64,
    limits: f64,
    friction: f64,
    drives: f64,
    contacts: f64,
    applied: f64,
}

#[derive(Serialize)]
#[serde(remote = "Timings")]
struct TimingsKeys {
    collision: f64,
    rows: f64,
    solve: f64,
    closure: f64,
    integrate: f64,
}

//! What inverse dynamics finds, and why it may not.

use crate::control::ControlError;
use crate::dynamics::DynamicsError;
use crate::integrator::Integrator;
use crate::math::Wrench;
use crate::reactions::{ContactForce, Effort, Reaction};
use crate::setup::SetupError;
use crate::time::plain_time;
use linkwork_solve::{Status, UnknownSolver};

/// Share of a motion that may be unexplained before it counts as infeasible: well above round-off of poses, which at 1
/// ms is about 1e-10 of the forces.
pub const FEASIBLE: f64 = 1e-6;

/// The forces that explain one step of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Forces {
    /// Time of the configuration they act at, s.
    pub time: f64,
    /// Duration of their action, s: from the middle of the step before to the middle of this one.
    pub duration: f64,
    /// Along every joint coordinate; `drive` is the force or torque of the actuator, N or N m.
    pub efforts: Vec<Effort>,
    /// Along every tendon, as [`Simulator::tendon_efforts`](crate::Simulator::tendon_efforts).
    pub tendon_efforts: Vec<Effort>,
    /// Whether the motion determines the force of the actuator of each coordinate; `true` without an actuator.
    pub determined: Vec<bool>,
    /// Reactions of all joints that lock any rows; of minimum norm if they are not unique.
    pub reactions: Vec<Reaction>,
    /// Whether the motion determines each of these values.
    pub reactions_determined: Vec<bool>,
    /// Contact points at the configuration, with their impulses.
    pub contacts: Vec<ContactForce>,
    /// The part of each body's motion that no admissible force explains: the wrench that would have to act on it, N and
    /// N m about the centre of mass.
    pub residual: Vec<Wrench>,
    /// Norm of the residual divided by that of all forces, both in the metric of M⁻¹: 0 for a feasible motion.
    pub unexplained: f64,
    /// Largest error of a joint in the configuration that the step leads to: m, and rad.
    pub joint_error: [f64; 2],
    /// Largest speed at which a contact violates its law, m/s: under the exact law the speed at which bodies
    /// interpenetrate, under the convex relaxation also a slip without separation.
    pub contact_approach: f64,
    /// How the search for contact impulses ended.
    pub status: Status,
}

impl Forces {
    /// Force or torque of the actuator of each coordinate, N or N m.
    pub fn torques(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.efforts.iter().map(|effort| effort.drive)
    }

    /// Whether forces that may act explain the motion, up to [`FEASIBLE`].
    pub fn is_feasible(&self) -> bool {
        self.unexplained <= FEASIBLE && self.status.is_solved()
    }

    /// The body with the largest residual force and the one with the largest residual torque, with their sizes, N and
    /// N m; `None` without bodies.
    pub fn worst(&self) -> Option<[(usize, f64); 2]> {
        let largest = |size: fn(&Wrench) -> f64| {
            let sizes = self.residual.iter().map(size).enumerate();
            sizes.reduce(|a, b| if b.1 > a.1 { b } else { a })
        };
        let force = largest(|w| w.force.norm())?;
        Some([force, largest(|w| w.torque.norm())?])
    }
}

/// Why there are no forces.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InverseError {
    /// A state that does not fit the model, or settings out of range.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A control that does not fit the model.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// An inertia that is singular to round-off.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// A solver that is not there.
    #[error(transparent)]
    Solver(#[from] UnknownSolver),
    /// The integrator is another one.
    #[error(
        "inverse dynamics does not support integrator {0}; record the motion with semi-implicit-euler"
    )]
    Integrator(Integrator),
    /// States that are not in the order of time.
    #[error(
        "the state at {next} s does not come after the one at {time} s; give the states of a motion in order",
        next = plain_time(*next),
        time = plain_time(*time)
    )]
    Time {
        /// Time of the state, s.
        time: f64,
        /// Time of the next, s.
        next: f64,
    },
    /// An actuator on a coordinate that is not there.
    #[error("there is no coordinate {index} to actuate; the model has {have}")]
    NoCoordinate {
        /// The requested coordinate.
        index: usize,
        /// How many there are.
        have: usize,
    },
    /// A tolerance that is none.
    #[error("the speed that counts as rest is {0} m/s; it must be finite and not negative")]
    Still(f64),
    /// Impulses of another number of rows, or not finite.
    #[error(
        "the forces at {time} s are not finite; check the poses and times of the motion",
        time = plain_time(*time)
    )]
    NotFinite {
        /// Time of the configuration, s.
        time: f64,
    },
}

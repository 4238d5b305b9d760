//! Accelerations of a state, and errors.

use crate::control::ControlError;
use crate::math::{Twist, Vec3};
use crate::model::{Body, JointId, Model};
use crate::reactions::Reaction;
use crate::rows::{RowSource, Rows};
use crate::setup::SetupError;
use crate::state::rate;

/// Acceleration of a body in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyAcceleration {
    /// Of the centre of mass, m/s².
    pub linear: Vec3,
    /// Angular, rad/s².
    pub angular: Vec3,
}

impl BodyAcceleration {
    /// Acceleration (m/s²) of the body-fixed point at `arm` (m) from the centre of mass of a body that rotates with the
    /// angular velocity `spin` (rad/s).
    pub fn at(&self, arm: &Vec3, spin: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm) + spin.cross(&spin.cross(arm))
    }
}

/// What [`accelerations`](super::accelerations()) finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Accelerations {
    /// Of each body.
    pub bodies: Vec<BodyAcceleration>,
    /// q̈ of each joint coordinate, in the order of [`State::coordinates`](crate::State::coordinates); m/s² or rad/s².
    pub coordinates: Vec<f64>,
    /// Second derivative of each tendon's length, in its unit over s².
    pub tendons: Vec<f64>,
    /// Reactions of all joints that lock any rows, in order. For redundant joints they have minimum norm, as in
    /// [`Simulator::joint_reactions`](crate::Simulator::joint_reactions).
    pub reactions: Vec<Reaction>,
    /// Force λ of each coupling, N or N m; a coordinate gets λ times the slope of its term.
    pub couplings: Vec<f64>,
    /// Rows of joints and couplings.
    pub rows: usize,
    /// Number of independent rows at this state, by pivots above [`RANK_TOLERANCE`](crate::mobility::RANK_TOLERANCE) in
    /// the metric of the kinetic energy.
    pub rank: usize,
    /// Smallest pivot divided by the largest, in (0, 1]: near the tolerance the state is nearly singular, and the
    /// accelerations lose as many digits, those of the lightest bodies first.
    pub weakest: f64,
    /// Largest |J a + J̇u| of any row, m/s² or rad/s². If it exceeds round-off, no acceleration keeps all joints
    /// closed: redundant rows contradict each other (a dead point, or a state with the errors below).
    pub residual: f64,
    /// Largest difference between any body's M a and the forces on it, including reactions, N or N m: round-off of
    /// these, and errors of the poses times the reactions of redundant joints.
    pub unbalanced: f64,
    /// Largest error of a joint or coupling in the poses given, m or rad: [`assemble`](mod@crate::assemble) first
    /// if it is not small.
    pub position_error: f64,
    /// Largest rate of these errors in the twists given, m/s or rad/s:
    /// [`project_velocities`](crate::assemble::project_velocities) first if it is not small.
    pub velocity_error: f64,
    /// Elements that act at the state but are not included: active limits, dry friction, touching contacts; and soft
    /// joints and couplings, which are treated as hard.
    pub left_out: Vec<RowSource>,
}

/// Why a state has no accelerations.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DynamicsError {
    /// The state does not fit the model.
    #[error(transparent)]
    State(#[from] SetupError),
    /// The control does not fit the model or is not finite.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// An inertia with a principal moment that is lost in the round-off of the others.
    #[error(
        "the inertia of body '{0}' is singular to round-off; make all its principal moments larger"
    )]
    Inertia(String),
    /// Numbers too large, or not numbers.
    #[error(
        "the acceleration of {0} is not finite; check forces, targets, coordinates and velocities"
    )]
    NotFinite(String),
}

/// Body by body.
pub(super) fn of_bodies(model: &Model, a: &[f64]) -> Result<Vec<BodyAcceleration>, DynamicsError> {
    let bodies = model.bodies().iter().zip(a.chunks_exact(6));
    let acceleration = |(body, a): (&Body, &[f64])| {
        if a.iter().all(|x| x.is_finite()) {
            return Ok(BodyAcceleration {
                linear: Vec3::new(a[0], a[1], a[2]),
                angular: Vec3::new(a[3], a[4], a[5]),
            });
        }
        Err(DynamicsError::NotFinite(format!("body '{}'", body.name)))
    };
    bodies.map(acceleration).collect()
}

/// q̈ = j a + j̇u.
pub(super) fn of_coordinates(
    rows: &Rows,
    model: &Model,
    bodies: &[BodyAcceleration],
) -> Result<Vec<f64>, DynamicsError> {
    let mut found = Vec::with_capacity(model.coordinate_count());
    let of_body = |j: &[f64; 6], body: usize| {
        let a = &bodies[body];
        rate(j, &Twist::new(a.linear, a.angular))
    };
    for (i, joint) in model.joints().iter().enumerate() {
        for c in 0..joint.axes.len() {
            let [jb, jf] = rows.coordinate_jacobian(JointId(i as u32), c);
            let base = joint.base.map_or(0.0, |b| of_body(jb, b.index()));
            let along = base + of_body(jf, joint.follower.index()) + rows.kinematics[i].bend[c];
            if !along.is_finite() {
                return Err(DynamicsError::NotFinite(format!("joint '{}'", joint.name)));
            }
            found.push(along);
        }
    }
    Ok(found)
}

/// Σ cᵢ q̈ᵢ, and j a + j̇u of the path.
pub(super) fn of_tendons(
    rows: &Rows,
    model: &Model,
    bodies: &[BodyAcceleration],
    coordinates: &[f64],
) -> Vec<f64> {
    let at = |joint: JointId, c: usize| model.joint(joint).first_coordinate + c;
    let acceleration = |b: usize| Twist::new(bodies[b].linear, bodies[b].angular);
    let tendons = model.tendons().iter().zip(&rows.paths);
    tendons
        .map(|(tendon, path)| {
            let sum = tendon.sum(|term| coordinates[at(term.joint, term.coordinate)]);
            sum + path.rate(acceleration) + path.bend
        })
        .collect()
}

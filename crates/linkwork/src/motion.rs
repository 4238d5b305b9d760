//! Motion of the bodies in the last step, as read by inertial sensors and load cells.
//!
//! A step changes momenta over its kick, whose middle is the time of the step's start. The change divided by the
//! duration of the kick is the mean force and, with the poses of the step's start, the acceleration at that time to
//! second order in dt. With a midpoint integrator the time and the poses are those of the middle of the step.

use crate::math::{Mat3, Pose, Twist, Vec3};
use crate::model::BodyId;
use crate::simulator::Simulator;

/// Motion of a body where the rows of the last step were evaluated (its start or middle), in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMotion {
    /// Pose of the centre of mass.
    pub pose: Pose,
    /// Velocity at that time.
    pub twist: Twist,
    /// Acceleration of the centre of mass, m/s².
    pub linear: Vec3,
    /// Angular acceleration, rad/s².
    pub angular: Vec3,
}

impl BodyMotion {
    /// Acceleration of the body-fixed point at `arm` (m) from the centre of mass, m/s²:
    /// a + α × r + ω × (ω × r).
    pub fn at(&self, arm: &Vec3) -> Vec3 {
        let spin = &self.twist.angular;
        self.linear + self.angular.cross(arm) + spin.cross(&spin.cross(arm))
    }
}

impl Simulator {
    /// Duration over which the impulses of the last step acted, s: impulse divided by duration is the mean force.
    pub fn kick(&self) -> f64 {
        self.kick
    }

    /// Motion of a body at the start of the last step; after a substepped step, of its last part. `None` before the
    /// first step, after a step that was held or failed, and after [`Simulator::set_state`].
    pub fn body_motion(&self, body: BodyId) -> Option<BodyMotion> {
        if !self.applied {
            return None;
        }
        let b = body.index();
        let mass = self.rows.bodies().0;
        let inertia = Mat3::from_row_slice(mass.inertia(b));
        let inverse = Mat3::from_row_slice(mass.inverse_inertia(b));
        let u = &self.rows.u_minus[6 * b..6 * b + 6];
        let before = Twist::new(Vec3::new(u[0], u[1], u[2]), Vec3::new(u[3], u[4], u[5]));
        let force = self.net_force(body);
        let linear = force.force / self.model.body(body).mass;
        let past = self.stage.plan.past;
        let spin = before.angular + inverse * (past * force.torque);
        let angular = inverse * (force.torque - spin.cross(&(inertia * spin)));
        Some(BodyMotion {
            pose: self.start_poses[b],
            twist: Twist::new(before.linear + past * linear, spin),
            linear,
            angular,
        })
    }
}

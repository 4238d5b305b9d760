//! Where a walking trunk looks and how it moves.

use linkwork::State;
use linkwork::math::Vec3;
use linkwork::model::BodyId;

/// Direction and velocity of a body whose drawing looks along +x.
#[derive(Clone, Copy)]
pub(crate) struct Heading {
    /// Angle of its view from +x about the vertical, rad.
    pub yaw: f64,
    /// Speed to where it looks, m/s.
    pub forward: f64,
    /// Speed to its left, m/s.
    pub sideways: f64,
}

impl Heading {
    /// That of a body now.
    pub(crate) fn of(state: &State, body: BodyId) -> Self {
        let pose = &state.poses[body.index()];
        let velocity = state.twists[body.index()].linear;
        let ahead = pose.rotation * Vec3::x();
        let yaw = ahead.y.atan2(ahead.x);
        let (sin, cos) = yaw.sin_cos();
        Self {
            yaw,
            forward: cos * velocity.x + sin * velocity.y,
            sideways: cos * velocity.y - sin * velocity.x,
        }
    }
}

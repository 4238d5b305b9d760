//! Where shapes are in a step, and the boxes around them.

use super::broad::Bounds;
use super::prepare::Prepared;
use super::world::DetectSettings;
use crate::math::{Mat3, Pose, Twist, Vec3};

/// Where a shape is in this step.
#[derive(Clone, Copy)]
pub struct Place {
    /// Orientation.
    pub rotation: Mat3,
    /// Position of the shape's origin, m.
    pub position: Vec3,
    /// Velocity of the shape's origin, m/s.
    pub velocity: Vec3,
    /// Bound of the speed of any point relative to the origin, m/s.
    pub swing: f64,
    /// Position and velocity of its body; at rest at the origin for the world.
    pub body: Vec3,
    /// Velocity of its body.
    pub twist: Twist,
}

impl Place {
    /// Of a shape that has not been placed.
    pub fn nowhere() -> Self {
        Self {
            rotation: Mat3::zeros(),
            position: Vec3::zeros(),
            velocity: Vec3::zeros(),
            swing: 0.0,
            body: Vec3::zeros(),
            twist: Twist::zero(),
        }
    }

    /// Of a shape whose body is at `body` and moves with `twist`.
    #[inline]
    pub fn of(shape: &Prepared, body: &Pose, twist: &Twist) -> Self {
        let pose = body.compose(&shape.local);
        Self {
            rotation: pose.rotation.to_rotation_matrix().into_inner(),
            position: pose.position,
            velocity: twist.at(&(pose.position - body.position)),
            swing: twist.angular.norm() * shape.size,
            body: body.position,
            twist: *twist,
        }
    }

    /// The box around a shape here over the look-ahead time, enlarged by half the margin and its clearance.
    pub fn swept(&self, shape: &Prepared, settings: &DetectSettings, reach: f64) -> Bounds {
        let (centre, half) = shape.bounds(&self.rotation, &self.position);
        let grow = half.add_scalar(0.5 * settings.margin + reach + self.swing * settings.dt);
        let travel = self.velocity * settings.dt;
        Bounds {
            lo: centre - grow + travel.map(|x| x.min(0.0)),
            hi: centre + grow + travel.map(|x| x.max(0.0)),
        }
    }
}

/// Pose and velocity of a body. One that is missing is nowhere.
#[inline]
pub fn motion(body: usize, poses: &[Pose], twists: &[Twist]) -> (Pose, Twist) {
    match (poses.get(body), twists.get(body)) {
        (Some(pose), Some(twist)) => (*pose, *twist),
        _ => {
            let nowhere = Vec3::repeat(f64::NAN);
            (Pose::new(nowhere, Default::default()), Twist::zero())
        }
    }
}

/// Height along `n` of the lowest corner of a box, m.
#[inline]
pub fn lowest(n: &Vec3, bounds: &Bounds) -> f64 {
    let corner = |k: usize| {
        if n[k] > 0.0 {
            bounds.lo[k]
        } else {
            bounds.hi[k]
        }
    };
    n[0] * corner(0) + n[1] * corner(1) + n[2] * corner(2)
}

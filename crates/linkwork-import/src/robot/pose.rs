//! Positions with roll, pitch and yaw.

use linkwork::math::{Pose, Quat, Vec3};

/// A frame at `xyz` (m), turned by roll, pitch, yaw (rad) about the fixed axes x, y, z in this order.
pub(crate) fn from_rpy(xyz: Vec3, rpy: Vec3) -> Pose {
    Pose::new(xyz, Quat::from_euler_angles(rpy.x, rpy.y, rpy.z))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn roll_comes_before_pitch_and_yaw_about_fixed_axes() {
        let pose = from_rpy(Vec3::x(), Vec3::new(FRAC_PI_2, FRAC_PI_2, 0.0));
        // Roll takes y to z, the pitch then z to x.
        let moved = pose.transform_point(&Vec3::y());
        assert!((moved - Vec3::new(2.0, 0.0, 0.0)).norm() < 1e-15);
    }
}

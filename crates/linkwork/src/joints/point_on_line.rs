//! Follower anchor on the base's z axis: 2 rows locked; 1 length measured, all rotations free.
//!
//! C = (d_x, d_y); Ċ = (v_x, v_y); J rows: e_x, e_y on v.
//! q = d_z; q̇ = v_z, exactly and everywhere.

use super::{JointType, Label, Relative, Row, parts};
use crate::math::Vec3;

/// A ball in a straight groove along the base's z axis.
#[derive(Clone, Copy, Debug)]
pub struct PointOnLine;

impl JointType for PointOnLine {
    fn name(&self) -> &'static str {
        "point_on_line"
    }

    fn locked(&self) -> &'static [Label] {
        &parts::POSE[..2]
    }

    fn coordinates(&self) -> &'static [Label] {
        &parts::POSE[2..3]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        parts::points(rel, &mut rows[..2]);
    }

    fn measure(&self, rel: &Relative, _turns: &[f64], coordinates: &mut [Row]) {
        coordinates[0] = parts::point(rel, 2);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        Relative::shifted(Vec3::new(0.0, 0.0, coordinates[0]))
    }
}

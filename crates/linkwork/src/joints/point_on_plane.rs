//! Follower anchor in the base's plane z = 0: 1 row locked; 2 lengths measured, all rotations free.
//!
//! C = d_z; Ċ = v_z; J row: e_z on v.
//! q = (d_x, d_y); q̇ = (v_x, v_y), exactly and everywhere.

use super::{JointType, Label, Relative, Row, parts};
use crate::math::Vec3;

/// A ball between two plates; the base's z axis is their normal.
#[derive(Clone, Copy, Debug)]
pub struct PointOnPlane;

impl JointType for PointOnPlane {
    fn name(&self) -> &'static str {
        "point_on_plane"
    }

    fn locked(&self) -> &'static [Label] {
        &parts::POSE[2..3]
    }

    fn coordinates(&self) -> &'static [Label] {
        &parts::POSE[..2]
    }

    fn constrain(&self, rel: &Relative, _turns: &[f64], rows: &mut [Row]) {
        rows[0] = parts::point(rel, 2);
    }

    fn measure(&self, rel: &Relative, _turns: &[f64], coordinates: &mut [Row]) {
        parts::points(rel, &mut coordinates[..2]);
    }

    fn place(&self, coordinates: &[f64]) -> Relative {
        Relative::shifted(Vec3::new(coordinates[0], coordinates[1], 0.0))
    }
}

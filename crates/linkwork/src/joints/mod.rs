//! Joint types, one file each. A joint is a function of the relative placement of its two frames:
//! its locked rows C = 0 and its coordinates q, both with exact derivatives. To add one, write its
//! file, opening with C, Ċ and J, and add one line to [`JointKind`]'s constructors below.

mod kinematics;
pub mod parts;
mod revolute;

pub use kinematics::{Placement, Relative, Row, Unit, unwrap_angle};
pub use revolute::Revolute;

use std::fmt::Debug;

/// Most locked rows a joint can have.
pub const MAX_ROWS: usize = 6;
/// Most coordinates a joint can have.
pub const MAX_COORDINATES: usize = 6;

/// Name and unit of a locked row or a coordinate.
pub type Label = (&'static str, Unit);

/// A joint type: which relative motions are locked and how the others are measured.
///
/// The z axis of the joint frames is the principal axis (hinge, slide, screw, plane normal).
pub trait JointType: Debug + Send + Sync {
    /// Lower-case name, e.g. `revolute`.
    fn name(&self) -> &'static str;

    /// Label of each locked row, in order; at most [`MAX_ROWS`].
    fn locked(&self) -> &'static [Label];

    /// Label of each coordinate, in order; at most [`MAX_COORDINATES`].
    fn coordinates(&self) -> &'static [Label];

    /// The locked rows C(rel) with derivatives. `turns` holds the last known coordinates, which
    /// only multi-turn joints (screw) need, to tell whole turns apart.
    fn constrain(&self, rel: &Relative, turns: &[f64], rows: &mut [Row]);

    /// The coordinates q(rel) with derivatives; angles continue from `turns` (multi-turn).
    fn measure(&self, rel: &Relative, turns: &[f64], coordinates: &mut [Row]);

    /// The placement with the given coordinates and C = 0.
    fn place(&self, coordinates: &[f64]) -> Relative;

    /// What is wrong with the type's own parameters, and the remedy.
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }
}

//! Components of the animatronic figures: bodies of several pieces, hinges and push rods, and the heads, arms and legs
//! composed of them.
//!
//! A figure is modelled in its own frame (x forward, y left, z up) in a neutral pose, with all joint coordinates 0.
//! Joints are placed at points of that pose, so every loop starts closed for any lengths. The hinges of a planar loop
//! share one axis, so its three redundant rows are redundant to round-off.

mod arm;
mod face;
mod groups;
mod hand;
mod head;
mod leg;
mod loft;
mod motion;
mod piece;
mod rig;
mod rods;
mod tilt;

pub(super) use arm::{Arm, ArmMasses, ArmServos, Drive};
pub(super) use face::{add_brows, add_eyes, add_lids};
pub(super) use groups::{BODY, HAND};
pub(super) use head::{Head, skull};
pub(super) use leg::{Leg, LegJoints, LegMasses, bend};
pub(super) use loft::Ring;
pub(super) use motion::{Motion, in_turn, wave};
pub(super) use piece::Piece;
pub(super) use rig::{Rig, Side};
pub(super) use rods::{Ends, Linked, Servo, Servos};
pub(super) use tilt::Tilt;

//! What walking and reaching robots are made of: bodies of several shapes, skeletons of driven hinges,
//! smooth targets, legs and gaits.

mod gait;
mod heading;
mod motion;
mod part;
mod skeleton;

pub(super) use gait::{Gait, Leg};
pub(super) use heading::Heading;
pub(super) use motion::{Push, pass, ramp, track};
pub(super) use part::Part;
pub(super) use skeleton::{Hinge, Servo, Skeleton};

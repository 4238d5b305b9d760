//! Actuators: from the values of controls to targets, forces and wrenches; and the drag of a fluid.

mod actuator;
mod command;
mod dynamics;
mod fluid;
mod muscle;
mod servo;

pub use actuator::{Actuator, Transmission};
pub use dynamics::Dynamics;
pub use fluid::FluidBox;
pub use muscle::{Muscle, MuscleLag};

//! Sensors: values from a state and from the last step.

mod contacts;
mod last_step;
mod measures;
mod reading;
mod section;
mod sensor;
mod volume;

pub use contacts::{ContactField, ContactQuery, Reduce};
pub use last_step::{LastStep, Touch};
pub use reading::{LimitOf, Nearest, Reading};
pub use section::{Section, SectionPart};
pub use sensor::Sensor;

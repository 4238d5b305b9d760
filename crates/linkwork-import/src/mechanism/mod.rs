//! A mechanism from a file: the model and everything around it that the file names.

mod actuator;
mod frame;
mod keyframe;
mod sensor;

pub use actuator::{Actuator, Transmission};
pub use frame::Frame;
pub use keyframe::{Keyframe, KeyframeBody};
pub use sensor::{Reading, Sensor};

use linkwork::model::{JointId, Model};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A link of the file, and the body it became part of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedLink {
    /// Its name and frame.
    #[serde(flatten)]
    pub frame: Frame,
    /// Its own mass, kg.
    pub mass: f64,
}

/// What the file contains, counted as its own tools count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// Links, the world not among them.
    pub links: usize,
    /// Joints of the tree; several hinges on one body count each, free joints once.
    pub joints: usize,
    /// Joints that close loops.
    pub closures: usize,
    /// Degrees of freedom of the tree, before loops close.
    pub degrees_of_freedom: usize,
    /// Mass of all links, fixed ones included, kg.
    pub mass: f64,
}

/// A model with the names, actuators, sensors and stored states of the file it comes from.
#[derive(Clone)]
pub struct Mechanism {
    /// Its name.
    pub name: String,
    /// Bodies, joints, couplings, shapes.
    pub model: Arc<Model>,
    /// Step the file asks for, s.
    pub timestep: Option<f64>,
    /// Every link of the file.
    pub links: Vec<PlacedLink>,
    /// Names of the coordinates of each joint.
    pub labels: Vec<Vec<String>>,
    /// The joints that carry the tree, each after those above it; the others close loops.
    pub tree: Vec<JointId>,
    /// Actuators, in the order of the controls.
    pub actuators: Vec<Actuator>,
    /// Named frames (sites).
    pub frames: Vec<Frame>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Stored states.
    pub keyframes: Vec<Keyframe>,
}

impl Mechanism {
    /// The joint and coordinate that the file calls `name`.
    pub fn coordinate(&self, name: &str) -> Option<(JointId, usize)> {
        self.labels.iter().enumerate().find_map(|(j, labels)| {
            let c = labels.iter().position(|l| l == name)?;
            Some((JointId(j as u32), c))
        })
    }

    /// The link of this name.
    pub fn link(&self, name: &str) -> Option<&PlacedLink> {
        self.links.iter().find(|l| l.frame.name == name)
    }
}

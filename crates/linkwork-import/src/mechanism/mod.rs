//! A mechanism from a file: the model and everything around it that the file names.

mod actuator;
mod contradiction;
mod dynamics;
mod felt;
mod fluid;
mod frame;
mod keyframe;
mod reading;
mod section;
mod sensor;
mod servo;
mod start;
mod tree;
mod volume;

pub use actuator::{Actuator, Transmission};
pub use contradiction::Contradiction;
pub use dynamics::Dynamics;
pub use felt::{Felt, Touch};
pub use fluid::FluidBox;
pub use frame::Frame;
pub use keyframe::{Keyframe, KeyframeBody};
pub use reading::Reading;
pub use section::{Section, SectionPart};
pub use sensor::Sensor;
pub use start::{ClosedStart, OPEN};
pub use tree::{is_tree, spanning_tree};

use linkwork::math::Pose;
use linkwork::model::{Body, BodyId, Joint, JointId, Model};
use linkwork::{Control, Simulator, State};
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

impl PlacedLink {
    /// Every body as a link of its own.
    pub fn of_bodies(model: &Model) -> Vec<Self> {
        let bodies = model.bodies().iter().enumerate();
        let link = |(i, body): (usize, &Body)| {
            let id = Some(BodyId(i as u32));
            Self {
                frame: Frame::new(body.name.clone(), id, Pose::identity(), model),
                mass: body.mass,
            }
        };
        bodies.map(link).collect()
    }
}

/// Names of a joint's coordinates where no file gives any: the joint's own name, or with several
/// coordinates that followed by each one's.
pub fn default_labels(joint: &Joint) -> Vec<String> {
    let name = &joint.name;
    match joint.kind.coordinates() {
        [_] => vec![name.clone()],
        several => several.iter().map(|c| format!("{name}.{}", c.0)).collect(),
    }
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
    /// What a fluid resists.
    pub fluid: Vec<FluidBox>,
}

impl Mechanism {
    /// A model with nothing around it: its bodies are the links, its joints name their coordinates.
    pub fn of_model(name: impl Into<String>, model: Arc<Model>) -> Self {
        Self {
            name: name.into(),
            timestep: None,
            links: PlacedLink::of_bodies(&model),
            labels: model.joints().iter().map(default_labels).collect(),
            tree: spanning_tree(&model),
            actuators: Vec::new(),
            frames: Vec::new(),
            sensors: Vec::new(),
            keyframes: Vec::new(),
            fluid: Vec::new(),
            model,
        }
    }

    /// What it has, counted as a file's own tools would.
    pub fn counts(&self) -> Counts {
        let coordinates: usize = self.tree.iter().map(|j| self.labels[j.index()].len()).sum();
        let floating = self.model.bodies().len() - self.tree.len();
        Counts {
            links: self.links.len(),
            joints: self.tree.len() + floating,
            closures: self.model.joints().len() - self.tree.len(),
            degrees_of_freedom: coordinates + 6 * floating,
            mass: self.links.iter().map(|l| l.mass).sum(),
        }
    }

    /// The joint and coordinate that the file calls `name`.
    pub fn coordinate(&self, name: &str) -> Option<(JointId, usize)> {
        self.labels.iter().enumerate().find_map(|(j, labels)| {
            let c = labels.iter().position(|l| l == name)?;
            Some((JointId(j as u32), c))
        })
    }

    /// Number of the actuator that the file calls `name`: where its control is among the controls.
    pub fn actuator(&self, name: &str) -> Option<usize> {
        self.actuators.iter().position(|a| a.name == name)
    }

    /// The sensor of this name.
    pub fn sensor(&self, name: &str) -> Option<&Sensor> {
        self.sensors.iter().find(|s| s.name == name)
    }

    /// Set what the actuators do for these controls in the step from `state`: their
    /// [`activations`](Self::activations) if they have dynamics, and [`actuate`](Self::actuate).
    pub fn command(&self, controls: &[f64], state: &State, control: &mut Control) {
        let pulls = self.activations(controls, state.time, &mut control.memory);
        self.actuate(&pulls, state, control);
    }

    /// The values of a sensor by its name, after a step of `simulator` under `control`. Velocities are those of
    /// mid-step. `None` if there is no such sensor, or it reads accelerations or forces and no step was taken.
    pub fn sense(&self, name: &str, simulator: &Simulator, control: &Control) -> Option<Vec<f64>> {
        let sensor = self.sensor(name)?;
        let felt = sensor
            .feels()
            .then(|| Felt::of_simulator(simulator, control));
        self.read(sensor, simulator.state(), felt.flatten().as_ref())
    }

    /// The link of this name.
    pub fn link(&self, name: &str) -> Option<&PlacedLink> {
        self.links.iter().find(|l| l.frame.name == name)
    }
}

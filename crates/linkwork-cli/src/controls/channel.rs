//! Controls by name: actuators, and the targets of drives without an actuator.

use linkwork::actuators::{Actuator, Transmission};
use linkwork::model::{JointId, Model};
use linkwork_import::suggest;

/// An actuator, or the target of a drive.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Its name: that of the actuator, or the label of the coordinate.
    pub name: String,
    /// Range of the control.
    pub range: Option<[f64; 2]>,
    /// The coordinate of the drive whose target it is; `None` for an actuator.
    pub target: Option<usize>,
}

impl Channel {
    /// What it is.
    pub fn kind(&self) -> &'static str {
        match self.target {
            Some(_) => "the target of",
            None => "actuator",
        }
    }
}

/// All actuators in order, then all driven coordinates that have a name and no actuator, including those of bodies that
/// are moved from outside.
pub fn channels(model: &Model) -> Vec<Channel> {
    let actuator = |a: &Actuator| Channel {
        name: a.name.clone(),
        range: a.control_range,
        target: None,
    };
    let mut all: Vec<Channel> = model.actuators().iter().map(actuator).collect();
    for (j, joint) in model.joints().iter().enumerate() {
        for (c, axis) in joint.axes.iter().enumerate() {
            let pulls = |a: &Actuator| matches!(a.transmission, Transmission::Coordinate { joint, coordinate, .. } if (joint, coordinate) == (JointId(j as u32), c));
            let labels = &model.labels()[j];
            let named = labels.get(c).filter(|l| !l.is_empty());
            let Some(name) = named.filter(|_| axis.drive.is_some()) else {
                continue;
            };
            let taken = all.iter().any(|other| other.name == *name);
            if !taken && !model.actuators().iter().any(pulls) {
                all.push(Channel {
                    name: name.clone(),
                    range: None,
                    target: Some(joint.first_coordinate + c),
                });
            }
        }
    }
    all
}

/// The channel of this name, or what to write instead.
pub fn find(all: &[Channel], name: &str) -> Result<usize, String> {
    let found = all.iter().position(|a| a.name == name);
    found.ok_or_else(|| {
        if all.is_empty() {
            return format!("there is no actuator '{name}': the model has none");
        }
        let names: Vec<&str> = all.iter().map(|a| a.name.as_str()).collect();
        let remedy = suggest::remedy(name, &names);
        format!("there is no actuator '{name}'; {remedy}")
    })
}

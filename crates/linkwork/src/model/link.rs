//! Links: the named rigid parts of a file, before those without joints between them were lumped into bodies.

use super::{Body, BodyId, Frame, Joint, Model};
use crate::math::Pose;
use serde::{Deserialize, Serialize};

/// A link of the file, and the body to which it belongs.
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
    pub(super) fn of_bodies(bodies: &[Body]) -> Vec<Self> {
        let link = |(i, body): (usize, &Body)| {
            let id = Some(BodyId(i as u32));
            Self {
                frame: Frame::new(&body.name, id, Pose::identity(), bodies),
                mass: body.mass,
            }
        };
        bodies.iter().enumerate().map(link).collect()
    }
}

impl Joint {
    /// Default names of its coordinates: the joint's name, or for several coordinates this name followed by the name of
    /// the coordinate.
    pub(super) fn default_labels(&self) -> Vec<String> {
        let name = &self.name;
        match self.kind.coordinates() {
            [_] => vec![name.clone()],
            several => several.iter().map(|c| format!("{name}.{}", c.0)).collect(),
        }
    }
}

/// Counts of a model in the terms of common tools.
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

impl Model {
    /// The counts as a tool for the file's format would report them.
    pub fn counts(&self) -> Counts {
        let tree = self.tree();
        let coordinates: usize = tree.iter().map(|j| self.labels()[j.index()].len()).sum();
        let floating = self.bodies().len() - tree.len();
        Counts {
            links: self.links().len(),
            joints: tree.len() + floating,
            closures: self.joints().len() - tree.len(),
            degrees_of_freedom: coordinates + 6 * floating,
            mass: self.links().iter().map(|l| l.mass).sum(),
        }
    }
}

//! Position in the file of an element that the core refuses.

use super::Draft;
use crate::{Fault, ImportError, Place};
use linkwork::collision::CollisionError;
use linkwork::model::ModelError;

impl Draft {
    /// The core's refusal as an error at the element's place.
    pub(super) fn blame(&self, error: &ModelError) -> ImportError {
        let text = error.to_string();
        let (what, remedy) = text
            .split_once("; ")
            .unwrap_or((&text, "correct the element named"));
        let place = self.place_of(error).unwrap_or(&self.place);
        ImportError::new(place, Fault::Mechanism, what, remedy)
    }

    fn place_of(&self, error: &ModelError) -> Option<&Place> {
        let link = |name: &str| self.links.iter().find(|l| l.name == name).map(|l| &l.place);
        let joint = |name: &str| {
            self.joints
                .iter()
                .find(|j| j.name == name)
                .map(|j| &j.place)
        };
        let shape = |name: &str| {
            let named = |s: &&super::DraftShape| s.name.as_deref() == Some(name);
            self.shapes.iter().find(named).map(|s| &s.place)
        };
        match error {
            ModelError::ImpossibleInertia { body, .. } => link(body),
            ModelError::SelfJoint { joint: name, .. }
            | ModelError::NoSuchCoordinate { joint: name, .. }
            | ModelError::BadJointType { joint: name, .. } => joint(name),
            // These name the element in words: body 'x', joint 'x', shape 'x'.
            ModelError::BadValue { element, .. } | ModelError::MissingReference { element, .. } => {
                let (kind, name) = element.split_once(" '")?;
                let name = name.strip_suffix('\'')?;
                match kind {
                    "body" => link(name),
                    "joint" => joint(name),
                    _ => shape(name),
                }
            }
            ModelError::DuplicateName { kind: "body", name } => link(name),
            ModelError::DuplicateName {
                kind: "joint",
                name,
            } => joint(name),
            ModelError::Shape(CollisionError::FlatHull { shape: name, .. }) => shape(name),
            _ => None,
        }
    }
}

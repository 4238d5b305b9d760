//! `<mimic>` of SDF 1.11: joints that follow others.

use super::joint::{Joint, Kind};
use super::scene::Scene;
use super::text::number;
use crate::draft::Draft;
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use linkwork::model::{Coupling, JointId};
use std::collections::BTreeMap;

/// q = multiplier · (q of `joint` − reference) + offset.
pub(super) struct Mimic {
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
    pub reference: f64,
    pub place: Place,
}

/// The `<mimic>` of a joint's first axis. Joints are named within the model, after `prefix`.
pub(super) fn read(joint: &Element, prefix: &str) -> Result<Option<Mimic>, ImportError> {
    let Some(element) = joint.child("axis").and_then(|a| a.child("mimic")) else {
        return Ok(None);
    };
    if element.get("axis").is_some_and(|a| a != "axis") {
        let what = "a joint that mimics the second axis of another";
        let remedy = "mimic a joint of one axis";
        return Err(element.error(Fault::Unsupported, what, remedy));
    }
    Ok(Some(Mimic {
        joint: format!("{prefix}{}", element.require("joint")?),
        multiplier: number(element, "multiplier")?.unwrap_or(1.0),
        offset: number(element, "offset")?.unwrap_or(0.0),
        reference: number(element, "reference")?.unwrap_or(0.0),
        place: element.place.clone(),
    }))
}

/// One coupling per joint that mimics another.
pub(super) fn relations(
    scene: &Scene,
    ids: &[Option<JointId>],
    draft: &mut Draft,
) -> Result<(), ImportError> {
    let named: BTreeMap<&str, usize> = scene
        .joints
        .iter()
        .enumerate()
        .map(|(i, j)| (j.name.as_str(), i))
        .collect();
    let single = |i: usize| ids[i].filter(|_| has_one_coordinate(&scene.joints[i]));
    for (i, joint) in scene.joints.iter().enumerate() {
        let Some(mimic) = &joint.mimic else { continue };
        let leader = named.get(mimic.joint.as_str()).copied();
        let (Some(follows), Some(leads)) = (single(i), leader.and_then(single)) else {
            let what = format!("'{}' mimics '{}'", joint.name, mimic.joint);
            let remedy = "name two joints of one coordinate that move";
            let fault = Fault::Unresolved;
            return Err(ImportError::new(&mimic.place, fault, what, remedy));
        };
        let mut terms = vec![(follows, 0, 1.0)];
        // A multiplier of 0 leaves the follower held at the offset.
        if mimic.multiplier != 0.0 {
            terms.push((leads, 0, -mimic.multiplier));
        }
        let value = mimic.offset - mimic.multiplier * mimic.reference;
        let name = format!("{} mimics {}", joint.name, mimic.joint);
        let coupling = Coupling::new(name, &terms, value);
        draft.couplings.push(coupling);
    }
    Ok(())
}

/// Whether a joint is a hinge, slide or screw.
pub(super) fn has_one_coordinate(joint: &Joint) -> bool {
    matches!(joint.kind, Kind::Hinge | Kind::Slide | Kind::Screw(_))
}

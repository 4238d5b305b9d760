//! A `<joint>`.

use super::axis::{self, JointAxis};
use super::mimic::{self, Mimic};
use super::scene::{Index, Surroundings};
use super::scope::{ScopeId, Scopes};
use super::text::{need_word, number};
use crate::robot::Skipped;
use crate::suggest;
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use linkwork::math::Pose;
use linkwork::model::Axis;
use std::f64::consts::TAU;

const KNOWN: [&str; 9] = [
    "pose",
    "parent",
    "child",
    "axis",
    "axis2",
    "thread_pitch",
    "screw_thread_pitch",
    "gearbox_ratio",
    "gearbox_reference_body",
];

const TYPES: [&str; 9] = [
    "fixed",
    "revolute",
    "continuous",
    "prismatic",
    "ball",
    "universal",
    "revolute2",
    "screw",
    "gearbox",
];

/// Cosine above which two axes of a cross are not perpendicular.
const OBLIQUE: f64 = 1e-6;

/// What a joint lets move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Fixed,
    Hinge,
    Slide,
    Ball,
    /// Two perpendicular axes, the first fixed in the parent, the second in the child.
    Cross,
    /// Two hinges in series whose axes are not perpendicular.
    Hinges,
    /// Advance in m per turn, right-handed.
    Screw(f64),
    /// θ₂ = −ratio θ₁ of the angles of child and parent from the reference link.
    Gearbox {
        ratio: f64,
        reference: usize,
    },
}

/// A joint as the file has it.
pub(super) struct Joint {
    pub name: String,
    pub place: Place,
    pub kind: Kind,
    /// `None` is the world.
    pub parent: Option<usize>,
    pub child: usize,
    /// The joint frame in the world.
    pub frame: Pose,
    pub axes: [JointAxis; 2],
    pub mimic: Option<Mimic>,
}

impl Joint {
    /// Read a `<joint>` of the model or world `scope`.
    pub fn read(
        element: &Element,
        (scopes, scope, index): (&Scopes, ScopeId, &Index),
        around: &Surroundings,
        skipped: &mut Skipped,
    ) -> Result<Self, ImportError> {
        skipped.children(element, &KNOWN);
        let name = element.require("name")?;
        let link = |frame: &str| -> Result<Option<usize>, ImportError> {
            let key = scopes.link(scope, frame, element)?;
            Ok(key.and_then(|k| index.get(&k).copied()))
        };
        let parent = link(need_word(element, "parent")?)?;
        let Some(child) = link(need_word(element, "child")?)? else {
            let what = "the child of a joint is the world";
            return Err(element.error(Fault::Unsupported, what, "make the world its parent"));
        };
        if parent == Some(child) {
            let what = "parent and child of a joint are one link";
            return Err(element.error(Fault::BadValue, what, "name two different links"));
        }
        let frame = around.pose.compose(&scopes.pose(scope, name, element)?);
        let mut read_axis = |which: &str| {
            let given = element.child(which);
            axis::read(given, &frame, (scopes, scope), around, skipped)
        };
        let axes = [read_axis("axis")?, read_axis("axis2")?];
        let reference = match element.child("gearbox_reference_body") {
            Some(body) => link(body.text.trim())?,
            None => None,
        };
        let kind = kind_of(element, &axes, reference)?;
        let (acting, unused) = (axes[0].acting, [Kind::Ball, Kind::Fixed].contains(&kind));
        if unused && acting != Axis::default() {
            let what = "limits and dynamics of a ball or fixed joint have no effect";
            skipped.note(what, &element.place);
        }
        Ok(Self {
            name: format!("{}{name}", around.prefix),
            place: element.place.clone(),
            kind,
            parent,
            child,
            frame,
            axes,
            mimic: mimic::read(element, &around.prefix)?,
        })
    }
}

fn kind_of(
    element: &Element,
    axes: &[JointAxis; 2],
    reference: Option<usize>,
) -> Result<Kind, ImportError> {
    let oblique = axes[0].direction.dot(&axes[1].direction).abs() > OBLIQUE;
    Ok(match element.require("type")? {
        "fixed" => Kind::Fixed,
        "revolute" | "continuous" => Kind::Hinge,
        "prismatic" => Kind::Slide,
        "ball" => Kind::Ball,
        "universal" | "revolute2" if !oblique => Kind::Cross,
        "revolute2" => Kind::Hinges,
        "universal" => {
            let what = "the axes of a universal joint are not perpendicular";
            let remedy = "correct them, or use revolute2";
            return Err(element.error(Fault::BadValue, what, remedy));
        }
        "screw" => Kind::Screw(pitch(element)?),
        "gearbox" => {
            let ratio = number(element, "gearbox_ratio")?.unwrap_or(1.0);
            let Some(reference) = reference.filter(|_| ratio != 0.0) else {
                let what = "a gearbox without a ratio other than 0 or without reference link";
                let remedy = "add <gearbox_ratio> and <gearbox_reference_body>";
                return Err(element.error(Fault::Missing, what, remedy));
            };
            Kind::Gearbox { ratio, reference }
        }
        other => {
            let what = format!("joint type '{other}'");
            return Err(element.error(Fault::BadValue, what, suggest::remedy(other, &TYPES)));
        }
    })
}

/// Metres per turn, right-handed. `thread_pitch` is in radians per metre, left-handed, as in Gazebo classic; SDF 1.10
/// has `screw_thread_pitch` with the meaning of its name.
fn pitch(element: &Element) -> Result<f64, ImportError> {
    if let Some(pitch) = number(element, "screw_thread_pitch")? {
        return Ok(pitch);
    }
    match number(element, "thread_pitch")?.unwrap_or(1.0) {
        0.0 => {
            let what = "<thread_pitch> 0, in rad/m, has no finite advance";
            let remedy = "give <screw_thread_pitch>, in m a turn";
            Err(element.error(Fault::BadValue, what, remedy))
        }
        radians => Ok(-TAU / radians),
    }
}

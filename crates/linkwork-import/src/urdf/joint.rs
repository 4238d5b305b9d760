//! A `<joint>`.

use super::link::{need_child, read_origin};
use crate::robot::{Skipped, unit};
use crate::suggest;
use crate::xml::Element;
use crate::{Fault, ImportError, Place};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Axis, Limits};

/// Elements of a joint that are known.
const KNOWN: [&str; 7] = [
    "origin", "parent", "child", "axis", "limit", "dynamics", "mimic",
];

const TYPES: [&str; 7] = [
    "fixed",
    "revolute",
    "continuous",
    "prismatic",
    "floating",
    "planar",
    "spherical",
];

/// What a joint lets move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Fixed,
    /// Hinge about the axis; with limits if it is not continuous.
    Hinge,
    /// Slide along the axis.
    Slide,
    Floating,
    /// In the plane normal to the axis.
    Planar,
    Spherical,
    /// Cross of two axes of the joint frame, 0 to 2 for x to z, the second following the first.
    Universal(usize, usize),
}

impl Kind {
    /// Whether it has one coordinate.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Hinge | Self::Slide)
    }
}

/// q = multiplier · q of `joint` + offset.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mimic {
    pub joint: String,
    pub multiplier: f64,
    pub offset: f64,
    pub place: Place,
}

/// A joint as the file has it.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub name: String,
    pub place: Place,
    pub kind: Kind,
    pub parent: String,
    pub child: String,
    pub origin: Pose,
    /// Unit vector in the joint frame.
    pub axis: Vec3,
    /// Limits, damping and friction of a joint of one coordinate.
    pub acting: Axis,
    /// Greatest force or torque, N or N m.
    pub effort: Option<f64>,
    pub mimic: Option<Mimic>,
}

impl Joint {
    /// Read a `<joint>`.
    pub fn read(element: &Element, skipped: &mut Skipped) -> Result<Self, ImportError> {
        skipped.attributes(element, &["name", "type"]);
        skipped.children(element, &KNOWN);
        let name = element.require("name")?.to_owned();
        let word = element.require("type")?;
        let kind = kind_of(element, word)?;
        let side = |which: &str| -> Result<String, ImportError> {
            let side = need_child(element, which, &format!("<{which} link=\"…\"/>"))?;
            Ok(side.require("link")?.to_owned())
        };
        let mut joint = Self {
            place: element.place.clone(),
            kind,
            parent: side("parent")?,
            child: side("child")?,
            origin: read_origin(element, skipped)?,
            axis: read_axis(element, kind)?,
            acting: Axis::default(),
            effort: None,
            mimic: None,
            name,
        };
        if kind.is_single() {
            read_limit(element, word, &mut joint, skipped)?;
            read_dynamics(element, &mut joint.acting, skipped)?;
            joint.mimic = element.child("mimic").map(read_mimic).transpose()?;
        } else {
            for part in ["limit", "dynamics", "mimic"] {
                if let Some(child) = element.child(part) {
                    let what = format!("<{part}> of {} {word} joint has no effect", article(word));
                    skipped.note(what, &child.place);
                }
            }
        }
        Ok(joint)
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    }
}

fn kind_of(element: &Element, word: &str) -> Result<Kind, ImportError> {
    Ok(match word {
        "fixed" => Kind::Fixed,
        "revolute" | "continuous" => Kind::Hinge,
        "prismatic" => Kind::Slide,
        "floating" => Kind::Floating,
        "planar" => Kind::Planar,
        "spherical" | "ball" => Kind::Spherical,
        _ => {
            let what = format!("joint type '{word}'");
            let remedy = suggest::remedy(word, &TYPES);
            return Err(element.error(Fault::BadValue, what, remedy));
        }
    })
}

/// Efforts from here on, N or N m, mean no bound: exporters write 1e9 and similar values for joints without one, and no
/// robot motor is that strong.
const NO_EFFORT: f64 = 1e6;

/// The axis, x unless given. Where it has no meaning (files often have 0 0 0 there) it is ignored.
fn read_axis(element: &Element, kind: Kind) -> Result<Vec3, ImportError> {
    let matters = kind.is_single() || kind == Kind::Planar;
    match element.child("axis") {
        Some(axis) if matters => {
            axis.require("xyz")?;
            unit(axis.vec3("xyz")?.unwrap_or_default(), &axis.place)
        }
        _ => Ok(Vec3::x()),
    }
}

fn read_limit(
    element: &Element,
    word: &str,
    joint: &mut Joint,
    skipped: &mut Skipped,
) -> Result<(), ImportError> {
    let Some(limit) = element.child("limit") else {
        if word == "continuous" {
            return Ok(());
        }
        let what = format!("{} {word} joint without <limit>", article(word));
        let remedy = match word {
            "revolute" => {
                "add <limit lower=\"…\" upper=\"…\" effort=\"…\" velocity=\"…\"/>, or make it continuous"
            }
            _ => "add <limit lower=\"…\" upper=\"…\" effort=\"…\" velocity=\"…\"/>",
        };
        return Err(element.error(Fault::Missing, what, remedy));
    };
    skipped.attributes(limit, &["lower", "upper", "effort"]);
    joint.effort = limit.not_negative("effort")?;
    if joint.effort.is_some_and(|effort| effort >= NO_EFFORT) {
        joint.effort = None;
        let what = format!("an effort of {NO_EFFORT:e} N or N m and more is taken as no bound");
        skipped.odd(what, "give what the motor has", &limit.place);
    }
    let (lower, upper) = (limit.number("lower")?, limit.number("upper")?);
    if word == "continuous" {
        if lower.is_some() || upper.is_some() {
            let what = "limits of a continuous joint have no effect";
            skipped.odd(what, "give what the motor has", &limit.place);
        }
        return Ok(());
    }
    if lower.is_none() && upper.is_none() {
        // According to the specification both are 0 and lock the joint; exporters that write this mean no limits.
        let what = "<limit> without lower and upper is taken as no limits";
        skipped.odd(
            what,
            "lower=\"0\" upper=\"0\" locks the joint",
            &limit.place,
        );
        return Ok(());
    }
    let (min, max) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
    if min > max {
        let what = format!("the lower limit {min} exceeds the upper limit {max}");
        let remedy = "exchange them";
        return Err(limit.error(Fault::BadValue, what, remedy));
    }
    joint.acting.limits = Some(Limits::new(min, max));
    Ok(())
}

fn read_dynamics(
    element: &Element,
    acting: &mut Axis,
    skipped: &mut Skipped,
) -> Result<(), ImportError> {
    if let Some(dynamics) = element.child("dynamics") {
        skipped.attributes(dynamics, &["damping", "friction"]);
        acting.spring.damping = dynamics.not_negative("damping")?.unwrap_or(0.0);
        acting.friction = dynamics.not_negative("friction")?.unwrap_or(0.0);
    }
    Ok(())
}

fn read_mimic(element: &Element) -> Result<Mimic, ImportError> {
    Ok(Mimic {
        joint: element.require("joint")?.to_owned(),
        multiplier: element.number("multiplier")?.unwrap_or(1.0),
        offset: element.number("offset")?.unwrap_or(0.0),
        place: element.place.clone(),
    })
}

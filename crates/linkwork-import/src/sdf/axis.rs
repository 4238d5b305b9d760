//! An `<axis>` or `<axis2>`.

use super::scene::Surroundings;
use super::scope::{ScopeId, Scopes};
use super::text::{bound, flag, not_negative, number, vec3};
use crate::robot::{Skipped, unit};
use crate::xml::Element;
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Vec3};
use linkwork::model::{Axis, Limits};

/// A joint axis and what acts along or about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointAxis {
    /// Unit vector in the world.
    pub direction: Vec3,
    pub acting: Axis,
    /// Greatest force or torque, N or N m.
    pub effort: Option<f64>,
}

/// Reads an axis of a joint whose frame is `frame` in the world; z if there is none.
pub(super) fn read(
    element: Option<&Element>,
    frame: &Pose,
    (scopes, scope): (&Scopes, ScopeId),
    around: &Surroundings,
    skipped: &mut Skipped,
) -> Result<JointAxis, ImportError> {
    let Some(element) = element else {
        return Ok(JointAxis {
            direction: frame.rotation * Vec3::z(),
            acting: Axis::default(),
            effort: None,
        });
    };
    let known = [
        "xyz",
        "limit",
        "dynamics",
        "use_parent_model_frame",
        "initial_position",
        "mimic",
    ];
    skipped.children(element, &known);
    let xyz = vec3(element, "xyz")?.unwrap_or(Vec3::z());
    let place = element.child("xyz").map_or(&element.place, |e| &e.place);
    let local = unit(xyz, place)?;
    let named = element.child("xyz").and_then(|e| e.get("expressed_in"));
    // Until 1.4 axes were in the model's frame, until 1.6 in a frame of choice.
    let in_model = flag(element, "use_parent_model_frame")?.unwrap_or(around.version < 5);
    let turn = match named.filter(|f| !f.is_empty()) {
        Some(name) => {
            let pose = scopes.pose(scope, name, element)?;
            around.pose.rotation * pose.rotation
        }
        None if in_model => around.pose.rotation,
        None => frame.rotation,
    };
    if number(element, "initial_position")?.is_some_and(|q| q != 0.0) {
        let what = "<initial_position>";
        let remedy = "place the links where the joint has them";
        return Err(element.error(Fault::Unsupported, what, remedy));
    }
    let mut acting = Axis::default();
    let mut effort = None;
    if let Some(limit) = element.child("limit") {
        skipped.children(limit, &["lower", "upper", "effort"]);
        acting.limits = limits(limit)?;
        // Negative and infinite mean none.
        effort = bound(limit, "effort")?.filter(|e| *e >= 0.0 && e.is_finite());
    }
    if let Some(dynamics) = element.child("dynamics") {
        let known = [
            "damping",
            "friction",
            "spring_reference",
            "spring_stiffness",
        ];
        skipped.children(dynamics, &known);
        acting.spring.damping = not_negative(dynamics, "damping")?.unwrap_or(0.0);
        acting.friction = not_negative(dynamics, "friction")?.unwrap_or(0.0);
        acting.spring.stiffness = not_negative(dynamics, "spring_stiffness")?.unwrap_or(0.0);
        acting.spring.rest = number(dynamics, "spring_reference")?.unwrap_or(0.0);
    }
    Ok(JointAxis {
        direction: turn * local,
        acting,
        effort,
    })
}

fn limits(limit: &Element) -> Result<Option<Limits>, ImportError> {
    let min = bound(limit, "lower")?.unwrap_or(f64::NEG_INFINITY);
    let max = bound(limit, "upper")?.unwrap_or(f64::INFINITY);
    if min > max {
        let what = format!("the lower limit {min} exceeds the upper limit {max}");
        return Err(limit.error(Fault::BadValue, what, "exchange them"));
    }
    let bounded = min.is_finite() || max.is_finite();
    Ok(bounded.then_some(Limits::new(min, max)))
}

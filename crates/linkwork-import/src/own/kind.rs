//! Joint types by name, with their parameters.

use super::fields::Fields;
use super::tree::Entries;
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::joints::{self, JointType};
use linkwork::model::Joint;
use serde_json::json;
use std::sync::Arc;

/// Read `type` and the parameter it may have.
pub(super) fn read(fields: &mut Fields) -> Result<Arc<dyn JointType>, ImportError> {
    let name = fields.text("type")?;
    let name = fields.require("type", name)?;
    let all = joints::all();
    let Some(sample) = all.iter().find(|kind| kind.name() == name) else {
        let names: Vec<_> = all.iter().map(|kind| kind.name()).collect();
        let what = format!("there is no joint type '{name}'");
        let remedy = suggest::remedy(name, &names);
        return Err(fields.fail_at("type", Fault::BadValue, what, remedy));
    };
    let Some((parameter, _)) = sample.parameter() else {
        return Ok(sample.clone());
    };
    let value = fields.number(parameter)?;
    let value = fields.require(parameter, value)?;
    of_data(&json!({"type": name, parameter: value}))
        .map_err(|e| fields.fail_at("type", Fault::BadValue, e, "correct its parameters"))
}

/// The type that the core's data describe, read as the core reads it: as part of a joint.
fn of_data(kind: &serde_json::Value) -> Result<Arc<dyn JointType>, String> {
    let pose = linkwork::math::Pose::identity();
    let joint = json!({
        "name": "", "kind": kind, "base": null, "follower": 0, "frame_base": pose,
        "frame_follower": pose, "first_coordinate": 0, "axes": []
    });
    let joint: Result<Joint, _> = serde_json::from_value(joint);
    joint.map(|j| j.kind).map_err(|e| e.to_string())
}

/// Write `type` and the parameter.
pub(super) fn write(entries: &mut Entries, kind: &Arc<dyn JointType>) {
    entries.put("type", kind.name());
    if let Some((name, value)) = kind.parameter() {
        entries.put(name, value);
    }
}

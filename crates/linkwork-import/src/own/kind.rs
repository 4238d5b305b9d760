//! Joint types by name, with their parameters.

use super::fields::Fields;
use super::tree::Entries;
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::joints::{self, ChainLink, JointType, Parameter};
use linkwork::math::{Pose, Vec3};
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
    let Some((key, sample_value)) = sample.parameter() else {
        return Ok(sample.clone());
    };
    let value = match sample_value {
        Parameter::Number(_) => {
            let value = fields.number(key)?;
            Parameter::Number(fields.require(key, value)?)
        }
        Parameter::Links(_) => Parameter::Links(links(fields, key)?),
    };
    let kind = of_data(&json!({"type": name, key: value})).and_then(|kind| {
        kind.validate()?;
        Ok(kind)
    });
    kind.map_err(|e| fields.fail_at(key, Fault::BadValue, e, "correct it"))
}

/// The hinges and slides of a chain.
fn links(fields: &mut Fields, key: &'static str) -> Result<Vec<ChainLink>, ImportError> {
    let mut links = Vec::new();
    for mut table in fields.tables(key)? {
        let axis = table.direction("axis")?;
        links.push(ChainLink {
            slide: table.flag("slide")?,
            axis: table.require("axis", axis)?,
            anchor: table.vector("anchor")?.unwrap_or_default(),
            offset: table.number_or("offset", 0.0)?,
        });
        table.finish()?;
    }
    Ok(links)
}

/// The type that the core's data describe, read as the core reads it: as part of a joint.
fn of_data(kind: &serde_json::Value) -> Result<Arc<dyn JointType>, String> {
    let pose = Pose::identity();
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
    match kind.parameter() {
        None => {}
        Some((key, Parameter::Number(value))) => entries.put(key, value),
        Some((key, Parameter::Links(links))) => {
            let links = links.iter().map(|link| {
                let mut table = Entries::default();
                table.put_unless("slide", link.slide, false);
                table.put("axis", &link.axis);
                table.put_unless("anchor", &link.anchor, &Vec3::zeros());
                table.put_unless("offset", link.offset, 0.0);
                table
            });
            entries.put(key, links.collect::<Vec<_>>());
        }
    }
}

//! `[[keyframe]]`.

use super::fields::Fields;
use super::names::Names;
use super::pose;
use super::tree::Entries;
use crate::{Fault, ImportError};
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::{Body, BodyId, Joint, JointId, Keyframe, KeyframeBody, Model, ModelData};

/// Values by joint.
type Values = Vec<(JointId, Vec<f64>)>;

/// Read a keyframe.
pub(super) fn read(
    fields: &mut Fields,
    bodies: &Names,
    joints: &Names,
    model: &ModelData,
) -> Result<Keyframe, ImportError> {
    let name = fields.text("name")?;
    let mut floating = Vec::new();
    for mut table in fields.tables("bodies")? {
        let body = bodies.get(&mut table, "body")?;
        let id = BodyId(table.require("body", body)? as u32);
        floating.push(read_body(&mut table, id, &model.bodies[id.index()])?);
        table.finish()?;
    }
    Ok(Keyframe {
        name: fields.require("name", name)?.to_owned(),
        time: fields.number_or("time", 0.0)?,
        joints: values(fields, "joints", joints, model)?,
        rates: values(fields, "rates", joints, model)?,
        bodies: floating,
        controls: fields.numbers("controls")?.unwrap_or_default(),
        activations: fields.numbers("activations")?.unwrap_or_default(),
    })
}

fn values(
    fields: &mut Fields,
    key: &'static str,
    joints: &Names,
    model: &ModelData,
) -> Result<Values, ImportError> {
    let mut list = Vec::new();
    for (name, node) in fields.entries(key)? {
        let joint = joints.find(fields, name.at, &name.name)?;
        let values = fields.numbers_in(&name.name, node)?;
        let (have, given) = (model.joints[joint].axes.len(), values.len());
        if have != given {
            let what = format!("{given} numbers are given for joint '{}'", name.name);
            let remedy = format!("it has {have} coordinates");
            return Err(fields.fail(node.at, Fault::BadValue, what, remedy));
        }
        list.push((JointId(joint as u32), values));
    }
    Ok(list)
}

fn read_body(fields: &mut Fields, id: BodyId, body: &Body) -> Result<KeyframeBody, ImportError> {
    let (position, centre) = (fields.vector("position")?, fields.vector("centre")?);
    let rotation = pose::rotation(fields)?;
    let centre = match (position, centre) {
        (Some(_), Some(_)) => return Err(pose::both(fields, "position", "centre")),
        (_, Some(centre)) => centre,
        (position, None) => {
            Pose::new(position.unwrap_or_default(), rotation).transform_point(&body.com)
        }
    };
    let linear = fields.vector("velocity")?.unwrap_or_default();
    let angular = fields.vector("angular_velocity")?.unwrap_or_default();
    Ok(KeyframeBody {
        body: id,
        pose: Pose::new(centre, rotation),
        twist: Twist::new(linear, angular),
    })
}

/// Write a keyframe.
pub(super) fn write(keyframe: &Keyframe, model: &Model) -> Entries {
    let mut entries = Entries::default();
    entries.put("name", keyframe.name.as_str());
    entries.put_unless("time", keyframe.time, 0.0);
    write_values(&mut entries, "joints", &keyframe.joints, model.joints());
    write_values(&mut entries, "rates", &keyframe.rates, model.joints());
    let bodies: Vec<_> = keyframe
        .bodies
        .iter()
        .map(|b| write_body(b, model))
        .collect();
    if !bodies.is_empty() {
        entries.put("bodies", bodies);
    }
    if !keyframe.controls.is_empty() {
        entries.put("controls", keyframe.controls.clone());
    }
    if !keyframe.activations.is_empty() {
        entries.put("activations", keyframe.activations.clone());
    }
    entries
}

fn write_values(entries: &mut Entries, key: &str, values: &Values, joints: &[Joint]) {
    let mut table = Entries::default();
    for (joint, values) in values {
        table.put(&joints[joint.index()].name, values.clone());
    }
    if !table.is_empty() {
        entries.put(key, table);
    }
}

fn write_body(floating: &KeyframeBody, model: &Model) -> Entries {
    let zero = Vec3::zeros();
    let mut entries = Entries::default();
    entries.put("body", model.body(floating.body).name.as_str());
    entries.put("centre", &floating.pose.position);
    pose::write_rotation(&mut entries, &floating.pose.rotation);
    entries.put_unless("velocity", &floating.twist.linear, &zero);
    entries.put_unless("angular_velocity", &floating.twist.angular, &zero);
    entries
}

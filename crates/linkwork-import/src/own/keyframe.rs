//! `[[keyframe]]`.

use super::names::Known;
use super::pose;
use super::table::{Done, Table};
use super::tree::Entries;
use super::values::Value;
use crate::Fault;
use linkwork::math::{Pose, Twist};
use linkwork::model::{BodyId, JointId, Keyframe, KeyframeBody, ModelData};

/// Values by joint.
type Values = Vec<(JointId, Vec<f64>)>;

/// A stored state.
pub(super) fn keyframe(t: &mut Table, k: &mut Keyframe, known: &Known, model: &ModelData) -> Done {
    t.need("name", &mut k.name)?;
    t.or("time", &mut k.time, 0.0)?;
    values(t, "joints", &mut k.joints, known, model)?;
    values(t, "rates", &mut k.rates, known, model)?;
    let blank = KeyframeBody {
        body: BodyId(0),
        pose: Pose::identity(),
        twist: Twist::zero(),
    };
    t.tables("bodies", &mut k.bodies, &blank, |t, b| {
        t.named("body", &mut b.body, &known.bodies)?;
        let com = model.bodies[b.body.index()].com;
        pose::motion(t, &mut b.pose, &mut b.twist, &com)
    })?;
    t.list("controls", &mut k.controls)?;
    t.list("activations", &mut k.activations)
}

/// A table of the values of each joint.
fn values(
    t: &mut Table,
    key: &'static str,
    values: &mut Values,
    known: &Known,
    model: &ModelData,
) -> Done {
    let fields = match t {
        Table::Read(fields) => fields,
        Table::Write(entries) => {
            let mut table = Entries::default();
            for (joint, values) in values {
                table.put(&model.joints[joint.index()].name, values.content());
            }
            if !table.is_empty() {
                entries.put(key, table.into());
            }
            return Ok(());
        }
    };
    for (name, node) in fields.entries(key)? {
        let joint = known.joints.find(fields, name.at, &name.name)?;
        let given = Vec::<f64>::read(fields, &name.name, node)?;
        let (have, count) = (model.joints[joint].axes.len(), given.len());
        if have != count {
            let what = format!("{count} numbers are given for joint '{}'", name.name);
            let remedy = format!("it has {have} coordinates");
            return Err(fields.fail(node.at, Fault::BadValue, what, remedy));
        }
        values.push((JointId(joint as u32), given));
    }
    Ok(())
}

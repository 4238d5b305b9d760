//! Joint types by name, with their parameters.

use super::fields::Fields;
use super::tree::Entries;
use crate::suggest;
use crate::{Fault, ImportError};
use linkwork::joints::{self, ChainLink, JointType, Parameter};
use linkwork::math::Vec3;
use std::sync::Arc;

/// Read `type` and the parameters it may have.
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
    let mut parameters = Vec::new();
    for (key, sample) in sample.parameters() {
        let value = match sample {
            Parameter::Number(_) => {
                let value = fields.number(key)?;
                Parameter::Number(fields.require(key, value)?)
            }
            Parameter::Links(_) => Parameter::Links(links(fields, key)?),
        };
        parameters.push((key.to_owned(), value));
    }
    let at = parameters.first().map_or("type", |(key, _)| key).to_owned();
    let kind = joints::of(name, parameters).and_then(|kind| {
        kind.validate()?;
        Ok(kind)
    });
    kind.map_err(|e| fields.fail_at(&at, Fault::BadValue, e, "correct it"))
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

/// Write `type` and the parameters.
pub(super) fn write(entries: &mut Entries, kind: &Arc<dyn JointType>) {
    entries.put("type", kind.name());
    for (key, value) in kind.parameters() {
        match value {
            Parameter::Number(value) => entries.put(key, value),
            Parameter::Links(links) => {
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
}

//! The part beyond the cut of a load cell: `parts` and `closures` of a sensor.

use super::body;
use super::fields::Fields;
use super::sensor::{Known, shapes, write_shapes};
use super::tree::Entries;
use crate::{Fault, ImportError};
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId, Model};
use linkwork::sensors::{Section, SectionPart};

/// Read a section. A part that gives no `mass` is a whole body.
pub(super) fn read(fields: &mut Fields, known: &Known) -> Result<Section, ImportError> {
    let mut parts = Vec::new();
    for mut table in fields.tables("parts")? {
        parts.push(part(&mut table, known)?);
        table.finish()?;
    }
    if parts.is_empty() {
        let what = "'parts' is missing or empty";
        let remedy = "name what is beyond the cut, parts = [{ body = \"…\" }]";
        return Err(fields.fail_at("parts", Fault::Missing, what, remedy));
    }
    let mut closures = Vec::new();
    for mut table in fields.tables("closures")? {
        let joint = known.joints.get(&mut table, "joint")?;
        let joint = JointId(table.require("joint", joint)? as u32);
        closures.push((joint, table.flag("follower")?));
        table.finish()?;
    }
    Ok(Section { parts, closures })
}

fn part(table: &mut Fields, known: &Known) -> Result<SectionPart, ImportError> {
    let body = known.bodies.get(table, "body")?.map(|b| BodyId(b as u32));
    let mass = table.number("mass")?;
    let (body, mass) = match (body, mass) {
        (Some(body), None) => return Ok(SectionPart::whole(known.model, body)),
        (None, None) => {
            let what = "neither 'body' nor 'mass' is given";
            let remedy = "name a body, or give the mass of a part of the world";
            return Err(table.fail_at("body", Fault::Missing, what, remedy));
        }
        (body, Some(mass)) => (body, mass),
    };
    if mass < 0.0 {
        let what = format!("'mass' is {mass}");
        return Err(table.fail_at(
            "mass",
            Fault::BadValue,
            what,
            "it must not be negative (kg)",
        ));
    }
    Ok(SectionPart {
        body,
        mass,
        com: table.vector("com")?.unwrap_or(Vec3::zeros()),
        inertia: body::inertia(table)?.unwrap_or_default(),
        root: table.flag("root")?,
        shapes: shapes(table, "shapes", known.shapes)?,
    })
}

/// Write a section.
pub(super) fn write(to: &mut Entries, section: &Section, model: &Model) {
    let part = |part: &SectionPart| {
        let mut table = Entries::default();
        let body = part.body.map(|b| model.body(b).name.as_str());
        table.put_some("body", body);
        let whole = part.body.map(|b| SectionPart::whole(model.data(), b));
        if whole.as_ref() != Some(part) {
            table.put("mass", part.mass);
            table.put_unless("com", &part.com, &Vec3::zeros());
            table.put("inertia", body::six(&part.inertia));
            table.put_unless("root", part.root, false);
            write_shapes(&mut table, &part.shapes, model);
        }
        table
    };
    to.put("parts", section.parts.iter().map(part).collect::<Vec<_>>());
    let closure = |(joint, follower): &(JointId, bool)| {
        let mut table = Entries::default();
        table.put("joint", model.joint(*joint).name.as_str());
        table.put_unless("follower", *follower, false);
        table
    };
    if !section.closures.is_empty() {
        let closures = section.closures.iter().map(closure);
        to.put("closures", closures.collect::<Vec<_>>());
    }
}

//! `[[pair]]`.

use super::fields::Fields;
use super::material;
use super::tree::{Content, Entries};
use crate::{Fault, ImportError};
use linkwork::model::{PairMaterial, Shape, ShapeId, ShapePair};
use std::collections::HashMap;

/// Read a pair of shapes.
pub(super) fn read(
    fields: &mut Fields,
    shapes: &HashMap<&str, usize>,
) -> Result<ShapePair, ImportError> {
    let list = fields.list("shapes")?;
    let [a, b] = list else {
        let what = format!("'shapes' names {} shapes", list.len());
        return Err(fields.fail_at("shapes", Fault::BadValue, what, "name two"));
    };
    let find = |node: &super::tree::Node| {
        let Content::Text(name) = &node.content else {
            let what = format!("'shapes' has {} in it", node.content.kind());
            return Err(fields.fail(node.at, Fault::BadValue, what, "name two shapes"));
        };
        let number = shapes.get(name.as_str()).copied();
        number.map(|i| ShapeId(i as u32)).ok_or_else(|| {
            let what = format!("there is no shape '{name}'");
            let known = shapes.keys().copied();
            let remedy = crate::suggest::nearest(name, known.collect::<Vec<_>>())
                .map_or("name one that the file describes".to_owned(), |near| {
                    format!("did you mean '{near}'?")
                });
            fields.fail(node.at, Fault::Unresolved, what, remedy)
        })
    };
    let (a, b) = (find(a)?, find(b)?);
    if a == b {
        let what = "a shape is paired with itself";
        return Err(fields.fail_at("shapes", Fault::BadValue, what, "name two"));
    }
    Ok(ShapePair {
        a: a.min(b),
        b: a.max(b),
        surface: PairMaterial {
            friction: fields.number_or("friction", 0.5)?,
            torsional_friction: fields.number_or("torsional_friction", 0.0)?,
            rolling_friction: fields.number_or("rolling_friction", 0.0)?,
            restitution: fields.number_or("restitution", 0.0)?,
            compliance: material::compliance(fields)?,
            clearance: fields.number_or("clearance", 0.0)?,
        },
    })
}

/// Write a pair of shapes.
pub(super) fn write(pair: &ShapePair, shapes: &[Shape]) -> Entries {
    let mut entries = Entries::default();
    let names = [pair.a, pair.b].map(|s| shapes[s.index()].name.as_str());
    entries.put("shapes", names.to_vec());
    let surface = &pair.surface;
    entries.put_unless("friction", surface.friction, 0.5);
    entries.put_unless("torsional_friction", surface.torsional_friction, 0.0);
    entries.put_unless("rolling_friction", surface.rolling_friction, 0.0);
    entries.put_unless("restitution", surface.restitution, 0.0);
    material::write_compliance(&mut entries, surface.compliance);
    entries.put_unless("clearance", surface.clearance, 0.0);
    entries
}

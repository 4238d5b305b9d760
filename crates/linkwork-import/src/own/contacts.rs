//! `[[sensor]]` of type `contacts`.

use super::fields::Fields;
use super::geometry;
use super::sensor::{Known, shapes, write_shape_names};
use super::tree::{Content, Entries};
use crate::{Fault, ImportError};
use linkwork::model::{FrameId, Model, ShapeId};
use linkwork::sensors::{ContactField, ContactQuery, Reduce};

/// The fields, in the order of [`ContactField`].
const FIELDS: [&str; 7] = [
    "found", "force", "torque", "distance", "point", "normal", "tangent",
];
const REDUCE: [(&str, Reduce); 4] = [
    ("none", Reduce::None),
    ("nearest", Reduce::Nearest),
    ("strongest", Reduce::Strongest),
    ("sum", Reduce::Sum),
];

/// Read what such a sensor reads.
pub(super) fn read(fields: &mut Fields, known: &Known) -> Result<ContactQuery, ImportError> {
    let mut told = Vec::new();
    for node in fields.list("fields")? {
        let is = |f: &&str| matches!(&node.content, Content::Text(text) if text == f);
        let number = FIELDS.iter().position(is);
        told.push(ContactField::ALL[one_of(fields, "fields", number, &FIELDS)?]);
    }
    let reduce = match fields.text("reduce")? {
        None => Reduce::None,
        Some(word) => {
            let number = REDUCE.iter().position(|r| r.0 == word);
            REDUCE[one_of(fields, "reduce", number, &REDUCE.map(|r| r.0))?].1
        }
    };
    let volume = match fields.table("volume")? {
        None => None,
        Some(mut volume) => {
            let form = geometry::volume(&mut volume)?;
            volume.finish()?;
            let frame = known.frames.get(fields, "frame")?;
            Some((FrameId(fields.require("frame", frame)? as u32), form))
        }
    };
    let slots = fields.count("slots")?.unwrap_or(1);
    Ok(ContactQuery {
        first: side(fields, known, "first")?,
        second: side(fields, known, "second")?,
        volume,
        reduce,
        fields: told,
        slots,
    })
}

fn one_of(
    fields: &Fields,
    key: &'static str,
    number: Option<usize>,
    words: &[&str],
) -> Result<usize, ImportError> {
    number.ok_or_else(|| {
        let what = format!("'{key}' has an unknown word");
        let remedy = format!("give {}", words.join(", "));
        fields.fail_at(key, Fault::BadValue, what, remedy)
    })
}

fn side(
    fields: &mut Fields,
    known: &Known,
    key: &'static str,
) -> Result<Option<Vec<ShapeId>>, ImportError> {
    let given = fields.get(key).is_some();
    given.then(|| shapes(fields, key, known.shapes)).transpose()
}

/// Write such a reading.
pub(super) fn write(to: &mut Entries, query: &ContactQuery, model: &Model) {
    to.put("type", "contacts");
    for (key, shapes) in [("first", &query.first), ("second", &query.second)] {
        if let Some(shapes) = shapes {
            write_shape_names(to, key, shapes, model);
        }
    }
    if let Some((frame, volume)) = &query.volume {
        to.put("frame", model.frame(*frame).name.as_str());
        let mut form = Entries::default();
        geometry::write(&mut form, volume);
        to.put("volume", form);
    }
    let names = query.fields.iter().map(|f| FIELDS[*f as usize]);
    to.put("fields", Content::from(names.collect::<Vec<_>>()));
    let reduce = REDUCE.iter().find(|r| r.1 == query.reduce);
    to.put_unless("reduce", reduce.map_or("none", |r| r.0), "none");
    to.put_unless("slots", query.slots, 1);
}

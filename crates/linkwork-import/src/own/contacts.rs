//! `[[sensor]]` of type `contacts`.

use super::geometry;
use super::names::{Known, Names};
use super::table::{Done, Table};
use linkwork::model::{FrameId, ShapeId};
use linkwork::sensors::{ContactField, ContactQuery, Reduce};

const REDUCE: [(&str, Reduce); 4] = [
    ("none", Reduce::None),
    ("nearest", Reduce::Nearest),
    ("strongest", Reduce::Strongest),
    ("sum", Reduce::Sum),
];

/// What such a sensor reads.
pub(super) fn query(t: &mut Table, q: &mut ContactQuery, known: &Known) -> Done {
    side(t, "first", &mut q.first, &known.shapes)?;
    side(t, "second", &mut q.second, &known.shapes)?;
    let (mut frame, mut volume) = q.volume.take().unzip();
    geometry::volume(t, &mut volume)?;
    if let Some(volume) = volume {
        let frame = frame.get_or_insert(FrameId(0));
        t.named("frame", frame, &known.frames)?;
        q.volume = Some((*frame, volume));
    }
    let names = ContactField::ALL.map(ContactField::name);
    let mut fields: Vec<String> = q.fields.iter().map(|f| f.name().to_owned()).collect();
    t.list("fields", &mut fields)?;
    q.fields.clear();
    for field in &fields {
        let index = names.iter().position(|n| n == field);
        let what = || "'fields' has an unknown word".to_owned();
        t.check(
            index.is_some(),
            "fields",
            what,
            format!("give {}", names.join(", ")),
        )?;
        q.fields.extend(index.map(|i| ContactField::ALL[i]));
    }
    t.word("reduce", &mut q.reduce, &REDUCE, Some(Reduce::None))?;
    t.or("slots", &mut q.slots, 1)
}

/// The shapes of one side; without the key it can be any.
fn side(t: &mut Table, key: &'static str, side: &mut Option<Vec<ShapeId>>, shapes: &Names) -> Done {
    let given = side.is_some() || t.has(key);
    let mut list = side.take().unwrap_or_default();
    t.names(key, &mut list, shapes)?;
    *side = given.then_some(list);
    Ok(())
}

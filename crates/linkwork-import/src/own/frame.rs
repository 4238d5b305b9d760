//! `[[frame]]` and `[[link]]`: named frames on bodies or in the world.

use super::fields::Fields;
use super::names::Names;
use super::pose::{self, Spot};
use super::tree::Entries;
use crate::ImportError;
use linkwork::math::Vec3;
use linkwork::model::{Body, BodyId, Frame, Model};

/// Read a frame.
pub(super) fn read(
    fields: &mut Fields,
    name: String,
    bodies: &Names,
    own: &[Body],
) -> Result<Frame, ImportError> {
    let body = bodies.get(fields, "body")?.map(|b| BodyId(b as u32));
    let com = body.map_or(Vec3::zeros(), |b| own[b.index()].com);
    let local = Spot::read(fields)?.local(&com);
    Ok(Frame { name, body, local })
}

/// Write a frame.
pub(super) fn write(frame: &Frame, model: &Model) -> Entries {
    let mut entries = Entries::default();
    entries.put("name", frame.name.as_str());
    let body = frame.body.map(|b| model.body(b));
    entries.put_some("body", body.map(|b| b.name.as_str()));
    pose::write(&mut entries, &frame.local, body.map(|b| &b.com));
    entries
}

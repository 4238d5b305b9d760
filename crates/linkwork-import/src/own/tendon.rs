//! `[[tendon]]`.

use super::fields::Fields;
use super::names::Names;
use super::tree::Entries;
use super::{axis, coupling, path};
use crate::ImportError;
use linkwork::model::{Body, Joint, Tendon};

/// Read a tendon.
pub(super) fn read(
    fields: &mut Fields,
    name: String,
    joints: &Names,
    bodies: &Names,
) -> Result<Tendon, ImportError> {
    Ok(Tendon {
        name,
        terms: coupling::terms(fields, joints)?,
        path: path::read(fields, bodies)?,
        axis: axis::read(fields)?,
    })
}

/// Write a tendon.
pub(super) fn write(tendon: &Tendon, joints: &[Joint], bodies: &[Body]) -> Entries {
    let mut entries = Entries::default();
    entries.put("name", tendon.name.as_str());
    if !tendon.terms.is_empty() {
        coupling::write_terms(&mut entries, &tendon.terms, joints);
    }
    path::write(&mut entries, &tendon.path, bodies);
    axis::write(&mut entries, &tendon.axis);
    entries
}

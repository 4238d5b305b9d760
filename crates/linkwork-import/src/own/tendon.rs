//! `[[tendon]]`.

use super::fields::Fields;
use super::names::Names;
use super::tree::Entries;
use super::{axis, coupling};
use crate::ImportError;
use linkwork::model::{Joint, Tendon};

/// Read a tendon.
pub(super) fn read(
    fields: &mut Fields,
    name: String,
    joints: &Names,
) -> Result<Tendon, ImportError> {
    Ok(Tendon {
        name,
        terms: coupling::terms(fields, joints)?,
        axis: axis::read(fields)?,
    })
}

/// Write a tendon.
pub(super) fn write(tendon: &Tendon, joints: &[Joint]) -> Entries {
    let mut entries = Entries::default();
    entries.put("name", tendon.name.as_str());
    coupling::write_terms(&mut entries, &tendon.terms, joints);
    axis::write(&mut entries, &tendon.axis);
    entries
}

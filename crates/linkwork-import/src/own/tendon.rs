//! `[[tendon]]`.

use super::names::Known;
use super::table::{Done, Table};
use super::{axis, coupling, path};
use linkwork::model::Tendon;

/// A tendon.
pub(super) fn tendon(t: &mut Table, tendon: &mut Tendon, known: &Known) -> Done {
    t.need("name", &mut tendon.name)?;
    coupling::terms(t, &mut tendon.terms, known)?;
    path::path(t, &mut tendon.path, known)?;
    axis::axis(t, &mut tendon.axis)
}

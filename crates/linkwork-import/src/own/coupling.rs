//! `[[coupling]]`.

use super::fields::Fields;
use super::names::Names;
use super::tree::Entries;
use crate::ImportError;
use linkwork::model::{Coupling, Joint, JointId, Term};

/// Read a coupling.
pub(super) fn read(
    fields: &mut Fields,
    name: String,
    joints: &Names,
) -> Result<Coupling, ImportError> {
    let mut terms = Vec::new();
    for mut table in fields.tables("terms")? {
        let (joint, coordinate) = coordinate(&mut table, joints)?;
        terms.push(Term {
            joint,
            coordinate,
            factor: table.number_or("factor", 1.0)?,
        });
        table.finish()?;
    }
    let offset = fields.number_or("offset", 0.0)?;
    Ok(Coupling {
        name,
        terms,
        offset,
    })
}

/// `joint`, and `coordinate` unless it is the first.
pub(super) fn coordinate(
    fields: &mut Fields,
    joints: &Names,
) -> Result<(JointId, usize), ImportError> {
    let joint = joints.get(fields, "joint")?;
    let joint = fields.require("joint", joint)?;
    let coordinate = fields.count("coordinate")?.unwrap_or(0);
    Ok((JointId(joint as u32), coordinate))
}

/// Write `joint` and `coordinate`.
pub(super) fn write_coordinate(entries: &mut Entries, joint: &Joint, coordinate: usize) {
    entries.put("joint", joint.name.as_str());
    entries.put_unless("coordinate", coordinate, 0);
}

/// Write a coupling.
pub(super) fn write(coupling: &Coupling, joints: &[Joint]) -> Entries {
    let mut entries = Entries::default();
    entries.put("name", coupling.name.as_str());
    let terms = coupling.terms.iter().map(|term| {
        let mut table = Entries::default();
        write_coordinate(&mut table, &joints[term.joint.index()], term.coordinate);
        table.put_unless("factor", term.factor, 1.0);
        table
    });
    entries.put("terms", terms.collect::<Vec<_>>());
    entries.put_unless("offset", coupling.offset, 0.0);
    entries
}

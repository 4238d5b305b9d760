//! `[[coupling]]`.

use super::fields::Fields;
use super::impedance;
use super::names::Names;
use super::tree::Entries;
use crate::ImportError;
use linkwork::model::{Coupling, Curve, Joint, JointId, Term};

/// Read a coupling.
pub(super) fn read(
    fields: &mut Fields,
    name: String,
    joints: &Names,
) -> Result<Coupling, ImportError> {
    Ok(Coupling {
        name,
        terms: terms(fields, joints)?,
        offset: fields.number_or("offset", 0.0)?,
        softness: impedance::read_softness(fields)?,
    })
}

/// `terms`: joint, coordinate, factor and curve of each.
pub(super) fn terms(fields: &mut Fields, joints: &Names) -> Result<Vec<Term>, ImportError> {
    let mut terms = Vec::new();
    for mut table in fields.tables("terms")? {
        let (joint, coordinate) = coordinate(&mut table, joints)?;
        terms.push(Term {
            joint,
            coordinate,
            factor: table.number_or("factor", 1.0)?,
            curve: curve(&mut table)?,
        });
        table.finish()?;
    }
    Ok(terms)
}

fn curve(fields: &mut Fields) -> Result<Option<Curve>, ImportError> {
    let Some(mut table) = fields.table("curve")? else {
        return Ok(None);
    };
    let powers = table.array("powers")?;
    let curve = Curve {
        reference: table.number_or("reference", 0.0)?,
        powers: table.require("powers", powers)?,
    };
    table.finish()?;
    Ok(Some(curve))
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
    write_terms(&mut entries, &coupling.terms, joints);
    entries.put_unless("offset", coupling.offset, 0.0);
    impedance::write_softness(&mut entries, coupling.softness.as_ref());
    entries
}

/// Write `terms`.
pub(super) fn write_terms(entries: &mut Entries, terms: &[Term], joints: &[Joint]) {
    let terms = terms.iter().map(|term| {
        let mut table = Entries::default();
        write_coordinate(&mut table, &joints[term.joint.index()], term.coordinate);
        table.put_unless("factor", term.factor, 1.0);
        if let Some(curve) = &term.curve {
            let mut bend = Entries::default();
            bend.put_unless("reference", curve.reference, 0.0);
            bend.put("powers", curve.powers);
            table.put("curve", bend);
        }
        table
    });
    entries.put("terms", terms.collect::<Vec<_>>());
}

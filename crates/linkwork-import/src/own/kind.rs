//! Joint types by name, with their parameters.

use super::table::{Done, Table};
use crate::Fault;
use linkwork::joints::{self, ChainLink, JointType, Parameter};
use linkwork::math::Vec3;
use std::sync::Arc;

/// `type` and the parameters it has.
pub(super) fn kind(t: &mut Table, kind: &mut Arc<dyn JointType>) -> Done {
    let all = joints::all().into_iter();
    let samples: Vec<_> = all.map(|kind| (kind.name(), kind)).collect();
    t.kind_by(kind, &samples, |a, b| a.name() == b.name())?;
    let mut parameters = kind.parameters();
    for (key, value) in &mut parameters {
        match value {
            Parameter::Number(value) => t.need(key, value)?,
            Parameter::Links(links) => t.tables(key, links, &LINK, link)?,
        }
    }
    if let Table::Read(fields) = t {
        let at = parameters.first().map_or("type", |(key, _)| key);
        let parameters = parameters.iter().cloned();
        let parameters = parameters.map(|(key, value)| (key.to_owned(), value));
        let read = joints::of(kind.name(), parameters.collect::<Vec<_>>());
        *kind = read
            .and_then(|kind| kind.validate().map(|()| kind))
            .map_err(|e| fields.fail_at(at, Fault::BadValue, e, "correct it"))?;
    }
    Ok(())
}

const LINK: ChainLink = ChainLink {
    slide: false,
    axis: Vec3::new(0.0, 0.0, 1.0),
    anchor: Vec3::new(0.0, 0.0, 0.0),
    offset: 0.0,
};

/// A hinge or slide of a chain.
fn link(t: &mut Table, link: &mut ChainLink) -> Done {
    t.or("slide", &mut link.slide, false)?;
    t.direction("axis", &mut link.axis)?;
    t.or("anchor", &mut link.anchor, Vec3::zeros())?;
    t.or("offset", &mut link.offset, 0.0)
}

//! `[[coupling]]`.

use super::impedance;
use super::names::Known;
use super::table::{Done, Table};
use linkwork::model::{Coupling, Curve, JointId, ModelData, Term};

/// A coupling.
pub(super) fn coupling(t: &mut Table, c: &mut Coupling, known: &Known) -> Done {
    t.need("name", &mut c.name)?;
    terms(t, &mut c.terms, known)?;
    t.or("offset", &mut c.offset, 0.0)?;
    impedance::softness(t, &mut c.softness)
}

/// `terms`: joint, coordinate, factor and curve of each.
pub(super) fn terms(t: &mut Table, terms: &mut Vec<Term>, known: &Known) -> Done {
    const BLANK: Term = Term {
        joint: JointId(0),
        coordinate: 0,
        factor: 1.0,
        curve: None,
    };
    t.tables("terms", terms, &BLANK, |t, term| {
        coordinate(t, &mut term.joint, &mut term.coordinate, known)?;
        t.or("factor", &mut term.factor, 1.0)?;
        let blank = Curve {
            reference: 0.0,
            powers: [0.0; 3],
        };
        t.table("curve", &mut term.curve, blank, |t, curve| {
            t.or("reference", &mut curve.reference, 0.0)?;
            t.need("powers", &mut curve.powers)
        })
    })
}

/// `joint`, and `coordinate` unless it is the first.
pub(super) fn coordinate(
    t: &mut Table,
    joint: &mut JointId,
    coordinate: &mut usize,
    known: &Known,
) -> Done {
    t.named("joint", joint, &known.joints)?;
    t.or("coordinate", coordinate, 0)
}

/// The same, where the joint must have this coordinate.
pub(super) fn known_coordinate(
    t: &mut Table,
    joint: &mut JointId,
    index: &mut usize,
    known: &Known,
    model: &ModelData,
) -> Done {
    coordinate(t, joint, index, known)?;
    let joint = &model.joints[joint.index()];
    let have = joint.axes.len();
    let what = || format!("joint '{}' has no coordinate {index}", joint.name);
    let remedy = format!("it has {have}, counted from 0");
    t.check(*index < have, "coordinate", what, remedy)
}

/// A coupling before it is read.
pub(super) fn blank() -> Coupling {
    Coupling {
        name: String::new(),
        terms: Vec::new(),
        offset: 0.0,
        softness: None,
    }
}

//! Elements that act at a state but are not included in its accelerations, because their forces are not a function of
//! the state alone.

use crate::collision::DetectSettings;
use crate::model::{CouplingId, JointId, Model};
use crate::rows::{Along, RowSource, Rows};
use crate::state::State;

/// A gap up to this counts as closed, m or rad: well above the residuals of steps and assembly.
const TOUCHING: f64 = 1e-9;

/// Soft joints and couplings, which are treated as hard, active limits, axes with dry friction, touching contacts; in
/// the order of [`RowSource`].
pub(super) fn left_out(model: &Model, state: &State, rows: &Rows) -> Vec<RowSource> {
    let mut sources = yielding(model);
    for &limited in &model.layout().limited {
        let Some(limits) = limited.limits(model) else {
            continue;
        };
        let q = rows.limited_value(model, limited);
        let gaps = [(false, q - limits.min), (true, limits.max - q)];
        let reached = gaps.iter().filter(|(_, gap)| *gap <= TOUCHING);
        sources.extend(reached.map(|(upper, _)| limited.source(*upper)));
    }
    let rubbing = Along::all(model).filter(|(_, axis)| axis.friction > 0.0);
    sources.extend(rubbing.map(|(along, _)| along.friction()));
    sources.extend(touching(model, state));
    sources
}

fn yielding(model: &Model) -> Vec<RowSource> {
    let joints = (0..).zip(model.joints());
    let soft = joints.filter(|(_, j)| j.softness.is_some());
    let mut sources: Vec<_> = soft.map(|(i, _)| RowSource::Joint(JointId(i))).collect();
    let couplings = (0..).zip(model.couplings());
    let soft = couplings.filter(|(_, c)| c.softness.is_some());
    sources.extend(soft.map(|(i, _)| RowSource::Coupling(CouplingId(i))));
    sources
}

fn touching(model: &Model, state: &State) -> Vec<RowSource> {
    if model.shapes().is_empty() {
        return Vec::new();
    }
    // The detector needs a search margin and reports approaching shapes: only touching ones count here.
    let now = DetectSettings {
        margin: TOUCHING,
        dt: 0.0,
    };
    let mut contacts = Vec::new();
    let mut world = model.collision().clone();
    world.detect(&state.poses, &state.twists, &now, None, &mut contacts);
    let closed = contacts.iter().filter(|c| c.gap <= TOUCHING);
    closed.map(|c| RowSource::Contact(c.key)).collect()
}

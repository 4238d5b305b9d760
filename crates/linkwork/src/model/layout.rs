//! Lists that every step needs, computed once when a model is built.

use super::{Axis, Body, Coupling, Joint, JointId, Principal, Tendon, TendonId};
use crate::rows::{Along, Limited};
use std::sync::Arc;

/// Lists of elements with rows, in the order of the rows.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// All coordinates of joints, then all tendons.
    pub all: Vec<Along>,
    /// Coordinates with limits, then the rotation limits of joints.
    pub limited: Vec<Limited>,
    /// Those with dry friction.
    pub rubbing: Vec<Along>,
    /// Those with a spring, damper or armature.
    pub passive: Vec<Along>,
    /// Those with a drive that has gains.
    pub driven: Vec<Along>,
    /// Those with armature or a spring.
    pub geared: Vec<Along>,
    /// Tendons with a path.
    pub paths: Vec<TendonId>,
    /// Joints whose coordinates are found by a search.
    pub searching: Vec<JointId>,
    /// Joints that lock rows, with their index; the same allocation belongs to the same model.
    pub locking: Arc<[(JointId, usize)]>,
    /// Number of rows that joints and couplings lock.
    pub locked_rows: usize,
    /// Principal axes of each body.
    pub principal: Vec<Principal>,
}

impl Layout {
    pub fn new(
        bodies: &[Body],
        joints: &[Joint],
        couplings: &[Coupling],
        tendons: &[Tendon],
    ) -> Self {
        let id = |j: usize| JointId(j as u32);
        let axes = joints.iter().enumerate().flat_map(|(j, joint)| {
            let axes = joint.axes.iter().enumerate();
            axes.map(move |(c, axis)| (Along::Coordinate(id(j), c), axis))
        });
        let over = tendons.iter().enumerate();
        let over = over.map(|(t, tendon)| (Along::Tendon(TendonId(t as u32)), &tendon.axis));
        let axes: Vec<(Along, &Axis)> = axes.chain(over).collect();
        let with = |has: fn(&Axis) -> bool| {
            let chosen = axes.iter().filter(|(_, axis)| has(axis));
            chosen.map(|(along, _)| *along).collect()
        };
        let joints = joints.iter().enumerate();
        let turning = joints.clone().filter(|(_, j)| j.turn_limits.is_some());
        let turning = turning.map(|(j, _)| Limited::Turn(id(j)));
        let limited: Vec<Along> = with(|a| a.limits.is_some());
        let locking = joints.clone().filter_map(|(j, joint)| {
            let count = joint.kind.locked().len();
            (count > 0).then_some((id(j), count))
        });
        let locking: Arc<[(JointId, usize)]> = locking.collect();
        let searching = joints.filter(|(_, joint)| joint.kind.searches());
        let searching = searching.map(|(j, _)| id(j)).collect();
        let paths = (0..).zip(tendons).filter(|(_, t)| !t.path.is_empty());
        Self {
            paths: paths.map(|(t, _)| TendonId(t)).collect(),
            all: with(|_| true),
            limited: limited
                .into_iter()
                .map(Limited::Along)
                .chain(turning)
                .collect(),
            rubbing: with(|a| a.friction > 0.0),
            passive: with(Axis::is_passive),
            geared: with(Axis::has_inertia),
            // Without gains a drive is off: a = 0 has no row.
            driven: with(|a| {
                a.drive
                    .is_some_and(|d| d.stiffness != 0.0 || d.damping != 0.0)
            }),
            locked_rows: locking.iter().map(|(_, n)| n).sum::<usize>() + couplings.len(),
            locking,
            searching,
            principal: bodies.iter().map(|b| Principal::of(&b.inertia)).collect(),
        }
    }
}

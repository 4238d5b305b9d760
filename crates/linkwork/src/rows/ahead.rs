//! Joints placed and measured: once a step, because the end of one step is the start of the next.

use super::Rows;
use crate::joints::{MAX_COORDINATES, Placement, Row};
use crate::math::Pose;
use crate::model::{Joint, Model};
use crate::state::{State, placement};

/// A joint placed in the world with its coordinates measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointKinematics {
    pub place: Placement,
    pub coordinates: [Row; MAX_COORDINATES],
    /// Jacobians of the coordinates on base and follower.
    pub jacobians: [[[f64; 6]; 2]; MAX_COORDINATES],
    /// J̇ u of each coordinate, where armature asks for it; else 0.
    pub bend: [f64; MAX_COORDINATES],
}

impl JointKinematics {
    fn nowhere() -> Self {
        let here = Pose::identity();
        Self {
            place: Placement::new(&here, &here, &here, &here),
            coordinates: [Row::ZERO; MAX_COORDINATES],
            jacobians: [[[0.0; 6]; 2]; MAX_COORDINATES],
            bend: [0.0; MAX_COORDINATES],
        }
    }

    /// Measure the coordinates at `place`, from those last known.
    fn measure(&mut self, joint: &Joint, turns: &[f64]) {
        let n = turns.len();
        let rows = &mut self.coordinates[..n];
        joint.kind.measure(&self.place.relative, turns, rows);
    }

    fn differentiate(&mut self, count: usize) {
        for (row, [jb, jf]) in self.coordinates[..count].iter().zip(&mut self.jacobians) {
            self.place.write_jacobian(row, jb, jf);
        }
        self.bend = [0.0; MAX_COORDINATES];
    }
}

/// The joints of a state that a step has led to.
#[derive(Clone, Debug, Default)]
pub(super) struct Ahead {
    poses: Vec<Pose>,
    coordinates: Vec<f64>,
    kinematics: Vec<JointKinematics>,
}

impl Ahead {
    /// Whether they are those of `state`, to the bit.
    fn is_of(&self, state: &State) -> bool {
        let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits();
        self.poses.len() == state.poses.len()
            && self.coordinates.len() == state.coordinates.len()
            && self.poses.iter().zip(&state.poses).all(|(a, b)| {
                let (p, q) = (&a.rotation.coords, &b.rotation.coords);
                let positions = a.position.as_slice().iter().zip(b.position.as_slice());
                let turns = p.as_slice().iter().zip(q.as_slice());
                positions.chain(turns).all(|(a, b)| same(a, b))
            })
            && self
                .coordinates
                .iter()
                .zip(&state.coordinates)
                .all(|(a, b)| same(a, b))
    }
}

impl Rows {
    /// Measure the joint coordinates of a state whose poses a step has moved, continuing whole turns from the
    /// present ones, as [`State::update_coordinates`] does; what is found is kept for the next step.
    pub(crate) fn arrive(&mut self, model: &Model, state: &mut State) {
        let ahead = &mut self.ahead;
        ahead
            .kinematics
            .resize_with(model.joints().len(), JointKinematics::nowhere);
        for (joint, k) in model.joints().iter().zip(&mut ahead.kinematics) {
            k.place = placement(&state.poses, joint);
            let n = joint.axes.len();
            if n == 0 {
                continue;
            }
            let q = &mut state.coordinates[joint.first_coordinate..joint.first_coordinate + n];
            k.measure(joint, q);
            for (q, row) in q.iter_mut().zip(&k.coordinates) {
                *q = row.value;
            }
            if !joint.kind.settles() {
                // As a run that is taken up from this state does.
                k.measure(joint, q);
            }
            k.differentiate(n);
        }
        ahead.poses.clone_from(&state.poses);
        ahead.coordinates.clone_from(&state.coordinates);
    }

    /// Place and measure the joints of a state, unless the last step has done so.
    pub(super) fn place_joints(&mut self, model: &Model, state: &State) {
        if self.ahead.is_of(state) {
            std::mem::swap(&mut self.kinematics, &mut self.ahead.kinematics);
            self.ahead.poses.clear();
            return;
        }
        self.kinematics
            .resize_with(model.joints().len(), JointKinematics::nowhere);
        for (joint, k) in model.joints().iter().zip(&mut self.kinematics) {
            k.place = placement(&state.poses, joint);
            let n = joint.axes.len();
            let turns = &state.coordinates[joint.first_coordinate..joint.first_coordinate + n];
            k.measure(joint, turns);
            k.differentiate(n);
        }
    }
}

//! Placed and measured joints: computed once per step, because the end of one step is the start of the next.

use super::Rows;
use crate::joints::{MAX_COORDINATES, MAX_ROWS, Placement, Row};
use crate::math::{Pose, Vec3};
use crate::model::{BodyId, Joint, JointId, Model};
use crate::state::{State, placement};

/// A joint placed in the world with its coordinates measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointKinematics {
    pub place: Placement,
    pub locked: [Row; MAX_ROWS],
    pub coordinates: [Row; MAX_COORDINATES],
    /// Jacobians of the coordinates on base and follower.
    pub jacobians: [[[f64; 6]; 2]; MAX_COORDINATES],
    /// J̇ u of each coordinate, if `dynamics` requests it; otherwise 0.
    pub bend: [f64; MAX_COORDINATES],
}

impl JointKinematics {
    fn nowhere() -> Self {
        let here = Pose::identity();
        Self {
            place: Placement::new(&here, &here, &here, &here),
            locked: [Row::ZERO; MAX_ROWS],
            coordinates: [Row::ZERO; MAX_COORDINATES],
            jacobians: [[[0.0; 6]; 2]; MAX_COORDINATES],
            bend: [0.0; MAX_COORDINATES],
        }
    }

    /// Locked rows and coordinates at `place`, starting from the last known coordinates. Returns whether an evaluation
    /// from the coordinates found has the same bits.
    fn measure(&mut self, joint: &Joint, turns: &[f64]) -> bool {
        let (locked, coordinates) = (&mut self.locked, &mut self.coordinates[..turns.len()]);
        let locked = &mut locked[..joint.kind.locked().len()];
        let relative = &self.place.relative;
        joint.kind.rows(relative, turns, locked, coordinates)
    }

    /// The joint at the poses given, from the coordinates last known.
    pub fn at(poses: &[Pose], joint: &Joint, turns: &[f64]) -> Self {
        let mut own = Self::nowhere();
        own.place = placement(poses, joint);
        own.measure(joint, turns);
        own.differentiate(turns.len());
        own
    }

    fn differentiate(&mut self, count: usize) {
        for (row, [jb, jf]) in self.coordinates[..count].iter().zip(&mut self.jacobians) {
            self.place.write_jacobian(row, jb, jf);
        }
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
    /// Jacobians of the coordinates of a joint on base and follower.
    pub fn jacobians(&self, joint: JointId) -> &[[[f64; 6]; 2]; MAX_COORDINATES] {
        &self.kinematics[joint.index()].jacobians
    }

    /// Whether they are those of `state`, to the bit.
    fn is_of(&self, state: &State) -> bool {
        let differ = |a: &f64, b: &f64| a.to_bits() ^ b.to_bits();
        self.poses.len() == state.poses.len()
            && self.coordinates.len() == state.coordinates.len()
            && self.poses.iter().zip(&state.poses).all(|(a, b)| {
                let (p, q) = (&a.position, &b.position);
                let (r, s) = (&a.rotation.coords, &b.rotation.coords);
                let shift = (0..3).fold(0, |d, i| d | differ(&p[i], &q[i]));
                (0..4).fold(shift, |d, i| d | differ(&r[i], &s[i])) == 0
            })
            && self
                .coordinates
                .iter()
                .zip(&state.coordinates)
                .all(|(a, b)| differ(a, b) == 0)
    }
}

impl Rows {
    /// Measures the joint coordinates of a state whose poses a step has moved, continuing whole turns from the present
    /// ones, like [`State::update_coordinates`]; the result is kept for the next step. `places` has the joints at these
    /// poses, or is empty; `guess` is the start for types that search for their coordinates.
    pub(crate) fn arrive(
        &mut self,
        model: &Model,
        state: &mut State,
        places: &[Placement],
        guess: &[f64],
    ) {
        let ahead = &mut self.ahead;
        ahead
            .kinematics
            .resize_with(model.joints().len(), JointKinematics::nowhere);
        for id in &model.layout().searching {
            let range = model.joint(*id).range();
            state.coordinates[range.clone()].copy_from_slice(&guess[range]);
        }
        for (j, (joint, k)) in model.joints().iter().zip(&mut ahead.kinematics).enumerate() {
            k.place = match places.get(j) {
                Some(place) => *place,
                None => placement(&state.poses, joint),
            };
            let q = &mut state.coordinates[joint.range()];
            let settled = k.measure(joint, q);
            for (q, row) in q.iter_mut().zip(&k.coordinates) {
                *q = row.value;
            }
            if !settled {
                // As a run that is taken up from this state does.
                k.measure(joint, q);
            }
            k.differentiate(q.len());
        }
        ahead.poses.clone_from(&state.poses);
        ahead.coordinates.clone_from(&state.coordinates);
    }

    /// Places and measures the joints at the given poses, on the bodies of a state, unless the last step has done so.
    pub(super) fn place_joints(&mut self, model: &Model, state: &State, poses: &[Pose]) {
        let elsewhere = !std::ptr::eq(poses, &state.poses[..]);
        if !elsewhere && self.ahead.is_of(state) {
            std::mem::swap(&mut self.kinematics, &mut self.ahead.kinematics);
            self.ahead.poses.clear();
            return;
        }
        self.kinematics
            .resize_with(model.joints().len(), JointKinematics::nowhere);
        for (joint, k) in model.joints().iter().zip(&mut self.kinematics) {
            k.place = placement(poses, joint);
            if elsewhere {
                let moved = |body: BodyId| {
                    poses[body.index()].position - state.poses[body.index()].position
                };
                k.place.arm_base += joint.base.map_or_else(Vec3::zeros, moved);
                k.place.arm_follower += moved(joint.follower);
            }
            let turns = &state.coordinates[joint.range()];
            k.measure(joint, turns);
            k.differentiate(turns.len());
        }
    }
}

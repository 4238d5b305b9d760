//! States stored in a file.

use super::Model;
use super::{BodyId, Joint, JointId};
use crate::State;
use crate::joints::Row;
use crate::math::{Pose, Twist, Vec3};
use nalgebra::{Matrix6, Vector6};
use serde::{Deserialize, Serialize};

/// Pose and velocity of a floating body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeyframeBody {
    /// The body.
    pub body: BodyId,
    /// Pose of its centre of mass.
    pub pose: Pose,
    /// Its velocity.
    pub twist: Twist,
}

/// A stored state; loops are closed only as accurately as in the file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Keyframe {
    /// Its name.
    pub name: String,
    /// Time, s.
    #[serde(default)]
    pub time: f64,
    /// Coordinates of joints of the tree, m or rad; those not listed are in the reference configuration.
    #[serde(default)]
    pub joints: Vec<(JointId, Vec<f64>)>,
    /// Rates of joints of the tree, m/s or rad/s; those not listed are 0.
    #[serde(default)]
    pub rates: Vec<(JointId, Vec<f64>)>,
    /// Floating bodies.
    #[serde(default)]
    pub bodies: Vec<KeyframeBody>,
    /// Controls of the actuators.
    #[serde(default)]
    pub controls: Vec<f64>,
    /// Activations of the actuators. Values of actuators without dynamics are ignored; missing values are 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activations: Vec<f64>,
}

impl Model {
    /// The state of a keyframe, by forward kinematics along the tree.
    pub fn keyframe_state(&self, keyframe: &Keyframe) -> State {
        let model = self;
        let mut state = model.initial_state();
        state.time = keyframe.time;
        for floating in &keyframe.bodies {
            state.poses[floating.body.index()] = floating.pose;
            state.twists[floating.body.index()] = floating.twist;
        }
        for (joint, values) in &keyframe.joints {
            let first = model.joint(*joint).first_coordinate;
            state.coordinates[first..first + values.len()].copy_from_slice(values);
        }
        self.forward(&mut state, &keyframe.rates);
        state.update_coordinates(model);
        state
    }

    /// Poses and twists along the tree from the coordinates, given rates, and the roots' motion.
    fn forward(&self, state: &mut State, rates: &[(JointId, Vec<f64>)]) {
        let model = self;
        for &id in self.tree() {
            let joint = model.joint(id);
            let n = joint.axes.len();
            let q = &state.coordinates[joint.first_coordinate..joint.first_coordinate + n];
            let relative = joint.kind.place(q).as_pose();
            let (base, base_twist) = match joint.base {
                Some(b) => (state.poses[b.index()], state.twists[b.index()]),
                None => (Pose::identity(), Twist::zero()),
            };
            let frame = base.compose(&joint.frame_base).compose(&relative);
            let pose = frame.compose(&joint.frame_follower.inverse());
            let follower = joint.follower.index();
            state.poses[follower] = pose;
            // Carried along by the base.
            let lever = pose.position - base.position;
            state.twists[follower] = Twist::new(
                base_twist.linear + base_twist.angular.cross(&lever),
                base_twist.angular,
            );
            if let Some((_, rates)) = rates.iter().find(|(j, _)| *j == id) {
                add_rates(state, joint, rates);
            }
        }
    }
}

/// Adds the twist to the follower that changes the joint's coordinates at `rates` without moving its locked rows: six
/// rows for six unknowns.
fn add_rates(state: &mut State, joint: &Joint, rates: &[f64]) {
    let (locked, n) = (joint.kind.locked().len(), joint.axes.len());
    if locked + n != 6 || rates.len() != n {
        return;
    }
    let place = state.placement(joint);
    let turns = &state.coordinates[joint.first_coordinate..joint.first_coordinate + n];
    let mut rows = [Row::ZERO; 6];
    let (c, q) = rows.split_at_mut(locked);
    joint.kind.constrain(&place.relative, turns, c);
    joint.kind.measure(&place.relative, turns, q);
    let mut matrix = Matrix6::zeros();
    let mut wanted = Vector6::zeros();
    for (i, row) in rows.iter().enumerate() {
        let (_, follower) = place.jacobian(row);
        matrix.row_mut(i).copy_from_slice(&follower);
        if i >= locked {
            wanted[i] = rates[i - locked];
        }
    }
    // Singular where the coordinates are singular (gimbal lock): the rate cannot be set there.
    if let Some(u) = matrix.lu().solve(&wanted) {
        let twist = &mut state.twists[joint.follower.index()];
        twist.linear += Vec3::new(u[0], u[1], u[2]);
        twist.angular += Vec3::new(u[3], u[4], u[5]);
    }
}

//! What changes from step to step, as plain data.

use crate::joints::{MAX_COORDINATES, MAX_ROWS, Placement, Row, Unit};
use crate::math::{Pose, Twist};
use crate::model::{Joint, JointId, Model, TendonId};
use crate::path::{PathKinematics, path_length_at};
use linkwork_solve::raise;
use serde::{Deserialize, Serialize};

/// Configuration and velocity of a mechanism.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time, s.
    pub time: f64,
    /// Pose of each body's **centre of mass**, with the orientation of the body axes.
    pub poses: Vec<Pose>,
    /// Velocity of each body.
    pub twists: Vec<Twist>,
    /// Joint coordinates of all joints in order (m, rad); angles count whole turns.
    pub coordinates: Vec<f64>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            time: self.time,
            poses: self.poses.clone(),
            twists: self.twists.clone(),
            coordinates: self.coordinates.clone(),
        }
    }

    /// Reuses the memory, which the derived implementation would not: every step keeps a copy.
    fn clone_from(&mut self, source: &Self) {
        self.time = source.time;
        self.poses.clone_from(&source.poses);
        self.twists.clone_from(&source.twists);
        self.coordinates.clone_from(&source.coordinates);
    }
}

impl State {
    /// The joint's two frames placed in the world.
    #[inline]
    pub fn placement(&self, joint: &Joint) -> Placement {
        placement(&self.poses, joint)
    }

    /// Coordinates of a joint, m or rad.
    pub fn joint_coordinates(&self, model: &Model, joint: JointId) -> &[f64] {
        let joint = model.joint(joint);
        &self.coordinates[joint.first_coordinate..joint.first_coordinate + joint.axes.len()]
    }

    /// Velocities of a joint's coordinates, m/s or rad/s.
    pub fn joint_velocities(&self, model: &Model, joint: JointId) -> Vec<f64> {
        let joint = model.joint(joint);
        let n = joint.axes.len();
        let place = self.placement(joint);
        let mut rows = [Row::ZERO; MAX_COORDINATES];
        let turns = &self.coordinates[joint.first_coordinate..joint.first_coordinate + n];
        joint.kind.measure(&place.relative, turns, &mut rows[..n]);
        rows[..n]
            .iter()
            .map(|row| {
                let (jb, jf) = place.jacobian(row);
                let base = joint
                    .base
                    .map_or(0.0, |b| rate(&jb, &self.twists[b.index()]));
                base + rate(&jf, &self.twists[joint.follower.index()])
            })
            .collect()
    }

    /// Length Σ cᵢ qᵢ + |path| of a tendon, in the unit of its terms.
    pub fn tendon_length(&self, model: &Model, tendon: TendonId) -> f64 {
        let q = |joint| self.joint_coordinates(model, joint);
        let tendon = model.tendon(tendon);
        let sum = tendon.sum(|term| q(term.joint)[term.coordinate]);
        sum + path_length_at(&tendon.path, model, &self.poses)
    }

    /// Rate of a tendon's length, in that unit over s.
    pub fn tendon_velocity(&self, model: &Model, tendon: TendonId) -> f64 {
        let rates = |joint| self.joint_velocities(model, joint);
        let tendon = model.tendon(tendon);
        let sum = tendon.sum(|term| rates(term.joint)[term.coordinate]);
        let mut path = PathKinematics::default();
        path.measure(&tendon.path, model, |b| self.poses[b]);
        sum + path.rate(|b| self.twists[b])
    }

    /// The largest translational (m) and rotational (rad) residual of a joint's locked rows.
    pub fn joint_residual(&self, model: &Model, joint: JointId) -> [f64; 2] {
        let joint = model.joint(joint);
        let labels = joint.kind.locked();
        let end = joint.first_coordinate + joint.axes.len();
        let turns = &self.coordinates[joint.first_coordinate..end];
        let mut rows = [Row::ZERO; MAX_ROWS];
        let rows = &mut rows[..labels.len()];
        let place = self.placement(joint);
        joint.kind.constrain(&place.relative, turns, rows);
        let mut residual = [0.0_f64; 2];
        for ((_, unit), row) in labels.iter().zip(rows) {
            let size = &mut residual[usize::from(*unit == Unit::Angle)];
            raise(size, row.value.abs());
        }
        residual
    }

    /// Measures all joint coordinates from the poses, continuing whole turns from the present values.
    pub fn update_coordinates(&mut self, model: &Model) {
        let mut rows = [Row::ZERO; MAX_COORDINATES];
        for joint in model.joints() {
            let n = joint.axes.len();
            if n == 0 {
                continue;
            }
            let place = placement(&self.poses, joint);
            let q = &mut self.coordinates[joint.first_coordinate..joint.first_coordinate + n];
            joint.kind.measure(&place.relative, q, &mut rows[..n]);
            for (q, row) in q.iter_mut().zip(&rows) {
                *q = row.value;
            }
        }
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let coordinates = self.coordinates.iter().all(|q| q.is_finite());
        let poses = self.poses.iter().all(Pose::is_finite);
        self.time.is_finite() && coordinates && poses && self.twists.iter().all(Twist::is_finite)
    }

    /// The first element with a number that is not finite, if any: a body, a joint or the time.
    pub(crate) fn first_infinite(&self, model: &Model) -> Option<String> {
        if self.is_finite() {
            return None;
        }
        let bodies = model.bodies().iter();
        let mut bodies = bodies.zip(self.poses.iter().zip(&self.twists));
        if let Some((body, _)) = bodies.find(|(_, (p, t))| !p.is_finite() || !t.is_finite()) {
            return Some(format!("body '{}'", body.name));
        }
        let infinite = |j: &&Joint| self.coordinates[j.range()].iter().any(|q| !q.is_finite());
        match model.joints().iter().find(infinite) {
            Some(joint) => Some(format!("a coordinate of joint '{}'", joint.name)),
            None => Some("the time".to_owned()),
        }
    }

    /// A hash of every bit of the state, equal for equal bits on every machine (FNV-1a).
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |x: f64| {
            for byte in x.to_bits().to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        };
        add(self.time);
        for (p, t) in self.poses.iter().zip(&self.twists) {
            p.position.iter().for_each(|&x| add(x));
            p.rotation.coords.iter().for_each(|&x| add(x));
            t.linear.iter().for_each(|&x| add(x));
            t.angular.iter().for_each(|&x| add(x));
        }
        self.coordinates.iter().for_each(|&x| add(x));
        hash
    }
}

/// A joint's frames for given body poses.
#[inline]
pub(crate) fn placement(poses: &[Pose], joint: &Joint) -> Placement {
    let world = Pose::identity();
    let base = joint.base.map_or(&world, |b| &poses[b.index()]);
    let follower = &poses[joint.follower.index()];
    Placement::new(base, &joint.frame_base, follower, &joint.frame_follower)
}

/// J u of one body.
#[inline]
pub(crate) fn rate(j: &[f64; 6], u: &Twist) -> f64 {
    j[0] * u.linear.x
        + j[1] * u.linear.y
        + j[2] * u.linear.z
        + j[3] * u.angular.x
        + j[4] * u.angular.y
        + j[5] * u.angular.z
}

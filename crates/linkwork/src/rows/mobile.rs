//! Springs along coordinates whose mobility D = J M⁻¹ Jᵀ changes within a step.

use super::{Along, JointKinematics, Rows};
use crate::integrate::Motion;
use crate::math::{Pose, Vec3};
use crate::model::{Body, Joint, Model};
use linkwork_solve::Solution;

/// ¼ k D dt² below which a spring is resolved so well that its mobility does not matter, unless it may grow without
/// bound.
const RESOLVED: f64 = 1e-3;

impl Rows {
    /// Energy ½ λ₁² |ΔD| by which the completion of the step found may differ from that of its start, J, for all
    /// springs together; λ₁ is half of the spring's impulse. D is that of the two bodies of the joint alone, an upper
    /// bound.
    pub(crate) fn mobility_gain(&self, motion: &Motion, x: &Solution, end: &[Pose]) -> f64 {
        let model = motion.model;
        let gain = self.geared.iter().map(|geared| {
            let Along::Coordinate(id, c) = geared.along else {
                return 0.0;
            };
            let joint = model.joint(id);
            let here = mobility(model, joint, &self.kinematics[id.index()].jacobians[c], {
                &motion.state.poses
            });
            if geared.resolution(here) < RESOLVED && !joint.kind.is_singular() {
                return 0.0;
            }
            let from = &motion.state.coordinates[joint.range()];
            let there = JointKinematics::at(end, joint, from);
            let there = mobility(model, joint, &there.jacobians[c], end);
            let impulse = geared.completion(self.rate_after(geared, x));
            0.5 * impulse * impulse * (there - here).abs()
        });
        gain.sum()
    }
}

/// J M⁻¹ Jᵀ of a coordinate's row on base and follower.
fn mobility(model: &Model, joint: &Joint, [jb, jf]: &[[f64; 6]; 2], poses: &[Pose]) -> f64 {
    let of = |body: &Body, pose: &Pose, j: &[f64; 6]| {
        let push = Vec3::new(j[0], j[1], j[2]).norm_squared() / body.mass;
        let turn = pose.rotation.inverse() * Vec3::new(j[3], j[4], j[5]);
        push + turn.dot(&(body.inverse_inertia * turn))
    };
    let base = joint
        .base
        .map_or(0.0, |b| of(model.body(b), &poses[b.index()], jb));
    let follower = joint.follower;
    base + of(model.body(follower), &poses[follower.index()], jf)
}

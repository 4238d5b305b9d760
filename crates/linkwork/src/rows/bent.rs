//! Springs along coordinates whose mobility changes within a step: near gimbal lock.
//!
//! A step moves q by dt w₊ with the spring's impulse λ in the kick before it, where the coordinate has the mobility D₀ = J₀ M⁻¹ J₀ᵀ, and x in the kick
//! after it, where it has D₁. With velocities at the time of the poses, bodies and spring together gain
//!
//! λ J₀ u⁺ − ½ D₀ λ² + x J₁ u⁺ + ½ D₁ x² + V(q₁) − V(q₀).
//!
//! The midpoint rule has x = λ, which keeps the energy where J is constant. Near gimbal lock J grows as 1/cos b, and the gain is ½ (D₁ − D₀) λ² + g,
//! g = λ (J₀ + J₁) u⁺ + V(q₁) − V(q₀). Here x is chosen instead so that the first part is zero, J₁ u⁺ x + ½ D₁ x² = J₁ u⁺ λ + ½ D₀ λ², and the sum of g over
//! all steps is taken out once it is positive. Energy that steps lost is not put back: a step near lock can be far longer than the fastest
//! motion there, and would drive it. Where x cannot take out the whole sum, it takes out as much as it can and carries the rest. A step in which g is a
//! large share of the kinetic energy is halved ([`Simulator::springs_bend`](crate::Simulator)).

use super::{Along, Geared, JointKinematics, Rows};
use crate::integrate::Motion;
use crate::math::{Pose, Twist, Vec3};
use crate::model::{BodyId, Joint};
use crate::state::rate;
use linkwork_solve::Solution;

/// What one spring near gimbal lock does in the step found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    /// Number of the geared coordinate.
    pub index: usize,
    /// λ, N m s.
    impulse: f64,
    /// J₁ u⁺, rad/s.
    rate: f64,
    /// D₀ and D₁, 1/(kg m²).
    mobility: [f64; 2],
    /// g, J.
    pub gain: f64,
}

impl Bend {
    /// x − λ, and what remains to be taken out (negative: what steps lost) where it was `owed` before the step, J.
    pub fn settle(&self, owed: f64) -> (f64, f64) {
        let (l, [d0, d1]) = (self.impulse, self.mobility);
        let owed = owed + self.gain;
        if d1 == 0.0 {
            return (0.0, owed);
        }
        // ½ D₁ x² + v x = v λ + ½ D₀ λ² − owed; with y = v + D₁ λ the root is x − λ = (±√(y² − D₁ excess) − y)/D₁.
        let excess = (d1 - d0) * l * l + 2.0 * owed.max(0.0);
        let y = self.rate + d1 * l;
        let square = y * y - d1 * excess;
        if square < 0.0 {
            // The least kinetic energy along J₁.
            return (-y / d1, -square / (2.0 * d1));
        }
        let sum = y.abs() + square.sqrt();
        let beyond = if sum == 0.0 {
            0.0
        } else {
            -y.signum() * excess / sum
        };
        (beyond, owed.min(0.0))
    }
}

impl Rows {
    /// The springs near gimbal lock in the step found, which ends at the poses given.
    pub(crate) fn bends<'a>(
        &'a self,
        motion: &'a Motion,
        x: &'a Solution,
        end: &'a [Pose],
    ) -> impl Iterator<Item = Bend> + 'a {
        let all = self.geared.iter().enumerate();
        all.filter_map(move |(index, geared)| self.bend(motion, x, end, (index, geared)))
    }

    fn bend(
        &self,
        motion: &Motion,
        x: &Solution,
        end: &[Pose],
        (index, geared): (usize, &Geared),
    ) -> Option<Bend> {
        let Along::Coordinate(id, c) = geared.along else {
            return None;
        };
        let (joint, block) = (motion.model.joint(id), geared.block?);
        if !geared.has_spring() || !joint.kind.is_singular() {
            return None;
        }
        let from = &motion.state.coordinates[joint.range()];
        let there = JointKinematics::at(end, joint, from);
        if joint.kind.jumps(from, &there.values()[..from.len()]) {
            return None;
        }
        let here = self.coordinate_jacobian(id, c);
        let there_jacobian = &there.jacobians[c];
        let [_, impulse] = geared.halves(self.rate_after(geared, x));
        let start = &motion.state.poses;
        let after = |jacobian, poses: &[Pose]| {
            along(joint, jacobian, |b| {
                motion.twist_at(self, &x.u_plus, b.index(), &poses[b.index()])
            })
        };
        let rates = [after(here, start), after(there_jacobian, end)];
        let change = rates[0] - self.velocity_of(block, 0, &self.u_minus);
        let mobility = [(here, &start[..]), (there_jacobian, end)];
        let [d0, d1] =
            mobility.map(|(jacobian, poses)| two_body_mobility(motion, joint, jacobian, poses));
        // Joints leave a share of the mobility that the two bodies have by themselves, as the response to the impulse tells.
        let row = self.problem.sets.range(block).start;
        let share = (change / (x.lambda[row] * d0)).clamp(0.0, 1.0);
        if share.is_nan() {
            return None;
        }
        let spring = &geared.along.axis(motion.model).spring;
        let stored = spring.energy(there.coordinates[c].value) - spring.energy(from[c]);
        Some(Bend {
            index,
            impulse,
            rate: rates[1],
            mobility: [share * d0, share * d1],
            gain: impulse * (rates[0] + rates[1]) + stored,
        })
    }
}

/// J u of the two bodies of a joint.
fn along(joint: &Joint, [jb, jf]: &[[f64; 6]; 2], twist: impl Fn(BodyId) -> Twist) -> f64 {
    let base = joint.base.map_or(0.0, |b| rate(jb, &twist(b)));
    base + rate(jf, &twist(joint.follower))
}

/// J M⁻¹ Jᵀ of the two bodies of a joint at the poses given.
fn two_body_mobility(
    motion: &Motion,
    joint: &Joint,
    [jb, jf]: &[[f64; 6]; 2],
    poses: &[Pose],
) -> f64 {
    let of = |id: BodyId, j: &[f64; 6]| {
        let body = motion.model.body(id);
        let force = Vec3::new(j[0], j[1], j[2]);
        let torque = poses[id.index()].rotation.inverse() * Vec3::new(j[3], j[4], j[5]);
        force.norm_squared() / body.mass + torque.dot(&(body.inverse_inertia * torque))
    };
    joint.base.map_or(0.0, |b| of(b, jb)) + of(joint.follower, jf)
}

//! Springs along coordinates whose mobility changes within a step: near gimbal lock.
//!
//! The spring acts with the impulse x in the kick that completes a step and with λ in the kick before it. The midpoint rule has x = λ, which keeps
//! the energy of bodies and spring where J is constant. Near gimbal lock J grows as 1/cos b and the mobility D = J M⁻¹ Jᵀ as its square: with D₀ and
//! D₁ at the two ends of the step, x = λ adds ½ (D₁ − D₀) λ². Here x is such that this part is zero, with v = J₁ u⁺ before the completing kick:
//!
//! x v + ½ D₁ x² = C, C = λ v + ½ D₀ λ².
//!
//! What remains is counted, per spring: the work Λ ½ J (u⁻ + u⁺) of its whole impulse in each kick, the potential energy that it gains over each step, and
//! C as a forecast of what the next kick will do. Once the sum is positive, C is less by that much. Energy that steps lost is not put back:
//! near lock a step can be far longer than the fastest motion, which this would drive. If x cannot remove all of it, it removes what it can and the next step the
//! rest. A step that adds or removes a large share of the kinetic energy is halved ([`Simulator::springs_bend`](crate::Simulator)).
//!
//! This is done for bodies that only their gimbal holds to the world, whose mobility is known. In a mechanism of more bodies it would have to be
//! solved for. With an upper bound instead, that of the two bodies alone, the sign of v + D₁ λ can be wrong, x adds what it should remove, and
//! mechanism 1415 of seed 2 gains 2.3 % far from lock.

use super::{Along, Carried, Geared, JointKinematics, Rows};
use crate::integrate::Motion;
use crate::joints::MAX_ROWS;
use crate::math::{Pose, Vec3};
use crate::model::{Joint, JointId, Model};
use crate::state::rate;
use linkwork_solve::Solution;
use nalgebra::{Matrix6, Vector6};

/// One spring near gimbal lock in the step found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    /// Number of the geared coordinate.
    pub index: usize,
    /// λ, N m s.
    impulse: f64,
    /// v, rad/s.
    rate: f64,
    /// D₀ and D₁, 1/(kg m²).
    mobility: [f64; 2],
    /// Energy that bodies and spring gained between the pose at the start and the velocities found, J.
    change: f64,
    /// λ (J₀ + J₁) u⁺ + ΔV, J: the gain from pose to pose where D is constant and nothing else acts along the coordinate. It vanishes with the step.
    pub error: f64,
}

impl Bend {
    /// C, J.
    fn completion(&self) -> f64 {
        self.impulse * self.rate + 0.5 * self.mobility[0] * self.impulse * self.impulse
    }

    /// Energy that bodies and spring gain from pose to pose if nothing is taken back, J.
    fn gain(&self) -> f64 {
        self.change + self.completion()
    }

    /// Choose x; `owed` is the energy gained so far that is not taken back yet, J, negative if it was lost.
    pub fn settle(&self, carried: &mut Carried, owed: &mut f64) {
        let (l, v, [d0, d1]) = (self.impulse, self.rate, self.mobility);
        *owed += self.gain();
        let excess = owed.max(0.0);
        if d1 == 0.0 {
            carried.completion = self.completion();
            return;
        }
        // With y = v + D₁ λ the root is x − λ = (±√(y² − D₁ (D₁ − D₀) λ² − 2 D₁ excess) − y)/D₁, here without cancellation.
        let reduction = (d1 - d0) * l * l + 2.0 * excess;
        let y = v + d1 * l;
        let square = y * y - d1 * reduction;
        if square < 0.0 {
            // The least kinetic energy along J₁.
            carried.beyond = -y / d1;
            carried.completion = -0.5 * v * v / d1;
            *owed += carried.completion - self.completion();
            return;
        }
        let sum = y.abs() + square.sqrt();
        carried.beyond = if sum == 0.0 {
            0.0
        } else {
            -y.signum() * reduction / sum
        };
        carried.completion = self.completion() - excess;
        *owed -= excess;
    }
}

impl Rows {
    /// The springs near gimbal lock in the step found, which ends at the poses given.
    pub(crate) fn bends<'a>(
        &'a self,
        motion: &'a Motion,
        carried: &'a [Carried],
        x: &'a Solution,
        end: &'a [Pose],
    ) -> impl Iterator<Item = Bend> + 'a {
        let all = self.geared.iter().enumerate();
        all.filter_map(move |(index, geared)| {
            self.bend(motion, x, end, (index, geared, carried.get(index)))
        })
    }

    fn bend(
        &self,
        motion: &Motion,
        x: &Solution,
        end: &[Pose],
        (index, geared, carried): (usize, &Geared, Option<&Carried>),
    ) -> Option<Bend> {
        let (id, c) = alone_on_gimbal(motion.model, geared)?;
        let (joint, block) = (motion.model.joint(id), geared.block?);
        let from = &motion.state.coordinates[joint.range()];
        let b = joint.follower.index();
        let here = (&self.kinematics[id.index()], &motion.state.poses[b]);
        let there = (&JointKinematics::at(end, joint, from), &end[b]);
        let [after, later] = [here, there].map(|(kinematics, pose)| {
            let twist = motion.twist_at(self, &x.u_plus, b, pose);
            rate(&kinematics.jacobians[c][1], &twist)
        });
        let [d0, d1] =
            [here, there].map(|(k, pose)| mobility_of(motion.model, joint, (k, c), pose));
        let before = self.velocity_of(block, 0, &self.u_minus);
        let [last, next] = geared.halves(self.rate_after(geared, x));
        let (beyond, completion) = match carried {
            Some(carried) => (carried.beyond, carried.completion),
            None => (0.0, last * before + 0.5 * d0 * last * last),
        };
        let axis = geared.along.axis(motion.model);
        // The impulse of the row, if it is that of the spring alone.
        let whole = if axis.armature == 0.0 && axis.spring.damping == 0.0 {
            x.lambda[self.problem.sets.range(block).start]
        } else {
            beyond + last + next
        };
        let stored = axis.spring.energy(there.0.coordinates[c].value) - axis.spring.energy(from[c]);
        Some(Bend {
            index,
            impulse: next,
            rate: later,
            mobility: [d0, d1],
            change: whole * 0.5 * (before + after) - completion + stored,
            error: next * (after + later) + stored,
        })
    }

    /// Replace the forecast of what springs near gimbal lock do in the kick that completes the last step by what they did, in `owed`. `u` is u⁺.
    pub(crate) fn complete_bends(
        &self,
        model: &Model,
        carried: &[Carried],
        u: &[f64],
        owed: &mut [f64],
    ) {
        for ((geared, carried), owed) in self.geared.iter().zip(carried).zip(owed) {
            if let Some((id, c)) = alone_on_gimbal(model, geared) {
                let body = 6 * model.joint(id).follower.index();
                let j = &self.coordinate_jacobian(id, c)[1];
                let of = |u: &[f64]| j.iter().zip(&u[body..]).map(|(j, u)| j * u).sum::<f64>();
                let impulse = geared.halves(0.0)[0] + carried.beyond;
                *owed += impulse * 0.5 * (of(&self.u_minus) + of(u)) - carried.completion;
            }
        }
    }
}

/// The joint and its coordinate, if a spring acts there, it has a gimbal lock, and nothing but this joint holds its body, to the world.
fn alone_on_gimbal(model: &Model, geared: &Geared) -> Option<(JointId, usize)> {
    let Along::Coordinate(id, c) = geared.along else {
        return None;
    };
    let joint = model.joint(id);
    if !geared.has_spring() || !joint.kind.is_singular() || joint.base.is_some() {
        return None;
    }
    let body = joint.follower;
    let joints = model.joints().iter();
    let holds = joints.filter(|j| j.base == Some(body) || j.follower == body);
    (holds.count() == 1).then_some((id, c))
}

/// J M⁻¹ Jᵀ of a coordinate of a joint that alone holds its follower to the world, whose pose is given.
fn mobility_of(
    model: &Model,
    joint: &Joint,
    (kinematics, coordinate): (&JointKinematics, usize),
    pose: &Pose,
) -> f64 {
    let (body, q) = (model.body(joint.follower), &pose.rotation);
    // M⁻¹ Jᵀ.
    let response = |j: &[f64; 6]| {
        let turn = q * (body.inverse_inertia * (q.inverse() * Vec3::new(j[3], j[4], j[5])));
        let m = 1.0 / body.mass;
        Vector6::new(m * j[0], m * j[1], m * j[2], turn.x, turn.y, turn.z)
    };
    let free = &kinematics.jacobians[coordinate][1];
    let locked: [[f64; 6]; MAX_ROWS] = std::array::from_fn(|i| {
        let (mut base, mut follower) = ([0.0; 6], [0.0; 6]);
        if i < joint.kind.locked().len() {
            let row = &kinematics.locked[i];
            kinematics
                .place
                .write_jacobian(row, &mut base, &mut follower);
        }
        follower
    });
    // Rows beyond those that the joint has are those of the identity.
    let matrix = Matrix6::from_fn(|i, k| {
        let beyond = i == k && i >= joint.kind.locked().len();
        f64::from(u8::from(beyond)) + Vector6::from(locked[i]).dot(&response(&locked[k]))
    });
    let along = response(free);
    let coupling = Vector6::from_fn(|i, _| Vector6::from(locked[i]).dot(&along));
    let held = matrix
        .cholesky()
        .map_or(0.0, |factor| coupling.dot(&factor.solve(&coupling)));
    (Vector6::from(*free).dot(&along) - held).max(0.0)
}

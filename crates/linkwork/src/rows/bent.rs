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
use crate::math::{Pose, Twist, Vec3};
use crate::model::{BodyId, Joint, Model};
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
        let (joint, c) = singular(motion.model, geared)?;
        let block = geared.block?;
        let from = &motion.state.coordinates[joint.range()];
        let there = JointKinematics::at(end, joint, from);
        let Along::Coordinate(id, _) = geared.along else {
            return None;
        };
        let jacobians = [self.coordinate_jacobian(id, c), &there.jacobians[c]];
        let ends = [(jacobians[0], &motion.state.poses[..]), (jacobians[1], end)];
        let [after, later] = ends.map(|(j, poses)| {
            let twist = |b: usize| motion.twist_at(self, &x.u_plus, b, &poses[b]);
            along(joint, j, |b| twist(b.index()))
        });
        let before = self.velocity_of(block, 0, &self.u_minus);
        let mobility = [
            (&self.kinematics[id.index()], &motion.state.poses[..]),
            (&there, end),
        ];
        let [d0, d1] = mobility.map(|(k, poses)| mobility_of(motion.model, joint, (k, c), poses));
        let row = x.lambda[self.problem.sets.range(block).start];
        let [last, next] = geared.halves(self.rate_after(geared, x));
        let (beyond, completion) = match carried {
            Some(carried) => (carried.beyond, carried.completion),
            None => (0.0, last * before + 0.5 * d0 * last * last),
        };
        let axis = geared.along.axis(motion.model);
        // The impulse of the row, if it is that of the spring alone.
        let whole = if axis.armature == 0.0 && axis.spring.damping == 0.0 {
            row
        } else {
            beyond + last + next
        };
        let stored = axis.spring.energy(there.coordinates[c].value) - axis.spring.energy(from[c]);
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
            if let Some((joint, c)) = singular(model, geared)
                && let Along::Coordinate(id, _) = geared.along
            {
                let of = |u: &[f64]| {
                    let twist = |b: BodyId| twist_of(&u[6 * b.index()..][..6]);
                    along(joint, self.coordinate_jacobian(id, c), twist)
                };
                let impulse = geared.halves(0.0)[0] + carried.beyond;
                *owed += impulse * 0.5 * (of(&self.u_minus) + of(u)) - carried.completion;
            }
        }
    }
}

/// The joint and its coordinate, if a spring acts there, it has a gimbal lock, and nothing but this joint holds its body to the world.
fn singular<'a>(model: &'a Model, geared: &Geared) -> Option<(&'a Joint, usize)> {
    let Along::Coordinate(id, c) = geared.along else {
        return None;
    };
    let joint = model.joint(id);
    let at = |b: Option<BodyId>| b == Some(joint.follower);
    let alone = || {
        let mut others = model
            .joints()
            .iter()
            .filter(|j| at(j.base) || at(Some(j.follower)));
        others.nth(1).is_none()
    };
    let counts = geared.has_spring() && joint.kind.is_singular() && joint.base.is_none();
    (counts && alone()).then_some((joint, c))
}

fn twist_of(u: &[f64]) -> Twist {
    Twist::new(Vec3::new(u[0], u[1], u[2]), Vec3::new(u[3], u[4], u[5]))
}

/// J u of the two bodies of a joint.
fn along(joint: &Joint, [jb, jf]: &[[f64; 6]; 2], twist: impl Fn(BodyId) -> Twist) -> f64 {
    let base = joint.base.map_or(0.0, |b| rate(jb, &twist(b)));
    base + rate(jf, &twist(joint.follower))
}

/// J M⁻¹ Jᵀ of a coordinate of two bodies that nothing but this joint holds: what else holds them only makes it less.
fn mobility_of(
    model: &Model,
    joint: &Joint,
    (kinematics, coordinate): (&JointKinematics, usize),
    poses: &[Pose],
) -> f64 {
    // M⁻¹ Jᵀ, 6 values per body.
    let response = |j: &[[f64; 6]; 2]| {
        let of = |id: BodyId, j: &[f64; 6]| {
            let (body, q) = (model.body(id), &poses[id.index()].rotation);
            let turn = body.inverse_inertia * (q.inverse() * Vec3::new(j[3], j[4], j[5]));
            let turn = q * turn;
            let m = 1.0 / body.mass;
            Vector6::new(m * j[0], m * j[1], m * j[2], turn.x, turn.y, turn.z)
        };
        let base = joint.base.map_or_else(Vector6::zeros, |b| of(b, &j[0]));
        [base, of(joint.follower, &j[1])]
    };
    let product = |j: &[[f64; 6]; 2], response: &[Vector6<f64>; 2]| {
        Vector6::from(j[0]).dot(&response[0]) + Vector6::from(j[1]).dot(&response[1])
    };
    let free = &kinematics.jacobians[coordinate];
    let along = response(free);
    let count = joint.kind.locked().len();
    let locked = &kinematics.locked[..count];
    let locked: [_; MAX_ROWS] = std::array::from_fn(|i| {
        let mut j = [[0.0; 6]; 2];
        if let Some(row) = locked.get(i) {
            let [jb, jf] = &mut j;
            kinematics.place.write_jacobian(row, jb, jf);
        }
        j
    });
    // Rows beyond those that the joint has stand for nothing.
    let matrix = Matrix6::from_fn(|i, k| {
        let own = if i < count {
            0.0
        } else {
            f64::from(u8::from(i == k))
        };
        own + product(&locked[i], &response(&locked[k]))
    });
    let coupling = Vector6::from_fn(|i, _| product(&locked[i], &along));
    let held = matrix
        .cholesky()
        .map_or(0.0, |factor| coupling.dot(&factor.solve(&coupling)));
    (product(free, &along) - held).max(0.0)
}

//! Where the hand of a seven-axis arm is, and the angles that put it somewhere.

use linkwork::math::{Pose, Vec3, exp, log};
use nalgebra::{Matrix6, SMatrix, Vector6};

/// Angles of an arm, rad.
pub(super) type Angles = [f64; 7];

/// The axes of an arm as drawn, with all angles at zero.
#[derive(Clone)]
pub(super) struct Chain {
    /// Where the drawing is placed in the world.
    pub base: Pose,
    /// A point of each axis (m) and its direction.
    pub axes: [(Vec3, Vec3); 7],
    /// The frame that is moved: between the fingers, z away from the palm.
    pub tool: Pose,
}

/// Damping of the least-squares steps, m²: far below what axes 0.4 m apart do, except close to stretched.
const DAMPING: f64 = 1e-4;
/// Share of the way back to the starting angles that each step takes where it does not move the hand.
const RETURN: f64 = 0.05;
/// Largest change of an angle a step, rad.
const LONGEST: f64 = 0.3;
const STEPS: usize = 100;

impl Chain {
    /// World pose of the hand.
    pub fn hand(&self, q: &Angles) -> Pose {
        self.frames(q).1
    }

    /// Point and direction of each axis in the world, and the pose of the hand.
    fn frames(&self, q: &Angles) -> ([(Vec3, Vec3); 7], Pose) {
        let mut moved = self.base;
        let axes = std::array::from_fn(|i| {
            let (point, axis) = self.axes[i];
            let frame = (moved.transform_point(&point), moved.rotation * axis);
            let turn = exp(&(q[i] * axis));
            moved = moved.compose(&Pose::new(point - turn * point, turn));
            frame
        });
        (axes, moved.compose(&self.tool))
    }

    /// Angles near `from` that bring the hand to `goal`: damped least squares, with the elbow free to stay where it was.
    pub fn reach(&self, goal: &Pose, from: &Angles) -> Angles {
        let mut q = *from;
        for _ in 0..STEPS {
            let (axes, hand) = self.frames(&q);
            let turn = log(&(goal.rotation * hand.rotation.inverse()));
            let shift = goal.position - hand.position;
            let error = Vector6::new(shift.x, shift.y, shift.z, turn.x, turn.y, turn.z);
            let mut j = SMatrix::<f64, 6, 7>::zeros();
            for (i, (point, axis)) in axes.iter().enumerate() {
                let linear = axis.cross(&(hand.position - point));
                j.fixed_view_mut::<3, 1>(0, i).copy_from(&linear);
                j.fixed_view_mut::<3, 1>(3, i).copy_from(axis);
            }
            let damped = j * j.transpose() + Matrix6::identity() * DAMPING;
            let Some(inverse) = damped.try_inverse() else {
                break;
            };
            let pull = SMatrix::<f64, 7, 1>::from_fn(|i, _| RETURN * (from[i] - q[i]));
            let step = j.transpose() * (inverse * (error - j * pull)) + pull;
            let scale = (LONGEST / step.amax()).min(1.0);
            for (q, step) in q.iter_mut().zip(step.iter()) {
                *q += scale * step;
            }
        }
        q
    }

    /// Angles along the straight way from one pose of the hand to another, in `n` parts.
    pub fn path(&self, from: &Pose, to: &Pose, start: &Angles, n: usize) -> Vec<Angles> {
        let turn = log(&(to.rotation * from.rotation.inverse()));
        let mut path = vec![*start];
        for k in 1..=n {
            let share = k as f64 / n as f64;
            let goal = Pose::new(
                from.position + share * (to.position - from.position),
                exp(&(share * turn)) * from.rotation,
            );
            let next = self.reach(&goal, &path[k - 1]);
            path.push(next);
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::super::robot;
    use super::*;

    #[test]
    fn the_hand_gets_where_it_is_sent() {
        let chain = robot::chain(Pose::at(0.0, 0.3, 0.0));
        let start = [-0.5, 1.2, 0.1, 1.9, 0.0, -1.5, 0.2];
        let from = chain.hand(&start);
        let mut to = from;
        to.position += Vec3::new(0.05, -0.1, 0.1);
        to.rotation = exp(&Vec3::new(0.2, 0.4, -0.3)) * to.rotation;
        let path = chain.path(&from, &to, &start, 10);
        let end = chain.hand(&path[10]);
        assert!((end.position - to.position).norm() < 1e-4);
        assert!(end.rotation.angle_to(&to.rotation) < 1e-3);
        // No angle jumps on the way.
        for pair in path.windows(2) {
            assert!((0..7).all(|i| (pair[1][i] - pair[0][i]).abs() < 0.2));
        }
    }
}

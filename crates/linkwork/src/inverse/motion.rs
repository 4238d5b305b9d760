//! From poses to velocities and impulses: the inverse of the update that ends a step (`integrate.rs`).

use crate::integrate::midpoint_rotation;
use crate::math::{Mat3, Pose, Twist, Vec3, log};
use crate::model::{Model, Principal};
use crate::rows::Rows;
use crate::settings::Gyroscopic;
use crate::state::State;

/// Number of Newton steps from a rotation to its momentum: it converges in three or four.
const NEWTON_STEPS: usize = 12;
/// Relative change of the momentum for the derivative of the rotation; it only affects the rate of Newton's method.
const DIFFERENCE: f64 = 1e-6;

/// What moved the bodies between two configurations.
pub(super) struct Moved {
    /// u⁺, 6 values per body.
    pub u_plus: Vec<f64>,
    /// M (u⁺ − u_f) = Jᵀλ: the total impulse of the rows on each body, N s and N m s.
    pub impulses: Vec<f64>,
}

impl Moved {
    /// From `here` to the poses `after` in `dt`; `rows` has M, u_f and the principal axes at `here`, and `momenta` the
    /// angular momenta after the free kick.
    pub fn new(
        (model, gyroscopic): (&Model, Gyroscopic),
        here: &State,
        after: &[Pose],
        (rows, momenta): (&Rows, &[Vec3]),
    ) -> Self {
        let dt = rows.problem.dt;
        let (mass, _, u_free) = rows.bodies();
        let mut moved = Self {
            u_plus: u_free.to_vec(),
            impulses: Vec::with_capacity(u_free.len()),
        };
        for (i, (from, to)) in here.poses.iter().zip(after).enumerate() {
            let free = &u_free[6 * i..6 * i + 6];
            let v = (to.position - from.position) / dt;
            let push = model.bodies()[i].mass * (v - Vec3::new(free[0], free[1], free[2]));
            let inertia = Mat3::from_row_slice(mass.inertia(i));
            let turn = turn(from, to, dt);
            let twist = if carries_momentum(model, gyroscopic, i) {
                let principal = &model.layout().principal[i];
                momentum(principal, &rows.principal_axes[i], &turn, dt) - momenta[i]
            } else {
                inertia * (turn - Vec3::new(free[3], free[4], free[5]))
            };
            let spin = Mat3::from_row_slice(mass.inverse_inertia(i)) * twist;
            let u = &mut moved.u_plus[6 * i..6 * i + 6];
            u[..3].copy_from_slice(v.as_slice());
            for (u, spin) in u[3..].iter_mut().zip(spin.iter()) {
                *u += spin;
            }
            moved.impulses.extend(push.iter().chain(twist.iter()));
        }
        moved
    }
}

/// The twists with which a step from `before` arrives at `here`, as a simulator's state has them.
pub(super) fn arriving_twists(
    model: &Model,
    gyroscopic: Gyroscopic,
    (before, here): (&[Pose], &[Pose]),
    dt: f64,
) -> Vec<Twist> {
    let poses = before.iter().zip(here).enumerate();
    let twist = |(i, (from, to)): (usize, (&Pose, &Pose))| {
        let linear = (to.position - from.position) / dt;
        let turn = turn(from, to, dt);
        if !carries_momentum(model, gyroscopic, i) {
            return Twist::new(linear, turn);
        }
        let principal = &model.layout().principal[i];
        let axes = from.rotation.to_rotation_matrix().matrix() * principal.axes;
        let momentum = momentum(principal, &axes, &turn, dt);
        let q = &to.rotation;
        let inverse = &model.bodies()[i].inverse_inertia;
        Twist::new(linear, q * (inverse * (q.inverse() * momentum)))
    };
    poses.map(twist).collect()
}

/// Whether the step carries the angular momentum of body `i` and not its velocity.
fn carries_momentum(model: &Model, gyroscopic: Gyroscopic, i: usize) -> bool {
    gyroscopic == Gyroscopic::Midpoint && !model.bodies()[i].isotropic
}

/// Rotation vector from one pose to the other over dt, rad/s.
fn turn(from: &Pose, to: &Pose, dt: f64) -> Vec3 {
    log(&(to.rotation * from.rotation.inverse())) / dt
}

/// The angular momentum (world) whose free rotation over `dt` is `turn` (rad/s): the inverse of [`midpoint_rotation`],
/// by Newton's method. `axes` has the principal axes in the world.
fn momentum(principal: &Principal, axes: &Mat3, turn: &Vec3, dt: f64) -> Vec3 {
    let target = axes.tr_mul(turn);
    let mut l = target.component_mul(&principal.moments);
    let scale = l.norm();
    let mut least = (f64::INFINITY, l);
    for _ in 0..NEWTON_STEPS {
        let at = midpoint_rotation(principal, &l, dt);
        let rest = at - target;
        let size = rest.norm();
        // Written so that a NaN ends it too.
        let better = size < least.0;
        if better {
            least = (size, l);
        }
        if !better || size <= f64::EPSILON * target.norm() {
            break;
        }
        let step = DIFFERENCE * scale;
        let column = |c: usize| {
            let mut other = l;
            other[c] += step;
            (midpoint_rotation(principal, &other, dt) - at) / step
        };
        let jacobian = Mat3::from_columns(&[column(0), column(1), column(2)]);
        match jacobian.try_inverse() {
            Some(inverse) => l -= inverse * rest,
            None => break,
        }
    }
    axes * least.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::exp;

    #[test]
    fn momenta_are_found_from_slow_and_fast_turns() {
        let principal = Principal::of(&Mat3::from_diagonal(&Vec3::new(0.02, 0.3, 0.31)));
        let axes = *exp(&Vec3::new(0.4, -1.0, 0.2))
            .to_rotation_matrix()
            .matrix();
        let dt = 1e-3;
        for speed in [0.0, 1e-3, 1.0, 30.0, 800.0] {
            let spin = speed * Vec3::new(0.6, -0.7, 0.4);
            let l = spin.component_mul(&principal.moments);
            let turn = axes * midpoint_rotation(&principal, &l, dt);
            let found = momentum(&principal, &axes, &turn, dt);
            let error = (found - axes * l).norm();
            assert!(error <= 1e-13 * l.norm(), "{speed} rad/s: {error}");
        }
    }
}

//! Free motion before the solve, configuration update after it [math.md §4].

use crate::control::Control;
use crate::integrator::Plan;
use crate::math::{Mat3, Pose, Twist, Vec3, cross_matrix, exp, log};
use crate::model::{Body, Model, Principal};
use crate::rows::{Along, Rows};
use crate::settings::{Gyroscopic, Settings};
use crate::state::State;
use nalgebra::Unit;

/// Half the rotation angle of a step, rad, below which the series of [`slow_rotation`] are exact to round-off.
pub(crate) const SLOW: f64 = 5e-3;

/// Fills M and u_f = u⁻ + kick M⁻¹ h with h of gravity and the given wrenches, including the gyroscopic torque. `kick`
/// (s) is dt except for a half first kick. Expects [`Rows::begin`] to have run.
pub(crate) fn free_motion(
    rows: &mut Rows,
    model: &Model,
    state: &State,
    (dt, kick): (f64, f64),
    gyroscopic: Gyroscopic,
    wrenches: &[[Vec3; 2]],
) {
    let mut principal_axes = std::mem::take(&mut rows.principal_axes);
    principal_axes.clear();
    let (mass, _, u_free) = rows.bodies_mut();
    for (i, body) in model.bodies().iter().enumerate() {
        let (pose, twist) = (&state.poses[i], &state.twists[i]);
        let [force, torque] = wrenches[i];
        let r = *pose.rotation.to_rotation_matrix().matrix();
        let inertia = congruent(&r, &body.inertia);
        let inverse = congruent(&r, &body.inverse_inertia);
        mass.push_rigid(body.mass, as_array(&inertia), as_array(&inverse));
        let v = twist.linear + kick * (model.gravity() * body.gravity_scale + force / body.mass);
        let principal = &model.layout().principal[i];
        let axes = r * principal.axes;
        let w = match gyroscopic {
            _ if body.isotropic => twist.angular + kick * torque / body.inertia[(0, 0)],
            Gyroscopic::Midpoint => {
                let momentum = inertia * twist.angular + kick * torque;
                axes * midpoint_rotation(principal, &axes.tr_mul(&momentum), dt)
            }
            _ => free_rotation(body, &r, twist, (torque, dt, kick), gyroscopic),
        };
        u_free.extend_from_slice(&[v.x, v.y, v.z, w.x, w.y, w.z]);
        principal_axes.push(axes);
    }
    rows.principal_axes = principal_axes;
}

/// R S Rᵀ of a symmetric S.
fn congruent(r: &Mat3, s: &Mat3) -> Mat3 {
    let rs = r * s;
    let at = |i: usize, j: usize| {
        rs[(i, 0)] * r[(j, 0)] + rs[(i, 1)] * r[(j, 1)] + rs[(i, 2)] * r[(j, 2)]
    };
    let (xx, yy, zz) = (at(0, 0), at(1, 1), at(2, 2));
    let (xy, xz, yz) = (at(0, 1), at(0, 2), at(1, 2));
    Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

/// User wrenches plus forces of joints and tendons, per body.
pub(crate) fn applied_wrenches(
    rows: &Rows,
    model: &Model,
    control: &Control,
    out: &mut Vec<[Vec3; 2]>,
) {
    out.clear();
    out.extend(control.wrenches.iter().map(|w| [w.force, w.torque]));
    // In the order of `Along::all`.
    let forces = control.forces.iter().chain(&control.tendon_forces);
    for ((along, _), tau) in Along::all(model).zip(forces) {
        if *tau != 0.0 {
            rows.add_force(model, along, *tau, out);
        }
    }
}

fn as_array(m: &Mat3) -> &[f64; 9] {
    m.as_slice().try_into().expect("nine values")
}

/// Angular velocity (world) with which a body rotates over the step if nothing else acts, for the methods that carry
/// velocities.
fn free_rotation(
    body: &Body,
    r: &Mat3,
    twist: &Twist,
    (torque, dt, kick): (Vec3, f64, f64),
    gyroscopic: Gyroscopic,
) -> Vec3 {
    let b = r.tr_mul(&twist.angular);
    let torque = r.tr_mul(&(kick * torque));
    let i = &body.inertia;
    let l = i * b;
    let change = if gyroscopic == Gyroscopic::Implicit {
        // One Newton step on I (x − w) + dt x × I x = 0 from x = w, in the body frame.
        let jacobian = i + dt * (cross_matrix(&b) * i - cross_matrix(&l));
        let step = jacobian
            .try_inverse()
            .map_or(Vec3::zeros(), |inv| inv * (dt * b.cross(&l)));
        body.inverse_inertia * torque - step
    } else {
        body.inverse_inertia * (torque - dt * b.cross(&l))
    };
    twist.angular + r * change
}

/// Midpoint rule for the free rotation of a body with momentum `l`, along its principal axes.
///
/// Solves I Ω + ½ dt Ω × I Ω = l for the mid-step angular velocity Ω. Rotating by the Cayley map of dt Ω then conserves
/// the momentum in space and the energy ½ lᵀ I⁻¹ l exactly (both are quadratic invariants of the midpoint rule). But
/// the Cayley map rotates by 2 atan h, h = ½ dt ‖Ω‖, where the body rotates by 2 h. A rotation about l by the
/// difference, which changes neither momentum nor energy, makes up for it. Without it a hinged body would move with a
/// velocity other than the one its constraint was solved for, and lose energy at O(dt³). The result is the rotation
/// vector of the whole rotation divided by dt, so that the ordinary update exp(dt ω) applies it.
pub(crate) fn midpoint_rotation(principal: &Principal, l: &Vec3, dt: f64) -> Vec3 {
    let w = l.component_div(&principal.moments);
    if 0.25 * dt * dt * w.norm_squared() < SLOW * SLOW {
        return slow_rotation(principal, l, w, dt);
    }
    let w = midpoint_velocity(principal, w, dt);
    let length = w.norm();
    let half = 0.5 * dt * length;
    // About a principal axis both rotations have one axis and add up to dt Ω.
    let tilt = w.cross(l).norm_squared();
    if tilt <= 1e-24 * w.norm_squared() * l.norm_squared() {
        return w;
    }
    let cayley = exp(&(w * (2.0 * half.atan() / length)));
    let phase = 2.0 * (half - half.atan());
    let turn = exp(&(l * (phase / l.norm()))) * cayley;
    log(&turn) / dt
}

/// I⁻¹(ω × I ω) as a bilinear function, that is ½ I⁻¹(a × I b + b × I a).
#[inline]
fn gyration(principal: &Principal, a: &Vec3, b: &Vec3) -> Vec3 {
    let r = 0.5 * principal.ratios;
    Vec3::new(
        r.x * (a.y * b.z + a.z * b.y),
        r.y * (a.z * b.x + a.x * b.z),
        r.z * (a.x * b.y + a.y * b.x),
    )
}

/// The Ω of [`midpoint_rotation`] by Newton's method from `free` = I⁻¹ l.
fn midpoint_velocity(principal: &Principal, free: Vec3, dt: f64) -> Vec3 {
    let (half, r) = (0.5 * dt, 0.5 * dt * principal.ratios);
    let mut w = free;
    for _ in 0..6 {
        let rest = w + half * gyration(principal, &w, &w) - free;
        if rest.norm_squared() <= 1e-30 * free.norm_squared() {
            break;
        }
        #[rustfmt::skip]
        let jacobian = Mat3::new(
            1.0, r.x * w.z, r.x * w.y,
            r.y * w.z, 1.0, r.y * w.x,
            r.z * w.y, r.z * w.x, 1.0,
        );
        match jacobian.try_inverse() {
            Some(inverse) => w -= inverse * rest,
            // Half a turn per step: there is no midpoint solution nearby, and the explicit guess is used.
            None => break,
        }
    }
    w
}

/// [`midpoint_rotation`] for h < [`SLOW`], by series to round-off; `free` is I⁻¹ l.
///
/// With Newton's matrix inverted to first order each step reduces the error by the factor h². With b = Ω 2 atan h / h
/// and the small rotation a about l, log(exp a exp b) = b + a − ½ b × a + b × (b × a)/12 up to h⁷.
fn slow_rotation(principal: &Principal, l: &Vec3, free: Vec3, dt: f64) -> Vec3 {
    let half = 0.5 * dt;
    let h2 = half * half * free.norm_squared();
    let mut w = free - half * gyration(principal, &free, &free);
    for _ in 0..4 {
        let rest = w + half * gyration(principal, &w, &w) - free;
        w -= rest - dt * gyration(principal, &w, &rest);
        let left = 4.0 * h2 * h2 * rest.norm_squared();
        if left <= f64::EPSILON * f64::EPSILON * w.norm_squared() {
            break;
        }
    }
    let square = w.norm_squared();
    let h2 = half * half * square;
    // a is less than the round-off of b.
    if h2 < 1e-10 {
        return w;
    }
    let lag = h2 * (1.0 / 3.0 - h2 * (0.2 - h2 / 7.0));
    let cayley = w - lag * w;
    let phase = l * (lag * (square / l.norm_squared()).sqrt());
    let swing = (dt * cayley).cross(&phase);
    cayley + phase - 0.5 * swing + (dt / 12.0) * cayley.cross(&swing)
}

/// What moves in a step, and how.
#[derive(Clone, Copy)]
pub(crate) struct Motion<'a> {
    pub model: &'a Model,
    /// The state that the rows are made at.
    pub state: &'a State,
    /// The poses that the velocities found move on from.
    pub from: &'a [Pose],
    /// The durations of the step.
    pub plan: &'a Plan,
    pub settings: &'a Settings,
    /// Angular momenta after the free kick, see [`free_momenta`].
    pub momenta: &'a [Vec3],
}

impl<'a> Motion<'a> {
    /// Pose and twist of each body of `state` after a free flight of `span` (s), with constant momenta.
    pub fn free(
        model: &'a Model,
        settings: &Settings,
        state: &'a State,
        span: f64,
    ) -> impl Iterator<Item = (Pose, Twist)> + 'a {
        let midpoint = settings.gyroscopic == Gyroscopic::Midpoint;
        let bodies = model.bodies().iter().zip(&state.poses).zip(&state.twists);
        bodies.enumerate().map(move |(i, ((body, pose), twist))| {
            if body.isotropic || !midpoint {
                return (moved(pose, &twist.linear, &twist.angular, span), *twist);
            }
            let q = &pose.rotation;
            let momentum = q * (body.inertia * (q.inverse() * twist.angular));
            let principal = &model.layout().principal[i];
            let axes = q.to_rotation_matrix().matrix() * principal.axes;
            let turn = axes * midpoint_rotation(principal, &axes.tr_mul(&momentum), span);
            let pose = moved(pose, &twist.linear, &turn, span);
            let q = &pose.rotation;
            let angular = q * (body.inverse_inertia * (q.inverse() * momentum));
            (pose, Twist::new(twist.linear, angular))
        })
    }
}

impl Motion<'_> {
    /// Poses after the step with u⁺ (6 values a body), into `out`.
    pub fn move_poses(&self, rows: &Rows, u_plus: &[f64], out: &mut Vec<Pose>) {
        let dt = self.plan.after;
        out.clear();
        let bodies = self.from.iter().zip(u_plus.chunks_exact(6));
        out.extend(bodies.enumerate().map(|(i, (pose, u))| {
            let v = Vec3::new(u[0], u[1], u[2]);
            moved(pose, &v, &self.turn(rows, i, u), dt)
        }));
    }

    /// Angular velocity (world) with which body `i` rotates over the step.
    ///
    /// Under the midpoint rule this is the free rotation of the momentum after all impulses. u⁺, the free rotation
    /// before them plus I⁻¹ times the impulses, agrees with it to first order only. If the body rotated by u⁺, it would
    /// meet its momentum at a pose where it has another energy, without any row doing work.
    fn turn(&self, rows: &Rows, i: usize, u: &[f64]) -> Vec3 {
        let w = Vec3::new(u[3], u[4], u[5]);
        match self.momentum(rows, i, &w) {
            Some(momentum) => {
                let principal = &self.model.layout().principal[i];
                let axes = if self.plan.shift() == 0.0 {
                    rows.principal_axes[i]
                } else {
                    self.from[i].rotation.to_rotation_matrix().matrix() * principal.axes
                };
                axes * midpoint_rotation(principal, &axes.tr_mul(&momentum), self.plan.after)
            }
            None => w,
        }
    }

    /// Angular momentum of body `i` after all impulses, where it is carried instead of the velocity.
    fn momentum(&self, rows: &Rows, i: usize, w: &Vec3) -> Option<Vec3> {
        let midpoint = self.settings.gyroscopic == Gyroscopic::Midpoint;
        if !midpoint || self.model.bodies()[i].isotropic {
            return None;
        }
        let (mass, _, u_free) = rows.bodies();
        let free = &u_free[6 * i + 3..6 * i + 6];
        let kick = w - Vec3::new(free[0], free[1], free[2]);
        Some(self.momenta[i] + Mat3::from_row_slice(mass.inertia(i)) * kick)
    }

    /// Difference between the rotation of each free body over its drift and its angular velocity after the kick, as a
    /// twist (6 values per body), into `out`.
    pub fn turn_excess(&self, rows: &Rows, out: &mut Vec<f64>) {
        let (mass, _, u_free) = rows.bodies();
        out.clear();
        out.resize(u_free.len(), 0.0);
        if self.settings.gyroscopic != Gyroscopic::Midpoint {
            return;
        }
        for (i, excess) in out.chunks_exact_mut(6).enumerate() {
            if !self.model.bodies()[i].isotropic {
                let spin = Mat3::from_column_slice(mass.inverse_inertia(i)) * self.momenta[i];
                (3..6).for_each(|k| excess[k] = u_free[6 * i + k] - spin[k - 3]);
            }
        }
    }

    /// Twists at the new poses, from u⁺: carried momenta give the angular velocity they have there.
    pub fn new_twists(&self, rows: &Rows, u_plus: &[f64], new_poses: &[Pose], out: &mut [Twist]) {
        for (i, (pose, twist)) in new_poses.iter().zip(out).enumerate() {
            *twist = self.twist_at(rows, u_plus, i, pose);
        }
    }

    /// The twist of body `i` after the kick at the pose given: its angular momentum stays.
    pub fn twist_at(&self, rows: &Rows, u_plus: &[f64], i: usize, pose: &Pose) -> Twist {
        let u = &u_plus[6 * i..6 * i + 6];
        let w = Vec3::new(u[3], u[4], u[5]);
        let (body, q) = (&self.model.bodies()[i], &pose.rotation);
        let angular = match self.momentum(rows, i, &w) {
            Some(momentum) => q * (body.inverse_inertia * (q.inverse() * momentum)),
            None => w,
        };
        Twist::new(Vec3::new(u[0], u[1], u[2]), angular)
    }
}

/// Poses after moving with the twists `u` (6 values per body) for dt, into `out`.
pub(crate) fn move_poses(poses: &[Pose], u: &[f64], dt: f64, out: &mut Vec<Pose>) {
    out.clear();
    out.extend(poses.iter().zip(u.chunks_exact(6)).map(|(pose, u)| {
        let w = Vec3::new(u[3], u[4], u[5]);
        moved(pose, &Vec3::new(u[0], u[1], u[2]), &w, dt)
    }));
}

fn moved(pose: &Pose, v: &Vec3, w: &Vec3, dt: f64) -> Pose {
    let q = exp(&(dt * w)) * pose.rotation;
    Pose::new(pose.position + dt * v, Unit::new_normalize(q.into_inner()))
}

/// Angular momentum of each body about its centre of mass after the free kick, into `out`.
pub(crate) fn free_momenta(
    rows: &Rows,
    state: &State,
    wrenches: &[[Vec3; 2]],
    kick: f64,
    out: &mut Vec<Vec3>,
) {
    let mass = rows.bodies().0;
    out.clear();
    out.extend(state.twists.iter().enumerate().map(|(i, t)| {
        let inertia = Mat3::from_row_slice(mass.inertia(i));
        inertia * t.angular + kick * wrenches[i][1]
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plank() -> (Principal, Vec3) {
        let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.3, 0.31));
        (Principal::of(&inertia), Vec3::new(0.6, -0.7, 0.4))
    }

    #[test]
    fn both_ways_to_turn_agree_where_they_meet() {
        let dt = 1e-3;
        let (principal, direction) = plank();
        let free = direction * (2.0 * SLOW / dt / direction.norm());
        let l = free.component_mul(&principal.moments);
        let slow = slow_rotation(&principal, &l, free, dt);
        let w = midpoint_velocity(&principal, free, dt);
        let half = 0.5 * dt * w.norm();
        let cayley = exp(&(w * (2.0 * half.atan() / w.norm())));
        let phase = exp(&(l * (2.0 * (half - half.atan()) / l.norm())));
        let turn = log(&(phase * cayley));
        assert!((dt * slow - turn).norm() < 1e-16);
        // The correction counts: without it they would differ.
        assert!((dt * w - turn).norm() > 1e-9);
    }

    #[test]
    fn a_free_turn_keeps_momentum_and_energy() {
        let (principal, direction) = plank();
        let dt = 1e-3;
        for speed in [0.01, 1.0, 9.0, 300.0] {
            let l = (speed * direction).component_mul(&principal.moments);
            let energy = |l: &Vec3| 0.5 * l.dot(&l.component_div(&principal.moments));
            let turn = exp(&(dt * midpoint_rotation(&principal, &l, dt)));
            // The momentum stays where it is in space.
            let after = turn.inverse() * l;
            let change = (energy(&after) - energy(&l)).abs();
            assert!(change < 1e-14 * energy(&l), "{speed}: {change}");
        }
    }
}

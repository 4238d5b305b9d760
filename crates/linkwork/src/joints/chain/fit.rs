//! The coordinates at which a chain is nearest to a placement, with exact derivatives.
//!
//! Newton's method on ½‖e‖² with its exact Hessian, Gauss-Newton where that is not positive definite, and steps halved
//! until the error decreases. From coordinates extrapolated over a time step it takes one or two iterations.

use super::factor::Factor;
use super::motion::{Links, Motion};
use super::{MAX_COORDINATES, Relative, Row};
use crate::math::{Vec3, left_jacobian_inverse_factor, log};
use nalgebra::Vector6;

/// Maximum number of iterations; only distant placements, or placements between two branches, need more than a few.
const MAX_ITERATIONS: usize = 40;
/// Halvings of a step at most.
const MAX_HALVINGS: usize = 12;
/// Largest turn of a hinge in one iteration, rad.
const MAX_TURN: f64 = 1.0;
/// A smaller step, m or rad relative to 1 + |q|, is not made: it is some tens of roundings.
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;
/// A step below this, m or rad, is the last: convergence is quadratic, and the next would be round-off. The same holds
/// near singular chains, where round-off exceeds [`ROUND_OFF`].
const LAST: f64 = 1e-9;
/// Steps below this, m or rad, are accepted without a test, because they change ‖e‖² too little.
const TRUSTED: f64 = 1e-6;
/// After a step below this, m or rad, the Hessian is reused: the relative error of the next step is about this size.
const NEAR: f64 = 1e-4;
/// Added to the diagonal of the Hessian, whose other entries are of order one: bounds the rates by 1/√DAMPING where
/// twists depend on each other. Regular chains are corrected for it.
pub(super) const DAMPING: f64 = 1e-10;

/// A chain fitted to a placement.
pub(super) struct Fit<'a> {
    links: &'a Links<'a>,
    rel: &'a Relative,
    /// The coordinates.
    pub q: Vector6<f64>,
    pub motion: Motion,
    /// p − p_T, m.
    shift: Vec3,
    /// θ = log(R R_Tᵀ), rad.
    turn: Vec3,
    /// k of J_l⁻¹(θ) = 1 − ½θ× + k θ×θ×.
    k: f64,
    /// Reference point seen from the follower's anchor, base axes, m.
    arm: Vec3,
    /// Whether the coordinates are those it started from.
    pub stays: bool,
}

impl<'a> Fit<'a> {
    /// The chain at the coordinates `known`, for comparison with the placement.
    pub fn new(links: &'a Links, rel: &'a Relative, known: &[f64]) -> Self {
        let mut motion = Motion::home(links);
        motion.go_to(links, known);
        Self {
            links,
            rel,
            q: Vector6::zeros(),
            motion,
            shift: Vec3::zeros(),
            turn: Vec3::zeros(),
            k: 0.0,
            arm: rel.rotation * links.reference,
            stays: true,
        }
    }

    /// Starts at the coordinates `known` of the chain.
    pub fn start_here(&mut self, known: &[f64]) {
        let q = self.q.iter_mut().zip(known).take(self.links.all.len());
        q.for_each(|(q, known)| *q = *known);
        self.compare();
    }

    /// Start from `guess`.
    pub fn start_from(&mut self, guess: &[f64]) {
        self.motion.go_to(self.links, guess);
        self.start_here(guess);
    }

    /// Iterate to the nearest coordinates; returns the factor of the Hessian there.
    pub fn find(&mut self) -> Factor {
        let mut factor = Factor::identity(self.motion.count);
        let mut last = false;
        for _ in 0..MAX_ITERATIONS {
            self.factor(&mut factor);
            let step = self.newton_step(&factor);
            let size = step.amax();
            if last || size <= ROUND_OFF * (1.0 + self.q.amax()) {
                return factor;
            }
            self.stays = false;
            self.take(step, size);
            last = size < LAST;
        }
        self.factor(&mut factor);
        factor
    }

    /// The same without derivatives: the last step is returned and must be applied to first order.
    pub fn approach(&mut self) -> Vector6<f64> {
        let mut factor = Factor::identity(self.motion.count);
        let mut size = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            if size > NEAR {
                self.factor(&mut factor);
            }
            let step = self.newton_step(&factor);
            size = step.amax();
            if size < LAST {
                return step;
            }
            self.take(step, size);
        }
        Vector6::zeros()
    }

    /// Makes a Newton step of the given size, or the part of it that reduces the error.
    fn take(&mut self, mut step: Vector6<f64>, size: f64) {
        let (from, merit) = (self.q, self.merit());
        self.go_to(from + step);
        for _ in 0..MAX_HALVINGS {
            if size < TRUSTED || self.merit() <= merit {
                break;
            }
            step *= 0.5;
            self.go_to(from + step);
        }
    }

    fn go_to(&mut self, q: Vector6<f64>) {
        self.q = q;
        self.motion.go_to(self.links, q.as_slice());
        self.compare();
    }

    /// The error of the chain where it is.
    fn compare(&mut self) {
        let chain = &self.motion;
        self.shift = self.rel.d + self.arm - chain.point;
        self.turn = log(&(self.rel.rotation * chain.rotation.inverse()));
        self.k = left_jacobian_inverse_factor(&self.turn);
    }

    /// J_l⁻¹(θ) v for `side` −½, J_l⁻¹(θ)ᵀ v for ½.
    fn rate(&self, side: f64, v: &Vec3) -> Vec3 {
        let theta = &self.turn;
        let double = theta * theta.dot(v) - v * theta.norm_squared();
        v + side * theta.cross(v) + self.k * double
    }

    /// ‖e‖².
    fn merit(&self) -> f64 {
        self.shift.norm_squared() + self.turn.norm_squared()
    }

    fn newton_step(&self, factor: &Factor) -> Vector6<f64> {
        let mut step = Vector6::zeros();
        for (i, (shift, turn)) in self.motion.twists().enumerate() {
            step[i] = shift.dot(&self.shift) + turn.dot(&self.turn);
        }
        factor.solve(&mut step);
        let links = self.links.all.iter().zip(&step);
        let hinges = links.filter(|(link, _)| !link.slide);
        let most = hinges.fold(0.0, |m: f64, (_, step)| m.max(step.abs()));
        if most > MAX_TURN {
            step *= MAX_TURN / most;
        }
        step
    }

    /// Factors the Hessian of ½‖e‖² with the damping. If it is not positive definite, which happens only far from C =
    /// 0, that of Gauss-Newton is used.
    ///
    /// Unit motion of link j ≤ i changes the twist (uᵢ, sᵢ) of link i by (sⱼ × uᵢ, sⱼ × sᵢ): with J_l⁻¹ sᵢ − sᵢ × θ =
    /// J_l⁻¹ᵀ sᵢ the entry is uᵢ·uⱼ + sⱼ·(J_l⁻¹ᵀ sᵢ − uᵢ × (p − p_T)).
    fn factor(&self, factor: &mut Factor) {
        let m = &self.motion;
        let meet = self.links.meet;
        let mut along = [Vec3::zeros(); MAX_COORDINATES];
        for (i, along) in along.iter_mut().enumerate().take(m.count) {
            *along = self.rate(0.5, &m.turn[i]);
            if !meet {
                *along -= m.shift[i].cross(&self.shift);
            }
        }
        let entry = |along: &[Vec3; MAX_COORDINATES], i: usize, j: usize| {
            let mut h = along[i].dot(&m.turn[j]);
            if !meet {
                h += m.shift[i].dot(&m.shift[j]);
            }
            if i == j { h + DAMPING } else { h }
        };
        if !factor.set(|i, j| entry(&along, i, j)) && !factor.set(|i, j| entry(&m.turn, i, j)) {
            // Numbers that are not finite have no factor. They appear in the values, so no factor is needed.
            *factor = Factor::identity(m.count);
        }
    }

    /// The coordinates: q̇ = H⁻¹ (uᵢ · ṗ + sᵢ · J_l⁻¹ ω)ᵢ with ṗ = v + ω × arm, H as factored.
    pub fn coordinates(&self, factor: &Factor, rows: &mut [Row]) {
        let m = &self.motion;
        let mut moments = [Vec3::zeros(); MAX_COORDINATES];
        for (moment, (shift, turn)) in moments.iter_mut().zip(m.twists()) {
            *moment = self.arm.cross(shift) + self.rate(0.5, turn);
        }
        for (i, row) in rows.iter_mut().take(m.count).enumerate() {
            // Row i of H⁻¹, which is symmetric.
            let mut weights = Vector6::ith(i, 1.0);
            factor.solve_damped(&mut weights, DAMPING);
            let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
            for ((shift, moment), weight) in
                m.shift.iter().zip(&moments).zip(&weights).take(m.count)
            {
                linear += *weight * shift;
                angular += *weight * moment;
            }
            *row = Row {
                value: self.q[i],
                linear,
                angular,
            };
        }
    }

    /// The error along `force` (force at the reference point, torque): C = f·(p − p_T) + τ·θ, with the rates of the
    /// coordinates.
    pub fn along(&self, [force, torque]: &[Vec3; 2], rates: &[Row; MAX_COORDINATES]) -> Row {
        let mut row = Row {
            value: force.dot(&self.shift) + torque.dot(&self.turn),
            linear: *force,
            angular: self.arm.cross(force) + self.rate(0.5, torque),
        };
        if self.links.meet && *torque == Vec3::zeros() {
            return row;
        }
        // Zero if the force is in N at these coordinates and the error vanishes.
        let back = self.rate(-0.5, torque);
        for ((shift, turn), rate) in self.motion.twists().zip(rates) {
            let work = force.dot(shift) + back.dot(turn);
            row.linear -= work * rate.linear;
            row.angular -= work * rate.angular;
        }
        row
    }

    /// C along `force` after a `step` so small that first order is sufficient.
    pub fn value(&self, [force, torque]: &[Vec3; 2], step: &Vector6<f64>) -> f64 {
        let mut value = force.dot(&self.shift) + torque.dot(&self.turn);
        let back = self.rate(-0.5, torque);
        for ((shift, turn), step) in self.motion.twists().zip(step) {
            value -= step * (force.dot(shift) + back.dot(turn));
        }
        value
    }
}

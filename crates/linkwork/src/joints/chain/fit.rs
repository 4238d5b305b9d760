//! The coordinates at which a chain comes nearest to a placement, with exact derivatives.
//!
//! Newton's method on ½‖e‖² with its exact Hessian, Gauss-Newton where that is not positive definite,
//! and steps halved until the error shrinks. From the last known coordinates a step of the simulation
//! takes three or four iterations.

use super::factor::{Factor, Square};
use super::motion::Motion;
use super::{ChainLink, MAX_COORDINATES, Relative, Row};
use crate::math::{Mat3, Vec3, left_jacobian_inverse, log};
use nalgebra::Vector6;

/// Iterations at most; only placements far away, or between two branches, need more than a few.
const MAX_ITERATIONS: usize = 40;
/// Halvings of a step at most.
const MAX_HALVINGS: usize = 12;
/// Largest turn of a hinge in one iteration, rad.
const MAX_TURN: f64 = 1.0;
/// A step below this, m or rad over 1 + |q|, is not worth taking.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
/// A step below this, m or rad, is the last: convergence is quadratic, the next would be round-off.
const LAST: f64 = 1e-9;
/// Steps below this, m or rad, are taken as they are: they change ‖e‖² too little to be judged by it.
const TRUSTED: f64 = 1e-6;
/// Added to the diagonal of the Hessian, whose other entries are of order one: bounds the rates by
/// 1/√DAMPING where twists depend on each other. Those of regular chains are corrected for it.
pub(super) const DAMPING: f64 = 1e-10;

/// A chain fitted to a placement.
pub(super) struct Fit {
    q: Vector6<f64>,
    motion: Motion,
    /// p − p_T, m.
    shift: Vec3,
    /// log(R R_Tᵀ), rad.
    turn: Vec3,
    /// J_l⁻¹ of `turn`: its rate for a rotation of the placement.
    rate: Mat3,
    /// Reference point seen from the follower's anchor, base axes, m.
    arm: Vec3,
}

impl Fit {
    /// Fit the coordinates, starting from `turns`.
    pub fn of(links: &[ChainLink], reference: &Vec3, rel: &Relative, turns: &[f64]) -> Self {
        let mut q = Vector6::zeros();
        q.as_mut_slice()[..links.len()].copy_from_slice(&turns[..links.len()]);
        let at = |q: Vector6<f64>| Self::at(links, reference, rel, q);
        let mut here = at(q);
        for _ in 0..MAX_ITERATIONS {
            let mut step = here.newton_step();
            let size = step.amax();
            if size <= ROUND_OFF * (1.0 + here.q.amax()) {
                break;
            }
            let mut next = at(here.q + step);
            for _ in 0..MAX_HALVINGS {
                if size < TRUSTED || next.merit() <= here.merit() {
                    break;
                }
                step *= 0.5;
                next = at(here.q + step);
            }
            here = next;
            if size < LAST {
                break;
            }
        }
        here
    }

    fn at(links: &[ChainLink], reference: &Vec3, rel: &Relative, q: Vector6<f64>) -> Self {
        let motion = Motion::at(links, reference, q.as_slice());
        let arm = rel.rotation * reference;
        let turn = log(&(rel.rotation * motion.pose.rotation.inverse()));
        Self {
            q,
            shift: rel.d + arm - motion.point,
            turn,
            rate: left_jacobian_inverse(&turn),
            arm,
            motion,
        }
    }

    /// ‖e‖².
    fn merit(&self) -> f64 {
        self.shift.norm_squared() + self.turn.norm_squared()
    }

    fn newton_step(&self) -> Vector6<f64> {
        let mut step = Vector6::zeros();
        for (i, (shift, turn)) in self.motion.twists().enumerate() {
            step[i] = shift.dot(&self.shift) + turn.dot(&self.turn);
        }
        self.factor().solve(&mut step);
        let turns = self.motion.turn.iter().zip(&step);
        let hinges = turns.filter(|(turn, _)| **turn != Vec3::zeros());
        let most = hinges.fold(0.0, |m: f64, (_, step)| m.max(step.abs()));
        step * (MAX_TURN / most.max(MAX_TURN))
    }

    /// The Hessian of ½‖e‖² factored; that of Gauss-Newton where it has a descending direction, which
    /// happens only far from C = 0.
    fn factor(&self) -> Factor {
        let n = self.motion.count;
        Factor::of(self.hessian(true), n).unwrap_or_else(|| {
            // Numbers that are not finite have no factor; they show in the values, none is needed.
            Factor::of(self.hessian(false), n).unwrap_or_else(|| Factor::identity(n))
        })
    }

    /// ∂²/∂qᵢ∂qⱼ ½‖e‖² with the damping, lower triangle.
    fn hessian(&self, exact: bool) -> Square {
        let (m, mut hessian) = (&self.motion, [[0.0; MAX_COORDINATES]; MAX_COORDINATES]);
        for (i, row) in hessian.iter_mut().enumerate().take(m.count) {
            let turned = self.rate * m.turn[i];
            for (j, entry) in row.iter_mut().enumerate().take(i + 1) {
                let mut h = m.shift[i].dot(&m.shift[j]);
                if exact {
                    let (shift, turn) = m.twist_change(i, j);
                    // J_r⁻¹(θ) = J_l⁻¹(θ)ᵀ
                    h += turned.dot(&m.turn[j]) - shift.dot(&self.shift) - turn.dot(&self.turn);
                } else {
                    h += m.turn[i].dot(&m.turn[j]);
                }
                *entry = h;
            }
            row[i] += DAMPING;
        }
        hessian
    }

    /// The coordinates: q̇ = H⁻¹ (uᵢ · ṗ + sᵢ · J_l⁻¹ ω)ᵢ with ṗ = v + ω × arm.
    pub fn coordinates(&self, rows: &mut [Row]) {
        let (m, factor) = (&self.motion, self.factor());
        let mut rates = [Vector6::zeros(); 6];
        for (i, (shift, turn)) in m.twists().enumerate() {
            let moment = self.arm.cross(shift) + self.rate.transpose() * turn;
            for axis in 0..3 {
                rates[axis][i] = shift[axis];
                rates[axis + 3][i] = moment[axis];
            }
        }
        for rate in &mut rates {
            factor.solve_damped(rate, DAMPING);
        }
        for (i, row) in rows.iter_mut().take(m.count).enumerate() {
            *row = Row {
                value: self.q[i],
                linear: Vec3::new(rates[0][i], rates[1][i], rates[2][i]),
                angular: Vec3::new(rates[3][i], rates[4][i], rates[5][i]),
            };
        }
    }

    /// The error along `force` (force at the reference point, torque): C = f·(p − p_T) + τ·θ.
    pub fn along(&self, [force, torque]: &[Vec3; 2], rates: &[Row; MAX_COORDINATES]) -> Row {
        let moment = self.rate.transpose() * torque;
        let mut row = Row {
            value: force.dot(&self.shift) + torque.dot(&self.turn),
            linear: *force,
            angular: self.arm.cross(force) + moment,
        };
        // Zero where the force is one of N at these coordinates and the error vanishes.
        let back = self.rate * torque;
        for ((shift, turn), rate) in self.motion.twists().zip(rates) {
            let work = force.dot(shift) + back.dot(turn);
            row.linear -= work * rate.linear;
            row.angular -= work * rate.angular;
        }
        row
    }
}

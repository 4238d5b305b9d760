//! Pulling a body with the pointer: a spring and damper between a point of the body and the pointer, as a wrench on
//! that body only. Joints, limits and contacts react to it as to any other force, so loops stay closed.

use linkwork::State;
use linkwork::math::{Mat3, Vec3, Wrench, cross_matrix};
use linkwork::model::{BodyId, Model};
use std::f64::consts::TAU;

/// Natural frequency of the pull for a mechanism that moves as a whole, rad/s.
const FREQUENCY: f64 = 3.0 * TAU;
/// Greatest force, in weights of the mechanism.
const WEIGHTS: f64 = 20.0;
/// Gravity assumed where there is none, m/s².
const STANDARD_GRAVITY: f64 = 9.81;
/// Maximum of k c dt² and d c dt, where c is the inverse mass at the point. The force is constant over a step: v⁺ = v −
/// dt c (k x + d v), x⁺ = x + dt v⁺ is stable for d c dt < 2 and k c dt² < 4 − 2 d c dt. At both bounds its roots are 0
/// and 3/4, so that it does not oscillate either. Joints can only increase the effective mass at the point.
const SPRING_BOUND: f64 = 0.25;
const DAMPER_BOUND: f64 = 1.0;

/// A pull at a point of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Grab {
    /// The body.
    pub body: BodyId,
    /// The point, from the centre of mass in body axes, m.
    pub local: Vec3,
    /// Target of the pull, world, m.
    pub target: Vec3,
    /// k, N/m.
    stiffness: f64,
    /// d, N s/m.
    damping: f64,
    /// N.
    greatest: f64,
}

impl Grab {
    /// A pull with gains suitable for the body, its mechanism, and steps of `dt` (s).
    pub fn new(model: &Model, body: BodyId, local: Vec3, target: Vec3, dt: f64) -> Self {
        let mass = connected_mass(model, body);
        let c = inverse_mass(model, body, &local);
        let stiffness = (FREQUENCY * FREQUENCY * mass).min(SPRING_BOUND / (c * dt * dt));
        // Critically damped if all of the mechanism moves with the point, overdamped if less does.
        let damping = (2.0 * (stiffness * mass).sqrt()).min(DAMPER_BOUND / (c * dt));
        let gravity = match model.gravity().norm() {
            0.0 => STANDARD_GRAVITY,
            g => g,
        };
        Self {
            body,
            local,
            target,
            stiffness,
            damping,
            greatest: WEIGHTS * mass * gravity,
        }
    }

    /// The wrench on the body in this state, about its centre of mass.
    pub fn wrench(&self, state: &State) -> Wrench {
        let b = self.body.index();
        let arm = state.poses[b].rotation * self.local;
        let point = state.poses[b].position + arm;
        let pull = self.stiffness * (self.target - point);
        let mut force = pull - self.damping * state.twists[b].at(&arm);
        let size = force.norm();
        if size > self.greatest {
            force *= self.greatest / size;
        }
        Wrench::new(force, arm.cross(&force))
    }
}

/// Largest inverse effective mass of the free body at a point, 1/kg: of 1/m − [r]× I⁻¹ [r]×.
fn inverse_mass(model: &Model, body: BodyId, local: &Vec3) -> f64 {
    let body = model.body(body);
    let r = cross_matrix(local);
    let matrix = Mat3::identity() / body.mass - r * body.inverse_inertia * r;
    matrix.symmetric_eigenvalues().max()
}

/// Mass of all bodies that joints and couplings connect with this one, other than through the world, kg.
fn connected_mass(model: &Model, body: BodyId) -> f64 {
    let mut groups: Vec<Vec<BodyId>> = Vec::new();
    let joint_bodies = |j: &linkwork::model::Joint| j.base.into_iter().chain([j.follower]);
    for joint in model.joints() {
        groups.push(joint_bodies(joint).collect());
    }
    for coupling in model.couplings() {
        let joints = coupling.terms.iter().map(|t| model.joint(t.joint));
        groups.push(joints.flat_map(joint_bodies).collect());
    }
    let mut reached = vec![false; model.bodies().len()];
    reached[body.index()] = true;
    let mut grows = true;
    while grows {
        grows = false;
        for group in &groups {
            if group.iter().any(|b| reached[b.index()]) {
                for b in group.iter().map(|b| b.index()) {
                    grows |= !std::mem::replace(&mut reached[b], true);
                }
            }
        }
    }
    let bodies = model.bodies().iter().zip(reached);
    bodies
        .filter(|(_, reached)| *reached)
        .map(|(b, _)| b.mass)
        .sum()
}

#[cfg(test)]
mod tests;

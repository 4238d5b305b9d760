//! Energies and momenta of a state; computed outside solvers and integrators.

use crate::math::{Mat3, Vec3};
use crate::model::{Model, TendonId};
use crate::state::State;

/// Kinetic energy of the twists as stored, J. They belong to mid-step: see [`EnergyMeter`].
pub fn kinetic_energy(model: &Model, state: &State) -> f64 {
    model
        .bodies()
        .iter()
        .zip(&state.poses)
        .zip(&state.twists)
        .map(|((body, pose), twist)| {
            let w = pose.rotation.inverse() * twist.angular;
            0.5 * (body.mass * twist.linear.norm_squared() + w.dot(&(body.inertia * w)))
        })
        .sum()
}

/// Potential energy in gravity and the springs of joints and tendons, J.
pub fn potential_energy(model: &Model, state: &State) -> f64 {
    let gravity: f64 = model
        .bodies()
        .iter()
        .zip(&state.poses)
        .map(|(body, pose)| -body.mass * body.gravity_scale * model.gravity().dot(&pose.position))
        .sum();
    let axes = model.joints().iter().flat_map(|joint| &joint.axes);
    let joints = axes.zip(&state.coordinates);
    let springs: f64 = joints.map(|(axis, q)| axis.spring.energy(*q)).sum();
    let tendons = model.tendons().iter().enumerate();
    let tendons: f64 = tendons
        .map(|(t, tendon)| {
            let length = state.tendon_length(model, TendonId(t as u32));
            tendon.axis.spring.energy(length)
        })
        .sum();
    gravity + springs + tendons
}

/// Linear momentum, kg m/s.
pub fn linear_momentum(model: &Model, state: &State) -> Vec3 {
    let parts = model.bodies().iter().zip(&state.twists);
    parts.map(|(body, twist)| body.mass * twist.linear).sum()
}

/// Angular momentum about the world's origin, kg m²/s.
pub fn angular_momentum(model: &Model, state: &State) -> Vec3 {
    model
        .bodies()
        .iter()
        .zip(&state.poses)
        .zip(&state.twists)
        .map(|((body, pose), twist)| {
            let spin = pose.rotation * (body.inertia * (pose.rotation.inverse() * twist.angular));
            body.mass * pose.position.cross(&twist.linear) + spin
        })
        .sum()
}

/// Total energy at the times of the poses.
///
/// Velocities are at mid-step, so the kinetic energy at time t is computed from the mean of the momenta half a step
/// before and after; it is known one step later. Over an impact the mean is too low and not meaningful, but never too
/// high. Only for the default integrator: the velocities of the others are at the time of the poses.
#[derive(Clone, Debug, Default)]
pub struct EnergyMeter {
    last: Option<State>,
    energy: f64,
}

impl EnergyMeter {
    /// Starts with the initial state, whose velocities are used as stored.
    pub fn new(model: &Model, state: &State) -> Self {
        Self {
            energy: kinetic_energy(model, state) + potential_energy(model, state),
            last: Some(state.clone()),
        }
    }

    /// Energy (J) at the last state but one given to [`EnergyMeter::update`].
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// Adds the state after a step; returns the energy (J) at the state before it.
    pub fn update(&mut self, model: &Model, state: &State) -> f64 {
        if let Some(last) = &mut self.last {
            let mut kinetic = 0.0;
            for (i, body) in model.bodies().iter().enumerate() {
                let v = 0.5 * (last.twists[i].linear + state.twists[i].linear);
                let before = spin(&body.inertia, last, i);
                let after = spin(&body.inertia, state, i);
                let l = last.poses[i].rotation.inverse() * (0.5 * (before + after));
                kinetic +=
                    0.5 * (body.mass * v.norm_squared() + l.dot(&(body.inverse_inertia * l)));
            }
            self.energy = kinetic + potential_energy(model, last);
            last.clone_from(state);
        } else {
            *self = Self::new(model, state);
        }
        self.energy
    }
}

/// Angular momentum of body `i` about its centre of mass, world axes.
fn spin(inertia: &Mat3, state: &State, i: usize) -> Vec3 {
    let q = &state.poses[i].rotation;
    q * (inertia * (q.inverse() * state.twists[i].angular))
}

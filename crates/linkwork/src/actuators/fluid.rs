//! Drag of bodies in a fluid: that of the box with the same inertia, as in MuJoCo.
//!
//! Viscosity β acts on a ball of the mean side d as in Stokes' law, −3π β d v and −π β d³ ω. Density ρ acts on each
//! face, −½ ρ A |vᵢ| vᵢ along and −ρ aᵢ (aⱼ⁴ + aₖ⁴)/64 |ωᵢ| ωᵢ about each axis, a the sides. Forces are evaluated with
//! the velocities at the start of a step.

use crate::math::{Vec3, Wrench};
use crate::model::{Frame, Model};
use crate::{Control, State};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A box that a fluid resists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FluidBox {
    /// Its middle and axes.
    pub frame: Frame,
    /// Its sides, m.
    pub size: Vec3,
    /// Density of the fluid, kg/m³.
    pub density: f64,
    /// Viscosity of the fluid, Pa s.
    pub viscosity: f64,
    /// Velocity of the fluid in the world, m/s.
    pub wind: Vec3,
}

impl FluidBox {
    /// The sides of the box with these principal moments (kg m²) and mass (kg).
    pub fn sides(mass: f64, moments: &Vec3) -> Vec3 {
        // Impossible moments would lead to a root of a negative number.
        let side = |i: usize| (6.0 * (moments.sum() - 2.0 * moments[i]).max(0.0) / mass).sqrt();
        Vec3::new(side(0), side(1), side(2))
    }

    /// Force (N) and torque (N m) about its middle, in the world.
    pub fn drag(&self, state: &State) -> Wrench {
        let turn = self.frame.pose(state).rotation;
        let twist = self.frame.twist(state);
        let v = turn.inverse() * (twist.linear - self.wind);
        let w = turn.inverse() * twist.angular;
        let a = &self.size;
        let d = a.sum() / 3.0;
        let mut force = -3.0 * PI * d * self.viscosity * v;
        let mut torque = -PI * d.powi(3) * self.viscosity * w;
        for i in 0..3 {
            let (b, c) = (a[(i + 1) % 3], a[(i + 2) % 3]);
            force[i] -= 0.5 * self.density * b * c * v[i].abs() * v[i];
            let lever = a[i] * (b.powi(4) + c.powi(4)) / 64.0;
            torque[i] -= self.density * lever * w[i].abs() * w[i];
        }
        Wrench {
            force: turn * force,
            torque: turn * torque,
        }
    }
}

impl Model {
    /// Add the drag of the fluid to the wrenches on the bodies.
    pub(super) fn resist(&self, state: &State, control: &mut Control) {
        for part in self.fluid() {
            let Some(body) = part.frame.body else {
                continue;
            };
            let drag = part.drag(state);
            let middle = part.frame.pose(state).position;
            let lever = middle - state.poses[body.index()].position;
            let wrench = &mut control.wrenches[body.index()];
            wrench.force += drag.force;
            wrench.torque += drag.torque + lever.cross(&drag.force);
        }
    }
}

//! Servos in the place of motors: what moves a mechanism along a path rather than by a force.

use super::{Actuator, Mechanism, Transmission};
use linkwork::joints::Unit;
use linkwork::model::{Drive, JointId, ModelError};

/// Error at which a servo gives its greatest force, rad or m.
const FULL_FORCE: [f64; 2] = [0.02, 0.002];
/// Time in which its error decays, s.
const LAG: f64 = 0.02;
/// Lever, m, on which a motor without bounds must carry the mechanism.
const LEVER: f64 = 0.05;

impl Mechanism {
    /// The mechanism with a stiff position servo, of the same greatest force, for every motor on a joint
    /// coordinate; where there are no actuators at all, on every joint of the tree with one coordinate. The
    /// control of such an actuator is the coordinate's target, m or rad. Other actuators stay.
    ///
    /// A force that nothing answers throws a light mechanism against its stops; a servo takes it where one
    /// wants to see it.
    pub fn with_servos(&self) -> Result<Mechanism, ModelError> {
        let mut data = self.model.data();
        let mut actuators = self.actuators.clone();
        if actuators.is_empty() {
            actuators = self.motors();
        }
        let count = actuators.len();
        for actuator in &mut actuators {
            let Transmission::Coordinate {
                joint,
                coordinate,
                gear,
            } = &mut actuator.transmission
            else {
                continue;
            };
            let axis = &mut data.joints[joint.index()].axes[*coordinate];
            if axis.drive.is_some() {
                continue;
            }
            let unit = self.model.joint(*joint).kind.coordinates()[*coordinate].1;
            let greatest = actuator.force_range.map(|[a, b]| a.abs().max(b.abs()));
            let effort = match greatest {
                Some(force) => force * gear.abs(),
                None => self.share_of_weight(count, unit),
            };
            let error = FULL_FORCE[usize::from(unit == Unit::Length)];
            let (stiffness, damping) = (effort / error, LAG * effort / error);
            axis.drive = Some(Drive {
                stiffness,
                damping,
                effort_limit: Some(effort),
            });
            *gear = 1.0;
            actuator.gain = stiffness;
            actuator.bias = [0.0, -stiffness, -damping];
            (actuator.control_range, actuator.force_range) = (None, None);
        }
        Ok(Mechanism {
            model: data.build()?,
            actuators,
            ..self.clone()
        })
    }

    /// A motor without bounds on every joint of the tree with one coordinate.
    pub fn motors(&self) -> Vec<Actuator> {
        let single = |id: &&JointId| self.model.joint(**id).axes.len() == 1;
        let motor = |&joint: &JointId| Actuator {
            name: self.model.joint(joint).name.clone(),
            transmission: Transmission::Coordinate {
                joint,
                coordinate: 0,
                gear: 1.0,
            },
            gain: 1.0,
            bias: [0.0; 3],
            dynamics: None,
            control_range: None,
            force_range: None,
        };
        self.tree.iter().filter(single).map(motor).collect()
    }

    /// What one of `count` actuators carries of the mechanism, N, or N m on a lever of 5 cm.
    pub fn share_of_weight(&self, count: usize, unit: Unit) -> f64 {
        let mass: f64 = self.model.bodies().iter().map(|b| b.mass).sum();
        let weight = mass * self.model.gravity().norm().max(1.0) / count.max(1) as f64;
        weight * if unit == Unit::Angle { LEVER } else { 1.0 }
    }
}

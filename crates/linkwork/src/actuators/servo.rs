//! Servos in place of motors, which move a mechanism along a path and not by a force.

use super::{Actuator, Transmission};
use crate::joints::Unit;
use crate::model::{Drive, JointId, Model, ModelData, ModelError};
use std::sync::Arc;

/// Error at which a servo exerts its maximum force, rad or m.
const FULL_FORCE: [f64; 2] = [0.02, 0.002];
/// Time in which its error decays, s.
const LAG: f64 = 0.02;
/// Lever arm, m, on which a motor without bounds must carry the mechanism.
const LEVER: f64 = 0.05;

impl Model {
    /// The mechanism with a stiff position servo of the same maximum force for every motor on a joint coordinate;
    /// without any actuators, on every joint of the tree with one coordinate. The control of such an actuator is the
    /// coordinate's target, m or rad. Other actuators do not change.
    ///
    /// An open-loop force moves a light mechanism against its stops; a servo moves it along a chosen path.
    pub fn with_servos(&self) -> Result<Arc<Model>, ModelError> {
        let mut data = self.data().clone();
        let mut actuators = self.actuators().to_vec();
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
            let unit = self.joint(*joint).kind.coordinates()[*coordinate].1;
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
        data.actuators = actuators;
        data.build()
    }

    /// The model with a motor without bounds on every joint of the tree with one coordinate, if it has no actuators.
    pub fn with_motors(self: &Arc<Self>) -> Result<Arc<Model>, ModelError> {
        if !self.actuators().is_empty() {
            return Ok(self.clone());
        }
        let mut data = self.data().clone();
        data.actuators = self.motors();
        data.build()
    }

    /// A motor without bounds on every joint of the tree with one coordinate.
    fn motors(&self) -> Vec<Actuator> {
        let single = |id: &&JointId| self.joint(**id).axes.len() == 1;
        let motor = |&joint: &JointId| Actuator::motor(&self.joint(joint).name, joint);
        self.tree().iter().filter(single).map(motor).collect()
    }

    /// Load of one of `count` actuators that carry the mechanism, N, or N m on a lever arm of 5 cm.
    pub fn share_of_weight(&self, count: usize, unit: Unit) -> f64 {
        let mass: f64 = self.bodies().iter().map(|b| b.mass).sum();
        let weight = mass * self.gravity().norm().max(1.0) / count.max(1) as f64;
        weight * if unit == Unit::Angle { LEVER } else { 1.0 }
    }
}

impl ModelData {
    /// Turns the springs and dampers of servos into drives of their coordinates and tendons; existing drives are kept.
    /// [`ModelBuilder`](crate::model::ModelBuilder) calls this.
    pub fn join_servos(&mut self) {
        let has_drive = |t: &Transmission| match *t {
            Transmission::Coordinate {
                joint, coordinate, ..
            } => {
                let axis = self.joints.get(joint.index());
                let axis = axis.and_then(|j| j.axes.get(coordinate));
                axis.is_none_or(|a| a.drive.is_some())
            }
            Transmission::Tendon { tendon, .. } => {
                let tendon = self.tendons.get(tendon.index());
                tendon.is_none_or(|t| t.axis.drive.is_some())
            }
            Transmission::Frame { .. } | Transmission::Adhesion { .. } => true,
        };
        let servos = self.actuators.iter().filter(|a| a.is_servo());
        let joined: Vec<&Actuator> = servos.filter(|a| !has_drive(&a.transmission)).collect();
        for actuator in joined {
            let (axis, gear) = match actuator.transmission {
                Transmission::Coordinate {
                    joint,
                    coordinate,
                    gear,
                } => (&mut self.joints[joint.index()].axes[coordinate], gear),
                Transmission::Tendon { tendon, gear } => {
                    (&mut self.tendons[tendon.index()].axis, gear)
                }
                Transmission::Frame { .. } | Transmission::Adhesion { .. } => continue,
            };
            let limit = actuator.force_range;
            let limit = limit.map(|r| gear.abs() * r[0].abs().max(r[1].abs()));
            // Several servos on one coordinate: together they can exert the sum.
            let before = axis.drive.map_or(Some(0.0), |d| d.effort_limit);
            let drive = axis.drive.get_or_insert(Drive {
                stiffness: 0.0,
                damping: 0.0,
                effort_limit: None,
            });
            drive.stiffness += (-actuator.bias[1] * gear * gear).max(0.0);
            drive.damping += (-actuator.bias[2] * gear * gear).max(0.0);
            drive.effort_limit = before.zip(limit).map(|(a, b)| a + b);
        }
    }
}

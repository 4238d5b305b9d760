//! Actuators of a draft: their servos become drives, their forces stay with the mechanism.

use super::{Draft, DraftActuator, DraftTransmission};
use crate::mechanism::{Actuator, Transmission};
use linkwork::model::{Drive, ShapeId};

impl Draft {
    /// Springs and dampers of actuators become the drives of what they pull on.
    pub(super) fn join_actuators(&mut self) {
        for a in &self.actuators {
            let (axis, gear) = match a.transmission {
                DraftTransmission::Coordinate(j, c, gear) => {
                    (&mut self.joints[j.index()].axes[c], gear)
                }
                DraftTransmission::Tendon(t, gear) => (&mut self.tendons[t].axis, gear),
                DraftTransmission::Frame(..) | DraftTransmission::Adhesion(_) => continue,
            };
            let (stiffness, damping) = (-a.bias[1] * gear * gear, -a.bias[2] * gear * gear);
            if stiffness <= 0.0 && damping <= 0.0 {
                continue;
            }
            let limit = a
                .force_range
                .map(|r| gear.abs() * r[0].abs().max(r[1].abs()));
            if a.force_range.is_some_and(|r| r[0] != -r[1]) {
                let what = "a force range that is not symmetric bounds the servo on both sides";
                self.notices.warn(&a.place, what, "");
            }
            let first = axis.drive.is_none();
            let drive = axis.drive.get_or_insert(Drive {
                stiffness: 0.0,
                damping: 0.0,
                effort_limit: limit,
            });
            drive.stiffness += stiffness.max(0.0);
            drive.damping += damping.max(0.0);
            if !first {
                // Several servos on one coordinate: together they can give the sum.
                drive.effort_limit = drive.effort_limit.zip(limit).map(|(a, b)| a + b);
            }
        }
    }
}

/// The actuator as the mechanism has it.
pub(super) fn actuator(a: &DraftActuator) -> Actuator {
    Actuator {
        name: a.name.clone(),
        transmission: match &a.transmission {
            &DraftTransmission::Coordinate(joint, coordinate, gear) => Transmission::Coordinate {
                joint,
                coordinate,
                gear,
            },
            &DraftTransmission::Tendon(tendon, gear) => Transmission::Tendon { tendon, gear },
            &DraftTransmission::Frame(frame, gear) => Transmission::Frame { frame, gear },
            DraftTransmission::Adhesion(shapes) => Transmission::Adhesion {
                shapes: shapes.iter().map(|s| ShapeId(*s as u32)).collect(),
            },
        },
        gain: a.gain,
        bias: a.bias,
        dynamics: a.dynamics,
        control_range: a.control_range,
        force_range: a.force_range,
    }
}

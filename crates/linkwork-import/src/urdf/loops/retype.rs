//! Joints of the URDF that the loops file makes another type.

use super::Loops;
use crate::urdf::robot::Robot;
use crate::{Fault, ImportError, Notices};
use linkwork::model::Axis;

impl Loops {
    /// Replaces the types. The URDF's settings for the coordinates of such a joint are discarded.
    pub fn retype(&self, mut robot: Robot, notices: &mut Notices) -> Result<Robot, ImportError> {
        for retype in &self.retypes {
            let Some(j) = robot.joint(&retype.joint) else {
                let what = format!("there is no joint '{}'", retype.joint);
                let remedy = robot.suggest_joint(&retype.joint);
                if retype.must_exist {
                    let fault = Fault::Unresolved;
                    return Err(ImportError::new(&retype.place, fault, what, remedy));
                }
                notices.warn(&retype.place, what, remedy);
                continue;
            };
            let joint = &mut robot.joints[j];
            if joint.acting != Axis::default() || joint.mimic.is_some() {
                let what = format!(
                    "limits, dynamics and mimic of joint '{}' go with its old type",
                    joint.name
                );
                notices.ignored(&retype.place, what);
            }
            joint.kind = retype.kind;
            joint.acting = Axis::default();
            joint.mimic = None;
        }
        Ok(robot)
    }
}

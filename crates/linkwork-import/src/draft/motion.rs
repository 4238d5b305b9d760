//! Joint types and couplings of the core, from what a draft says.

use super::{DraftJoint, Motion, Polynomial};
use crate::{Fault, ImportError};
use linkwork::joints::JointType;
use linkwork::model::Coupling;
use std::sync::Arc;

impl DraftJoint {
    /// The core's joint type.
    pub(super) fn kind(&self) -> Result<Arc<dyn JointType>, ImportError> {
        match &self.motion {
            Motion::Of(kind) => Ok(kind.clone()),
            Motion::Chain(_) => {
                let what = format!("'{}' has several joints in series", self.name);
                let remedy = "put a body between them";
                let fault = Fault::Unsupported;
                Err(ImportError::new(&self.place, fault, what, remedy))
            }
        }
    }
}

impl Polynomial {
    /// The core's coupling.
    pub(super) fn coupling(&self) -> Coupling {
        let [a0, a1, ..] = self.coefficients;
        let mut terms = vec![(self.follower.0, self.follower.1, 1.0)];
        let mut offset = self.follower_home + a0;
        if let Some((joint, coordinate)) = self.leader {
            terms.push((joint, coordinate, -a1));
            offset -= a1 * self.leader_home;
        }
        Coupling::new(&self.name, &terms, offset)
    }
}

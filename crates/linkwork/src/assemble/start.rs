//! Start of a mechanism: closed, within its limits, and with velocities that its joints allow.

use super::{
    AssembleError, AssembleSettings, Contradiction, Moved, Outside, assemble_within_limits,
    project_velocities,
};
use crate::State;
use crate::model::{JointId, Model, ModelData, ModelError};
use std::sync::Arc;

/// Residual (m or rad) above which joints count as open.
pub const OPEN: f64 = 1e-9;

/// A start that the joints allow, and its difference from the requested one.
#[derive(Clone, Debug)]
pub struct ClosedStart {
    /// The state.
    pub state: State,
    /// How far joints were open before, m and rad.
    pub before: [f64; 2],
    /// The joint that was open most, if any was.
    pub worst: Option<JointId>,
    /// Displacement of each body; empty if nothing was open or outside its limits.
    pub moved: Vec<Moved>,
    /// The coordinates that were outside their limits, and their present values.
    pub outside: Vec<Outside>,
    /// Loops that contradict each other within the digits of the file, if any; the model to run is then
    /// [`Model::started`].
    pub contradiction: Option<Contradiction>,
}

impl Model {
    /// Largest translational (m) and rotational (rad) residual of all joints, and the joint with the
    /// larger of them.
    pub fn openness(&self, state: &State) -> ([f64; 2], Option<JointId>) {
        let (mut largest, mut worst) = ([0.0_f64; 2], None);
        for i in 0..self.joints().len() {
            let id = JointId(i as u32);
            let [m, rad] = state.joint_residual(self, id);
            if m.max(rad) > largest[0].max(largest[1]) {
                worst = Some(id);
            }
            largest = [largest[0].max(m), largest[1].max(rad)];
        }
        (largest, worst)
    }

    /// A state near `state` that the joints allow, including velocities, with coordinates within their limits as far as
    /// the joints allow: see [`assemble_within_limits`](crate::assemble::assemble_within_limits).
    pub fn closed(&self, state: &State) -> Result<ClosedStart, AssembleError> {
        let (before, worst) = self.openness(state);
        // Couplings count too, and only the assembly evaluates them.
        let settings = AssembleSettings {
            contradiction: Contradiction::MOST,
            ..AssembleSettings::default()
        };
        let within = assemble_within_limits(self, state, &settings)?;
        let assembled = within.assembled;
        // The aim of the assembly is out of reach: steps would fail to close it too.
        let open = assembled.residual > settings.aim;
        let far = |m: &Moved| m.distance.max(m.angle) > OPEN;
        let moved = open || assembled.moved.iter().any(far);
        let mut closed = if moved {
            assembled.state
        } else {
            // What is closed keeps its bits.
            state.clone()
        };
        if closed
            .twists
            .iter()
            .any(|t| t.linear.amax().max(t.angular.amax()) > 0.0)
        {
            closed = project_velocities(self, &closed).state;
        }
        Ok(ClosedStart {
            before,
            worst: worst.filter(|_| before[0].max(before[1]) > OPEN),
            moved: if moved { assembled.moved } else { Vec::new() },
            outside: within.outside,
            contradiction: open.then(|| Contradiction::of(self, &closed, settings.aim)),
            state: closed,
        })
    }

    /// The same model with `state` as its initial state.
    pub fn starting(&self, state: &State) -> Result<Arc<Model>, ModelError> {
        let mut data = self.data().clone();
        data.start_in(state);
        data.build()
    }

    /// The model as it runs from a closed start: with this initial state, without the hard limits that its loops keep
    /// it outside of, and with soft joints in loops that contradict each other.
    pub fn started(&self, closed: &ClosedStart) -> Result<Arc<Model>, ModelError> {
        let mut data = self.data().clone();
        data.start_in(&closed.state);
        data.free_limits(&closed.outside);
        if let Some(contradiction) = &closed.contradiction {
            contradiction.soften(&mut data);
        }
        data.build()
    }
}

impl ModelData {
    fn start_in(&mut self, state: &State) {
        for (i, body) in self.bodies.iter_mut().enumerate() {
            body.pose = state.poses[i];
            body.twist = state.twists[i];
        }
        self.initial_coordinates.clone_from(&state.coordinates);
    }

    /// Removes hard limits that loops keep the mechanism outside of: nothing can bring it inside, and steps that try
    /// find no solution, or enormous impulses next to a dead point (`cassie_reduced.sdf`).
    fn free_limits(&mut self, outside: &[Outside]) {
        for o in outside.iter().filter(|o| o.by > 0.0) {
            let joint = &mut self.joints[o.joint.index()];
            let first = joint.kind.rotation_vector();
            if first.is_some_and(|first| (first..first + 3).contains(&o.coordinate)) {
                joint.turn_limits = joint.turn_limits.filter(|l| l.softness.is_some());
            }
            let limits = &mut joint.axes[o.coordinate].limits;
            if let Some(limits) = limits.as_mut().filter(|l| l.softness.is_none()) {
                if o.to < limits.min {
                    limits.min = f64::NEG_INFINITY;
                } else {
                    limits.max = f64::INFINITY;
                }
            }
        }
    }
}

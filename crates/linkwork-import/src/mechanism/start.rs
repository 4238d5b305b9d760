//! Where a mechanism starts: closed, within its limits, and moving as its joints allow.

use super::{Contradiction, Mechanism};
use linkwork::State;
use linkwork::assemble::{
    AssembleError, AssembleSettings, Moved, Outside, assemble_within_limits, project_velocities,
};
use linkwork::model::{JointId, ModelError};

/// Residual (m or rad) above which joints count as open.
pub const OPEN: f64 = 1e-9;

/// A start that the joints allow, and how far it is from the one asked for.
#[derive(Clone, Debug)]
pub struct ClosedStart {
    /// The state.
    pub state: State,
    /// How far joints were open before, m and rad.
    pub before: [f64; 2],
    /// The joint that was open most, if any was.
    pub worst: Option<JointId>,
    /// How far each body was moved; empty if nothing was open or outside its limits.
    pub moved: Vec<Moved>,
    /// The coordinates that were outside their limits, and where they are now.
    pub outside: Vec<Outside>,
    /// Loops that contradict each other within the digits of the file, if any do; the model to run is then
    /// [`Mechanism::yielding`].
    pub contradiction: Option<Contradiction>,
}

impl Mechanism {
    /// Largest translational (m) and rotational (rad) residual of all joints, and the joint with the
    /// larger of them.
    pub fn openness(&self, state: &State) -> ([f64; 2], Option<JointId>) {
        let (mut largest, mut worst) = ([0.0_f64; 2], None);
        for i in 0..self.model.joints().len() {
            let id = JointId(i as u32);
            let [m, rad] = state.joint_residual(&self.model, id);
            if m.max(rad) > largest[0].max(largest[1]) {
                worst = Some(id);
            }
            largest = [largest[0].max(m), largest[1].max(rad)];
        }
        (largest, worst)
    }

    /// A state near `state` that the joints allow, velocities included, with coordinates within their
    /// limits as far as the joints let them: see
    /// [`assemble_within_limits`](linkwork::assemble::assemble_within_limits).
    pub fn closed(&self, state: &State) -> Result<ClosedStart, AssembleError> {
        let (before, worst) = self.openness(state);
        // Couplings count too, and only the assembly knows them.
        let settings = AssembleSettings {
            contradiction: Contradiction::MOST,
            ..AssembleSettings::default()
        };
        let within = assemble_within_limits(&self.model, state, &settings)?;
        let assembled = within.assembled;
        // What assembly aims at is out of reach: steps would fail to close it too.
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
            closed = project_velocities(&self.model, &closed).state;
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

    /// The same mechanism with another home: it starts in `state`.
    pub fn starting(&self, state: &State) -> Result<Mechanism, ModelError> {
        let mut data = self.model.data();
        for (i, body) in data.bodies.iter_mut().enumerate() {
            body.pose = state.poses[i];
            body.twist = state.twists[i];
        }
        data.initial_coordinates.clone_from(&state.coordinates);
        Ok(Mechanism {
            model: data.build()?,
            ..self.clone()
        })
    }

    /// The same mechanism without the hard limits that its loops do not let it reach: nothing can bring it inside, and
    /// steps that try find no solution, or enormous impulses next to a dead point (`cassie_reduced.sdf`).
    pub fn within_reach(&self, closed: &ClosedStart) -> Result<Mechanism, ModelError> {
        let mut outside = closed.outside.iter().filter(|o| o.by > 0.0).peekable();
        if outside.peek().is_none() {
            return Ok(self.clone());
        }
        let mut data = self.model.data();
        for o in outside {
            let limits = &mut data.joints[o.joint.index()].axes[o.coordinate].limits;
            if let Some(limits) = limits.as_mut().filter(|l| l.softness.is_none()) {
                if o.to < limits.min {
                    limits.min = f64::NEG_INFINITY;
                } else {
                    limits.max = f64::INFINITY;
                }
            }
        }
        Ok(Mechanism {
            model: data.build()?,
            ..self.clone()
        })
    }
}

//! The poses at which the rows of a step are evaluated, if not at its start.

use super::Plan;
use super::closed::Closed;
use crate::integrate::Motion;
use crate::math::{Pose, Vec3};
use crate::model::Model;
use crate::rows::{Along, Carried};
use crate::simulator::Simulator;
use crate::state::State;

/// The state at which the rows of a step are evaluated, and the poses from which the new velocities move the bodies.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub plan: Plan,
    /// Poses after moving with the old velocities for [`Plan::lead`]; unused if that is zero.
    state: State,
    /// Poses after moving with the old velocities for [`Plan::before`]; unused if that is the same, or zero.
    from: Vec<Pose>,
    /// Poses near those of `state` at which the joints are closed, for their rows; empty if the rows of the state
    /// itself are used.
    closed: Closed,
}

impl Stage {
    pub fn new(model: &Model) -> Self {
        Self {
            plan: Plan::default(),
            state: model.initial_state(),
            from: Vec::new(),
            closed: Closed::new(model),
        }
    }

    /// The poses at which the rows of joints are made.
    pub fn joints<'a>(&'a self, start: &'a State) -> &'a [Pose] {
        if self.plan.lead > 0.0 && !self.closed.poses.is_empty() {
            &self.closed.poses
        } else {
            &self.at(start).poses
        }
    }

    /// The state at which rows are evaluated; `start` is that of the step.
    pub fn at<'a>(&'a self, start: &'a State) -> &'a State {
        if self.plan.lead > 0.0 {
            &self.state
        } else {
            start
        }
    }

    /// The same, to change its velocities.
    pub fn at_mut<'a>(&'a mut self, start: &'a mut State) -> &'a mut State {
        if self.plan.lead > 0.0 {
            &mut self.state
        } else {
            start
        }
    }

    /// The poses that the velocities found move on from.
    pub fn from<'a>(&'a self, start: &'a State) -> &'a [Pose] {
        if self.plan.shift() == 0.0 {
            &self.at(start).poses
        } else if self.plan.before > 0.0 {
            &self.from
        } else {
            &start.poses
        }
    }
}

impl Simulator {
    /// Sets up a step for `plan`: moves from the present state to where its rows are evaluated. The state is only read.
    pub(crate) fn lead(&mut self, plan: Plan) {
        self.kick = plan.kick;
        self.stage.plan = plan;
        if !self.settings.integrator.is_staggered() && self.carried.is_empty() {
            self.rates_of_state();
        }
        let Self {
            model,
            state,
            settings,
            stage,
            ..
        } = self;
        let drift = |span: f64| Motion::free(model, settings, state, span);
        if plan.shift() != 0.0 && plan.before > 0.0 {
            stage.from.clear();
            stage.from.extend(drift(plan.before).map(|moved| moved.0));
        }
        if plan.lead > 0.0 {
            let ahead = &mut stage.state;
            ahead.clone_from(state);
            let bodies = ahead.poses.iter_mut().zip(&mut ahead.twists);
            for ((pose, twist), moved) in bodies.zip(drift(plan.lead)) {
                (*pose, *twist) = moved;
            }
            ahead.update_coordinates(model);
            stage.closed.find(model, settings, state, &stage.state);
        }
    }

    /// Sets the rates of geared coordinates and tendons to those of the state.
    pub(crate) fn rates_of_state(&mut self) {
        let (model, state) = (&self.model, &self.state);
        let rate = |along: &Along| match *along {
            Along::Coordinate(id, c) => state.joint_velocities(model, id)[c],
            Along::Tendon(id) => state.tendon_velocity(model, id),
        };
        self.carried.clear();
        let geared = model.layout().geared.iter();
        self.carried
            .extend(geared.map(|along| Carried::rate(rate(along))));
    }

    /// What moves in the present step.
    pub(crate) fn motion(&self) -> Motion<'_> {
        Motion {
            model: &self.model,
            state: self.stage.at(&self.state),
            from: self.stage.from(&self.state),
            plan: &self.stage.plan,
            settings: &self.settings,
            momenta: &self.momenta,
        }
    }

    /// Add the kick of the present step to the impulse of gravity and applied wrenches.
    pub(crate) fn add_external(&mut self) {
        let gravity = self.model.gravity();
        let poses = &self.stage.at(&self.state).poses;
        let bodies = self.model.bodies().iter().zip(poses);
        for ((body, pose), [force, torque]) in bodies.zip(&self.wrenches) {
            let force: Vec3 = self.kick * (force + body.mass * body.gravity_scale * gravity);
            self.external[0] += force;
            self.external[1] += pose.position.cross(&force) + self.kick * torque;
        }
    }
}

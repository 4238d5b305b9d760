//! Inputs of a mechanism during a step, as plain data.

use crate::adhesion::Adhesion;
use crate::math::{Pose, Vec3, Wrench, log};
use crate::model::{BodyId, JointId, Model, TendonId};
use crate::state::State;
use serde::{Deserialize, Serialize};

/// Targets, forces of joints and tendons, and body wrenches; constant over a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Control {
    /// Position target q_d of each coordinate's drive, m or rad.
    pub targets: Vec<f64>,
    /// Velocity target w_d of each coordinate's drive, m/s or rad/s.
    pub velocity_targets: Vec<f64>,
    /// Force or torque on each coordinate, N or N m.
    pub forces: Vec<f64>,
    /// Wrench on each body about its centre of mass, world frame.
    pub wrenches: Vec<Wrench>,
    /// Target of each tendon's drive, in the unit of its length.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tendon_targets: Vec<f64>,
    /// Velocity target of each tendon's drive.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tendon_velocity_targets: Vec<f64>,
    /// Force along each tendon, positive where it lengthens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tendon_forces: Vec<f64>,
    /// Forces that press shapes against the shapes they touch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub adhesions: Vec<Adhesion>,
    /// Memory of a script between steps, saved with checkpoints; steps do not read it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<f64>,
}

impl Control {
    /// No forces, and drive targets at the model's initial coordinates and lengths.
    pub fn new(model: &Model) -> Self {
        let (n, tendons) = (model.coordinate_count(), model.tendons().len());
        let start = model.initial_state();
        let length = |t: usize| start.tendon_length(model, TendonId(t as u32));
        Self {
            tendon_targets: (0..tendons).map(length).collect(),
            tendon_velocity_targets: vec![0.0; tendons],
            tendon_forces: vec![0.0; tendons],
            targets: start.coordinates,
            velocity_targets: vec![0.0; n],
            forces: vec![0.0; n],
            wrenches: vec![Wrench::zero(); model.bodies().len()],
            adhesions: Vec::new(),
            memory: Vec::new(),
        }
    }

    /// Sets the position target (m or rad) of a joint's first coordinate.
    ///
    /// # Panics
    ///
    /// Here and below: if the joint does not belong to the model, or has no coordinate.
    pub fn target(&mut self, model: &Model, joint: JointId, value: f64) -> &mut Self {
        self.targets[first_coordinate(model, joint)] = value;
        self
    }

    /// Moves a body that has a free joint with rigid drives ([`JointDef::moved`](crate::model::JointDef::moved)) to a
    /// pose of its frame in the world. At the end of the next step it is there. Bodies that touch it or are joined to
    /// it are affected by its velocity.
    ///
    /// # Errors
    ///
    /// If the body is not moved from outside, or a number is not finite.
    pub fn place(
        &mut self,
        model: &Model,
        body: BodyId,
        pose: &Pose,
    ) -> Result<&mut Self, ControlError> {
        let mut joints = model.joints().iter();
        let joint = joints.find(|j| j.follower == body && j.is_moved());
        let Some(joint) = joint else {
            let name = model.body(body).name.clone();
            return Err(ControlError::NotMoved { name });
        };
        // The body frame is that of the builder; joint frames are relative to the centre of mass.
        let centre = Pose::new(pose.transform_point(&model.body(body).com), pose.rotation);
        let follower = centre.compose(&joint.frame_follower);
        let relative = joint.frame_base.inverse().compose(&follower);
        let turn = log(&relative.rotation);
        let values = relative.position.iter().chain(turn.iter());
        for (to, value) in self.targets[joint.range()].iter_mut().zip(values) {
            *to = *value;
        }
        self.check(model)?;
        Ok(self)
    }

    /// Set the velocity target (m/s or rad/s) of a joint's first coordinate.
    pub fn velocity_target(&mut self, model: &Model, joint: JointId, value: f64) -> &mut Self {
        self.velocity_targets[first_coordinate(model, joint)] = value;
        self
    }

    /// Set the force (N or N m) on a joint's first coordinate.
    pub fn force(&mut self, model: &Model, joint: JointId, value: f64) -> &mut Self {
        self.forces[first_coordinate(model, joint)] = value;
        self
    }

    /// Set the wrench on a body, about its centre of mass in the world frame.
    pub fn wrench(&mut self, body: BodyId, wrench: Wrench) -> &mut Self {
        self.wrenches[body.index()] = wrench;
        self
    }

    /// Adds a force (N) on a body at a point, both in the world frame; `state` has the pose of the body. It acts until
    /// it is changed: set the body's wrench to zero before the next step if it should act in one step only.
    ///
    /// # Panics
    ///
    /// If the body does not belong to the state.
    pub fn add_force_at(
        &mut self,
        state: &State,
        body: BodyId,
        force: Vec3,
        point: Vec3,
    ) -> &mut Self {
        let lever = point - state.poses[body.index()].position;
        let wrench = &mut self.wrenches[body.index()];
        wrench.force += force;
        wrench.torque += lever.cross(&force);
        self
    }

    /// Err if the control does not fit the model or contains a number that is not finite.
    pub fn check(&self, model: &Model) -> Result<(), ControlError> {
        let (n, tendons) = (model.coordinate_count(), model.tendons().len());
        let lengths = [
            ("targets", self.targets.len(), n),
            ("velocity_targets", self.velocity_targets.len(), n),
            ("forces", self.forces.len(), n),
            ("wrenches", self.wrenches.len(), model.bodies().len()),
            ("tendon_targets", self.tendon_targets.len(), tendons),
            (
                "tendon_velocity_targets",
                self.tendon_velocity_targets.len(),
                tendons,
            ),
            ("tendon_forces", self.tendon_forces.len(), tendons),
        ];
        let misfit = lengths.into_iter().find(|(_, have, want)| have != want);
        if let Some((what, have, want)) = misfit {
            return Err(ControlError::Length { what, have, want });
        }
        let joints = [
            ("targets", &self.targets),
            ("velocity_targets", &self.velocity_targets),
            ("forces", &self.forces),
        ];
        for (what, values) in joints {
            if let Some((i, value)) = infinite(values) {
                let mut owners = model.joints().iter();
                let owner = owners.find(|j| j.range().contains(&i));
                let name = owner.map_or("", |j| &j.name);
                return Err(not_finite(what, i, value, "joint", name));
            }
        }
        let tendons = [
            ("tendon_targets", &self.tendon_targets),
            ("tendon_velocity_targets", &self.tendon_velocity_targets),
            ("tendon_forces", &self.tendon_forces),
        ];
        for (what, values) in tendons {
            if let Some((i, value)) = infinite(values) {
                let name = &model.tendons()[i].name;
                return Err(not_finite(what, i, value, "tendon", name));
            }
        }
        for (i, w) in self.wrenches.iter().enumerate() {
            let mut values = w.force.iter().chain(w.torque.iter());
            if let Some(&value) = values.find(|x| !x.is_finite()) {
                let name = &model.bodies()[i].name;
                return Err(not_finite("wrenches", i, value, "body", name));
            }
        }
        for (i, adhesion) in self.adhesions.iter().enumerate() {
            let shapes = model.shapes().len();
            if let Some(lost) = adhesion.shapes.iter().find(|s| s.index() >= shapes) {
                return Err(ControlError::NoShape {
                    index: i,
                    shape: lost.index(),
                    have: shapes,
                });
            }
            let value = adhesion.force;
            if !(value >= 0.0 && value.is_finite()) {
                return Err(ControlError::Adhesion { index: i, value });
            }
        }
        Ok(())
    }
}

/// What is wrong with a [`Control`].
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ControlError {
    /// It belongs to another model.
    #[error("control.{what} has {have} entries, the model needs {want}; start from Control::new")]
    Length {
        /// The field.
        what: &'static str,
        /// How many entries it has.
        have: usize,
        /// How many the model needs.
        want: usize,
    },
    /// An adhesion that would push.
    #[error(
        "control.adhesions[{index}] has a force of {value} N; it must be finite and not negative"
    )]
    Adhesion {
        /// The entry.
        index: usize,
        /// The force, N.
        value: f64,
    },
    /// An adhesion of a shape that is not there.
    #[error("control.adhesions[{index}] names shape {shape}, the model has {have}")]
    NoShape {
        /// The entry.
        index: usize,
        /// The shape.
        shape: usize,
        /// How many there are.
        have: usize,
    },
    /// A body that joints and forces move.
    #[error(
        "body '{name}' is not moved from outside; give it a free joint to the world with rigid drives (JointDef::moved)"
    )]
    NotMoved {
        /// Its name.
        name: String,
    },
    /// There is no such actuator.
    #[error("there is no actuator '{name}'; choose one of: {known}")]
    UnknownActuator {
        /// The requested name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A number that is not finite.
    #[error("control.{what}[{index}] of {element} is {value}; it must be finite")]
    NotFinite {
        /// The field.
        what: &'static str,
        /// The entry.
        index: usize,
        /// Joint, tendon or body that it belongs to.
        element: String,
        /// The number.
        value: f64,
    },
}

fn infinite(values: &[f64]) -> Option<(usize, f64)> {
    let i = values.iter().position(|x| !x.is_finite())?;
    Some((i, values[i]))
}

fn not_finite(
    what: &'static str,
    index: usize,
    value: f64,
    kind: &str,
    name: &str,
) -> ControlError {
    ControlError::NotFinite {
        what,
        index,
        element: format!("{kind} '{name}'"),
        value,
    }
}

/// Index of a joint's first coordinate. A joint without coordinates has the index of the next joint's.
fn first_coordinate(model: &Model, joint: JointId) -> usize {
    let joint = model.joint(joint);
    let name = &joint.name;
    assert!(!joint.axes.is_empty(), "joint '{name}' has no coordinate");
    joint.first_coordinate
}

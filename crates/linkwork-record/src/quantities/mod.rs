//! Numbers of a step by name, for plots and tables: the one place that says what there is, in which
//! unit, and how it follows from a recorded step.

mod near;
mod scalars;

use crate::step::StepRecord;
use linkwork::joints::Unit;
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId, Model};
use linkwork::reactions::Reaction;
use scalars::{SCALARS, Scalar};

/// A number of a step.
#[derive(Clone, Debug)]
pub struct Quantity {
    name: String,
    label: String,
    unit: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Of the step as a whole.
    Scalar(&'static Scalar),
    /// A coordinate, by its place in the state.
    Coordinate(usize),
    /// Its velocity.
    Rate(JointId, usize),
    /// What its drive exerts.
    Effort(usize),
    /// The norm of a joint's reaction force.
    Force(JointId),
    /// The norm of its torque.
    Torque(JointId),
    /// Of a body: an entry of [`BODY`].
    Body(BodyId, usize),
}

/// Quantities of a body: name, label, unit.
const BODY: [(&str, &str, &str); 10] = [
    ("x", "position x", "m"),
    ("y", "position y", "m"),
    ("z", "position z", "m"),
    ("vx", "velocity x", "m/s"),
    ("vy", "velocity y", "m/s"),
    ("vz", "velocity z", "m/s"),
    ("wx", "angular velocity x", "rad/s"),
    ("wy", "angular velocity y", "rad/s"),
    ("wz", "angular velocity z", "rad/s"),
    ("speed", "speed", "m/s"),
];

/// There is no such quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no quantity '{name}'; near it are: {near} (`linkwork record quantities FILE` lists all)"
)]
pub struct UnknownQuantity {
    /// The name asked for.
    pub name: String,
    /// Names that are nearly the same.
    pub near: String,
}

/// Quantities of the step as a whole: those that a frame of the viewer starts with, in its order, and
/// `closure_error`.
pub fn scalar_quantities() -> Vec<Quantity> {
    let scalar = |s: &'static Scalar| Quantity {
        name: s.name.to_owned(),
        label: s.label.to_owned(),
        unit: s.unit,
        kind: Kind::Scalar(s),
    };
    SCALARS.iter().map(scalar).collect()
}

/// Every quantity of a model: those of the step, of its joints, of its bodies. Where a joint and a body
/// would give the same name, it is the joint's.
pub fn all_quantities(model: &Model) -> Vec<Quantity> {
    let mut all = scalar_quantities();
    for j in 0..model.joints().len() {
        of_joint(model, JointId(j as u32), &mut all);
    }
    let taken: std::collections::HashSet<String> = all.iter().map(|q| q.name.clone()).collect();
    for (b, body) in model.bodies().iter().enumerate() {
        for (i, (component, label, unit)) in BODY.iter().enumerate() {
            let name = format!("{}.{component}", body.name);
            if !taken.contains(&name) {
                let label = format!("{label} of {}", body.name);
                let kind = Kind::Body(BodyId(b as u32), i);
                all.push(Quantity {
                    name,
                    label,
                    unit,
                    kind,
                });
            }
        }
    }
    all
}

fn of_joint(model: &Model, id: JointId, all: &mut Vec<Quantity>) {
    let joint = model.joint(id);
    let mut add = |name: String, label: String, unit, kind| {
        all.push(Quantity {
            name,
            label,
            unit,
            kind,
        });
    };
    let of = &joint.name;
    for (i, (coordinate, unit)) in joint.kind.coordinates().iter().enumerate() {
        let (q, rate, effort) = match unit {
            Unit::Length => ("m", "m/s", "N"),
            Unit::Angle => ("rad", "rad/s", "N m"),
        };
        let (name, at) = (format!("{of}.{coordinate}"), joint.first_coordinate + i);
        let label = format!("{coordinate} of {of}");
        add(name.clone(), label.clone(), q, Kind::Coordinate(at));
        let rate_label = format!("rate of {label}");
        add(format!("{name}.rate"), rate_label, rate, Kind::Rate(id, i));
        let effort_label = format!("drive effort along {label}");
        add(
            format!("{name}.effort"),
            effort_label,
            effort,
            Kind::Effort(at),
        );
    }
    if !joint.kind.locked().is_empty() {
        let force = format!("reaction force of {of}");
        add(format!("{of}.force"), force, "N", Kind::Force(id));
        let torque = format!("reaction torque of {of}");
        add(format!("{of}.torque"), torque, "N m", Kind::Torque(id));
    }
}

impl Quantity {
    /// The quantity of this name.
    pub fn parse(model: &Model, name: &str) -> Result<Self, UnknownQuantity> {
        let all = all_quantities(model);
        let near = || near::nearest(name, all.iter().map(|q| q.name.as_str())).join(", ");
        match all.iter().find(|q| q.name == name) {
            Some(quantity) => Ok(quantity.clone()),
            None => Err(UnknownQuantity {
                name: name.to_owned(),
                near: near(),
            }),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in words.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its unit; empty for counts.
    pub fn unit(&self) -> &'static str {
        self.unit
    }

    /// Its value at a recorded step of the model; NaN where the step does not have it.
    pub fn of(&self, model: &Model, step: &StepRecord) -> f64 {
        let norm = |joint: JointId, part: fn(&Reaction) -> Vec3| {
            let reaction = step.reactions.iter().find(|r| r.joint == joint);
            reaction.map_or(f64::NAN, |r| part(r).norm())
        };
        match self.kind {
            Kind::Scalar(scalar) => (scalar.value)(model, step),
            Kind::Coordinate(i) => step.state.coordinates[i],
            Kind::Rate(joint, i) => step.state.joint_velocities(model, joint)[i],
            Kind::Effort(i) => step.efforts[i].drive,
            Kind::Force(joint) => norm(joint, |r| r.force),
            Kind::Torque(joint) => norm(joint, |r| r.torque),
            Kind::Body(body, i) => {
                let (pose, twist) = (
                    &step.state.poses[body.index()],
                    &step.state.twists[body.index()],
                );
                match i {
                    0..3 => pose.position[i],
                    3..6 => twist.linear[i - 3],
                    6..9 => twist.angular[i - 6],
                    _ => twist.linear.norm(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! Values of a step by name, for plots and tables: the only place that defines which exist, their unit, and their
//! computation from a recorded step.

mod near;
mod scalars;

use crate::signals::SignalInfo;
use crate::step::StepRecord;
use linkwork::joints::Unit;
use linkwork::math::Vec3;
use linkwork::model::{BodyId, JointId, Model, ShapeId};
use linkwork::reactions::Reaction;
use scalars::{SCALARS, Scalar};
use std::borrow::Cow;

/// A number of a step.
#[derive(Clone, Debug)]
pub struct Quantity {
    name: String,
    label: String,
    unit: Cow<'static, str>,
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
    /// What acts along it: an entry of [`EFFORTS`].
    Effort(usize, usize),
    /// A joint's reaction force: a component, or the norm.
    Force(JointId, usize),
    /// Its reaction torque.
    Torque(JointId, usize),
    /// Of a body: an entry of [`BODY`].
    Body(BodyId, usize),
    /// Sum of the contact forces on a body: an entry of [`CONTACT`].
    Contact(BodyId, usize),
    /// A signal, by its place in the step.
    Signal(usize),
}

/// A force along a coordinate: name, label, and its value for a coordinate in a step.
type EffortPart = (&'static str, &'static str, fn(&StepRecord, usize) -> f64);

/// What acts along a coordinate.
const EFFORTS: [EffortPart; 6] = [
    ("effort", "drive effort", |s, i| s.efforts[i].drive),
    ("limit_effort", "limit effort", |s, i| s.efforts[i].limit),
    ("friction_effort", "friction effort", |s, i| {
        s.efforts[i].friction
    }),
    ("passive_effort", "spring and damper effort", |s, i| {
        s.efforts[i].passive
    }),
    ("coupling_effort", "coupling effort", |s, i| {
        s.efforts[i].coupling
    }),
    (
        "applied_effort",
        "applied effort (motors, scripts)",
        |s, i| s.applied[i],
    ),
];

/// Name suffixes of the components of a reaction; the last is the norm.
const COMPONENTS: [(&str, &str); 4] = [("_x", " x"), ("_y", " y"), ("_z", " z"), ("", "")];

/// Quantities of a body: name, label, unit. Those of [`trajectory`] are all but the last.
const BODY: [(&str, &str, &str); 14] = [
    ("x", "position x", "m"),
    ("y", "position y", "m"),
    ("z", "position z", "m"),
    ("qw", "quaternion w", "1"),
    ("qx", "quaternion x", "1"),
    ("qy", "quaternion y", "1"),
    ("qz", "quaternion z", "1"),
    ("vx", "velocity x", "m/s"),
    ("vy", "velocity y", "m/s"),
    ("vz", "velocity z", "m/s"),
    ("wx", "angular velocity x", "rad/s"),
    ("wy", "angular velocity y", "rad/s"),
    ("wz", "angular velocity z", "rad/s"),
    ("speed", "speed", "m/s"),
];

/// Quantities of the contact forces on a body, means over the step: name, label, unit.
const CONTACT: [(&str, &str, &str); 4] = [
    ("contact_x", "contact force x", "N"),
    ("contact_y", "contact force y", "N"),
    ("contact_z", "contact force z", "N"),
    ("contact_force", "contact force", "N"),
];

/// There is no such quantity.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no quantity '{name}'; near it are: {near} (`linkwork record quantities FILE` lists all)"
)]
pub struct UnknownQuantity {
    /// The requested name.
    pub name: String,
    /// Names that are nearly the same.
    pub near: String,
}

/// Quantities of the step as a whole: those at the start of a frame of the viewer, in its order, and `closure_error`.
pub fn scalar_quantities() -> Vec<Quantity> {
    let scalar = |s: &'static Scalar| Quantity {
        name: s.name.to_owned(),
        label: s.label.to_owned(),
        unit: s.unit.into(),
        kind: Kind::Scalar(s),
    };
    SCALARS.iter().map(scalar).collect()
}

/// Scalars of a [`trajectory`].
const TRAJECTORY: [&str; 8] = [
    "energy",
    "residual",
    "residual_velocity",
    "closure_linear",
    "closure_angular",
    "penetration",
    "iterations",
    "contacts",
];

/// The columns of a trajectory after the time: poses and velocities of the bodies, coordinates, the step, and signals.
pub fn trajectory(model: &Model, signals: &[SignalInfo]) -> Vec<Quantity> {
    let group = |q: &Quantity| match q.kind {
        Kind::Body(_, i) if i + 1 < BODY.len() => Some(0),
        Kind::Coordinate(_) => Some(1),
        Kind::Scalar(s) if TRAJECTORY.contains(&s.name) => Some(2),
        Kind::Signal(_) => Some(3),
        _ => None,
    };
    let mut columns = all_quantities(model, signals);
    columns.retain(|q| group(q).is_some());
    columns.sort_by_key(group);
    columns
}

/// All quantities of a model: those of the step, of its joints, of its bodies, and the signals of a recording. If a
/// joint and a body would have the same name, it is that of the joint, and that of the body begins with `body`.
pub fn all_quantities(model: &Model, signals: &[SignalInfo]) -> Vec<Quantity> {
    let mut all = scalar_quantities();
    for j in 0..model.joints().len() {
        of_joint(model, JointId(j as u32), &mut all);
    }
    let taken: std::collections::HashSet<String> = all.iter().map(|q| q.name.clone()).collect();
    for (b, body) in model.bodies().iter().enumerate() {
        let id = BodyId(b as u32);
        let of_body = BODY.iter().enumerate().map(|(i, q)| (q, Kind::Body(id, i)));
        let contacts = CONTACT.iter().enumerate();
        // A body without shapes has no contacts.
        let touches = model.shapes().iter().any(|s| s.body == Some(id));
        let contacts = contacts.map(|(i, q)| (q, Kind::Contact(id, i)));
        let contacts = contacts.filter(|_| touches);
        for ((component, label, unit), kind) in of_body.chain(contacts) {
            let mut name = format!("{}.{component}", body.name);
            if taken.contains(&name) {
                name = format!("body {name}");
            }
            all.push(Quantity {
                name,
                label: format!("{label} of {}", body.name),
                unit: (*unit).into(),
                kind,
            });
        }
    }
    let signal = |(i, info): (usize, &SignalInfo)| Quantity {
        name: info.full_name(),
        label: info.full_name(),
        unit: info.unit.clone().into(),
        kind: Kind::Signal(i),
    };
    all.extend(signals.iter().enumerate().map(signal));
    all
}

fn of_joint(model: &Model, id: JointId, all: &mut Vec<Quantity>) {
    let joint = model.joint(id);
    let mut add = |name: String, label: String, unit: &'static str, kind| {
        all.push(Quantity {
            name,
            label,
            unit: unit.into(),
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
        for (part, (word, what, _)) in EFFORTS.iter().enumerate() {
            let label = format!("{what} along {label}");
            add(
                format!("{name}.{word}"),
                label,
                effort,
                Kind::Effort(at, part),
            );
        }
    }
    if !joint.kind.locked().is_empty() {
        for (i, (end, component)) in COMPONENTS.iter().enumerate() {
            let force = format!("reaction force{component} of {of}");
            add(format!("{of}.force{end}"), force, "N", Kind::Force(id, i));
            let torque = format!("reaction torque{component} of {of}");
            let kind = Kind::Torque(id, i);
            add(format!("{of}.torque{end}"), torque, "N m", kind);
        }
    }
}

impl Quantity {
    /// The quantity of this name. `sensor` or `control` can be omitted if no other quantity has that name.
    pub fn parse(
        model: &Model,
        signals: &[SignalInfo],
        name: &str,
    ) -> Result<Self, UnknownQuantity> {
        let all = all_quantities(model, signals);
        let names = all.iter().map(|q| q.name.as_str());
        let names = names.chain(signals.iter().map(|s| s.name.as_str()));
        let near = || near::nearest(name, names).join(", ");
        let short = |q: &&Quantity| match q.kind {
            Kind::Signal(i) => signals[i].name == name,
            _ => false,
        };
        let mut shortened = all.iter().filter(short);
        let one = match (shortened.next(), shortened.next()) {
            (one, None) => one,
            _ => None,
        };
        match all.iter().find(|q| q.name == name).or(one) {
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
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Whether it is a whole number.
    pub fn is_count(&self) -> bool {
        matches!(self.kind, Kind::Scalar(scalar) if scalar.unit.is_empty())
    }

    /// Whether it is a force at a joint, which [`StepRecord::without_joint_forces`] does not have.
    pub fn is_joint_force(&self) -> bool {
        matches!(
            self.kind,
            Kind::Effort(..) | Kind::Force(..) | Kind::Torque(..)
        )
    }

    /// Its value at a recorded step; NaN if the step does not have it.
    pub fn of(&self, model: &Model, step: &StepRecord) -> f64 {
        let of_vector = |v: Vec3, i: usize| if i < 3 { v[i] } else { v.norm() };
        let reaction = |joint: JointId, part: fn(&Reaction) -> Vec3, i: usize| {
            let reaction = step.reactions.iter().find(|r| r.joint == joint);
            reaction.map_or(f64::NAN, |r| of_vector(part(r), i))
        };
        match self.kind {
            Kind::Scalar(scalar) => (scalar.value)(model, step),
            Kind::Coordinate(i) => step.state.coordinates[i],
            Kind::Rate(joint, i) => step.state.joint_velocities(model, joint)[i],
            Kind::Effort(i, part) => EFFORTS[part].2(step, i),
            Kind::Force(joint, i) => reaction(joint, |r| r.force, i),
            Kind::Torque(joint, i) => reaction(joint, |r| r.torque, i),
            Kind::Body(body, i) => {
                let (pose, twist) = (
                    &step.state.poses[body.index()],
                    &step.state.twists[body.index()],
                );
                let q = &pose.rotation;
                match i {
                    0..3 => pose.position[i],
                    3..7 => [q.w, q.i, q.j, q.k][i - 3],
                    7..10 => twist.linear[i - 7],
                    10..13 => twist.angular[i - 10],
                    _ => twist.linear.norm(),
                }
            }
            Kind::Contact(body, i) => of_vector(contact_force(model, step, body), i),
            Kind::Signal(i) => step.signals.get(i).copied().unwrap_or(f64::NAN),
        }
    }
}

/// Sum of the contact forces on a body, mean over the step, N.
fn contact_force(model: &Model, step: &StepRecord, body: BodyId) -> Vec3 {
    let on = |shape: ShapeId| model.shapes()[shape.index()].body == Some(body);
    let mut sum = Vec3::zeros();
    for c in &step.contacts {
        let key = c.contact.key;
        // The impulse acts on the second shape; the opposite acts on the first.
        let sign = f64::from(u8::from(on(key.shape_b))) - f64::from(u8::from(on(key.shape_a)));
        sum += sign * c.impulse / step.dt;
    }
    sum
}

#[cfg(test)]
mod tests;

//! The checks of frames, actuators, sensors, stored states, links and the tree.

use super::{bad, body_exists, finite_pose};
use crate::actuators::{Actuator, Muscle, Transmission};
use crate::model::tree::is_tree;
use crate::model::{
    ActuatorId, BodyId, Frame, FrameId, JointId, Keyframe, ModelData, ModelError, ShapeId, TendonId,
};
use crate::sensors::{ContactQuery, LimitOf, Reading, Section, Sensor};

/// Maximum number of contacts that a sensor reports.
const MOST_SLOTS: usize = 1000;

/// Check everything around the mechanism itself.
pub(in crate::model) fn interface(data: &ModelData) -> Result<(), ModelError> {
    let refs = References { data };
    if let Some(dt) = data.timestep
        && !(dt > 0.0 && dt.is_finite())
    {
        let remedy = "it must be finite and positive, s";
        return Err(bad("the model".to_owned(), "timestep", dt, remedy));
    }
    for link in &data.links {
        refs.placed("link", &link.frame)?;
    }
    for frame in &data.frames {
        refs.placed("frame", frame)?;
    }
    for part in &data.fluid {
        refs.placed("fluid box", &part.frame)?;
    }
    data.actuators.iter().try_for_each(|a| refs.actuator(a))?;
    data.sensors.iter().try_for_each(|s| refs.sensor(s))?;
    data.keyframes.iter().try_for_each(|k| refs.keyframe(k))?;
    let Some(tree) = &data.tree else {
        return Ok(());
    };
    for joint in tree {
        refs.joint("the tree", *joint)?;
    }
    if is_tree(data.bodies.len(), &data.joints, tree) {
        return Ok(());
    }
    let remedy = "name each joint after those below it, and one for each body";
    let count = tree.len() as f64;
    Err(bad(
        "the tree".to_owned(),
        "number of joints",
        count,
        remedy,
    ))
}

/// What may be referred to.
struct References<'a> {
    data: &'a ModelData,
}

impl References<'_> {
    fn within(
        &self,
        element: &str,
        kind: &str,
        index: usize,
        have: usize,
    ) -> Result<(), ModelError> {
        if index < have {
            return Ok(());
        }
        Err(ModelError::MissingReference {
            element: element.to_owned(),
            what: format!("{kind} number {index}"),
        })
    }

    fn joint(&self, element: &str, joint: JointId) -> Result<(), ModelError> {
        self.within(element, "joint", joint.index(), self.data.joints.len())
    }

    fn coordinate(&self, element: &str, id: JointId, asked: usize) -> Result<(), ModelError> {
        self.joint(element, id)?;
        let joint = &self.data.joints[id.index()];
        let have = joint.axes.len();
        if asked < have {
            return Ok(());
        }
        Err(ModelError::NoSuchCoordinate {
            joint: joint.name.clone(),
            kind: joint.kind.name(),
            have,
            asked,
        })
    }

    fn frame(&self, element: &str, frame: FrameId) -> Result<(), ModelError> {
        self.within(element, "frame", frame.index(), self.data.frames.len())
    }

    fn tendon(&self, element: &str, tendon: TendonId) -> Result<(), ModelError> {
        self.within(element, "tendon", tendon.index(), self.data.tendons.len())
    }

    fn shapes(&self, element: &str, shapes: &[ShapeId]) -> Result<(), ModelError> {
        let have = self.data.shapes.len();
        let mut each = shapes.iter();
        each.try_for_each(|s| self.within(element, "shape", s.index(), have))
    }

    fn bodies(&self, element: &str, bodies: &[BodyId]) -> Result<(), ModelError> {
        if bodies.is_empty() {
            let remedy = "name at least one";
            return Err(bad(element.to_owned(), "number of bodies", 0.0, remedy));
        }
        let have = self.data.bodies.len();
        bodies
            .iter()
            .try_for_each(|b| body_exists(element, *b, have))
    }

    fn placed(&self, kind: &str, frame: &Frame) -> Result<(), ModelError> {
        let element = format!("{kind} '{}'", frame.name);
        if let Some(body) = frame.body {
            body_exists(&element, body, self.data.bodies.len())?;
        }
        finite_pose(&element, "pose", &frame.local)
    }

    fn actuator(&self, actuator: &Actuator) -> Result<(), ModelError> {
        let element = format!("actuator '{}'", actuator.name);
        let gears = match &actuator.transmission {
            Transmission::Coordinate {
                joint,
                coordinate,
                gear,
            } => {
                self.coordinate(&element, *joint, *coordinate)?;
                vec![*gear]
            }
            Transmission::Tendon { tendon, gear } => {
                self.tendon(&element, *tendon)?;
                vec![*gear]
            }
            Transmission::Frame { frame, gear } => {
                self.frame(&element, *frame)?;
                gear.to_vec()
            }
            Transmission::Adhesion { shapes } => {
                self.shapes(&element, shapes)?;
                Vec::new()
            }
        };
        for (what, values) in [
            ("gear", gears.as_slice()),
            ("gain", &[actuator.gain]),
            ("bias", &actuator.bias),
        ] {
            finite(&element, what, values)?;
        }
        if let Some(&bias) = actuator.bias[1..].iter().find(|b| **b > 0.0) {
            let remedy = "per length and rate it must not be positive: it would drive away";
            return Err(bad(element, "bias", bias, remedy));
        }
        if let Some(muscle) = &actuator.muscle {
            fits_muscle(&element, actuator, muscle)?;
        }
        let lag = actuator.dynamics.and_then(|d| d.time_constant);
        let release = actuator.dynamics.and_then(|d| d.muscle);
        let release = release.map(|m| m.deactivation);
        // A NaN is neither positive nor in order.
        let mut times = lag.into_iter().chain(release);
        if let Some(time) = times.find(|t| t.is_nan() || *t <= 0.0) {
            return Err(bad(
                element,
                "time constant",
                time,
                "it must be positive, s",
            ));
        }
        let ranges = [
            ("control range", actuator.control_range),
            ("force range", actuator.force_range),
            ("activation range", actuator.dynamics.and_then(|d| d.range)),
        ];
        for (what, range) in ranges {
            if let Some([low, high]) = range
                && (low > high || low.is_nan() || high.is_nan())
            {
                let remedy = "the lower bound must not exceed the upper one";
                return Err(bad(element, what, low - high, remedy));
            }
        }
        Ok(())
    }

    fn sensor(&self, sensor: &Sensor) -> Result<(), ModelError> {
        let element = &format!("sensor '{}'", sensor.name);
        let actuator = |id: &ActuatorId| {
            self.within(element, "actuator", id.index(), self.data.actuators.len())
        };
        match &sensor.reading {
            Reading::Position { joint, coordinate }
            | Reading::Velocity { joint, coordinate }
            | Reading::Effort { joint, coordinate } => {
                self.coordinate(element, *joint, *coordinate)
            }
            // A rotation vector has three coordinates.
            Reading::BallOrientation { joint, coordinate } => {
                self.coordinate(element, *joint, coordinate.saturating_add(2))
            }
            Reading::BallVelocity { joint } => self.joint(element, *joint),
            Reading::TendonPosition { tendon }
            | Reading::TendonVelocity { tendon }
            | Reading::TendonEffort { tendon } => self.tendon(element, *tendon),
            Reading::ActuatorPosition { actuator: id }
            | Reading::ActuatorVelocity { actuator: id } => actuator(id),
            Reading::ActuatorActivation { actuator: id } => {
                actuator(id)?;
                match self.data.actuators[id.index()].dynamics {
                    Some(_) => Ok(()),
                    None => {
                        let remedy =
                            "it must have dynamics: the activation of others is their control";
                        Err(bad(
                            element.clone(),
                            "dynamics of the actuator",
                            0.0,
                            remedy,
                        ))
                    }
                }
            }
            Reading::Contacts { query } => self.contacts(element, query),
            Reading::ActuatorEffort { actuator: id } => {
                actuator(id)?;
                if self.data.actuators[id.index()].is_alone(&self.data.actuators) {
                    return Ok(());
                }
                let remedy = "it must be the only one on a coordinate or tendon: read the effort of that instead";
                let count = self.data.actuators.len() as f64;
                Err(bad(element.clone(), "number of actuators", count, remedy))
            }
            Reading::FramePosition { frame, reference }
            | Reading::FrameOrientation { frame, reference }
            | Reading::LinearVelocity {
                frame, reference, ..
            }
            | Reading::AngularVelocity {
                frame, reference, ..
            } => {
                self.frame(element, *frame)?;
                reference.map_or(Ok(()), |r| self.frame(element, r))
            }
            Reading::FrameAxis {
                frame,
                axis,
                reference,
            } => {
                self.frame(element, *frame)?;
                self.within(element, "axis", *axis, 3)?;
                reference.map_or(Ok(()), |r| self.frame(element, r))
            }
            Reading::Range { frame }
            | Reading::Acceleration { frame, .. }
            | Reading::AngularAcceleration { frame }
            | Reading::Field { frame, .. } => self.frame(element, *frame),
            Reading::Force { frame, section } | Reading::Torque { frame, section } => {
                self.frame(element, *frame)?;
                self.section(element, section)
            }
            Reading::Touch { frame, shapes, .. } => {
                self.frame(element, *frame)?;
                self.shapes(element, shapes)
            }
            Reading::CentreOfMass { bodies }
            | Reading::CentreVelocity { bodies }
            | Reading::AngularMomentum { bodies } => self.bodies(element, bodies),
            Reading::Clock | Reading::KineticEnergy => Ok(()),
            Reading::PotentialEnergy { fixed } => finite(element, "fixed energy", &[*fixed]),
            Reading::LimitGap { limit }
            | Reading::LimitRate { limit }
            | Reading::LimitForce { limit } => self.limit(element, *limit),
            Reading::Inside { frame, object, .. } => {
                self.frame(element, *frame)?;
                self.frame(element, *object)
            }
            Reading::Projection {
                frame,
                camera,
                focal,
                size,
            } => {
                self.frame(element, *frame)?;
                self.frame(element, *camera)?;
                finite(element, "focal length", focal)?;
                finite(element, "size of the image", size)
            }
            Reading::Nearest {
                from, to, within, ..
            } => {
                self.shapes(element, from)?;
                self.shapes(element, to)?;
                finite(element, "greatest distance", &[*within])
            }
        }
    }

    fn contacts(&self, element: &str, query: &ContactQuery) -> Result<(), ModelError> {
        for shapes in [&query.first, &query.second].into_iter().flatten() {
            self.shapes(element, shapes)?;
        }
        if let Some((frame, _)) = &query.volume {
            self.frame(element, *frame)?;
        }
        if !(1..=MOST_SLOTS).contains(&query.slots) {
            let remedy = "give from 1 to 1000";
            let slots = query.slots as f64;
            return Err(bad(element.to_owned(), "number of slots", slots, remedy));
        }
        if query.fields.is_empty() || !query.fields.is_sorted_by(|a, b| a < b) {
            let remedy = "give each at most once, in the order of ContactField";
            let count = query.fields.len() as f64;
            return Err(bad(element.to_owned(), "list of fields", count, remedy));
        }
        Ok(())
    }

    fn limit(&self, element: &str, limit: LimitOf) -> Result<(), ModelError> {
        match limit {
            LimitOf::Coordinate { joint, coordinate } => {
                self.coordinate(element, joint, coordinate)
            }
            LimitOf::Tendon { tendon } => self.tendon(element, tendon),
            LimitOf::Turn { joint } => {
                self.joint(element, joint)?;
                match self.data.joints[joint.index()].kind.rotation_vector() {
                    Some(_) => Ok(()),
                    None => {
                        let remedy = "only spherical and free joints have one: name a coordinate";
                        Err(bad(element.to_owned(), "a whole turn", 0.0, remedy))
                    }
                }
            }
        }
    }

    fn section(&self, element: &str, section: &Section) -> Result<(), ModelError> {
        for part in &section.parts {
            if let Some(body) = part.body {
                body_exists(element, body, self.data.bodies.len())?;
            }
            self.shapes(element, &part.shapes)?;
        }
        let mut closures = section.closures.iter();
        closures.try_for_each(|(joint, _)| self.joint(element, *joint))
    }

    fn keyframe(&self, keyframe: &Keyframe) -> Result<(), ModelError> {
        let element = format!("stored state '{}'", keyframe.name);
        for (joint, values) in keyframe.joints.iter().chain(&keyframe.rates) {
            self.joint(&element, *joint)?;
            if values.len() != self.data.joints[joint.index()].axes.len() {
                let remedy = "give one value for every coordinate of the joint";
                let count = values.len() as f64;
                return Err(bad(element, "number of values of a joint", count, remedy));
            }
            finite(&element, "a value", values)?;
        }
        for floating in &keyframe.bodies {
            body_exists(&element, floating.body, self.data.bodies.len())?;
            finite_pose(&element, "pose", &floating.pose)?;
        }
        finite(&element, "an activation", &keyframe.activations)?;
        finite(&element, "a control", &keyframe.controls)
    }
}

/// What the curves of a muscle need.
fn fits_muscle(element: &str, actuator: &Actuator, muscle: &Muscle) -> Result<(), ModelError> {
    let refuse = |what, value, remedy| Err(bad(element.to_owned(), what, value, remedy));
    let on = &actuator.transmission;
    if !matches!(
        on,
        Transmission::Coordinate { .. } | Transmission::Tendon { .. }
    ) {
        return refuse(
            "a muscle",
            0.0,
            "it pulls on a joint coordinate or a tendon",
        );
    }
    if actuator.is_servo() {
        return refuse("bias", actuator.bias[1], "a muscle has none");
    }
    let numbers = [
        muscle.force,
        muscle.fastest,
        muscle.passive,
        muscle.lengthening,
    ];
    finite(element, "a number of the muscle", &numbers)?;
    for (what, [low, high]) in [
        ("length range", muscle.length_range),
        ("range of the muscle", muscle.range),
    ] {
        finite(element, what, &[low, high])?;
        if low >= high {
            return refuse(
                what,
                low - high,
                "the first number must be below the second",
            );
        }
    }
    finite(element, "active lengths", &muscle.active)?;
    if !(muscle.active[0] < 1.0 && muscle.active[1] > 1.0) {
        let remedy = "the first must be below 1, the second above";
        return refuse("active lengths", muscle.active[0], remedy);
    }
    if muscle.force < 0.0 || muscle.passive < 0.0 {
        let least = muscle.force.min(muscle.passive);
        return refuse("force of the muscle", least, "it must not be negative");
    }
    if muscle.fastest <= 0.0 {
        return refuse("speed of the muscle", muscle.fastest, "it must be positive");
    }
    if muscle.lengthening < 1.0 {
        let remedy = "it must be at least 1";
        return refuse("force where it is lengthened", muscle.lengthening, remedy);
    }
    Ok(())
}

fn finite(element: &str, what: &'static str, values: &[f64]) -> Result<(), ModelError> {
    match values.iter().find(|v| !v.is_finite()) {
        None => Ok(()),
        Some(&v) => Err(bad(element.to_owned(), what, v, "it must be finite")),
    }
}

//! Statements about a model file beyond those about any model.

use super::assembly::Assembly;
use crate::import::word;
use crate::table::{count, heading, line, number};
use linkwork::actuators::{Actuator, Transmission};
use linkwork::model::{Counts, Model};
use linkwork::sensors::Sensor;
use linkwork_import::Notices;
use serde::Serialize;
use std::borrow::Cow;
use std::io::Write;

/// Findings in a file.
#[derive(Serialize)]
pub struct FileFindings {
    /// What it has, counted as its own tools count.
    pub file: Counts,
    /// How its loops close.
    pub assembly: Assembly,
    /// What drives it, reads it and sets its state.
    #[serde(flatten)]
    pub around: Around,
    /// What was ignored, chosen or found odd.
    pub notices: Notices,
}

/// What a file has around the model, by name.
#[derive(Serialize)]
pub struct Around {
    /// Actuators, in the order of the controls.
    actuators: Vec<ActuatorLine>,
    /// Sensors.
    sensors: Vec<SensorLine>,
    /// Stored states.
    keyframes: Vec<String>,
}

/// An actuator.
#[derive(Serialize)]
struct ActuatorLine {
    name: String,
    kind: &'static str,
    control_range: Option<[f64; 2]>,
    force_range: Option<[f64; 2]>,
}

/// A sensor.
#[derive(Serialize)]
struct SensorLine {
    name: String,
    /// Of its values, e.g. `x y z`.
    components: Vec<Cow<'static, str>>,
    /// One for each value.
    units: Vec<&'static str>,
}

impl Around {
    /// Of a mechanism.
    pub fn of(model: &Model) -> Self {
        let actuator = |a: &Actuator| ActuatorLine {
            name: a.name.clone(),
            kind: kind(a),
            control_range: a.control_range,
            force_range: a.force_range,
        };
        let sensor = |s: &Sensor| SensorLine {
            name: s.name.clone(),
            components: s.components(),
            units: s.units(model),
        };
        Self {
            actuators: model.actuators().iter().map(actuator).collect(),
            sensors: model.sensors().iter().map(sensor).collect(),
            keyframes: model.keyframes().iter().map(|k| k.name.clone()).collect(),
        }
    }

    /// How many of each.
    pub fn print_counts(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let counts = [
            (self.actuators.len(), "actuator"),
            (self.sensors.len(), "sensor"),
            (self.keyframes.len(), "stored state"),
        ];
        let counts: Vec<_> = counts.iter().map(|&(n, t)| count(n as u64, t)).collect();
        line(out, "around it", &counts.join(", "))
    }

    /// Each by name.
    pub fn print(&self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.actuators.is_empty() && self.sensors.is_empty() && self.keyframes.is_empty() {
            return Ok(());
        }
        heading(out, "Actuators, sensors, stored states")?;
        for a in &self.actuators {
            let range = |name: &str, range: Option<[f64; 2]>| {
                let range = range.map(|r| r.map(number));
                range.map_or(String::new(), |[a, b]| format!(", {name} {a} to {b}"))
            };
            let (control, force) = (
                range("control", a.control_range),
                range("force", a.force_range),
            );
            line(out, a.kind, &format!("{}{control}{force}", a.name))?;
        }
        for s in &self.sensors {
            let components = match s.components.as_slice() {
                [one] if one.is_empty() => String::new(),
                several => format!(" .{}", several.join(" .")),
            };
            let mut units = s.units.clone();
            units.dedup();
            units.retain(|u| *u != "1");
            let units: String = units.iter().map(|u| format!(", {u}")).collect();
            line(out, "sensor", &format!("{}{components}{units}", s.name))?;
        }
        for name in &self.keyframes {
            line(out, "stored state", name)?;
        }
        Ok(())
    }
}

/// What an actuator is, in a word or two.
fn kind(actuator: &Actuator) -> &'static str {
    if actuator.muscle.is_some() {
        return "muscle";
    }
    match (&actuator.transmission, actuator.is_servo()) {
        (Transmission::Coordinate { .. }, true) => "servo",
        (Transmission::Coordinate { .. }, false) => "motor",
        (Transmission::Tendon { .. }, true) => "servo on tendon",
        (Transmission::Tendon { .. }, false) => "motor on tendon",
        (Transmission::Frame { .. }, _) => "force at a site",
        (Transmission::Adhesion { .. }, _) => "adhesion",
    }
}

impl FileFindings {
    /// The file's counts; those of the simulated model follow.
    pub fn print_counts(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let counts = &self.file;
        let parts = [
            (counts.links, "link"),
            (counts.joints, "joint"),
            (counts.closures, "loop closure"),
        ];
        let parts: Vec<_> = parts.iter().map(|&(n, t)| count(n as u64, t)).collect();
        let (parts, dof, mass) = (
            parts.join(", "),
            counts.degrees_of_freedom,
            number(counts.mass),
        );
        let text = format!("{parts}, {dof} degrees of freedom before loops close, {mass} kg");
        line(out, "file", &text)
    }

    /// Everything that was ignored, chosen or found odd.
    pub fn print_notices(&self, out: &mut dyn Write) -> std::io::Result<()> {
        if self.notices.all().is_empty() {
            return Ok(());
        }
        heading(out, "Import")?;
        for notice in self.notices.all() {
            line(out, word(notice.severity), &notice.to_string())?;
        }
        Ok(())
    }
}

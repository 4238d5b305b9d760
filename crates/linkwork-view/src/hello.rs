//! The first message: description of the scene, and meaning of the numbers in frames.

use crate::live::ActuatorInfo;
use crate::scalars::SCALARS;
use linkwork::Settings;
use linkwork::joints::Unit;
use linkwork::model::{Model, ModelData};
use linkwork_record::{Quantity, SignalInfo};
use linkwork_solve::all_solvers;
use serde::Serialize;

/// Where the frames come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// A simulation behind the server.
    Live,
    /// A recording behind the server.
    Replay,
    /// Frames in the page itself.
    Embedded,
}

/// The first message to a page, as in docs/protocol.md.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    r#type: &'static str,
    version: &'static str,
    mode: Mode,
    title: String,
    control: bool,
    model: ModelData,
    settings: SettingsInfo,
    solvers: Vec<&'static str>,
    scalars: Vec<ScalarInfo>,
    coordinates: Vec<CoordinateInfo>,
    /// Controls, activations and sensors whose values frames hold.
    pub signals: Vec<SignalInfo>,
    /// Actuators that can be set; live only.
    pub actuators: Vec<ActuatorInfo>,
    /// Available stored states; live only.
    pub keyframes: Vec<String>,
    /// Number of frames; 0 for a live view.
    pub records: usize,
    /// Time of each frame, s; embedded only.
    pub times: Option<Vec<f64>>,
    /// First time, s.
    pub start: f64,
    /// Last time, s.
    pub end: f64,
    /// A message for the viewer, e.g. that the recording was truncated.
    pub warning: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
struct SettingsInfo {
    dt: f64,
    solver: String,
    tolerance: f64,
}

#[derive(Clone, Debug, Serialize)]
struct ScalarInfo {
    name: &'static str,
    label: &'static str,
    unit: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct CoordinateInfo {
    joint: usize,
    name: String,
    unit: &'static str,
}

impl Hello {
    /// For a model simulated with these settings; without records.
    pub fn new(mode: Mode, title: &str, model: &Model, settings: &Settings) -> Self {
        let scalar = |s: &'static Quantity| ScalarInfo {
            name: s.name(),
            label: s.label(),
            unit: s.unit(),
        };
        Self {
            r#type: "hello",
            version: env!("CARGO_PKG_VERSION"),
            mode,
            title: title.to_owned(),
            control: false,
            model: model.data().clone(),
            settings: SettingsInfo {
                dt: settings.dt,
                solver: settings.solver.clone(),
                tolerance: settings.solve.tolerance,
            },
            solvers: all_solvers().iter().map(|e| e.name).collect(),
            scalars: SCALARS.iter().map(scalar).collect(),
            coordinates: coordinates(model),
            signals: Vec::new(),
            actuators: Vec::new(),
            keyframes: Vec::new(),
            records: 0,
            times: None,
            start: 0.0,
            end: 0.0,
            warning: None,
        }
    }

    /// The model that is shown.
    pub fn model(&self) -> &ModelData {
        &self.model
    }

    /// As JSON, for a page that may control the simulation or not.
    pub fn text(&self, control: bool) -> String {
        let mut hello = self.clone();
        hello.control = control;
        serde_json::to_string(&hello).expect("plain data with text keys")
    }
}

/// All joint coordinates by name, e.g. "A.angle".
fn coordinates(model: &Model) -> Vec<CoordinateInfo> {
    let mut all = Vec::with_capacity(model.coordinate_count());
    for (joint, definition) in model.joints().iter().enumerate() {
        for (name, unit) in definition.kind.coordinates() {
            all.push(CoordinateInfo {
                joint,
                name: format!("{}.{name}", definition.name),
                unit: match unit {
                    Unit::Length => "m",
                    Unit::Angle => "rad",
                },
            });
        }
    }
    all
}

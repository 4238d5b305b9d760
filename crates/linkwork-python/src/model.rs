//! Models: a mechanism with its names, actuators and sensors, and how it is best run.

pub mod load;
pub mod pickling;

use crate::arrays::matrix;
use crate::check;
use crate::drives::add_actuators;
use crate::errors::{self, guard, value};
use crate::state::PyState;
use linkwork::Script;
use linkwork::actuators::Transmission;
use linkwork::joints::Unit;
use linkwork::model::{BodyId, JointId, Model};
use linkwork::{Settings, State};
use linkwork_import::export::to_mjcf;
use linkwork_import::own;
use linkwork_scenes::scene;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// Where a model comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// A built-in scene, with the parameters that were set.
    Scene {
        /// Its name.
        name: String,
        /// What was set.
        parameters: Vec<(String, f64)>,
    },
    /// A file, by the name it was given.
    File(String),
    /// A builder.
    Built,
}

/// A mechanism: bodies, joints, couplings, tendons, shapes, actuators and sensors; immutable.
///
/// Made by load(), by the functions of linkwork.scenes, or by ModelBuilder.build().
#[pyclass(frozen, name = "Model", module = "linkwork")]
pub struct PyModel {
    pub model: Arc<Model>,
    pub settings: Settings,
    pub origin: Origin,
    /// Controls at which the actuators start.
    pub controls: Vec<f64>,
    notices: Vec<String>,
}

/// A body, joint or world by name or by index.
#[derive(FromPyObject)]
pub enum Key {
    /// By name.
    #[pyo3(transparent, annotation = "str")]
    Name(String),
    /// By index.
    #[pyo3(transparent, annotation = "int")]
    Index(i64),
}

impl Key {
    /// The index of what is called so.
    pub fn find(&self, what: &str, names: &[&str]) -> PyResult<usize> {
        match self {
            Key::Name(name) => names
                .iter()
                .position(|n| n == name)
                .ok_or_else(|| value(format!("there is no {what} '{name}'; {}", known(names)))),
            Key::Index(i) => usize::try_from(*i)
                .ok()
                .filter(|i| *i < names.len())
                .ok_or_else(|| {
                    let n = names.len();
                    value(format!(
                        "there is no {what} {i}; there are {n}, numbered from 0"
                    ))
                }),
        }
    }
}

/// The first few names, for messages.
pub fn known(names: &[&str]) -> String {
    match names {
        [] => "there are none".to_owned(),
        names if names.len() > 12 => {
            let more = names.len() - 12;
            format!("choose one of: {}, and {more} more", names[..12].join(", "))
        }
        names => format!("choose one of: {}", names.join(", ")),
    }
}

impl PyModel {
    /// Of a mechanism that is closed.
    pub fn new(
        model: &Model,
        settings: Settings,
        origin: Origin,
        controls: &[f64],
        notices: Vec<String>,
    ) -> PyResult<Self> {
        let mut data = model.data().clone();
        let controls = add_actuators(model, &mut data, controls);
        Ok(Self {
            model: data.build().map_err(errors::model)?,
            settings,
            origin,
            controls,
            notices,
        })
    }

    /// A built-in scene.
    pub fn of_scene(name: &str, parameters: Vec<(String, f64)>) -> PyResult<Self> {
        let set: Vec<(&str, f64)> = parameters.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        let scene = scene(name, &set).map_err(|e| value(e.to_string()))?;
        let origin = Origin::Scene {
            name: name.to_owned(),
            parameters,
        };
        let model = scene.model.named(name, None);
        Self::new(&model, scene.settings, origin, &[], Vec::new())
    }

    /// The script of a scene, made anew.
    pub fn script(&self) -> PyResult<Option<Script>> {
        let Origin::Scene { name, parameters } = &self.origin else {
            return Ok(None);
        };
        let set: Vec<(&str, f64)> = parameters.iter().map(|(n, v)| (n.as_str(), *v)).collect();
        let scene = scene(name, &set).map_err(|e| value(e.to_string()))?;
        Ok(scene.script)
    }

    /// Names of the bodies.
    pub fn body_names(&self) -> Vec<&str> {
        let bodies = self.model.bodies();
        bodies.iter().map(|b| b.name.as_str()).collect()
    }

    /// Names of the joints.
    pub fn joint_names(&self) -> Vec<&str> {
        let joints = self.model.joints();
        joints.iter().map(|j| j.name.as_str()).collect()
    }

    /// Names of the actuators.
    pub fn actuator_names(&self) -> Vec<&str> {
        let actuators = self.model.actuators();
        actuators.iter().map(|a| a.name.as_str()).collect()
    }

    /// Names of all joint coordinates.
    pub fn coordinate_names(&self) -> Vec<&str> {
        let labels = self.model.labels().iter().flatten();
        labels.map(String::as_str).collect()
    }

    /// Index of a coordinate by its name, or by that of a joint with one coordinate.
    pub fn coordinate_index(&self, key: &Key) -> PyResult<usize> {
        if let Key::Name(name) = key
            && !self.coordinate_names().contains(&name.as_str())
            && let Some(j) = self.model.joint_named(name)
        {
            let joint = self.model.joint(j);
            return match joint.axes.len() {
                1 => Ok(joint.first_coordinate),
                n => Err(value(format!(
                    "joint '{name}' has {n} coordinates; name one: {}",
                    self.model.labels()[j.index()].join(", ")
                ))),
            };
        }
        key.find("joint coordinate", &self.coordinate_names())
    }

    /// The joint of a coordinate, and which of its coordinates it is.
    pub fn joint_of(&self, coordinate: usize) -> (JointId, usize) {
        let joints = self.model.joints().iter().enumerate();
        let mut found = joints.filter(|(_, j)| {
            (j.first_coordinate..j.first_coordinate + j.axes.len()).contains(&coordinate)
        });
        let (i, joint) = found.next().expect("a coordinate belongs to a joint");
        (JointId(i as u32), coordinate - joint.first_coordinate)
    }

    /// The state of a keyframe, closed, and its controls.
    pub fn keyframe_state(&self, name: &str) -> PyResult<(State, Vec<f64>)> {
        let m = &self.model;
        let found = m.keyframe_named(name);
        let names: Vec<&str> = m.keyframes().iter().map(|k| &*k.name).collect();
        let key = found
            .ok_or_else(|| value(format!("there is no keyframe '{name}'; {}", known(&names))))?;
        let mut state = m.keyframe_state(key);
        state.time = 0.0;
        let closed = m
            .closed(&state)
            .map_err(|e| errors::AssembleError::new_err(e.to_string()))?;
        let mut controls = self.controls.clone();
        for (c, k) in controls.iter_mut().zip(&key.controls) {
            *c = *k;
        }
        Ok((closed.state, controls))
    }
}

#[pymethods]
impl PyModel {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    /// Names of the bodies, in order.
    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.body_names()
    }

    /// Names of the joints, in order.
    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.joint_names()
    }

    /// Names of the joint coordinates, in the order of the arrays of coordinates.
    #[getter]
    fn coordinates(&self) -> Vec<&str> {
        self.coordinate_names()
    }

    /// Units of the joint coordinates, "m" or "rad".
    #[getter]
    fn units(&self) -> Vec<&'static str> {
        let joints = self.model.joints().iter();
        let unit = |u: &Unit| match u {
            Unit::Length => "m",
            Unit::Angle => "rad",
        };
        joints
            .flat_map(|j| j.kind.coordinates().iter().map(move |(_, u)| unit(u)))
            .collect()
    }

    /// Names of the actuators, in the order of the controls. Every drive that no actuator of a file pulls on has one,
    /// called as its coordinate, whose control is the drive's target (m or rad; m/s or rad/s without stiffness).
    #[getter]
    fn actuators(&self) -> Vec<&str> {
        self.actuator_names()
    }

    /// Controls at which the actuators start.
    #[getter]
    fn controls<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.controls)
    }

    /// Ranges of the controls, (actuators, 2); infinite where there is none.
    #[getter]
    fn control_ranges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        let ranges = self.model.actuators().iter();
        let ranges = ranges.flat_map(|a| a.control_range.unwrap_or(free));
        matrix(py, ranges.collect(), 2)
    }

    /// Names of the sensors.
    #[getter]
    fn sensors(&self) -> Vec<&str> {
        let sensors = self.model.sensors().iter();
        sensors.map(|s| s.name.as_str()).collect()
    }

    /// Names of the stored states of the file.
    #[getter]
    fn keyframes(&self) -> Vec<&str> {
        let keys = self.model.keyframes().iter();
        keys.map(|k| k.name.as_str()).collect()
    }

    /// Names of the shapes, in order.
    #[getter]
    fn shapes(&self) -> Vec<&str> {
        let shapes = self.model.shapes().iter();
        shapes.map(|s| s.name.as_str()).collect()
    }

    /// Masses of the bodies, kg.
    #[getter]
    fn masses<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let bodies = self.model.bodies().iter();
        PyArray1::from_vec(py, bodies.map(|b| b.mass).collect())
    }

    /// Gravity, m/s², world frame.
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.model.gravity().as_slice())
    }

    /// Step size that suits it, s.
    #[getter]
    fn dt(&self) -> f64 {
        self.settings.dt
    }

    /// Hash of everything in it, 16 hexadecimal digits.
    #[getter]
    fn hash(&self) -> String {
        format!("{:016x}", self.model.hash())
    }

    /// What was ignored, chosen or found odd when it was loaded.
    #[getter]
    fn notices(&self) -> Vec<String> {
        self.notices.clone()
    }

    /// Where it starts.
    #[getter]
    fn initial_state(&self) -> PyState {
        self.model.initial_state().into()
    }

    /// keyframe(name): the stored state of this name, with its loops closed.
    fn keyframe(&self, name: &str) -> PyResult<PyState> {
        guard(|| {
            let (state, _) = self.keyframe_state(name)?;
            Ok(state.into())
        })
    }

    /// joint(name): type, bodies and coordinates of a joint, as a dictionary.
    fn joint<'py>(&self, py: Python<'py>, joint: Key) -> PyResult<Bound<'py, PyDict>> {
        let i = joint.find("joint", &self.joint_names())?;
        let model = &self.model;
        let joint = &model.joints()[i];
        let body = |b: BodyId| model.body(b).name.as_str();
        let d = PyDict::new(py);
        d.set_item("name", &joint.name)?;
        d.set_item("type", joint.kind.name())?;
        d.set_item("base", joint.base.map(body))?;
        d.set_item("follower", body(joint.follower))?;
        d.set_item("coordinates", self.model.labels()[i].clone())?;
        let limits = joint.axes.iter().map(|a| a.limits.map(|l| (l.min, l.max)));
        d.set_item("limits", limits.collect::<Vec<_>>())?;
        d.set_item("turn_limit", joint.turn_limits.map(|l| l.max))?;
        d.set_item("moved", joint.is_moved())?;
        let drives = joint
            .axes
            .iter()
            .map(|a| a.drive.map(|d| (d.stiffness, d.damping)));
        d.set_item("drives", drives.collect::<Vec<_>>())?;
        Ok(d)
    }

    /// actuator(name): what an actuator pulls on, its gain, bias and ranges, as a dictionary.
    fn actuator<'py>(&self, py: Python<'py>, actuator: Key) -> PyResult<Bound<'py, PyDict>> {
        let i = actuator.find("actuator", &self.actuator_names())?;
        let a = &self.model.actuators()[i];
        let d = PyDict::new(py);
        d.set_item("name", &a.name)?;
        let pulls = match &a.transmission {
            Transmission::Coordinate {
                joint, coordinate, ..
            } => self.model.labels()[joint.index()][*coordinate].clone(),
            Transmission::Tendon { tendon, .. } => self.model.tendon(*tendon).name.clone(),
            Transmission::Frame { frame, .. } => self.model.frame(*frame).name.clone(),
            Transmission::Adhesion { .. } => "adhesion".to_owned(),
        };
        d.set_item("pulls_on", pulls)?;
        d.set_item("servo", a.is_servo())?;
        d.set_item("gain", a.gain)?;
        d.set_item("bias", a.bias.to_vec())?;
        d.set_item("control_range", a.control_range.map(|r| (r[0], r[1])))?;
        d.set_item("force_range", a.force_range.map(|r| (r[0], r[1])))?;
        Ok(d)
    }

    /// Everything of the model as JSON text in Linkwork's own format, to the bit.
    fn to_json(&self) -> PyResult<String> {
        guard(|| Ok(own::to_json(&self.model)))
    }

    /// to_mjcf(): the model as MJCF text, for MuJoCo, and a list of what MJCF cannot express.
    fn to_mjcf(&self) -> PyResult<(String, Vec<String>)> {
        guard(|| {
            let exported = to_mjcf(&self.model).map_err(errors::model)?;
            Ok((exported.text, exported.left_out))
        })
    }

    /// save(path): write it in Linkwork's own format, by the ending .linkwork.toml or .linkwork.json.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        guard(|| {
            let name = path.to_string_lossy().to_lowercase();
            let text = if name.ends_with(".linkwork.toml") {
                own::to_toml(&self.model)
            } else if name.ends_with(".linkwork.json") {
                own::to_json(&self.model)
            } else {
                let path = path.display();
                return Err(value(format!(
                    "'{path}' must end in .linkwork.toml or .linkwork.json"
                )));
            };
            Ok(std::fs::write(&path, text)?)
        })
    }

    /// check(): degrees of freedom, redundant rows, open joints, overlaps and what was found at the first step.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = py.detach(|| guard(|| check::check(self)))?;
        check::object(py, &found)
    }

    /// Where collision shapes and joints are at the start, for pictures.
    fn _drawing(&self, py: Python<'_>, state: &PyState) -> PyResult<String> {
        let _ = py;
        crate::drawing::drawing(&self.model, &state.state)
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let picture = slf.py().import("linkwork._picture")?;
        picture.call_method1("model_html", (slf,))?.extract()
    }

    fn __repr__(&self) -> String {
        let model = &self.model;
        let (bodies, joints) = (model.bodies().len(), model.joints().len());
        let (n, shapes) = (model.coordinate_count(), model.shapes().len());
        let actuators = self.model.actuators().len();
        let name = self.model.name();
        format!(
            "Model('{name}': {bodies} bodies, {joints} joints, {n} coordinates, {actuators} actuators, {shapes} shapes)"
        )
    }
}

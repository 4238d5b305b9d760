//! Parameters of scenes.

use super::{SceneEntry, all_scenes};
use linkwork::model::ModelError;

/// A number that shapes a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Name, as in `--set name=value`.
    pub name: &'static str,
    /// Value unless set.
    pub default: f64,
    /// Least value.
    pub min: f64,
    /// Greatest value.
    pub max: f64,
    /// What it is, with its unit.
    pub doc: &'static str,
}

impl Param {
    /// A parameter with its default, its range and what it is.
    pub(super) const fn new(
        name: &'static str,
        default: f64,
        (min, max): (f64, f64),
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            default,
            min,
            max,
            doc,
        }
    }
}

/// Why a scene could not be built.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// There is no such scene.
    #[error("there is no scene '{name}'; choose one of: {known}")]
    UnknownScene {
        /// The requested name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The scene has no such parameter.
    #[error("scene '{scene}' has no parameter '{name}'; it has: {known}")]
    UnknownParam {
        /// The scene.
        scene: &'static str,
        /// The requested parameter.
        name: String,
        /// Those it has.
        known: String,
    },
    /// A parameter is out of range.
    #[error("scene '{scene}': {name} = {value} is outside [{min}, {max}]")]
    OutOfRange {
        /// The scene.
        scene: &'static str,
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Least value.
        min: f64,
        /// Greatest value.
        max: f64,
    },
    /// The model was refused.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl SceneError {
    pub(super) fn unknown_scene(name: &str) -> Self {
        let names: Vec<_> = all_scenes().iter().map(|e| e.name).collect();
        SceneError::UnknownScene {
            name: name.to_owned(),
            known: names.join(", "),
        }
    }
}

/// The parameters of a scene, checked.
#[derive(Clone, Debug)]
pub struct Params {
    values: Vec<(&'static str, f64)>,
}

impl Params {
    /// The defaults with some set.
    pub fn new(entry: &SceneEntry, set: &[(&str, f64)]) -> Result<Self, SceneError> {
        let mut values: Vec<_> = entry.params.iter().map(|p| (p.name, p.default)).collect();
        for &(name, value) in set {
            let Some(at) = entry.params.iter().position(|p| p.name == name) else {
                let known: Vec<_> = entry.params.iter().map(|p| p.name).collect();
                return Err(SceneError::UnknownParam {
                    scene: entry.name,
                    name: name.to_owned(),
                    known: if known.is_empty() {
                        "none".to_owned()
                    } else {
                        known.join(", ")
                    },
                });
            };
            let p = &entry.params[at];
            if !(p.min..=p.max).contains(&value) {
                return Err(SceneError::OutOfRange {
                    scene: entry.name,
                    name: p.name,
                    value,
                    min: p.min,
                    max: p.max,
                });
            }
            values[at].1 = value;
        }
        Ok(Self { values })
    }

    /// Value of a parameter that the scene declares.
    pub fn get(&self, name: &str) -> f64 {
        self.values
            .iter()
            .find(|(n, _)| *n == name)
            .map_or(f64::NAN, |(_, v)| *v)
    }

    /// The same as a count.
    pub fn count(&self, name: &str) -> usize {
        self.get(name).round() as usize
    }

    /// The same as a switch: on unless 0.
    pub fn switch(&self, name: &str) -> bool {
        self.get(name) != 0.0
    }
}

//! Models from files, and built-in ones.

use super::{Origin, PyModel, known};
use crate::errors::{LoadError, ModelError, guard, value};
use linkwork::model::Model;
use linkwork::{Settings, State};
use linkwork_import::{Cache, Options, load as import};
use linkwork_scenes::all_scenes;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A built-in scene by name, with some parameters set.
#[pyfunction]
#[pyo3(name = "_scene")]
pub fn build_scene(name: &str, parameters: Vec<(String, f64)>) -> PyResult<PyModel> {
    guard(|| PyModel::of_scene(name, parameters))
}

/// Name, summary and parameters (name, default, least, greatest, what it is) of every scene.
#[pyfunction]
#[pyo3(name = "_scenes")]
#[expect(clippy::type_complexity, reason = "plain data for Python")]
pub fn list_scenes() -> Vec<(
    &'static str,
    &'static str,
    Vec<(&'static str, f64, f64, f64, &'static str)>,
)> {
    let scenes = all_scenes().iter();
    scenes
        .map(|s| {
            let parameters = s.params.iter();
            let parameters = parameters.map(|p| (p.name, p.default, p.min, p.max, p.doc));
            (s.name, s.summary, parameters.collect())
        })
        .collect()
}

/// load(path, *, key=None, soft=False, decompose=False, floating=False, servos=False, assets=None, packages=None, loops=None)
///
/// Read a mechanism from MJCF, URDF, SDF or Linkwork's own format, with its loops closed and its coordinates within
/// their limits. `key` starts it in a stored state; `soft` honours MuJoCo's solref and solimp; `decompose` splits
/// meshes into convex parts; `floating` lets a URDF's root float; `servos` replaces motors by stiff position servos.
/// Nothing outside the folder `assets` (the file's own unless given) is read; `packages` {name: folder} are those of package:// paths. `loops` is the file
/// with the loops of a URDF.
#[pyfunction]
#[pyo3(signature = (path, *, key=None, soft=false, decompose=false, floating=false, servos=false, assets=None, packages=None, loops=None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn load(
    py: Python<'_>,
    path: PathBuf,
    key: Option<String>,
    soft: bool,
    decompose: bool,
    floating: bool,
    servos: bool,
    assets: Option<PathBuf>,
    packages: Option<BTreeMap<String, PathBuf>>,
    loops: Option<PathBuf>,
) -> PyResult<PyModel> {
    let path = at_home(py, path);
    let [assets, loops] = [assets, loops].map(|p| p.map(|p| at_home(py, p)));
    py.detach(|| {
        guard(|| {
            let options = Options::with(|s| {
                s.assets = assets;
                s.packages = packages.into_iter().flatten().collect();
                s.loops = loops;
                s.soft = soft;
                s.decompose = decompose;
                s.floating = floating;
                s.cache = Cache::of_user();
            });
            let fail = |e: &dyn std::fmt::Display| LoadError::new_err(as_keywords(e.to_string()));
            let imported = import(&path, &options).map_err(|e| fail(&e))?;
            let mut notices: Vec<String> = imported
                .notices
                .all()
                .iter()
                .map(|notice| as_keywords(notice.to_string()))
                .collect();
            let model = imported.model;
            let (state, controls) = start(&model, key.as_deref())?;
            let closed = model.closed(&state).map_err(|e| {
                fail(&format!(
                    "the loops of {} do not close: {e}",
                    path.display()
                ))
            })?;
            if !closed.moved.is_empty() {
                let far = closed.moved.iter().fold(0.0, |a: f64, m| a.max(m.distance));
                notices.push(format!("assembled: bodies were moved by up to {far:.3e} m"));
            }
            let invalid = |e| ModelError::new_err(format!("{e}"));
            let mut started = model.started(&closed).map_err(invalid)?;
            if closed.contradiction.is_some() {
                notices.push(
                    "loops contradict each other within the digits of the file and yield".into(),
                );
            }
            if servos {
                started = started.with_servos().map_err(invalid)?;
            }
            let settings =
                Settings::with(|s| s.dt = started.timestep().unwrap_or(Settings::default().dt));
            let origin = Origin::File(path.display().to_string());
            PyModel::new(&started, settings, origin, &controls, notices)
        })
    })
}

/// A path with ~ written out.
fn at_home(py: Python<'_>, path: PathBuf) -> PathBuf {
    let expanded = || -> PyResult<PathBuf> {
        let module = py.import("os.path")?;
        module.call_method1("expanduser", (&path,))?.extract()
    };
    expanded().unwrap_or(path)
}

/// A message with options of the command as the keywords that they are here.
fn as_keywords(mut text: String) -> String {
    for name in ["soft", "decompose", "floating", "servos"] {
        text = text.replace(&format!("--{name}"), &format!("{name}=True"));
    }
    for name in ["assets", "loops", "key"] {
        text = text.replace(&format!("--{name}"), &format!("{name}="));
    }
    // --package NAME=FOLDER.
    text = text.replace("--package ", "packages: ");
    text
}

fn start(model: &Model, key: Option<&str>) -> PyResult<(State, Vec<f64>)> {
    let Some(name) = key else {
        return Ok((model.initial_state(), Vec::new()));
    };
    let names: Vec<&str> = model.keyframes().iter().map(|k| &*k.name).collect();
    let found = model.keyframe_named(name);
    let key =
        found.ok_or_else(|| value(format!("there is no keyframe '{name}'; {}", known(&names))))?;
    let mut state = model.keyframe_state(key);
    // Runs begin at 0.
    state.time = 0.0;
    Ok((state, key.controls.clone()))
}

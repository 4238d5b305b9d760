//! Models in other processes.

use super::{Origin, PyModel};
use crate::errors::{self, guard, setup};
use linkwork::Settings;
use linkwork::model::ModelData;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde::{Deserialize, Serialize};

#[pymethods]
impl PyModel {
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let this = slf.get();
        let kept = Kept {
            model: match this.origin {
                Origin::Scene { .. } => None,
                _ => Some(this.model.data().clone()),
            },
            settings: this.settings.clone(),
            origin: this.origin.clone(),
            controls: this.controls.clone(),
            notices: this.notices.clone(),
        };
        let text = serde_json::to_string(&kept).map_err(setup)?;
        let make = slf
            .py()
            .import("linkwork._linkwork")?
            .getattr("_model_from_json")?;
        Ok((make, PyTuple::new(slf.py(), [text])?))
    }
}

#[derive(Serialize, Deserialize)]
struct Kept {
    model: Option<ModelData>,
    settings: Settings,
    origin: Origin,
    controls: Vec<f64>,
    notices: Vec<String>,
}

#[pyfunction]
#[pyo3(name = "_model_from_json")]
pub fn model_from_json(text: &str) -> PyResult<PyModel> {
    guard(|| {
        let kept: Kept = serde_json::from_str(text).map_err(setup)?;
        match (kept.model, kept.origin) {
            (Some(model), origin) => Ok(PyModel {
                model: model.build().map_err(errors::model)?,
                settings: kept.settings,
                origin,
                controls: kept.controls,
                notices: kept.notices,
            }),
            (None, Origin::Scene { name, parameters }) => PyModel::of_scene(&name, parameters),
            (None, _) => Err(setup("the text holds no mechanism")),
        }
    })
}

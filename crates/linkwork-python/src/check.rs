//! What can be said of a model before it is run.

use crate::errors::setup;
use crate::model::PyModel;
use linkwork::mobility::mobility_within;
use linkwork::{Control, FailurePolicy, Simulator};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Work of the singular values that is done: two seconds on a laptop, as in `linkwork check`.
const WORK: f64 = 2e8;
/// Overlap that is worth a warning, m, and openness of a joint, m or rad.
const DEEP: f64 = 1e-6;
const OPEN: f64 = 1e-9;

/// What is found.
pub struct Check {
    degrees_of_freedom: Option<usize>,
    rows: usize,
    redundant_rows: Option<usize>,
    condition: Option<f64>,
    not_unique: Vec<String>,
    openness: [f64; 2],
    contacts: usize,
    penetration: f64,
    status: String,
    residual: f64,
    warnings: Vec<String>,
}

/// Examine a model at its initial state.
pub fn check(model: &PyModel) -> PyResult<Check> {
    let mut settings = model.settings.clone();
    // One solve tells as much as its repetition in halves.
    settings.failure = FailurePolicy::Accept;
    let model = &model.model;
    let mut simulator = Simulator::new(model.clone(), settings).map_err(setup)?;
    let state = simulator.state().clone();
    let (openness, worst) = model.openness(&state);
    let contacts = simulator.detect_contacts();
    let penetration = contacts.iter().fold(0.0, |p: f64, c| p.max(-c.gap));
    let contacts = contacts.len();
    let mobility = mobility_within(model, &state, WORK);
    let mut warnings: Vec<String> = Vec::new();
    if let Some(worst) = worst.filter(|_| openness[0].max(openness[1]) > OPEN) {
        let name = &model.joint(worst).name;
        warnings.push(format!(
            "joint '{name}' is open by {:.3e} m, {:.3e} rad; close it with Simulator.assemble",
            openness[0], openness[1]
        ));
    }
    if penetration > DEEP {
        warnings.push(format!(
            "shapes overlap by {penetration:.3e} m at the start; move them apart or exclude the pair"
        ));
    }
    let (status, residual) = match simulator.step(&Control::new(model)) {
        Ok(report) => {
            if !report.status.is_solved() {
                warnings.push(format!("the first solve ended with '{}'", report.status));
            }
            (report.status.to_string(), report.residuals.scaled())
        }
        Err(error) => {
            warnings.push(format!("the first step fails: {error}"));
            ("refused".to_owned(), f64::NAN)
        }
    };
    let name = |j: linkwork::model::JointId| model.joint(j).name.clone();
    Ok(Check {
        degrees_of_freedom: mobility.as_ref().map(|m| m.degrees_of_freedom),
        rows: model.locked_rows(),
        redundant_rows: mobility.as_ref().map(|m| m.redundant_rows),
        condition: mobility.as_ref().map(|m| m.condition),
        not_unique: mobility
            .iter()
            .flat_map(|m| m.not_unique.iter().map(|n| name(n.joint)))
            .collect(),
        openness,
        contacts,
        penetration,
        status,
        residual,
        warnings,
    })
}

/// As the Python object `linkwork.Check`.
pub fn object<'py>(py: Python<'py>, check: &Check) -> PyResult<Bound<'py, PyAny>> {
    let d = PyDict::new(py);
    d.set_item("degrees_of_freedom", check.degrees_of_freedom)?;
    d.set_item("rows", check.rows)?;
    d.set_item("redundant_rows", check.redundant_rows)?;
    d.set_item("condition", check.condition)?;
    d.set_item("not_unique", &check.not_unique)?;
    d.set_item("open_linear", check.openness[0])?;
    d.set_item("open_angular", check.openness[1])?;
    d.set_item("contacts", check.contacts)?;
    d.set_item("penetration", check.penetration)?;
    d.set_item("status", &check.status)?;
    d.set_item("residual", check.residual)?;
    d.set_item("warnings", &check.warnings)?;
    let results = py.import("linkwork._results")?;
    results.getattr("Check")?.call((), Some(&d))
}

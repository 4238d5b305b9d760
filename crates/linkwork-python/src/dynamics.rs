//! Inverse dynamics of motions and derivatives of steps.

use crate::arrays::{matrix, shaped};
use crate::errors::{StepError, guard, setup, value};
use crate::model::{Key, PyModel};
use crate::report::PyStepReport;
use crate::simulator::PySimulator;
use crate::state::PyState;
use linkwork::State;
use linkwork::gradient::{Activity, GradientError, Parameter, StepGradient};
use linkwork::inverse::{Actuated, Before, Forces, Inverse, InverseSettings};
use linkwork::model::{BodyId, JointId, ShapeId};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// _invert(model, states, dt, actuated, start, still): the forces of a motion as a dictionary of arrays.
#[pyfunction]
pub fn _invert<'py>(
    py: Python<'py>,
    model: &PyModel,
    states: Vec<Py<PyState>>,
    dt: Option<f64>,
    actuated: &Bound<'py, PyAny>,
    start: bool,
    still: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut options = InverseSettings::default();
    options.actuated = read_actuated(model, actuated)?;
    options.still = still;
    let mut settings = model.settings.clone();
    settings.dt = dt.unwrap_or(settings.dt);
    let rigid = model.model.clone();
    let states: Vec<State> = states.iter().map(|s| s.get().state.clone()).collect();
    let (least, first) = if start { (2, 0) } else { (3, 1) };
    if states.len() < least {
        let have = states.len();
        return Err(value(format!(
            "there are {have} states; the forces of one follow from it and its neighbours, so give at least {least}"
        )));
    }
    let found: Vec<Forces> = py.detach(|| {
        guard(|| {
            let mut inverse = Inverse::new(rigid.clone(), &settings, options).map_err(setup)?;
            let mut all = Vec::new();
            for i in first..states.len() - 1 {
                let before = match i.checked_sub(1) {
                    Some(i) => Before::State(&states[i]),
                    None => Before::Start,
                };
                let forces = inverse.forces(before, &states[i], &states[i + 1]);
                all.push(forces.map_err(setup)?);
            }
            Ok(all)
        })
    })?;
    let n = found.len();
    let (bodies, joints) = (rigid.bodies().len(), rigid.joints().len());
    let coordinates = rigid.coordinate_count();
    let list = |of: fn(&Forces) -> f64| PyArray1::from_vec(py, found.iter().map(of).collect());
    let torques = found.iter().flat_map(|f| f.torques().collect::<Vec<_>>());
    let determined: Vec<bool> = found.iter().flat_map(|f| f.determined.clone()).collect();
    let feasible: Vec<bool> = found.iter().map(Forces::is_feasible).collect();
    let residual = found.iter().flat_map(|f| &f.residual);
    let residual = residual.flat_map(|w| {
        let (f, t) = (&w.force, &w.torque);
        [f.x, f.y, f.z, t.x, t.y, t.z]
    });
    let mut reactions = vec![0.0; 6 * joints * n];
    for (i, forces) in found.iter().enumerate() {
        for r in &forces.reactions {
            let at = 6 * (i * joints + r.joint.index());
            reactions[at..at + 3].copy_from_slice(r.force.as_slice());
            reactions[at + 3..at + 6].copy_from_slice(r.torque.as_slice());
        }
    }
    let result = PyDict::new(py);
    result.set_item("times", list(|f| f.time))?;
    let torques = PyArray1::from_vec(py, torques.collect());
    result.set_item("torques", torques.reshape([n, coordinates])?)?;
    let determined = PyArray1::from_vec(py, determined);
    result.set_item("determined", determined.reshape([n, coordinates])?)?;
    result.set_item("reactions", stack_of(py, reactions, n, joints)?)?;
    result.set_item("residual", stack_of(py, residual.collect(), n, bodies)?)?;
    result.set_item("unexplained", list(|f| f.unexplained))?;
    result.set_item("contact_force", list(contact_force))?;
    result.set_item("feasible", PyArray1::from_vec(py, feasible))?;
    Ok(result)
}

/// Wrenches of `each` elements at `n` times, (n, each, 6).
fn stack_of(
    py: Python<'_>,
    numbers: Vec<f64>,
    n: usize,
    each: usize,
) -> PyResult<Bound<'_, PyAny>> {
    Ok(shaped(py, numbers, &[n, each, 6])?.into_any())
}

/// Sum of the sizes of the contact forces, N.
fn contact_force(found: &Forces) -> f64 {
    let sizes = found.contacts.iter().map(|c| c.impulse.norm());
    sizes.sum::<f64>() / found.duration
}

fn read_actuated(model: &PyModel, given: &Bound<'_, PyAny>) -> PyResult<Actuated> {
    if let Ok(word) = given.cast::<PyString>() {
        return match word.to_str()? {
            "drives" => Ok(Actuated::Drives),
            "all" => Ok(Actuated::All),
            other => Err(value(format!(
                "actuated is '{other}'; it must be 'drives', 'all' or a list of coordinates"
            ))),
        };
    }
    let keys: Vec<Key> = given.extract()?;
    let list = keys.iter().map(|key| model.coordinate_index(key));
    Ok(Actuated::Coordinates(list.collect::<PyResult<_>>()?))
}

#[pymethods]
impl PySimulator {
    /// _step_gradient(parameters): take a step, and differentiate it; a dictionary of arrays.
    fn _step_gradient<'py>(
        &self,
        py: Python<'py>,
        parameters: Vec<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let model = self.model.get();
        let parameters = parameters.iter().map(|p| read_parameter(model, p));
        let parameters: Vec<Parameter> = parameters.collect::<PyResult<_>>()?;
        let found = self.sim.with(py, |s| {
            let found = s.run.step_gradient(&parameters).map_err(refused)?;
            s.steps += 1;
            s.report = Some(found.report);
            Ok(found)
        })?;
        told(py, &found)
    }
}

/// A parameter of a step as Python names it: ("friction", a, b), ("mass", body), …
fn read_parameter(model: &PyModel, given: &Bound<'_, PyAny>) -> PyResult<Parameter> {
    let parts: Vec<Bound<'_, PyAny>> = given.extract()?;
    let Some((kind, rest)) = parts.split_first() else {
        return Err(value("a parameter is empty; begin it with its kind"));
    };
    let kind: String = kind.extract()?;
    let body = |key: &Bound<'_, PyAny>| -> PyResult<BodyId> {
        let at = key.extract::<Key>()?.find("body", &model.body_names())?;
        Ok(BodyId(at as u32))
    };
    let shape = |key: &Bound<'_, PyAny>| -> PyResult<ShapeId> {
        let shapes = model.model.shapes();
        let names: Vec<&str> = shapes.iter().map(|s| s.name.as_str()).collect();
        Ok(ShapeId(key.extract::<Key>()?.find("shape", &names)? as u32))
    };
    let coordinate = |key: &Bound<'_, PyAny>| model.coordinate_index(&key.extract::<Key>()?);
    match (kind.as_str(), rest) {
        ("force", [c]) => Ok(Parameter::Force(coordinate(c)?)),
        ("target", [c]) => Ok(Parameter::Target(coordinate(c)?)),
        ("velocity_target", [c]) => Ok(Parameter::VelocityTarget(coordinate(c)?)),
        ("wrench", [b, c]) => Ok(Parameter::Wrench(body(b)?, c.extract()?)),
        ("mass", [b]) => Ok(Parameter::Mass(body(b)?)),
        ("friction", [a, b]) => Ok(Parameter::Friction(shape(a)?, shape(b)?)),
        ("compliance", [a, b]) => Ok(Parameter::Compliance(shape(a)?, shape(b)?)),
        ("anchor", [joint, side, axis]) => {
            let at = joint
                .extract::<Key>()?
                .find("joint", &model.joint_names())?;
            let side: String = side.extract()?;
            if side != "base" && side != "follower" {
                return Err(value(format!(
                    "the side of an anchor is '{side}'; it must be 'base' or 'follower'"
                )));
            }
            Ok(Parameter::Anchor {
                joint: JointId(at as u32),
                follower: side == "follower",
                axis: axis.extract()?,
            })
        }
        _ => Err(value(format!(
            "there is no parameter '{kind}' with {} more; there are force, target, velocity_target (a coordinate), mass (a body), wrench (a body, \
             0 to 5), friction, compliance (two shapes) and anchor (a joint, 'base' or 'follower', an axis)",
            rest.len()
        ))),
    }
}

/// Derivatives as a dictionary.
fn told<'py>(py: Python<'py>, found: &StepGradient) -> PyResult<Bound<'py, PyDict>> {
    let array = |m: &nalgebra::DMatrix<f64>| -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows: Vec<f64> = m.transpose().as_slice().to_vec();
        match m.ncols() {
            0 => PyArray1::from_vec(py, rows).reshape([m.nrows(), 0]),
            n => matrix(py, rows, n),
        }
    };
    let result = PyDict::new(py);
    result.set_item("state", array(&found.state)?)?;
    result.set_item("parameters", array(&found.parameters)?)?;
    let active: Vec<(String, &str, f64)> = found
        .active
        .iter()
        .map(|a| {
            let does = match a.activity {
                Activity::Holds => "holds",
                Activity::Open => "open",
                Activity::Slides => "slides",
                Activity::AtBound(_) => "at bound",
            };
            (format!("{:?}", a.source), does, a.margin)
        })
        .collect();
    result.set_item("active", active)?;
    result.set_item("margin", found.margin())?;
    result.set_item("unique", found.unique)?;
    result.set_item(
        "report",
        PyStepReport {
            report: found.report,
        },
    )?;
    Ok(result)
}

/// What to raise where there are no derivatives.
fn refused(error: GradientError) -> PyErr {
    match error {
        GradientError::NoParameter(_) => value(error.to_string()),
        other => StepError::new_err(other.to_string()),
    }
}

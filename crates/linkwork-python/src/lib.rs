//! The extension module behind the Python package `linkwork`.
//!
//! Work is done without the GIL, behind one lock an object ([`shared`]). Arrays that are returned own their memory, or are views of what never changes
//! ([`arrays`]).
//! Whatever is invalid raises an exception with a remedy; a panic would raise `InternalError` ([`errors`]).

mod arrays;
mod attention;
mod batch;
mod builder;
mod check;
mod drawing;
mod drives;
mod dynamics;
mod errors;
mod inputs;
mod model;
mod quantities;
mod report;
mod run;
mod settings;
mod shared;
mod simulator;
mod solve;
mod state;
mod view;
mod worlds;

use pyo3::prelude::*;

/// Linkwork's extension module; use the package `linkwork`.
#[pymodule]
fn _linkwork(m: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::register(m)?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("arithmetic", linkwork_solve::arithmetic())?;
    m.add_class::<batch::PyBatch>()?;
    m.add_class::<builder::PyBuilder>()?;
    m.add_class::<builder::PyMass>()?;
    m.add_class::<model::PyModel>()?;
    m.add_class::<report::PyStepReport>()?;
    m.add_class::<simulator::PySimulator>()?;
    m.add_class::<solve::PyProblem>()?;
    m.add_class::<solve::PySolution>()?;
    m.add_class::<state::PyState>()?;
    m.add_class::<view::PyLiveView>()?;
    m.add_function(wrap_pyfunction!(batch::saving::batch_from, m)?)?;
    m.add_function(wrap_pyfunction!(dynamics::_invert, m)?)?;
    m.add_function(wrap_pyfunction!(model::load::load, m)?)?;
    m.add_function(wrap_pyfunction!(model::load::build_scene, m)?)?;
    m.add_function(wrap_pyfunction!(model::load::list_scenes, m)?)?;
    m.add_function(wrap_pyfunction!(model::pickling::model_from_json, m)?)?;
    m.add_function(wrap_pyfunction!(simulator::saving::simulator_from, m)?)?;
    m.add_function(wrap_pyfunction!(state::state_from_json, m)?)?;
    m.add_function(wrap_pyfunction!(solve::problem_from, m)?)?;
    m.add_function(wrap_pyfunction!(solve::solve, m)?)?;
    m.add_function(wrap_pyfunction!(solve::solvers, m)?)?;
    m.add_function(wrap_pyfunction!(view::film, m)?)?;
    m.add_function(wrap_pyfunction!(view::live, m)?)?;
    Ok(())
}

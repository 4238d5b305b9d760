//! Pages for the browser: frames of a simulation in one file, or a live view.

use crate::attention::Attention;
use crate::errors::{ViewError, value};
use crate::simulator::{PySimulator, Sim};
use linkwork::Run;
use linkwork_record::StepRecord;
use linkwork_view::clip::{Clip, Sampler};
use linkwork_view::hello::{Hello, Mode};
use linkwork_view::live::{Live, LiveOptions};
use linkwork_view::page;
use linkwork_view::server::{Hub, Listen, Server};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

/// Most MB of a page.
const LIMIT_MB: f64 = 200.0;

fn fail(error: impl std::fmt::Display) -> PyErr {
    ViewError::new_err(error.to_string())
}

/// The viewer's page was not built; the remedy is that of the package.
fn no_page(error: impl std::fmt::Display) -> PyErr {
    fail(
        error
            .to_string()
            .replace("cargo build --release", "pip install ."),
    )
}

/// A page with the next `seconds` of a simulation, which itself stays where it is.
#[pyfunction]
#[pyo3(name = "_film")]
pub fn film(py: Python<'_>, simulator: &PySimulator, seconds: f64, fps: f64) -> PyResult<String> {
    if !(0.0..=1e5).contains(&seconds) {
        return Err(value(format!("seconds is {seconds}; it must be 0 … 1e5")));
    }
    if !(fps > 0.0 && fps <= 1000.0) {
        return Err(value(format!(
            "fps is {fps}; it must be positive and at most 1000"
        )));
    }
    let of = simulator.model.get();
    let mut sim = simulator.sim.with(py, |s| s.fork(of))?;
    py.detach(|| crate::errors::guard(|| clip(&mut sim, seconds, fps)))
}

fn clip(sim: &mut Sim, seconds: f64, fps: f64) -> PyResult<String> {
    let page = page().map_err(no_page)?;
    let model = sim.model.clone();
    let settings = sim.run.simulator().settings().clone();
    let hello = Hello::new(Mode::Embedded, sim.model.name(), &model, &settings);
    let run: &mut Run = &mut sim.run;
    let steps = run.steps_in(seconds);
    let start = run.simulator().state().time;
    let mut sampler = Sampler::new(fps, start, f64::INFINITY);
    let mut clip = Clip::new(LIMIT_MB);
    let (mut full, mut attention) = (None, Attention::new());
    let summary = run.steps(steps, |moment| {
        let time = moment.simulator.state().time;
        if sampler.takes(time) || moment.step == steps {
            full = clip.push(&model, &StepRecord::of(moment)).err();
        }
        if full.is_none() && attention.goes_on() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    attention.end()?;
    if let Some(full) = full {
        return Err(fail(full));
    }
    if let Some(error) = summary.error {
        return Err(crate::errors::StepError::new_err(error.to_string()));
    }
    Ok(clip.embed(page, hello))
}

/// A live view in the browser, served until it is stopped.
#[pyclass(frozen, name = "LiveView", module = "linkwork")]
pub struct PyLiveView {
    url: String,
    server: Mutex<Option<Server>>,
}

#[pymethods]
impl PyLiveView {
    /// Where to look at it; the address holds the token that lets one control it.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// stop(): end it.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| {
            let server = self
                .server
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            if let Some(mut server) = server {
                server.stop();
            }
        });
    }

    fn __repr__(&self) -> String {
        let running = self
            .server
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some();
        let word = if running { "at" } else { "stopped, was at" };
        format!("LiveView({word} {})", self.url)
    }
}

/// A live view of a copy of the simulation.
#[pyfunction]
#[pyo3(name = "_live")]
pub fn live(
    py: Python<'_>,
    simulator: &PySimulator,
    speed: f64,
    port: u16,
) -> PyResult<PyLiveView> {
    if !(speed >= 0.0 && speed.is_finite()) {
        return Err(value(format!(
            "speed is {speed}; it must be finite and not negative"
        )));
    }
    let of = simulator.model.get();
    let sim = simulator.sim.with(py, |s| s.fork(of))?;
    py.detach(|| crate::errors::guard(|| serve(sim, speed, port)))
}

fn serve(sim: Sim, speed: f64, port: u16) -> PyResult<PyLiveView> {
    let page = page().map_err(no_page)?;
    let options = LiveOptions {
        title: sim.model.name().to_owned(),
        speed,
        paused: false,
        time: None,
    };
    let hub = Arc::new(Hub::default());
    let checkpoint = sim.run.checkpoint();
    let model = sim.model.clone();
    let simulator = linkwork::Simulator::resume(model, &checkpoint).map_err(fail)?;
    let script = sim.inputs.script();
    let (live, backend) = Live::new(simulator, Some(script), &options, hub.clone(), None);
    let listen = Listen {
        port,
        ..Listen::default()
    };
    let server = Server::start(&listen, page, hub, backend).map_err(fail)?;
    let url = server.url();
    std::thread::Builder::new()
        .name("linkwork live view".to_owned())
        .spawn(move || live.run())
        .map_err(fail)?;
    Ok(PyLiveView {
        url,
        server: Mutex::new(Some(server)),
    })
}

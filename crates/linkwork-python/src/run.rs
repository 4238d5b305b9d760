//! Runs of many steps: progress, interrupts, and what is kept for plots.

use crate::attention::Attention;
use crate::errors::{StepError, value};
use crate::simulator::PySimulator;
use linkwork::Moment;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;

/// Most steps of a run: a year of steps of a microsecond would not end.
const MAX_STEPS: f64 = 1e12;

#[derive(Default)]
struct History {
    time: Vec<f64>,
    coordinates: Vec<f64>,
    energy: Vec<f64>,
    closure: Vec<f64>,
    residual: Vec<f64>,
    contacts: Vec<f64>,
}

impl History {
    fn add(&mut self, moment: &Moment) {
        let (state, energy) = moment.synchronised();
        self.time.push(state.time);
        self.coordinates.extend_from_slice(&state.coordinates);
        self.energy.push(energy);
        let of = |f: fn(&linkwork::StepReport) -> f64| moment.report.map_or(0.0, f);
        self.closure
            .push(of(|r| r.closure_linear.max(r.closure_angular)));
        self.residual.push(of(|r| r.residuals.scaled()));
        self.contacts.push(of(|r| r.contacts as f64));
    }

    fn object<'py>(self, py: Python<'py>, names: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let d = PyDict::new(py);
        let n = names.len();
        d.set_item("time", PyArray1::from_vec(py, self.time))?;
        d.set_item(
            "coordinates",
            crate::arrays::matrix(py, self.coordinates, n)?,
        )?;
        d.set_item("energy", PyArray1::from_vec(py, self.energy))?;
        d.set_item("closure", PyArray1::from_vec(py, self.closure))?;
        d.set_item("residual", PyArray1::from_vec(py, self.residual))?;
        d.set_item("contacts", PyArray1::from_vec(py, self.contacts))?;
        d.set_item("names", names)?;
        py.import("linkwork._results")?
            .getattr("History")?
            .call((), Some(&d))
    }
}

/// Simulate for `seconds`.
pub fn run<'py>(
    of: &PySimulator,
    py: Python<'py>,
    seconds: f64,
    controls: Option<Vec<f64>>,
    progress: bool,
    every: Option<i64>,
) -> PyResult<Bound<'py, PyAny>> {
    if !(seconds >= 0.0 && seconds.is_finite()) {
        return Err(value(format!(
            "seconds is {seconds}; it must be finite and not negative"
        )));
    }
    let every = match every {
        None => None,
        Some(n) if n >= 1 => Some(n as u64),
        Some(n) => return Err(value(format!("every is {n}; it must be at least 1"))),
    };
    let (summary, history) = of.sim.with(py, |s| {
        if let Some(controls) = controls {
            s.inputs.asked(|a| {
                a.controls = controls;
                a.manual = true;
            });
        }
        let dt = s.run.simulator().settings().dt;
        if seconds / dt > MAX_STEPS {
            return Err(value(format!(
                "{seconds} s are {:.1e} steps of {dt} s; that would never end",
                seconds / dt
            )));
        }
        let steps = s.run.steps_in(seconds);
        let mut history = every.map(|_| History::default());
        let (mut attention, mut last) = (Attention::new(), None);
        let summary = s.run.steps(steps, |moment| {
            if let (Some(history), Some(every)) = (&mut history, every)
                && (moment.step % every == 0 || moment.step == steps)
            {
                history.add(moment);
            }
            last = moment.report.copied().or(last);
            let end = progress && moment.step == steps;
            let goes_on = attention.goes_on_telling(end, |py| {
                if progress {
                    show(py, moment.step, steps, dt)?;
                }
                Ok(())
            });
            if goes_on {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        s.steps += summary.steps;
        s.report = last.or(s.report);
        attention.end()?;
        Ok((summary, history))
    })?;
    if let Some(error) = &summary.error {
        return Err(StepError::new_err(format!(
            "after {} steps of the run {error}",
            summary.steps
        )));
    }
    let text = serde_json::to_string(&summary).map_err(crate::errors::setup)?;
    let names = of.model.get().coordinate_names();
    let names = names.into_iter().map(str::to_owned).collect();
    let history = history.map(|h| h.object(py, names)).transpose()?;
    let results = py.import("linkwork._results")?;
    results
        .getattr("RunSummary")?
        .call_method1("_of_json", (text, history))
}

fn show(py: Python<'_>, step: u64, steps: u64, dt: f64) -> PyResult<()> {
    let share = 100.0 * step as f64 / steps.max(1) as f64;
    let end = if step == steps { "\n" } else { "" };
    let line = format!(
        "\r{share:5.1} %  {:.3} of {:.3} s{end}",
        step as f64 * dt,
        steps as f64 * dt
    );
    let stderr = py.import("sys")?.getattr("stderr")?;
    // As in programs without a console.
    if stderr.is_none() {
        return Ok(());
    }
    stderr.call_method1("write", (line,))?;
    stderr.call_method0("flush")?;
    Ok(())
}

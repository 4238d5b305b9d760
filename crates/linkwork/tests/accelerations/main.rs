//! Accelerations of a state against closed forms, conservation laws and steps that shrink.

mod closed_forms;
mod loops;
mod power;
mod reports;
mod steps;

use linkwork::dynamics::{Accelerations, accelerations};
use linkwork::model::Model;
use linkwork::{Control, State};

/// Accelerations under a control whose targets the drives hold, without other loads.
fn of(model: &Model, state: &State) -> Accelerations {
    accelerations(model, state, &Control::new(model)).expect("accelerations")
}

/// Largest difference over the largest expected value.
fn apart(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let pairs = found.iter().zip(expected);
    pairs.fold(0.0, |m: f64, (f, e)| m.max((f - e).abs())) / scale
}

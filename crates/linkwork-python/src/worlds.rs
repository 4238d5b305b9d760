//! What a batch in Python is made of, and what is read of its worlds.

use linkwork::batch::{Batch, Snapshot, Variation, World};
use linkwork::model::Model;
use linkwork::sensors::{LastStep, Sensor};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Worlds with what drives them.
pub struct Worlds {
    pub model: Arc<Model>,
    pub batch: Batch,
    pub variations: Vec<Variation>,
    /// Controls of all worlds, in order.
    pub controls: Vec<f64>,
    pub start: Vec<f64>,
    /// Numbers on their way into an array of the caller.
    pub scratch: Vec<f64>,
}

/// What `Batch.save` keeps.
#[derive(Serialize, Deserialize)]
pub struct Saved {
    pub model_hash: u64,
    pub variations: Vec<Variation>,
    pub worlds: Vec<Snapshot>,
    pub controls: Vec<f64>,
}

/// Readings of all sensors of a world, one after the other; NaN where only a step could tell.
pub fn read(world: &World, model: &Model) -> Vec<f64> {
    let feel = model.sensors().iter().any(Sensor::needs_step);
    let last = if feel {
        LastStep::of_simulator(world.simulator(), world.control())
    } else {
        None
    };
    let of = |sensor: &Sensor| {
        let values = model.read(sensor, world.state(), last.as_ref());
        values.unwrap_or_else(|| vec![f64::NAN; sensor.components().len()])
    };
    model.sensors().iter().flat_map(of).collect()
}

/// The sum of the contact forces on each body of a world in its last step, N.
pub fn contact_forces(world: &World, model: &Model) -> Vec<f64> {
    let mut sum = vec![0.0; 3 * model.bodies().len()];
    let kick = world.simulator().kick();
    for c in world.simulator().each_contact_force() {
        for (body, sign) in [(c.contact.body_a, -1.0), (c.contact.body_b, 1.0)] {
            if let Some(b) = body {
                for (s, x) in sum[3 * b.index()..].iter_mut().zip(c.impulse.iter()) {
                    *s += sign * x / kick;
                }
            }
        }
    }
    sum
}

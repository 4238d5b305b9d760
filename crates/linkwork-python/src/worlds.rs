//! What a batch in Python is made of.

use linkwork::batch::{Batch, Snapshot, Variation};
use linkwork::model::Model;
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

//! A mechanism with its settings, initial state and script.

use crate::control::Control;
use crate::model::Model;
use crate::settings::Settings;
use crate::state::State;
use std::sync::Arc;

/// Changes the control before each step. It must depend only on its arguments (state and time, control), so that a run
/// resumed from a [`Checkpoint`](crate::Checkpoint) continues in the same way.
pub type Script = Box<dyn FnMut(&Model, &State, &mut Control) + Send>;

/// A mechanism ready to run.
pub struct Scene {
    /// The mechanism.
    pub model: Arc<Model>,
    /// Settings that suit it.
    pub settings: Settings,
    /// Scripted motion, if it has one.
    pub script: Option<Script>,
}

impl Scene {
    /// A passive scene with default settings.
    pub fn new(model: Arc<Model>) -> Self {
        Self {
            model,
            settings: Settings::default(),
            script: None,
        }
    }

    /// The same scene with a script.
    pub fn scripted(
        mut self,
        script: impl FnMut(&Model, &State, &mut Control) + Send + 'static,
    ) -> Self {
        self.script = Some(Box::new(script));
        self
    }
}

//! What a step that ends in an error returns to.

use super::EnergyBooks;
use crate::closure::History;
use crate::simulator::Simulator;
use crate::state::State;
use crate::warm::WarmStart;

/// The simulator before a step, as far as the step changes it.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    pub state: State,
    last_dt: Option<f64>,
    energy_books: EnergyBooks,
    /// Whether the rest was saved: only the first of several substeps changes it before an error.
    memory: bool,
    warm: WarmStart,
    history: History,
}

impl Saved {
    pub fn new(state: State) -> Self {
        Self {
            state,
            last_dt: None,
            energy_books: EnergyBooks::default(),
            memory: false,
            warm: WarmStart::default(),
            history: History::default(),
        }
    }
}

impl Simulator {
    /// Save what every step changes.
    pub(super) fn save(&mut self) {
        let saved = &mut self.saved;
        saved.state.clone_from(&self.state);
        saved.last_dt = self.last_dt;
        saved.energy_books = self.energy_books;
        saved.memory = false;
    }

    /// Save what substeps change besides, once a step.
    pub(super) fn save_memory(&mut self) {
        let saved = &mut self.saved;
        if saved.memory {
            return;
        }
        saved.memory = true;
        saved.warm.set(self.warm.entries());
        let (hidden, dt) = self.closure.history.values();
        saved.history.set(hidden, dt);
    }

    /// Return to what was saved.
    pub(super) fn restore(&mut self) {
        let saved = &self.saved;
        self.state.clone_from(&saved.state);
        self.last_dt = saved.last_dt;
        self.energy_books = saved.energy_books;
        if saved.memory {
            self.warm.set(saved.warm.entries());
            let (hidden, dt) = saved.history.values();
            self.closure.history.set(hidden, dt);
        }
    }
}

//! The state restored after a step that ends in an error, and from which a failed step can be repeated.

use super::{EnergyBooks, Pace};
use crate::checkpoint::{Checkpoint, Memory, kept};
use crate::closure::History;
use crate::control::Control;
use crate::rows::{Carried, RowSource};
use crate::simulator::Simulator;
use crate::state::State;
use crate::warm::WarmStart;

/// The part of the simulator that a step changes, before the step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saved {
    pub state: State,
    last_dt: Option<f64>,
    energy_books: EnergyBooks,
    pace: Pace,
    warm: WarmStart,
    history: History,
    carried: Vec<Carried>,
    owed: Vec<f64>,
    released: Vec<RowSource>,
}

impl Saved {
    pub fn new(state: State) -> Self {
        Self {
            state,
            last_dt: None,
            energy_books: EnergyBooks::default(),
            pace: Pace::default(),
            warm: WarmStart::default(),
            history: History::default(),
            carried: Vec::new(),
            owed: Vec::new(),
            released: Vec::new(),
        }
    }
}

impl Simulator {
    /// Saves the data that a step changes.
    pub(super) fn save(&mut self) {
        let mut saved = std::mem::take(&mut self.saved);
        self.save_in(&mut saved);
        self.saved = saved;
    }

    /// Restores the saved data.
    pub(super) fn restore(&mut self) {
        let saved = std::mem::take(&mut self.saved);
        self.restore_from(&saved);
        self.saved = saved;
    }

    /// Saves the data that a step changes, in a separate place.
    pub(super) fn save_in(&self, saved: &mut Saved) {
        saved.state.clone_from(&self.state);
        saved.last_dt = self.last_dt;
        saved.energy_books = self.energy_books;
        saved.pace = self.pace;
        saved.warm.set(self.warm.entries());
        let (hidden, dt) = self.closure.history.values();
        saved.history.set(hidden, dt);
        saved.carried.clone_from(&self.carried);
        saved.owed.clone_from(&self.owed);
        saved.released.clone_from(&self.released);
    }

    /// Restores the data saved there.
    pub(super) fn restore_from(&mut self, saved: &Saved) {
        self.state.clone_from(&saved.state);
        self.last_dt = saved.last_dt;
        self.energy_books = saved.energy_books;
        self.pace = saved.pace;
        self.warm.set(saved.warm.entries());
        let (hidden, dt) = saved.history.values();
        self.closure.history.set(hidden, dt);
        self.carried.clone_from(&saved.carried);
        self.owed.clone_from(&saved.owed);
        self.released.clone_from(&saved.released);
    }

    /// The start of the last step, taken or refused: a simulator that [resumes](Simulator::resume) there repeats it bit
    /// for bit under the same control. Before the first step it is the initial state.
    pub fn before_last_step(&self, control: &Control) -> Checkpoint {
        let saved = &self.saved;
        let (hidden, hidden_dt) = saved.history.values();
        Checkpoint {
            model_hash: self.model.hash(),
            settings: self.settings.clone(),
            state: saved.state.clone(),
            control: control.clone(),
            memory: Memory {
                impulses: saved.warm.entries().to_vec(),
                hidden: hidden.to_vec(),
                hidden_dt,
                rates: Carried::rates(&saved.carried),
                bent: Carried::bent(&saved.carried),
                owed: kept(&saved.owed),
                released: saved.released.clone(),
                last_dt: saved.last_dt,
                energy: saved.energy_books,
                pace: saved.pace,
            },
        }
    }
}

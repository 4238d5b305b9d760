//! A world at one time, to be taken up again elsewhere.

use crate::checkpoint::Memory;
use crate::control::Control;
use crate::state::State;
use serde::{Deserialize, Serialize};

/// Everything a world goes on from with the same bits, its model aside. Reads and writes as JSON; numbers keep their
/// bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Configuration and velocity.
    pub state: State,
    /// Targets and forces.
    pub control: Control,
    /// What the simulator remembers of earlier steps.
    pub memory: Memory,
    /// Steps taken.
    pub steps: u64,
    /// Steps in a row that used up their iterations.
    #[serde(default)]
    pub strained: u32,
    /// Why the world is set aside, if it is.
    pub aside: Option<String>,
}

//! `--ctrl`, `--ctrl-table` and `--script`: controls of the actuators of a model file, and of drives without an
//! actuator.

mod channel;
mod expression;
mod names;
mod script;
mod table;

pub use channel::{Channel, channels};
pub use script::Program;
pub use table::Table;

use crate::args::ControlArgs;
use crate::failure::{Failure, usage};
use crate::import;
use crate::pilot::Pilot;
use linkwork::model::Model;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Controls over time, stored in recordings with the other control inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Commands {
    /// Controls over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
    /// The text of the script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
}

impl Commands {
    /// Whether there are no controls over time.
    pub fn is_empty(&self) -> bool {
        self.table.is_none() && self.script.is_none()
    }
}

/// Applies the command line's controls to the pilot.
pub fn apply(pilot: &mut Pilot, model: &Arc<Model>, args: &ControlArgs) -> Result<(), Failure> {
    // Source of each control, to refuse two for the same one.
    let channels = channels(model);
    let mut claimed: Vec<Option<String>> = vec![None; channels.len()];
    let mut claim = |i: usize, by: &str| match &claimed[i] {
        Some(other) if other == by => Err(usage(format!(
            "{} '{}' is set twice by {by}; remove one of the two",
            channels[i].kind(),
            channels[i].name
        ))),
        Some(other) => Err(usage(format!(
            "{} '{}' is set by {other} and by {by}; remove one of them",
            channels[i].kind(),
            channels[i].name
        ))),
        None => {
            claimed[i] = Some(by.to_owned());
            Ok(())
        }
    };
    for (name, value) in &args.ctrl {
        let i = channel::find(&channels, name).map_err(|e| usage(format!("--ctrl: {e}")))?;
        claim(i, "--ctrl")?;
        pilot.hold(i, *value);
        if let Some([low, high]) = channels[i].range
            && !(low..=high).contains(value)
        {
            let range = format!("{low} to {high}");
            import::note(&format!(
                "control {name}={value} is clamped to its range {range}"
            ));
        }
    }
    if let Some(path) = &args.ctrl_table {
        let table = Table::parse(&read(path)?, &channels, args.ctrl_hold);
        let table = table.map_err(|e| usage(format!("'{}': {e}", path.display())))?;
        for i in table.channels() {
            claim(i, "--ctrl-table")?;
            pilot.hold(i, 0.0);
        }
        pilot.commands.table = Some(table);
    }
    if let Some(path) = &args.script {
        let text = read(path)?;
        let program = Program::parse(&text, model);
        let program = program.map_err(|e| usage(format!("'{}', {e}", path.display())))?;
        for i in program.channels() {
            claim(i, "--script")?;
            pilot.hold(i, 0.0);
        }
        pilot.commands.script = Some(text);
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path);
    text.map_err(|e| usage(format!("cannot read '{}': {e}", path.display())))
}

//! Options for the controls of a model file's actuators.

use super::{assignment, number};
use clap::Args as ClapArgs;
use std::path::PathBuf;

/// Controls of actuators. Controls that are not set have the value of the stored state, or 0.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Actuators of model files")]
pub struct ControlArgs {
    /// Constant control of an actuator, or target of a coordinate whose drive no actuator has (`hand:x` of a mocap
    /// body); may be repeated. `linkwork check FILE` lists the actuators
    #[arg(long, value_name = "NAME=VALUE", allow_negative_numbers = true, value_parser = assignment)]
    pub ctrl: Vec<(String, f64)>,
    /// Controls over time from a CSV file: a column `time` (s) and one column per actuator, by name. Values are
    /// interpolated linearly; the first row holds before its time, the last one after
    #[arg(long, value_name = "FILE.csv")]
    pub ctrl_table: Option<PathBuf>,
    /// Hold each row of the table until the next instead of interpolating
    #[arg(long, requires = "ctrl_table")]
    pub ctrl_hold: bool,
    /// Compute controls before every step from a file with lines such as `knee = 80 * (0.5 - knee.angle)`:
    /// expressions of the time `t`, sensors, coordinates (`hinge.angle`, `hinge.angle.rate`), bodies (`rod.x`,
    /// `rod.vx`, `rod.wx`) and variables (`let x = ...`); names with other characters are quoted
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
    /// Move every control as a sine with its own frequency and this share of its range, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub actuate: Option<f64>,
    /// Replace every motor on a joint by a stiff servo, and move it as a sine with this amplitude about
    /// its start, rad (a tenth of it in m for slides)
    #[arg(long, value_name = "AMPLITUDE", value_parser = number, conflicts_with = "actuate")]
    pub track: Option<f64>,
}

impl ControlArgs {
    /// Whether actuators are used, so that joints without one need a motor.
    pub fn drives(&self) -> bool {
        let told = !self.ctrl.is_empty() || self.ctrl_table.is_some() || self.script.is_some();
        told || self.actuate.is_some()
    }

    /// The first of these options that was given.
    pub fn given(&self) -> Option<&'static str> {
        let all = [
            (!self.ctrl.is_empty(), "--ctrl"),
            (self.ctrl_table.is_some(), "--ctrl-table"),
            (self.script.is_some(), "--script"),
            (self.actuate.is_some(), "--actuate"),
            (self.track.is_some(), "--track"),
        ];
        super::first(&all)
    }
}

fn share(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("it must lie between 0 and 1".to_owned()),
    }
}

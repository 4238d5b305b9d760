//! Requests of pages, as in docs/protocol.md.

use serde::Deserialize;

/// Coordinates beyond this are no places, m.
const FAR: f64 = 1e6;
/// Maximum number of steps in one request.
const MAX_STEPS: u64 = 1_000_000;

/// A message from a page.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Command {
    /// Replay: send a record's frame.
    Frame {
        /// Which record.
        index: usize,
    },
    /// Replay: send a quantity over time.
    Series {
        /// A scalar, a coordinate, or "JOINT.force" or "JOINT.torque".
        name: String,
    },
    /// Pause or continue.
    Pause {
        /// Stop.
        value: bool,
    },
    /// Take some steps and stop.
    Step {
        /// How many.
        count: u64,
    },
    /// Back to the start.
    Reset,
    /// Run at a multiple of real time.
    Speed {
        /// The multiple; 0 is as fast as possible.
        value: f64,
    },
    /// Set the target of a coordinate's drive.
    Target {
        /// Which coordinate of the model.
        coordinate: usize,
        /// m or rad; of a drive without stiffness m/s or rad/s.
        value: f64,
    },
    /// Set the control of an actuator.
    Control {
        /// Which actuator of the model.
        actuator: usize,
        /// In the unit of its control.
        value: f64,
    },
    /// Go to a stored state.
    Keyframe {
        /// Which of them.
        index: usize,
    },
    /// Pull at a body.
    Grab {
        /// Which body.
        body: usize,
        /// Position, from the centre of mass in body axes, m.
        local: [f64; 3],
        /// To where, world, m.
        target: [f64; 3],
    },
    /// Let go.
    Release,
    /// Solve with another solver.
    Solver {
        /// Its name.
        name: String,
    },
    /// Solve to another tolerance.
    Tolerance {
        /// N s and m/s.
        value: f64,
    },
}

impl Command {
    /// Reads a message; an error is a text for the user.
    pub fn parse(text: &str) -> Result<Self, String> {
        let command: Self = serde_json::from_str(text)
            .map_err(|e| format!("the server does not understand this message: {e}"))?;
        command.check()?;
        Ok(command)
    }

    fn check(&self) -> Result<(), String> {
        let place = |v: &[f64; 3]| v.iter().all(|x| x.abs() <= FAR);
        match self {
            Self::Step { count } if !(1..=MAX_STEPS).contains(count) => {
                Err(format!("{count} steps at once: choose 1 to {MAX_STEPS}"))
            }
            Self::Speed { value } if !(0.0..=1e6).contains(value) => Err(format!(
                "a speed of {value}: choose 0 (as fast as possible) to 1e6"
            )),
            Self::Target { value, .. } | Self::Control { value, .. } if !value.is_finite() => {
                Err("the target or control is not a finite number".to_owned())
            }
            Self::Grab { local, target, .. } if !(place(local) && place(target)) => Err(format!(
                "a place to pull from or to is further than {FAR:e} m away"
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_the_protocol_are_understood() {
        let parse = |text| Command::parse(text).unwrap();
        assert_eq!(
            parse(r#"{"type":"pause","value":true}"#),
            Command::Pause { value: true }
        );
        assert_eq!(parse(r#"{"type":"reset"}"#), Command::Reset);
        let grab = parse(r#"{"type":"grab","body":2,"local":[0,0.5,-1e-2],"target":[1,2,3]}"#);
        let (local, target) = ([0.0, 0.5, -0.01], [1.0, 2.0, 3.0]);
        assert_eq!(
            grab,
            Command::Grab {
                body: 2,
                local,
                target
            }
        );
    }

    #[test]
    fn anything_else_is_refused_with_a_reason() {
        let cases = [
            ("", "understand"),
            ("[]", "understand"),
            (r#"{"type":"launch"}"#, "launch"),
            (r#"{"type":"step","count":0}"#, "1 to"),
            (r#"{"type":"step","count":-1}"#, "understand"),
            (r#"{"type":"step","count":1e9}"#, "understand"),
            (r#"{"type":"step","count":1000000000}"#, "1 to"),
            (r#"{"type":"speed","value":-1}"#, "speed"),
            (r#"{"type":"speed","value":null}"#, "understand"),
            (
                r#"{"type":"target","coordinate":0,"value":1e999}"#,
                "understand",
            ),
            (
                r#"{"type":"grab","body":0,"local":[0,0,0],"target":[0,0,1e300]}"#,
                "away",
            ),
            (
                r#"{"type":"grab","body":0,"local":[0,0],"target":[0,0,0]}"#,
                "understand",
            ),
        ];
        for (text, reason) in cases {
            let error = Command::parse(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}

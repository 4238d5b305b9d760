//! The force of an actuator: gain · control + bias, from general settings or shortcuts.
//!
//! Shortcuts (motor, position …) are other names for settings of the general actuator. A default class
//! has one actuator for all of them: what a class says of `<general>` holds for `<position>` too, but
//! what it says of one shortcut is forgotten by another.

use crate::ImportError;
use crate::xml::Element;

/// Kinds that set the force.
pub(super) const SHORTCUTS: [&str; 6] = [
    "general", "motor", "position", "velocity", "damper", "adhesion",
];

const DYNAMICS: [&str; 7] = [
    "none",
    "integrator",
    "filter",
    "filterexact",
    "muscle",
    "dcmotor",
    "user",
];
const GAINS: [&str; 5] = ["fixed", "affine", "muscle", "dcmotor", "user"];
const BIASES: [&str; 6] = ["none", "affine", "muscle", "dcmotor", "so3", "user"];

/// Settings so far.
#[derive(Clone, Debug)]
pub(super) struct Force {
    kind: String,
    dynamics: usize,
    gain_type: usize,
    bias_type: usize,
    gain: [f64; 3],
    bias: [f64; 3],
    damping_ratio: Option<f64>,
    inherit: f64,
    /// Time constant of its dynamics, s.
    time_constant: f64,
}

impl Default for Force {
    fn default() -> Self {
        Self {
            kind: "general".to_owned(),
            dynamics: 0,
            gain_type: 0,
            bias_type: 0,
            gain: [1.0, 0.0, 0.0],
            bias: [0.0; 3],
            damping_ratio: None,
            inherit: 0.0,
            time_constant: 1.0,
        }
    }
}

impl Force {
    /// Take over what a class or the actuator itself says.
    pub fn apply(&mut self, e: &Element) -> Result<(), ImportError> {
        if e.name != "general" && self.kind != "general" && e.name != self.kind {
            *self = Self::default();
        }
        if e.name != "general" {
            self.kind = e.name.clone();
        }
        self.inherit = e.not_negative("inheritrange")?.unwrap_or(self.inherit);
        match e.name.as_str() {
            "general" => self.general(e)?,
            "motor" => {
                *self = Self {
                    kind: self.kind.clone(),
                    ..Self::default()
                };
            }
            "position" => {
                let stiffness = e.not_negative("kp")?.unwrap_or(self.gain[0]);
                self.gain = [stiffness, 0.0, 0.0];
                self.bias[1] = -stiffness;
                if let Some(damping) = e.not_negative("kv")? {
                    (self.bias[2], self.damping_ratio) = (-damping, None);
                }
                if let Some(ratio) = e.not_negative("dampratio")? {
                    self.damping_ratio = Some(ratio);
                }
                if let Some(time) = e.not_negative("timeconst")? {
                    self.time_constant = time;
                }
                self.affine_types(e.number("timeconst")?.is_some_and(|t| t > 0.0));
            }
            "velocity" => {
                let damping = e.not_negative("kv")?.unwrap_or(self.gain[0]);
                self.gain = [damping, 0.0, 0.0];
                self.bias = [0.0, 0.0, -damping];
                self.affine_types(false);
            }
            "adhesion" => {
                *self = Self {
                    kind: self.kind.clone(),
                    gain: [e.not_negative("gain")?.unwrap_or(self.gain[0]), 0.0, 0.0],
                    ..Self::default()
                };
            }
            _ => {
                let damping = e.not_negative("kv")?.unwrap_or(1.0);
                (self.gain, self.gain_type) = ([0.0, 0.0, -damping], 1);
            }
        }
        Ok(())
    }

    fn affine_types(&mut self, filtered: bool) {
        (self.gain_type, self.bias_type) = (0, 1);
        self.dynamics = if filtered { 3 } else { 0 };
    }

    fn general(&mut self, e: &Element) -> Result<(), ImportError> {
        self.dynamics = e.choice("dyntype", &DYNAMICS)?.unwrap_or(self.dynamics);
        if let Some([time, ..]) = e.numbers("dynprm")?.as_deref() {
            self.time_constant = *time;
        }
        self.gain_type = e.choice("gaintype", &GAINS)?.unwrap_or(self.gain_type);
        self.bias_type = e.choice("biastype", &BIASES)?.unwrap_or(self.bias_type);
        for (name, to) in [("gainprm", &mut self.gain), ("biasprm", &mut self.bias)] {
            for (to, value) in to.iter_mut().zip(e.numbers(name)?.unwrap_or_default()) {
                *to = value;
            }
        }
        Ok(())
    }

    /// The dynamics between control and force, if any: the time constant (s) of a lag, or none of an
    /// integrator; or why they are not modelled.
    pub fn dynamics(&self) -> Result<Option<Option<f64>>, String> {
        match DYNAMICS[self.dynamics] {
            "none" => Ok(None),
            "integrator" => Ok(Some(None)),
            "filter" | "filterexact" if self.time_constant > 0.0 => {
                Ok(Some(Some(self.time_constant)))
            }
            // MuJoCo keeps a lag from vanishing; one of no time is none.
            "filter" | "filterexact" => Ok(None),
            other => Err(format!("its dynamics ('{other}') are not modelled")),
        }
    }

    /// Share of the range of what it pulls on that becomes the control's, if asked for.
    pub fn inherits(&self) -> Option<f64> {
        Some(self.inherit).filter(|s| *s > 0.0)
    }

    /// Gain and bias, or why the force is not of that form. `inertia` is what the actuator moves, for
    /// a damping ratio ζ: d = 2 ζ √(k m).
    pub fn affine(&self, inertia: impl Fn() -> Option<f64>) -> Result<(f64, [f64; 3]), String> {
        let varies = self.gain_type == 1 && (self.gain[1] != 0.0 || self.gain[2] != 0.0);
        if varies || self.gain_type > 1 {
            return Err(format!(
                "its gain ('{}') is not constant",
                GAINS[self.gain_type]
            ));
        }
        if self.bias_type > 1 {
            return Err(format!(
                "its bias ('{}') is not affine",
                BIASES[self.bias_type]
            ));
        }
        let mut bias = if self.bias_type == 1 {
            self.bias
        } else {
            [0.0; 3]
        };
        // MuJoCo keeps a damping ratio as a positive third number of a servo's bias.
        let is_servo = bias[1] == -self.gain[0] && self.gain[0] > 0.0;
        let kept = Some(bias[2]).filter(|d| *d > 0.0 && is_servo);
        if let Some(ratio) = self.damping_ratio.or(kept) {
            let Some(inertia) = inertia() else {
                return Err(
                    "its damping ratio needs the inertia at home, which is singular".into(),
                );
            };
            bias[2] = -2.0 * ratio * (self.gain[0] * inertia).sqrt();
        }
        if bias[1] > 0.0 || bias[2] > 0.0 {
            return Err("its force grows with length or speed".to_owned());
        }
        Ok((self.gain[0], bias))
    }
}

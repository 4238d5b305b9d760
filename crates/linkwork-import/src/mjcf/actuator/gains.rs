//! The force of an actuator: gain · control + bias, from general settings or shortcuts.
//!
//! Shortcuts (motor, position …) are other names for settings of the general actuator. A default class has one actuator
//! for all of them: the settings of `<general>` in a class apply to `<position>` too, but those of one shortcut are
//! overwritten by another.

use crate::ImportError;
use crate::xml::Element;
use linkwork::actuators::{Dynamics, Muscle, MuscleLag};

/// Kinds that set the force.
pub(super) const SHORTCUTS: [&str; 7] = [
    "general", "motor", "position", "velocity", "damper", "adhesion", "muscle",
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
    gain: [f64; PARAMETERS],
    bias: [f64; PARAMETERS],
    damping_ratio: Option<f64>,
    inherit: f64,
    /// Parameters of its dynamics: time constant, s; of muscles those of rise and fall, and the smoothing.
    lag: [f64; 3],
}

/// Parameters of gain and bias that count: those of muscles.
const PARAMETERS: usize = 9;

/// Defaults of muscles, by their attributes.
const MUSCLE: [(&str, f64); PARAMETERS - 2] = [
    ("force", -1.0),
    ("scale", 200.0),
    ("lmin", 0.5),
    ("lmax", 1.6),
    ("vmax", 1.5),
    ("fpmax", 1.3),
    ("fvmax", 1.2),
];
const MUSCLE_RANGE: [f64; 2] = [0.75, 1.05];
const MUSCLE_LAG: [f64; 3] = [0.01, 0.04, 0.0];

impl Default for Force {
    fn default() -> Self {
        Self {
            kind: "general".to_owned(),
            dynamics: 0,
            gain_type: 0,
            bias_type: 0,
            gain: first(1.0),
            bias: [0.0; PARAMETERS],
            damping_ratio: None,
            inherit: 0.0,
            lag: [1.0, 0.0, 0.0],
        }
    }
}

/// A list of parameters of which the first counts.
fn first(value: f64) -> [f64; PARAMETERS] {
    let mut all = [0.0; PARAMETERS];
    all[0] = value;
    all
}

/// A muscle with the parameters of the file: its peak force may be derived from its scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct MuscleParameters([f64; PARAMETERS]);

impl MuscleParameters {
    /// The muscle for a range of lengths. `unit` is the norm of the accelerations of the joints caused by a force of 1,
    /// which with the scale determines a negative force.
    pub fn muscle(
        self,
        length_range: [f64; 2],
        unit: impl Fn() -> Option<f64>,
    ) -> Result<Muscle, String> {
        let [
            from,
            to,
            force,
            scale,
            shortest,
            longest,
            fastest,
            passive,
            lengthening,
        ] = self.0;
        let force = match force < 0.0 {
            false => force,
            true => {
                let unit = unit()
                    .ok_or("its force needs the inertia in the home pose, which is singular")?;
                scale / unit.max(1e-15)
            }
        };
        Ok(Muscle {
            force,
            length_range,
            range: [from, to],
            active: [shortest, longest],
            fastest,
            passive,
            lengthening,
        })
    }
}

impl Force {
    /// Applies the settings of a class or of the actuator itself.
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
                self.gain = first(stiffness);
                self.bias[1] = -stiffness;
                if let Some(damping) = e.not_negative("kv")? {
                    (self.bias[2], self.damping_ratio) = (-damping, None);
                }
                if let Some(ratio) = e.not_negative("dampratio")? {
                    self.damping_ratio = Some(ratio);
                }
                if let Some(time) = e.not_negative("timeconst")? {
                    self.lag[0] = time;
                }
                self.affine_types(e.number("timeconst")?.is_some_and(|t| t > 0.0));
            }
            "velocity" => {
                let damping = e.not_negative("kv")?.unwrap_or(self.gain[0]);
                self.gain = first(damping);
                self.bias = [0.0; PARAMETERS];
                self.bias[2] = -damping;
                self.affine_types(false);
            }
            "muscle" => self.muscle_shortcut(e)?,
            "adhesion" => {
                *self = Self {
                    kind: self.kind.clone(),
                    gain: first(e.not_negative("gain")?.unwrap_or(self.gain[0])),
                    ..Self::default()
                };
            }
            _ => {
                let damping = e.not_negative("kv")?.unwrap_or(1.0);
                (self.gain, self.gain_type) = ([0.0; PARAMETERS], 1);
                self.gain[2] = -damping;
            }
        }
        Ok(())
    }

    fn muscle_shortcut(&mut self, e: &Element) -> Result<(), ImportError> {
        let muscle = GAINS.iter().position(|g| *g == "muscle");
        let kind = muscle.expect("one of the gains");
        if self.gain_type != kind {
            self.gain[..2].copy_from_slice(&MUSCLE_RANGE);
            for (to, (_, value)) in self.gain[2..].iter_mut().zip(MUSCLE) {
                *to = value;
            }
            self.lag = MUSCLE_LAG;
        }
        if let Some(range) = e.fixed::<2>("range")? {
            self.gain[..2].copy_from_slice(&range);
        }
        for (to, (name, _)) in self.gain[2..].iter_mut().zip(MUSCLE) {
            *to = e.number(name)?.unwrap_or(*to);
        }
        if let Some(times) = e.fixed::<2>("timeconst")? {
            self.lag[..2].copy_from_slice(&times);
        }
        self.lag[2] = e.not_negative("tausmooth")?.unwrap_or(self.lag[2]);
        (self.bias, self.gain_type, self.bias_type) = (self.gain, kind, kind);
        self.dynamics = DYNAMICS
            .iter()
            .position(|d| *d == "muscle")
            .expect("one of them");
        Ok(())
    }

    /// The parameters of a muscle, if it is one: gain and bias of the same curves.
    pub fn muscle(&self) -> Option<MuscleParameters> {
        let both = GAINS[self.gain_type] == "muscle" && BIASES[self.bias_type] == "muscle";
        (both && self.gain == self.bias).then_some(MuscleParameters(self.gain))
    }

    fn affine_types(&mut self, filtered: bool) {
        (self.gain_type, self.bias_type) = (0, 1);
        self.dynamics = if filtered { 3 } else { 0 };
    }

    fn general(&mut self, e: &Element) -> Result<(), ImportError> {
        self.dynamics = e.choice("dyntype", &DYNAMICS)?.unwrap_or(self.dynamics);
        for (to, value) in self
            .lag
            .iter_mut()
            .zip(e.numbers("dynprm")?.unwrap_or_default())
        {
            *to = value;
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

    /// The dynamics between control and force, if any, with this range of the activation; or why they are not
    /// supported.
    pub fn dynamics(&self, range: Option<[f64; 2]>) -> Result<Option<Dynamics>, String> {
        let [time, deactivation, smoothing] = self.lag;
        let made = |time_constant, muscle| {
            Ok(Some(Dynamics {
                time_constant,
                muscle,
                range,
            }))
        };
        match DYNAMICS[self.dynamics] {
            "none" => Ok(None),
            "integrator" => made(None, None),
            "filter" | "filterexact" if time > 0.0 => made(Some(time), None),
            "muscle" if time > 0.0 && deactivation > 0.0 => {
                let lag = MuscleLag {
                    deactivation,
                    smoothing,
                };
                made(Some(time), Some(lag))
            }
            "muscle" => Err("its time constants must be positive".to_owned()),
            // MuJoCo keeps a lag from vanishing; one of no time is none.
            "filter" | "filterexact" => Ok(None),
            other => Err(format!("its dynamics ('{other}') are not modelled")),
        }
    }

    /// Whether it has an activation.
    pub fn has_activation(&self) -> bool {
        DYNAMICS[self.dynamics] != "none"
    }

    /// Share of the range of the actuator's joint or tendon that becomes the range of the control, if requested.
    pub fn inherits(&self) -> Option<f64> {
        Some(self.inherit).filter(|s| *s > 0.0)
    }

    /// Gain and bias, or why the force does not have this form. `inertia` is what the actuator moves, for a damping
    /// ratio ζ: d = 2 ζ √(k m).
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
            [self.bias[0], self.bias[1], self.bias[2]]
        } else {
            [0.0; 3]
        };
        // MuJoCo keeps a damping ratio as a positive third number of a servo's bias.
        let is_servo = bias[1] == -self.gain[0] && self.gain[0] > 0.0;
        let kept = Some(bias[2]).filter(|d| *d > 0.0 && is_servo);
        if let Some(ratio) = self.damping_ratio.or(kept) {
            let Some(inertia) = inertia() else {
                return Err(
                    "its damping ratio needs the inertia in the home pose, which is singular"
                        .into(),
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

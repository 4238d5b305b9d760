//! How a simulation is run. Every field has its formula, unit and nominal range.

use crate::integrator::Integrator;
use linkwork_solve::{DEFAULT_SOLVER, OperatorChoice, SolverSettings};
use serde::{Deserialize, Serialize};

/// Substeps by an estimate of the local error (`step/adaptive.rs`).
///
/// A step is compared with its two halves; the halves count, and are halved again where the estimate of their error exceeds the tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adaptive {
    /// Largest error of a body's position that a second of simulated time may add, m/s (> 0; nominal 1e-6 … 1e-3): the error of a run is about
    /// this times its duration, times what the motion makes of early errors. Rotations count at the body's radius of gyration.
    pub tolerance: f64,
    /// How often a step may be halved, 1 … 20: parts are not smaller than dt/2^depth. Impacts, where the estimate falls no faster than the step, go down to that.
    pub depth: u32,
}

impl Adaptive {
    /// To the given tolerance (m/s), with parts down to dt/256.
    pub fn new(tolerance: f64) -> Self {
        Self {
            tolerance,
            depth: 8,
        }
    }
}

/// Settings of a [`Simulator`](crate::Simulator).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Step size dt, s; nominal 1e-4 … 1e-2.
    pub dt: f64,
    /// How a step advances in time. Recordings from before there was a choice have the default.
    #[serde(default)]
    pub integrator: Integrator,
    /// Take each step as substeps that keep an estimate of their error below a tolerance; `None`: no estimate is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<Adaptive>,
    /// Name of the solver in the registry of `linkwork-solve`.
    pub solver: String,
    /// Tolerance and iteration limit of the solver.
    pub solve: SolverSettings,
    /// Let the solver work on the reduced problem, from which joints, and drives below their limit, have been
    /// eliminated. Changes nothing for `condensed` and `direct`. Recordings from before it existed have it off.
    #[serde(default)]
    pub reduced: bool,
    /// How position errors enter the velocity-level problem.
    pub stabilization: Stabilization,
    /// Contact detection and restitution.
    pub contact: ContactSettings,
    /// Nonlinear closure of the joints at the end of the step.
    pub closure: ClosureSettings,
    /// Treatment of the gyroscopic torque.
    pub gyroscopic: Gyroscopic,
    /// What the velocities of the initial state mean, and so the first step's kick, with semi-implicit Euler; other integrators have them at
    /// the time of the poses.
    pub first_kick: FirstKick,
    /// What a failed solve does, and one whose joints do work.
    pub failure: FailurePolicy,
    /// Start each solve from the last step's impulses, matched by joint and contact key.
    pub warm_start: bool,
    /// Which factorisation of D solvers use that have a choice (direct, ADMM, Newton, hybrid). Recordings from before it
    /// existed have the default.
    #[serde(default)]
    pub operator: OperatorChoice,
    /// Threads for collision detection; results do not depend on it. 1 … number of cores.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            dt: 1e-3,
            integrator: Integrator::SemiImplicitEuler,
            adaptive: None,
            solver: DEFAULT_SOLVER.to_owned(),
            solve: SolverSettings::default(),
            reduced: false,
            stabilization: Stabilization::default(),
            contact: ContactSettings::default(),
            closure: ClosureSettings::default(),
            gyroscopic: Gyroscopic::Midpoint,
            first_kick: FirstKick::Half,
            failure: FailurePolicy::Substep { depth: 12 },
            warm_start: true,
            operator: OperatorChoice::Auto,
            threads: 1,
        }
    }
}

impl Settings {
    /// The default ones with changes: `Settings::with(|s| s.dt = 5e-4)`.
    pub fn with(change: impl FnOnce(&mut Self)) -> Self {
        let mut settings = Self::default();
        change(&mut settings);
        settings
    }

    /// α of joints in force: closure refinement enforces the residual itself.
    pub(crate) fn joint_gain(&self) -> f64 {
        if self.closure.enabled {
            1.0
        } else {
            self.stabilization.joints
        }
    }
}

/// Feedback of position errors, v* = gain · error / dt [math.md §3].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stabilization {
    /// α of joints, in [0, 1]; 1 is Anitescu's Υ = Θ/h. Only used without closure refinement, which
    /// enforces the residual itself.
    pub joints: f64,
    /// β of violated limits, in [0, 1].
    pub limits: f64,
    /// γ of overlapping contacts, in [0, 1]; 1 is Anitescu's Δ = Φ/h.
    pub contacts: f64,
    /// Overlap that is left alone, m (≥ 0).
    pub slop: f64,
    /// Greatest speed at which overlap is pushed apart and violated limits are left, m/s or rad/s (≥ 0, infinite
    /// for no bound); keeps bad starts from exploding.
    #[serde(with = "crate::math::unbounded")]
    pub max_depenetration_speed: f64,
}

impl Default for Stabilization {
    fn default() -> Self {
        Self {
            joints: 1.0,
            limits: 1.0,
            contacts: 1.0,
            slop: 0.0,
            max_depenetration_speed: 0.5,
        }
    }
}

/// Contact detection and the contact law.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactSettings {
    /// Points closer than this become rows even at rest, m; nominal 1e-4 … 1e-2.
    pub margin: f64,
    /// Joint limits closer than this become rows even at rest, m or rad (≥ 0).
    pub limit_margin: f64,
    /// Slower approaches do not bounce, m/s (≥ 0).
    pub restitution_threshold: f64,
    /// How restitution and overlap removal combine.
    pub restitution: RestitutionRule,
    /// In which order impacts of one step happen. Recordings from before it existed have them at once.
    #[serde(default)]
    pub impacts: Impacts,
    /// β of the near-rigid floor R_n ≥ β²/(4π²) ‖D_kk‖_rms of compliant contacts [Castro §V].
    pub near_rigid: f64,
    /// σ_s of R_t = σ_s ‖D_kk‖_rms of compliant contacts [Castro §V].
    pub stiction: f64,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            margin: 1e-3,
            limit_margin: 1e-3,
            restitution_threshold: 1e-2,
            restitution: RestitutionRule::Stronger,
            impacts: Impacts::AtOnce,
            near_rigid: 1.0,
            stiction: 1e-3,
        }
    }
}

/// How restitution and overlap removal combine at a contact.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestitutionRule {
    /// The larger required separation speed of the two; never adds energy.
    Stronger,
    /// Their sum, as [Tsounis eq. 94] adds them: it injects energy on a penetrated bounce. The terms are Linkwork's: only contacts
    /// that close in the step and approach faster than the threshold bounce, with a speed corrected for the height at
    /// which the step finds them, where the paper has ε v⁻ of every contact.
    Sum,
}

/// In which order impacts with restitution happen that fall in one step.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Impacts {
    /// All at once: each contact leaves with its share of its own approach speed. Contacts that do not approach hold.
    #[default]
    AtOnce,
    /// One after the other: those that approach bounce, the others are not there yet; then those that approach with the
    /// new velocities, until none does. A blow runs through a row of touching bodies (Newton's cradle).
    Sequential,
}

/// Closure refinement (SHAKE on the joints) [math.md §4].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClosureSettings {
    /// Whether it is done.
    pub enabled: bool,
    /// Largest joint residual left at the end of a step, m or rad, and largest gap or overlap that a contact
    /// takes for none, m; nominal 1e-13 … 1e-9.
    pub tolerance: f64,
    /// Greatest number of passes, at least 1; nominal 3 … 20.
    pub max_passes: usize,
    /// Share of the kinetic energy that ideal joints may give or take in a step before it is repeated in
    /// halves ([`FailurePolicy::Substep`]), and of its peak that they may ever give; nominal 1e-4 … 1e-1. At a
    /// step from one motion into another it is (ω dt)²/8 or so, ω the rate at which the joints turn. Recordings
    /// from before it existed have the default.
    #[serde(default = "default_energy")]
    pub energy: f64,
}

fn default_energy() -> f64 {
    ClosureSettings::default().energy
}

impl Default for ClosureSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            tolerance: 1e-11,
            max_passes: 20,
            energy: 5e-4,
        }
    }
}

/// Treatment of the gyroscopic torque ω × I ω.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gyroscopic {
    /// Angular momentum is carried and the free rotation follows the midpoint rule: a free body keeps
    /// energy and angular momentum to round-off.
    Midpoint,
    /// One Newton step on I(ω' − ω) + dt ω' × I ω' = 0 in the body frame: loses energy slowly.
    Implicit,
    /// ω' = ω − dt I⁻¹ ω × I ω: gains energy; for comparison with other engines.
    Explicit,
}

/// What the velocities of the initial state mean.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstKick {
    /// They live half a step before the initial poses, as between steps: the first kick is a whole one.
    Full,
    /// They live at the time of the initial poses: the first kick is dt/2, which makes positions of
    /// smooth motion second order. The default, after [`Simulator::set_state`](crate::Simulator::set_state)
    /// too.
    Half,
}

/// What happens when a solve does not converge. Nothing is ever applied silently: the status is in
/// every report. Whatever is applied, joints do not feed the mechanism: where they would, they are left
/// open, and the step counts as failed.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailurePolicy {
    /// Apply the last iterate.
    Accept,
    /// Repeat the step as two halves, recursively at most `depth` times and as long as it helps, then accept.
    /// Steps that converged are repeated too where ideal joints do work ([`ClosureSettings::energy`]). The
    /// default, with twelve halvings: as many as a load of 1300 t needs at 1 ms that stretches an arm of two rods of 25 kg. A
    /// whip's crack at 10 ms, or a drive of 1e6 N m/rad on a link of 0.03 kg m² at 2 ms, needs eight.
    Substep {
        /// Greatest number of halvings, 0 … 20; nominal 4 … 12.
        depth: u32,
    },
    /// Keep poses and velocities, let time go on.
    Hold,
    /// Return an error and leave the state as it was.
    Error,
}

impl FailurePolicy {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            FailurePolicy::Accept => "accept",
            FailurePolicy::Substep { .. } => "substep",
            FailurePolicy::Hold => "hold",
            FailurePolicy::Error => "error",
        }
    }
}

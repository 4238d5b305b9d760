//! Settings of a simulation. Every field is documented with formula, unit and nominal range.

use crate::integrator::Integrator;
use linkwork_solve::{DEFAULT_SOLVER, OperatorChoice, SolverSettings};
use serde::{Deserialize, Serialize};

/// Substeps chosen by an estimate of the local error (`step/adaptive.rs`).
///
/// A step is compared with its two halves. The halves are kept, and are halved again if their estimated error exceeds
/// the tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adaptive {
    /// Largest error of a body's position that one second of simulated time may add, m/s (> 0; nominal 1e-6 … 1e-3).
    /// The error of a run is about this times its duration, times the growth of early errors. Rotations are weighted by
    /// the body's radius of gyration.
    pub tolerance: f64,
    /// Maximum number of halvings of a step, 1 … 20: parts are not smaller than dt/2^depth. At impacts, where the
    /// estimate falls no faster than the step size, substeps reach this depth.
    pub depth: u32,
}

impl Adaptive {
    /// With the given tolerance (m/s) and parts down to dt/256.
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
    /// The integrator. Recordings from versions without this setting have the default.
    #[serde(default)]
    pub integrator: Integrator,
    /// Substeps that keep an estimate of the error below a tolerance; `None`: no estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<Adaptive>,
    /// Name of the solver in the registry of `linkwork-solve`.
    pub solver: String,
    /// Tolerance and iteration limit of the solver.
    pub solve: SolverSettings,
    /// Lets the solver work on the reduced problem, from which joints, and drives below their limit, are eliminated. No
    /// effect for `condensed` and `direct`. Off in recordings from versions without this setting.
    #[serde(default)]
    pub reduced: bool,
    /// Feedback of position errors into the velocity-level problem.
    pub stabilization: Stabilization,
    /// Contact detection and restitution.
    pub contact: ContactSettings,
    /// Nonlinear closure of the joints at the end of the step.
    pub closure: ClosureSettings,
    /// Treatment of the gyroscopic torque.
    pub gyroscopic: Gyroscopic,
    /// Time of the velocities of the initial state, which determines the kick of the first step with semi-implicit
    /// Euler. Other integrators have velocities at the time of the poses.
    pub first_kick: FirstKick,
    /// What happens after a failed solve, and after a step whose joints do work.
    pub failure: FailurePolicy,
    /// Warm start: start each solve from the impulses of the last step, matched by joint and contact key.
    pub warm_start: bool,
    /// Factorisation of D for solvers that have a choice (direct, ADMM, Newton, hybrid). Recordings from versions
    /// without this setting have the default.
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

    /// α of joints in effect: closure refinement enforces the residual itself.
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
    /// Largest speed at which overlap and limit violations are removed, m/s or rad/s (≥ 0, infinite for no bound);
    /// prevents bad initial states from exploding.
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
    /// Order of the impacts of one step. Recordings from versions without this setting have all impacts at once.
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
    /// Their sum, as in [Tsounis eq. 94]. It adds energy in a bounce that starts with overlap. The two terms are
    /// Linkwork's: only contacts that close in the step and approach faster than the threshold bounce, with a speed
    /// corrected for their height at the start of the step, while the paper has ε v⁻ for every contact.
    Sum,
}

/// Order of impacts with restitution that occur in one step.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Impacts {
    /// All at once: each contact separates with its share of its own approach speed. Contacts that do not approach stay
    /// closed.
    #[default]
    AtOnce,
    /// One after the other: contacts that approach bounce while the others are ignored, then those that approach with
    /// the new velocities, until none does. An impact then travels through a row of touching bodies (Newton's cradle).
    Sequential,
}

/// Closure refinement (SHAKE on the joints) [math.md §4].
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClosureSettings {
    /// Whether it is done.
    pub enabled: bool,
    /// Largest joint residual at the end of a step, m or rad, and largest gap or overlap of a contact that counts as
    /// zero, m; nominal 1e-13 … 1e-9.
    pub tolerance: f64,
    /// Maximum number of passes, at least 1; nominal 3 … 20.
    pub max_passes: usize,
    /// Share of the kinetic energy that ideal joints may add or remove in a step before it is repeated in halves
    /// ([`FailurePolicy::Substep`]), and of its peak that they may ever add; nominal 1e-4 … 1e-1. In a step between two
    /// different motions the work is about (ω dt)²/8, ω the rate at which the joints turn. Recordings from versions
    /// without this setting have the default.
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
    /// Angular momentum is carried and the free rotation follows the midpoint rule: a free body conserves energy and
    /// angular momentum to round-off.
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
    /// Half a step before the initial poses, as between steps: the first kick is a whole one.
    Full,
    /// At the time of the initial poses: the first kick is dt/2, which makes positions of smooth motion second order.
    /// The default, also after [`Simulator::set_state`](crate::Simulator::set_state).
    Half,
}

/// What happens when a solve does not converge. Nothing is applied silently: the status is in every report. With any
/// policy, joints do not add energy to the mechanism: where they would, they are left open, and the step counts as
/// failed.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailurePolicy {
    /// Apply the last iterate.
    Accept,
    /// Repeat the step as two halves, recursively at most `depth` times and as long as it helps, then accept. Converged
    /// steps are repeated too if ideal joints do work in them ([`ClosureSettings::energy`]). The default is twelve
    /// halvings, which a load of 1300 t that stretches an arm of two rods of 25 kg needs at 1 ms. A whip's crack at 10
    /// ms, or a drive of 1e6 N m/rad on a link of 0.03 kg m² at 2 ms, needs eight.
    Substep {
        /// Maximum number of halvings, 0 … 20; nominal 4 … 12.
        depth: u32,
    },
    /// Keep poses and velocities, advance the time.
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

//! Settings that all splitting solvers share.

use crate::solvers::SolverSettings;

/// Settings of the sweeps for any contact rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepSettings {
    /// Tolerance and limit of sweeps.
    pub common: SolverSettings,
    /// Order of the blocks.
    pub order: SweepOrder,
    /// λ_k ← (1 − ω) λ_k + ω λ̂_k with the rule's answer λ̂_k.
    pub relaxation: Relaxation,
    /// Proximal weight ε of a local problem, D̃_kk = D_kk + R_kk + ε w_k, relative to the block weight
    /// w_k = tr(D_kk + R_kk)/dim. No effect on the answer. Nominal 1e-12 … 1e-3.
    pub proximal: f64,
    /// Stored differences of Anderson acceleration; 0 turns it off. Nominal 0 … 20. Not used with
    /// [`EarlyStop::Objective`].
    pub anderson: usize,
    /// Stop if the best residual has not fallen by a hundredth in this many sweeps. Nominal 500 … 10 000.
    pub patience: usize,
    /// Additional stopping test above the tolerance.
    pub stop: EarlyStop,
}

/// The order in which a sweep visits the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepOrder {
    /// Always first to last.
    Forward,
    /// First to last, then last to first; acceleration acts on pairs of sweeps.
    Alternating,
    /// All joints, then all single rows, then all contacts [Tsounis Alg. 5].
    Kinds,
}

/// The relaxation ω, in (0, 2): ω ← max(ω_min, γ ω) [Tsounis Alg. 5 line 25, where the printed min can
/// only be a max].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    /// ω of the first sweep; nominal 0.5 … 1.5.
    pub initial: f64,
    /// ω_min; nominal 0.1 … 1.
    pub minimum: f64,
    /// γ in (0, 1]; 1 keeps ω. Nominal 0.9 … 1.
    pub decay: f64,
    /// When ω decays.
    pub when: Decay,
}

/// When the relaxation decays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decay {
    /// After every sweep, as in the paper.
    EverySweep,
    /// If the residual has grown since the last evaluation.
    ResidualGrew,
}

/// Stopping test above the tolerance, in addition to the limit of sweeps without gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EarlyStop {
    /// Nothing.
    Never,
    /// A sweep has changed the objective f = ½ λᵀ(D + R)λ + λᵀ(v_f + v*) by at most `relative` |f − f₀|, f₀ that of
    /// the guess.
    Objective {
        /// No unit; nominal 1e-14 … 1e-6.
        relative: f64,
    },
    /// Only this test, with the λ of the last sweep, as in a paper.
    Printed(PrintedTest),
}

/// What ends a sweep in [Tsounis Table I]; each at most the tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedTest {
    /// Primal, dual and complementarity residual, eq. 156–158: N s, m/s and J.
    Residuals,
    /// Change of the objective in a sweep over the sum of the diagonal of M, eq. 160.
    Objective,
}

impl Default for SweepSettings {
    fn default() -> Self {
        Self {
            common: SolverSettings::default(),
            order: SweepOrder::Forward,
            relaxation: Relaxation {
                initial: 1.0,
                minimum: 1.0,
                decay: 1.0,
                when: Decay::ResidualGrew,
            },
            proximal: 1e-9,
            anderson: 10,
            patience: 2000,
            stop: EarlyStop::Never,
        }
    }
}

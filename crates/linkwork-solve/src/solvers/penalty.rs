//! How ADMM chooses its penalty ρ from the ratio of primal to dual residual.

/// Bounds that keep D + shift factorable for any residuals.
const LEAST: f64 = 1e-9;
const GREATEST: f64 = 1e6;

/// Rule for the (scaled) penalty ρ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PenaltyRule {
    /// ρ stays at its initial value.
    Fixed,
    /// ρ is multiplied or divided by `factor` when the residual ratio leaves [1/ratio, ratio]
    /// [Tsounis Alg. 6].
    Linear {
        /// τ, nominal 2 … 16.
        factor: f64,
        /// α, nominal 5 … 20.
        ratio: f64,
    },
    /// ρ = √(m L) κᵖ, κ = L/m; p rises or falls by `step` when the residual ratio leaves
    /// [1/ratio, ratio] [Carpentier §III-F].
    Spectral {
        /// Change of the exponent p, nominal 0.01 … 0.1.
        step: f64,
        /// α, nominal 5 … 200.
        ratio: f64,
    },
    /// ρ is multiplied by √(primal/dual), the step that would balance the residuals, whenever that is
    /// more than `change` or less than its inverse [Stellato 2020, OSQP §5.2].
    Balancing {
        /// Least change worth a factorisation, nominal 2 … 10.
        change: f64,
    },
}

impl PenaltyRule {
    /// τ = 2, α = 10.
    pub fn linear() -> Self {
        PenaltyRule::Linear {
            factor: 2.0,
            ratio: 10.0,
        }
    }

    /// Step 0.05, α = 100: with Anderson acceleration a change of ρ also clears the memory, and pays off only if the
    /// residuals differ by much.
    pub fn spectral() -> Self {
        PenaltyRule::Spectral {
            step: 0.05,
            ratio: 100.0,
        }
    }

    /// Change 5, as in OSQP.
    pub fn balancing() -> Self {
        PenaltyRule::Balancing { change: 5.0 }
    }

    /// The next ρ, or `None` to keep it. `condition` computes κ = L/m on demand; multiplying ρ by κ^step is the effect
    /// of a step of p on √(m L) κᵖ.
    pub fn next(
        &self,
        rho: f64,
        primal: f64,
        dual: f64,
        condition: impl FnOnce() -> f64,
    ) -> Option<f64> {
        let (limit, factor): (f64, &dyn Fn(f64) -> f64) = match self {
            PenaltyRule::Fixed => return None,
            PenaltyRule::Balancing { change } => {
                // At most a decade at once: an accidentally tiny or zero residual is not meaningful. If both vanish,
                // the comparisons with NaN are false and ρ stays.
                let factor = (primal / dual).sqrt().clamp(0.1, 10.0);
                let far = factor > *change || factor < 1.0 / change;
                return far.then(|| (rho * factor).clamp(LEAST, GREATEST));
            }
            PenaltyRule::Linear { factor, ratio } => (*ratio, &|_| *factor),
            PenaltyRule::Spectral { step, ratio } => (*ratio, &|kappa: f64| kappa.powf(*step)),
        };
        if primal > limit * dual {
            Some((rho * factor(condition())).min(GREATEST))
        } else if dual > limit * primal {
            Some((rho / factor(condition())).max(LEAST))
        } else {
            None
        }
    }
}

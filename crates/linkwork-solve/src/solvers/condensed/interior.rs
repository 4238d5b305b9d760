//! An interior-point method for the small problem, used for moving heaps and for hands with many contacts. If many
//! contacts close, open and slip at the same time, the guess contains little information about the active set, and
//! Newton on the active set ([`super::pass`]) changes only a few contacts per step.
//!
//! With x = (μ λ_N, λ_T) and y = (σ_N/μ + ‖σ_T‖, σ_T) Coulomb's law is: x and y in the Lorentz cone, x ∘ y = 0 (De
//! Saxcé). Newton's method with Nesterov-Todd scaling and Mehrotra's predictor and corrector follows x ∘ y = τ e to τ =
//! 0 as in [Acary, Armand, Nguyen & Shpakovych 2024]. Here the derivative includes ‖σ_T‖, which makes the matrix
//! unsymmetric and the method converge to the exact law. y is a separate variable, and y − F(σ) vanishes with τ.
//!
//! The law is not monotone, so the path can turn back: a body that slides on four corners transfers load from one to
//! another, and where the slip directions differ, that mode has a stiffness near zero of either sign. There, steps
//! would be shortened to almost nothing. A proximal term δ w Δλ about the iterate (Levenberg-Marquardt; it does not
//! change the solution) prevents this: δ grows after shortened steps and shrinks after long ones.
//!
//! The convex relaxation has y = (σ_N/μ, σ_T). It is monotone, its matrix is symmetric, its path does not turn back,
//! and δ stays 0.

use super::cones::{At, Cones, Target};
use super::mobility::Mobility;
use super::pass::Law;
use crate::arithmetic::{Arithmetic, Routine, run};
use crate::lanes::Lanes;
use crate::residuals::larger;
use crate::sets::{Friction, ImpulseSet, Slope3};

/// δ at the start, for Coulomb's law.
const FIRST_DELTA: f64 = 0.1;
/// Minimum and maximum of δ. With δ = 0, impulses on wedged bodies are not bounded.
const LEAST_DELTA: f64 = 3e-6;
const MOST_DELTA: f64 = 1.0;
/// Compliance of all rows, as a share of their weight. Between wedged bodies impulses are not bounded, and a method
/// that stays away from the boundary of the cones lets them grow: without this compliance, impulses of a `heap` (80)
/// grow within 5 s to a thousand times the impulse of its weight in a step. It changes velocities by 1e-9 of the
/// velocity that an impulse would give a free body.
pub(super) const SQUEEZE: f64 = 1e-9;
/// Minimum of δ after a shortened step, and the factor of a change.
const RAISED_DELTA: f64 = 1e-4;
const DELTA_FACTOR: f64 = 10.0;
/// After a step shorter than this δ grows; after one longer than [`LONG`] it shrinks.
const CUT: f64 = 0.1;
const LONG: f64 = 0.5;
/// Minimum and maximum relative distance from the boundary after a step. Near the solution, where nothing limits the
/// predictor, the minimum gives superlinear convergence.
const MARGIN: (f64, f64) = (1e-3, 0.05);
/// τ w stays above this share of (y − F(σ))². With a smaller τ, steps that would still reduce y − F(σ) are shortened at
/// the boundary.
const BALANCE: f64 = 0.1;

/// Buffers of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Interior {
    /// Blocks, four at a time.
    cones: Vec<Cones>,
    slopes: Vec<Slope3>,
    /// Values by row; impulses on the ports, and how these move.
    rows: Vec<f64>,
    on_ports: Vec<f64>,
    moved: Vec<f64>,
    /// Number of blocks, and their mean weight.
    count: f64,
    weight: f64,
    delta: f64,
    /// Whether the last step was a step back to the path.
    was_cut: bool,
}

/// How a step of the method ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepEnd {
    Taken,
    /// No further step is possible: a singular matrix, numbers that are not finite, or round-off in the convex
    /// relaxation, whose path does not turn back.
    Stuck,
}

impl Interior {
    /// Whether all blocks are contacts or rays.
    pub fn supports(sets: &[(ImpulseSet, usize)]) -> bool {
        let known =
            |set: &ImpulseSet| matches!(set, ImpulseSet::Coulomb { .. } | ImpulseSet::NonNegative);
        sets.iter().all(|(set, _)| known(set))
    }

    /// Starts near λ and σ on the central path, with τ the square of the residual there (m/s) divided by the mean
    /// weight; λ moves there.
    pub fn start(&mut self, law: &Law, lambda: &mut [f64], sigma: &[f64], residual: f64) {
        self.delta = match law.friction {
            Friction::Convex => 0.0,
            _ => FIRST_DELTA,
        };
        self.was_cut = false;
        self.count = law.sets.len() as f64;
        self.weight = law.weights.iter().sum::<f64>() / self.count;
        Cones::lay_out(law, &mut self.cones);
        let tau = residual * residual / self.weight;
        for cones in &mut self.cones {
            cones.start((lambda, sigma), tau);
            cones.write(lambda);
        }
    }

    /// One step of all blocks from λ, whose velocities are σ; updates λ.
    pub fn step(
        &mut self,
        law: &Law,
        mobility: &mut impl Mobility,
        (lambda, sigma): (&mut [f64], &[f64]),
    ) -> StepEnd {
        let (gap, off) = run(Linearise {
            cones: &mut self.cones,
            at: At {
                lambda,
                sigma,
                compliance: law.compliance,
                delta: self.delta,
            },
        });
        let gap = gap / self.count;
        self.slopes.clear();
        for cones in &self.cones {
            cones.push_slopes(&mut self.slopes);
        }
        if !mobility.factor(law, &self.slopes[..]) {
            return StepEnd::Stuck;
        }
        // Predictor: straight to τ = 0.
        let straight = Target {
            tau: 0.0,
            share: 1.0,
        };
        let reached = self.direction(law, mobility, straight).min(1.0);
        let left = run(SecondOrder {
            cones: &mut self.cones,
            length: reached,
        });
        let least = BALANCE * off * off / (self.weight * gap);
        let centring = (left / (self.count * gap)).powi(3).max(least);
        let centring = centring.clamp(0.0, 1.0);
        let mixed = Target {
            tau: centring * gap,
            share: 1.0,
        };
        let margin = (0.5 * (1.0 - reached)).clamp(MARGIN.0, MARGIN.1);
        let mut length = (1.0 - margin) * self.direction(law, mobility, mixed).min(1.0);
        let cut = length < CUT;
        // Only one step back to the path is tried: if the step after it is shortened too, more of them do not help.
        if cut && self.was_cut && law.friction == Friction::Convex {
            return StepEnd::Stuck;
        }
        self.was_cut = cut;
        if cut {
            // Back to the path.
            self.cones.iter_mut().for_each(Cones::forget_second);
            let central = Target {
                tau: gap,
                share: 0.0,
            };
            length = (1.0 - MARGIN.1) * self.direction(law, mobility, central).min(1.0);
        }
        // Written so that a NaN fails too.
        if !(length.is_finite() && gap.is_finite()) {
            return StepEnd::Stuck;
        }
        if length < CUT && law.friction == Friction::Convex {
            return StepEnd::Stuck;
        }
        if length < CUT {
            self.delta = (DELTA_FACTOR * self.delta).clamp(RAISED_DELTA, MOST_DELTA);
        } else if length > LONG && law.friction != Friction::Convex {
            self.delta = (self.delta / DELTA_FACTOR).max(LEAST_DELTA);
        }
        for cones in &mut self.cones {
            cones.advance(length);
            cones.write(lambda);
        }
        StepEnd::Taken
    }

    /// Solves for the step; returns the step length that the cones allow.
    fn direction(&mut self, law: &Law, mobility: &mut impl Mobility, target: Target) -> f64 {
        self.rows.resize(law.compliance.len(), 0.0);
        run(Drive {
            cones: &mut self.cones,
            target,
            rows: &mut self.rows,
        });
        self.on_ports.clear();
        self.on_ports.resize(law.ports.len, 0.0);
        law.ports.gather(&self.rows, &mut self.on_ports);
        mobility.solve(&mut self.on_ports);
        mobility.multiply(&self.on_ports, &mut self.moved);
        law.ports.spread(&self.moved, &mut self.rows);
        run(Respond {
            cones: &mut self.cones,
            target,
            rows: &self.rows,
        })
    }
}

/// Linearise all; xᵀy summed, and the largest |y − F(σ)| (m/s).
struct Linearise<'a> {
    cones: &'a mut [Cones],
    at: At<'a>,
}

impl Routine for Linearise<'_> {
    type Output = (f64, f64);

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> (f64, f64) {
        let (mut gap, mut off) = (Lanes::ZERO, Lanes::ZERO);
        for cones in self.cones {
            gap += cones.gap();
            off = cones.linearise(&self.at).max(off);
        }
        (gap.sum(), off.0.iter().fold(0.0, |a, &b| larger(a, b)))
    }
}

/// Right-hand sides of the step to x ∘ y = τ e, by row.
struct Drive<'a> {
    cones: &'a mut [Cones],
    target: Target,
    rows: &'a mut [f64],
}

impl Routine for Drive<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self) {
        for cones in self.cones {
            cones.drive(&self.target, self.rows);
        }
    }
}

/// Δx and Δy for this change of the rows; the step length that the cones allow.
struct Respond<'a> {
    cones: &'a mut [Cones],
    target: Target,
    rows: &'a [f64],
}

impl Routine for Respond<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> f64 {
        let mut length = Lanes::all(f64::INFINITY);
        for cones in self.cones {
            length = length.min(cones.respond(&self.target, self.rows));
        }
        length.0.into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// Second-order terms of the predicted step; xᵀy after so much of it, summed.
struct SecondOrder<'a> {
    cones: &'a mut [Cones],
    length: f64,
}

impl Routine for SecondOrder<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<A: Arithmetic>(self) -> f64 {
        let mut left = Lanes::ZERO;
        for cones in self.cones {
            left += cones.gap_at(self.length);
            cones.find_second();
        }
        left.sum()
    }
}

//! The sets that constraint impulses lie in [math.md §2]: one file per set, all behind [`Set`].
//!
//! A set provides everything a solver needs: the number of rows, projections, the De Saxcé shift, the response of a
//! block to a velocity around a proximal centre with its generalised derivative, the part of its boundary on which a
//! point lies, and its form in conic programming. Problems contain [`ImpulseSet`], a small enum, so that inner loops
//! call the code of a set without a virtual call. A new set is a file, a variant of the enum and a line in the table
//! `sets!` below.

#[cfg(test)]
mod ball;
mod cones;
mod coulomb;
mod coulomb_moment;
mod face;
mod free;
mod interval;
mod non_negative;
mod product;
mod slope;
#[cfg(test)]
mod tests;

pub use cones::{Cone, Slack};
pub use face::Face;
pub use product::ImpulseSets;
pub use slope::Slope;
pub(crate) use slope::{Slope3, Slopes};

#[cfg(test)]
use ball::Ball;
use coulomb::Coulomb;
use coulomb_moment::CoulombMoment;
use free::Free;
use interval::Interval;
use non_negative::NonNegative;
use serde::{Deserialize, Serialize};

/// The largest number of rows of a set.
pub const MAX_DIM: usize = 6;

/// The set that contains the impulse λ of one constraint block.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ImpulseSet {
    /// ℝᵐ: joints, couplings, armature, drives without effort limit.
    Free {
        /// Number of rows m, 1 … 6.
        dim: usize,
    },
    /// ℝ₊: joint limits, frictionless contact.
    NonNegative,
    /// [−b, b]: dry friction, effort-limited drives.
    Interval {
        /// The bound b ≥ 0, N s or N m s.
        bound: f64,
    },
    /// ‖λ_T‖ ≤ μ λ_N, rows ordered (t₁, t₂, n): contacts.
    Coulomb {
        /// Friction coefficient μ ≥ 0.
        mu: f64,
    },
    /// ‖λ_F‖ ≤ μ λ_N, the normal row last: contacts with torsional or rolling friction. The rows of J that measure
    /// angular velocities are scaled by μ_i/μ, so that the ellipsoid Σ (λ_i/μ_i)² ≤ λ_N² of the moments' own
    /// coefficients becomes a ball.
    CoulombMoment {
        /// Friction coefficient μ ≥ 0.
        mu: f64,
        /// Number of rows, 2 … 6.
        rows: u8,
    },
    /// ‖λ‖ ≤ r in six rows, for tests: no solver may rely on the rows of the sets above.
    #[cfg(test)]
    Ball {
        /// The radius r ≥ 0.
        radius: f64,
    },
}

/// The response of a block with friction to a velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Friction {
    /// Alart-Curnier: exactly Signorini-Coulomb, with a slope that is not symmetric.
    #[default]
    Exact,
    /// Projection on K in the metric R + ε, with the De Saxcé shift of the centre: the gradient of a convex energy, on
    /// which Newton does not fail. Exact once the shift no longer changes.
    Lagged,
    /// Projection on K in the metric R + ε, without a shift: the convex relaxation.
    Convex,
}

/// A set of impulses. Slices have [`Set::dim`] values; the normal row, if any, is the last.
///
/// NaN values in the arguments or in the set itself are kept: an invalid impulse must never look valid.
trait Set: Copy {
    /// The name in messages.
    const NAME: &'static str;

    /// Whether K is a cone, and σ + Γ therefore in its dual and orthogonal to λ.
    const IS_CONE: bool;

    /// Examples for the tests over all sets, including degenerate ones.
    #[cfg(test)]
    const SAMPLES: &'static [ImpulseSet];

    /// Number of rows, 1 … [`MAX_DIM`].
    fn dim(&self) -> usize;

    /// Whether its parameters are valid.
    fn is_valid(&self) -> bool;

    /// Euclidean projection P_K, in place.
    fn project(&self, x: &mut [f64]);

    /// Projection on the dual cone K*, in place; a set that is not a cone does not change `x`.
    fn project_dual(&self, x: &mut [f64]);

    /// The last row of Γ(σ), m/s.
    fn desaxce_shift(&self, _sigma: &[f64]) -> f64 {
        0.0
    }

    /// Raises compliances until [`Set::respond`] has a closed form in their metric.
    fn level(&self, _compliance: &mut [f64]) {}

    /// λ from τ = (ε λᵏ − v)/(R + ε), in place, and its slope −∂λ/∂v; `inverse` is 1/(R + ε) by row, for
    /// compliances that are level. Where λ has a kink, the slope is that of the set's interior.
    fn respond(&self, friction: Friction, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope;

    /// The part of K that [`Set::respond`] with [`Friction::Exact`] puts τ on.
    fn face(&self, tau: &[f64]) -> Face;

    /// Whether λ stays as it is: an open block that σ (m/s) keeps open, or an impulse that it keeps at its bound, by
    /// more than `margin`.
    fn stays(&self, lambda: &[f64], sigma: &[f64], margin: f64) -> bool {
        if lambda.iter().any(|l| *l != 0.0) {
            return false;
        }
        // The projection of −σ is 0 if it is in the polar cone, for any length.
        let mut point = [0.0; MAX_DIM];
        let point = &mut point[..lambda.len()];
        for (p, s) in point.iter_mut().zip(sigma) {
            *p = -s;
        }
        point[lambda.len() - 1] += margin;
        self.project(point);
        point.iter().all(|p| *p == 0.0)
    }

    /// K as slacks in cones, passed to `add` cone by cone.
    fn cones(&self, add: &mut dyn FnMut(Cone, &[Slack]));

    /// The same set with impulses measured in `unit`, N s.
    fn in_units(&self, unit: f64) -> ImpulseSet;
}

/// The table of all sets, and the methods of [`ImpulseSet`], each that of the set's own type.
macro_rules! sets {
    ($($(#[$meta:meta])* $name:ident $fields:tt)*) => {
        impl ImpulseSet {
            /// The name of the kind of set in messages.
            pub fn name(&self) -> &'static str {
                match self { $($(#[$meta])* ImpulseSet::$name { .. } => $name::NAME,)* }
            }

            /// Whether it is a cone, and σ + Γ therefore in its dual and orthogonal to λ.
            #[inline]
            pub fn is_cone(&self) -> bool {
                match self { $($(#[$meta])* ImpulseSet::$name { .. } => $name::IS_CONE,)* }
            }

            /// Number of rows, 1 … [`MAX_DIM`].
            #[inline]
            pub fn dim(&self) -> usize {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.dim(),)* }
            }

            /// Whether its parameters are valid: a bound or μ that is a number ≥ 0.
            pub fn is_valid(&self) -> bool {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.is_valid(),)* }
            }

            /// Euclidean projection P_K of `x`, in place. A NaN stays.
            #[inline]
            pub fn project(&self, x: &mut [f64]) {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.project(x),)* }
            }

            /// Projection on the dual cone K*, in place. An interval is not a cone: its velocity is judged
            /// by the natural map alone [math.md §6], so here it stays as it is.
            pub fn project_dual(&self, x: &mut [f64]) {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.project_dual(x),)* }
            }

            /// The last row of the De Saxcé shift Γ(σ): μ times the length of the other rows for contacts, otherwise 0;
            /// m/s.
            #[inline]
            pub fn desaxce_shift(&self, sigma: &[f64]) -> f64 {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.desaxce_shift(sigma),)* }
            }

            /// Raises compliances (1/kg, one per row) until [`ImpulseSet::respond`] has a closed form in their metric:
            /// the friction disk is circular only if the tangential compliances are equal.
            #[inline]
            pub fn level(&self, compliance: &mut [f64]) {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.level(compliance),)* }
            }

            /// The response of a block to the velocity v around the proximal centre λᵏ: λ from τ = (ε λᵏ − v)/(R + ε)
            /// (N s), in place, and its slope −∂λ/∂v (kg). `inverse` is 1/(R + ε) by row, for compliances that are
            /// [level](ImpulseSet::level). At a kink of λ, the slope is that of the set's interior.
            #[inline]
            pub fn respond(
                &self,
                friction: Friction,
                tau: &mut [f64],
                inverse: &[f64; MAX_DIM],
            ) -> Slope {
                match *self {
                    $($(#[$meta])* ImpulseSet::$name $fields => {
                        $name $fields.respond(friction, tau, inverse)
                    })*
                }
            }

            /// The part of K that the law puts τ = λ − s (σ + Γ) on: the active set of a block.
            #[inline]
            pub fn face(&self, tau: &[f64]) -> Face {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.face(tau),)* }
            }

            /// Whether λ (N s) stays as it is: an open block that σ (m/s) keeps open, or an impulse that it keeps at
            /// its bound, by more than `margin` (m/s).
            #[inline]
            pub fn stays(&self, lambda: &[f64], sigma: &[f64], margin: f64) -> bool {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.stays(lambda, sigma, margin),)* }
            }

            /// K in the form of conic programming: slacks in cones, passed to `add` cone by cone.
            pub fn cones(&self, add: &mut dyn FnMut(Cone, &[Slack])) {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.cones(add),)* }
            }

            /// The same set with impulses measured in `unit`, N s.
            pub fn in_units(&self, unit: f64) -> ImpulseSet {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.in_units(unit),)* }
            }

            /// Examples of every set.
            #[cfg(test)]
            pub(crate) fn samples() -> Vec<ImpulseSet> {
                [$($name::SAMPLES),*].concat()
            }
        }
    };
}

sets! {
    Free { dim }
    NonNegative {}
    Interval { bound }
    Coulomb { mu }
    CoulombMoment { mu, rows }
    #[cfg(test)]
    Ball { radius }
}

impl ImpulseSet {
    /// Whether λ is unrestricted.
    #[inline]
    pub fn is_free(&self) -> bool {
        matches!(self, ImpulseSet::Free { .. })
    }
}

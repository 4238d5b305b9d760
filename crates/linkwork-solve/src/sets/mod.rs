//! The sets that constraint impulses live in [math.md §2]: one file a set, all behind [`Set`].
//!
//! Everything a solver asks of a set is a method here: how many rows, projections, the De Saxcé shift, how a
//! block answers a velocity around a proximal centre with its generalised derivative, on which part of its
//! boundary a point lies, and the set in the words of conic programming. [`ImpulseSet`] is what problems hold:
//! a small enum, so that inner loops call the set's own code without a virtual call. A new set is a file, a
//! variant of the enum and a line in the table `sets!` below.

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

/// The most rows that a set has.
pub const MAX_DIM: usize = 6;

/// Where the impulse λ of one constraint block lives.
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
    /// ‖λ_F‖ ≤ μ λ_N, the normal row last: contacts whose friction also resists turning. The rows of J that measure
    /// turns are scaled by μ_i/μ, so that the ellipsoid Σ (λ_i/μ_i)² ≤ λ_N² of the moments' own coefficients is round.
    CoulombMoment {
        /// Friction coefficient μ ≥ 0.
        mu: f64,
        /// Number of rows, 2 … 6.
        rows: u8,
    },
    /// ‖λ‖ ≤ r in six rows, for tests: no solver may count on the rows of the sets above.
    #[cfg(test)]
    Ball {
        /// The radius r ≥ 0.
        radius: f64,
    },
}

/// How a block with friction answers a velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Friction {
    /// Alart-Curnier: Signorini-Coulomb exactly, a slope that is not symmetric.
    #[default]
    Exact,
    /// Projection on K in the metric R + ε, with the De Saxcé shift of the centre: the gradient of a convex
    /// energy, so that Newton cannot get stuck; right once the shift no longer changes.
    Lagged,
    /// Projection on K in the metric R + ε, without a shift: the convex relaxation.
    Convex,
}

/// What a set of impulses is. Slices have [`Set::dim`] values; where a set has a normal row, it is the last.
///
/// A NaN among the values or in the set itself stays: a broken impulse must never look like a good one.
trait Set: Copy {
    /// What messages call it.
    const NAME: &'static str;

    /// Whether K is a cone, and σ + Γ therefore in its dual and orthogonal to λ.
    const IS_CONE: bool;

    /// Examples for the tests over all sets, degenerate ones among them.
    #[cfg(test)]
    const SAMPLES: &'static [ImpulseSet];

    /// Number of rows, 1 … [`MAX_DIM`].
    fn dim(&self) -> usize;

    /// Whether its numbers make sense.
    fn is_valid(&self) -> bool;

    /// Euclidean projection P_K, in place.
    fn project(&self, x: &mut [f64]);

    /// Projection on the dual cone K*, in place; a set that is no cone leaves `x` as it is.
    fn project_dual(&self, x: &mut [f64]);

    /// What Γ(σ) adds to the last row, m/s.
    fn desaxce_shift(&self, _sigma: &[f64]) -> f64 {
        0.0
    }

    /// Raise compliances until [`Set::respond`] has a closed form in their metric.
    fn level(&self, _compliance: &mut [f64]) {}

    /// λ from τ = (ε λᵏ − v)/(R + ε), in place, and its slope −∂λ/∂v; `inverse` is 1/(R + ε) by row, for
    /// compliances that are level. Where λ has a kink, the slope is that of the set's interior.
    fn respond(&self, friction: Friction, tau: &mut [f64], inverse: &[f64; MAX_DIM]) -> Slope;

    /// The part of K that [`Set::respond`] with [`Friction::Exact`] puts τ on.
    fn face(&self, tau: &[f64]) -> Face;

    /// Whether λ stays as it is: an open block that σ (m/s) keeps open, an impulse that it keeps at its bound.
    /// With less than `margin` to spare, it does not.
    fn stays(&self, lambda: &[f64], sigma: &[f64], margin: f64) -> bool {
        if lambda.iter().any(|l| *l != 0.0) {
            return false;
        }
        // The projection of −σ is 0 where it is in the polar cone, whatever its length.
        let mut point = [0.0; MAX_DIM];
        let point = &mut point[..lambda.len()];
        for (p, s) in point.iter_mut().zip(sigma) {
            *p = -s;
        }
        point[lambda.len() - 1] += margin;
        self.project(point);
        point.iter().all(|p| *p == 0.0)
    }

    /// K as slacks in cones, handed to `add` cone by cone.
    fn cones(&self, add: &mut dyn FnMut(Cone, &[Slack]));

    /// The same set with impulses measured in `unit`, N s.
    fn in_units(&self, unit: f64) -> ImpulseSet;
}

/// The table of all sets, and the methods of [`ImpulseSet`], each that of the set's own type.
macro_rules! sets {
    ($($(#[$meta:meta])* $name:ident $fields:tt)*) => {
        impl ImpulseSet {
            /// What messages call the kind of set.
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

            /// Whether its numbers make sense: a bound or μ that is a number ≥ 0.
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

            /// What the De Saxcé shift Γ(σ) adds to the last row: μ times the length of the other rows on contacts, else 0; m/s.
            #[inline]
            pub fn desaxce_shift(&self, sigma: &[f64]) -> f64 {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.desaxce_shift(sigma),)* }
            }

            /// Raise compliances (1/kg, one a row) until [`ImpulseSet::respond`] has a closed form in their
            /// metric: the disk of friction is round only with one tangential compliance.
            #[inline]
            pub fn level(&self, compliance: &mut [f64]) {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.level(compliance),)* }
            }

            /// How a block answers the velocity v around the proximal centre λᵏ: λ from τ = (ε λᵏ − v)/(R + ε)
            /// (N s), in place, and its slope −∂λ/∂v (kg). `inverse` is 1/(R + ε) by row, for compliances
            /// that are [level](ImpulseSet::level). Where λ has a kink, the slope is that of the set's interior.
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

            /// Whether λ (N s) stays as it is: an open block that σ (m/s) keeps open, an impulse that it keeps
            /// at its bound. With less than `margin` (m/s) to spare, it does not.
            #[inline]
            pub fn stays(&self, lambda: &[f64], sigma: &[f64], margin: f64) -> bool {
                match *self { $($(#[$meta])* ImpulseSet::$name $fields => $name $fields.stays(lambda, sigma, margin),)* }
            }

            /// K in the words of conic programming: slacks that lie in cones, handed to `add` cone by cone.
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

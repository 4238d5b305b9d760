//! Numbers that take the same way, side by side: contacts and columns are treated four at a time ([`Lanes`]), worlds eight at a time ([`Wide`]), one per lane.
//!
//! Every operation of a lane depends on that lane only, so a lane has the same bits for any contents of the others.

use crate::arithmetic::Arithmetic;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Evaluates an expression for each lane. Closures would be separate functions, which are compiled for the selected
/// processor only if the optimiser inlines them.
macro_rules! each {
    ([$($lane:literal)*] $i:ident => $value:expr) => {
        [$({
            let $i = $lane;
            $value
        }),*]
    };
}

/// A type of as many numbers as there are lanes.
macro_rules! lanes {
    ($(#[$doc:meta])* $name:ident, $width:ident, $align:literal, $lanes:tt) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[repr(align($align))]
        pub struct $name(pub [f64; $width]);

        impl $name {
            /// 0 in all lanes.
            pub const ZERO: Self = Self([0.0; $width]);
            /// 1 in all lanes.
            pub const ONE: Self = Self([1.0; $width]);

            /// The same number in all lanes.
            #[inline(always)]
            pub fn all(value: f64) -> Self {
                Self([value; $width])
            }

            /// This plus the product of the others.
            #[inline(always)]
            pub fn madd<A: Arithmetic>(self, a: Self, b: Self) -> Self {
                Self(each!($lanes i => A::madd(a.0[i], b.0[i], self.0[i])))
            }

            /// This less the product of the others.
            #[inline(always)]
            pub fn msub<A: Arithmetic>(self, a: Self, b: Self) -> Self {
                Self(each!($lanes i => A::madd(-a.0[i], b.0[i], self.0[i])))
            }

            /// The square root.
            #[inline(always)]
            pub fn sqrt(self) -> Self {
                Self(each!($lanes i => self.0[i].sqrt()))
            }

            /// The magnitude.
            #[inline(always)]
            pub fn abs(self) -> Self {
                Self(each!($lanes i => self.0[i].abs()))
            }

            /// The magnitude of this with the sign of the other.
            #[inline(always)]
            pub fn copysign(self, sign: Self) -> Self {
                Self(each!($lanes i => self.0[i].copysign(sign.0[i])))
            }

            /// The smaller one; that of the other where this is NaN.
            #[inline(always)]
            pub fn min(self, other: Self) -> Self {
                self.where_less(other, self, other)
            }

            /// The larger one; that of the other where this is NaN.
            #[inline(always)]
            pub fn max(self, other: Self) -> Self {
                other.where_less(self, self, other)
            }

            /// `yes` in lanes where this is less than the bound, else `no`; `no` where one is NaN.
            #[inline(always)]
            pub fn where_less(self, bound: Self, yes: Self, no: Self) -> Self {
                Self(each!($lanes i => if self.0[i] < bound.0[i] {
                    yes.0[i]
                } else {
                    no.0[i]
                }))
            }

            /// Raise this to the other; a NaN of either stays.
            #[inline(always)]
            pub fn raise(&mut self, other: Self) {
                *self = Self(
                    each!($lanes i => if self.0[i] >= other.0[i] || self.0[i].is_nan() {
                        self.0[i]
                    } else {
                        other.0[i]
                    }),
                );
            }

            /// Whether this is less than the bound in all lanes.
            #[inline(always)]
            pub fn all_less(self, bound: Self) -> bool {
                let less: [bool; $width] = each!($lanes i => self.0[i] < bound.0[i]);
                less == [true; $width]
            }
        }

        operator!($name, $lanes, Add, add, +);
        operator!($name, $lanes, Sub, sub, -);
        operator!($name, $lanes, Mul, mul, *);
        operator!($name, $lanes, Div, div, /);

        impl Mul<$name> for f64 {
            type Output = $name;

            #[inline(always)]
            fn mul(self, other: $name) -> $name {
                $name::all(self) * other
            }
        }

        impl SubAssign for $name {
            #[inline(always)]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl AddAssign for $name {
            #[inline(always)]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Neg for $name {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                Self(each!($lanes i => -self.0[i]))
            }
        }
    };
}

/// An operator of two numbers, lane by lane.
macro_rules! operator {
    ($name:ident, $lanes:tt, $trait:ident, $function:ident, $op:tt) => {
        impl $trait for $name {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(each!($lanes i => self.0[i] $op other.0[i]))
            }
        }
    };
}

/// Number of lanes of [`Lanes`].
pub const WIDTH: usize = 4;
/// Number of lanes of [`Wide`].
pub const WIDE: usize = 8;

lanes!(
    /// Four numbers, one per lane.
    Lanes, WIDTH, 32, [0 1 2 3]
);
lanes!(
    /// Eight numbers, one per lane: a vector of the widest processors, two of others.
    Wide, WIDE, 64, [0 1 2 3 4 5 6 7]
);

impl Lanes {
    /// The sum over the lanes.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + b) + (c + d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Routine, run, run_wide};

    /// One of each operation, on numbers of all kinds.
    struct Mix(Wide, Wide);

    impl Routine for Mix {
        type Output = [Wide; 4];

        #[inline(always)]
        fn run<A: Arithmetic>(self) -> Self::Output {
            let Self(x, y) = self;
            let mut largest = x;
            largest.raise(y);
            let product = x.madd::<A>(y, y).msub::<A>(x, x);
            let chosen = x.where_less(y, x.sqrt() / y, x.min(y) - y.max(x));
            [product, chosen, largest, (0.3 * -x).copysign(y).abs() + y]
        }
    }

    #[test]
    fn wide_numbers_have_the_same_bits_with_the_widest_vectors() {
        let x = Wide([
            1.0 / 3.0,
            -0.1,
            1e-300,
            0.0,
            f64::NAN,
            2.7,
            f64::INFINITY,
            1e17,
        ]);
        let y = Wide([0.7, 1.0 / 7.0, 3.3, -0.0, 1.0, f64::NAN, -5.0, -1e-9]);
        let bits =
            |found: [Wide; 4]| found.map(|x| x.0.map(|x| if x.is_nan() { 1 } else { x.to_bits() }));
        assert_eq!(bits(run(Mix(x, y))), bits(run_wide(Mix(x, y))));
    }

    #[test]
    fn a_lane_does_not_depend_on_the_others() {
        let (x, y) = (Wide::all(0.3), Wide::all(-1.7));
        let mut others = (Wide::all(f64::NAN), Wide::all(f64::INFINITY));
        (others.0.0[5], others.1.0[5]) = (0.3, -1.7);
        let (plain, mixed) = (run_wide(Mix(x, y)), run_wide(Mix(others.0, others.1)));
        for (a, b) in plain.iter().zip(&mixed) {
            assert_eq!(a.0[5].to_bits(), b.0[5].to_bits());
        }
    }
}

//! Four numbers that are processed together: contacts, columns and worlds are treated four at a time, one per lane.
//!
//! Every operation of a lane depends on that lane only, so a lane has the same bits for any contents of the others.

use crate::arithmetic::Arithmetic;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Evaluates an expression for each lane. Closures would be separate functions, which are compiled for the selected
/// processor only if the optimiser inlines them.
macro_rules! each {
    ($i:ident => $value:expr) => {
        [
            {
                let $i = 0;
                $value
            },
            {
                let $i = 1;
                $value
            },
            {
                let $i = 2;
                $value
            },
            {
                let $i = 3;
                $value
            },
        ]
    };
}

/// Number of lanes.
pub const WIDTH: usize = 4;

/// One number per lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(32))]
pub struct Lanes(pub [f64; WIDTH]);

impl Lanes {
    /// 0 in all lanes.
    pub const ZERO: Self = Self([0.0; WIDTH]);
    /// 1 in all lanes.
    pub const ONE: Self = Self([1.0; WIDTH]);

    /// The same number in all lanes.
    #[inline(always)]
    pub fn all(value: f64) -> Self {
        Self([value; WIDTH])
    }

    /// This plus the product of the others.
    #[inline(always)]
    pub fn madd<A: Arithmetic>(self, a: Self, b: Self) -> Self {
        Self(each!(i => A::madd(a.0[i], b.0[i], self.0[i])))
    }

    /// This less the product of the others.
    #[inline(always)]
    pub fn msub<A: Arithmetic>(self, a: Self, b: Self) -> Self {
        Self(each!(i => A::madd(-a.0[i], b.0[i], self.0[i])))
    }

    /// The square root.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self(each!(i => self.0[i].sqrt()))
    }

    /// The magnitude.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Self(each!(i => self.0[i].abs()))
    }

    /// The magnitude of this with the sign of the other.
    #[inline(always)]
    pub fn copysign(self, sign: Self) -> Self {
        Self(each!(i => self.0[i].copysign(sign.0[i])))
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
        Self(each!(i => if self.0[i] < bound.0[i] {
            yes.0[i]
        } else {
            no.0[i]
        }))
    }

    /// Raise this to the other; a NaN of either stays.
    #[inline(always)]
    pub fn raise(&mut self, other: Self) {
        *self = Self(
            each!(i => if self.0[i] >= other.0[i] || self.0[i].is_nan() {
                self.0[i]
            } else {
                other.0[i]
            }),
        );
    }

    /// Whether this is less than the bound in all lanes.
    #[inline(always)]
    pub fn all_less(self, bound: Self) -> bool {
        let less: [bool; WIDTH] = each!(i => self.0[i] < bound.0[i]);
        less[0] & less[1] & less[2] & less[3]
    }

    /// The sum over the lanes.
    #[inline(always)]
    pub fn sum(self) -> f64 {
        let [a, b, c, d] = self.0;
        (a + b) + (c + d)
    }
}

macro_rules! operator {
    ($trait:ident, $name:ident, $op:tt) => {
        impl $trait for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(each!(i => self.0[i] $op other.0[i]))
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

impl Mul<Lanes> for f64 {
    type Output = Lanes;

    #[inline(always)]
    fn mul(self, other: Lanes) -> Lanes {
        Lanes::all(self) * other
    }
}

impl SubAssign for Lanes {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Lanes {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(each!(i => -self.0[i]))
    }
}

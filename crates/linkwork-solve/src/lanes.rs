//! Four numbers that take the same way: contacts and columns are treated four at a time, one per lane.

use crate::arithmetic::Arithmetic;
use std::array::from_fn;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// Number of lanes.
pub(crate) const WIDTH: usize = 4;

/// One number per lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lanes(pub [f64; WIDTH]);

impl Lanes {
    pub const ZERO: Self = Self([0.0; WIDTH]);
    pub const ONE: Self = Self([1.0; WIDTH]);

    /// The same number in all lanes.
    #[inline(always)]
    pub fn all(value: f64) -> Self {
        Self([value; WIDTH])
    }

    /// This plus the product of the others.
    #[inline(always)]
    pub fn madd<A: Arithmetic>(self, a: Self, b: Self) -> Self {
        Self(from_fn(|i| A::madd(a.0[i], b.0[i], self.0[i])))
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self(from_fn(|i| self.0[i].sqrt()))
    }

    #[inline(always)]
    pub fn abs(self) -> Self {
        Self(from_fn(|i| self.0[i].abs()))
    }

    /// The magnitude of this with the sign of the other.
    #[inline(always)]
    pub fn copysign(self, sign: Self) -> Self {
        Self(from_fn(|i| self.0[i].copysign(sign.0[i])))
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
        Self(from_fn(|i| {
            if self.0[i] < bound.0[i] {
                yes.0[i]
            } else {
                no.0[i]
            }
        }))
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
                Self(from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}

operator!(Add, add, +);
operator!(Sub, sub, -);
operator!(Mul, mul, *);
operator!(Div, div, /);

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
        Self(from_fn(|i| -self.0[i]))
    }
}

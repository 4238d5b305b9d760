//! Algebra of the cone {x₀ ≥ ‖(x₁, x₂)‖} and its Nesterov-Todd scaling, as in [Vandenberghe 2010, §4.1], for a point per lane. A
//! ray is the cone with x₁ = x₂ = 0.

use crate::lanes::Lanes;

/// Points (x₀, x₁, x₂).
pub(super) type Point = [Lanes; 3];

/// x₀² − x₁² − x₂²: positive inside the cone.
#[inline(always)]
pub(super) fn determinant(x: &Point) -> Lanes {
    let t = size(x[1], x[2]);
    (x[0] - t) * (x[0] + t)
}

/// ‖(a, b)‖. Speeds and impulses are far from overflow, so that `hypot` is not needed.
#[inline(always)]
pub(super) fn size(a: Lanes, b: Lanes) -> Lanes {
    (a * a + b * b).sqrt()
}

/// xᵀy.
#[inline(always)]
pub(super) fn dot(x: &Point, y: &Point) -> Lanes {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// x ∘ y.
#[inline(always)]
pub(super) fn product(x: &Point, y: &Point) -> Point {
    [
        dot(x, y),
        x[0] * y[1] + y[0] * x[1],
        x[0] * y[2] + y[0] * x[2],
    ]
}

/// d with x ∘ d = b, for x inside the cone.
#[inline(always)]
pub(super) fn quotient(x: &Point, b: &Point) -> Point {
    let d0 = (x[0] * b[0] - x[1] * b[1] - x[2] * b[2]) / determinant(x);
    let inverse = Lanes::ONE / x[0];
    [
        d0,
        (b[1] - d0 * x[1]) * inverse,
        (b[2] - d0 * x[2]) * inverse,
    ]
}

/// The largest t for which x + t d stays in the cone, x inside; infinite if there is no bound.
#[inline(always)]
pub(super) fn reach(x: &Point, d: &Point) -> Lanes {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = determinant(x);
    let infinite = Lanes::all(f64::INFINITY);
    let apex = d[0].where_less(Lanes::ZERO, -x[0] / d[0], infinite);
    // a t² + 2 b t + c = 0. A square root of a negative number is NaN, and no comparison with it holds.
    let q = -(b + (b * b - a * c).sqrt().copysign(b));
    let positive = |root: Lanes| Lanes::ZERO.where_less(root, root, infinite);
    apex.min(positive(q / a)).min(positive(c / q))
}

/// The points a and b of the cone with a − b = z and a ∘ b = τ e, for τ > 0.
#[inline(always)]
pub(super) fn split(z: &Point, tau: Lanes) -> (Point, Point) {
    let t = size(z[1], z[2]);
    let half = Lanes::all(0.5);
    // Of an eigenvalue ζ: the positive roots of a (a − ζ) = τ and b (b + ζ) = τ, without cancellation.
    let roots = |zeta: Lanes| {
        let large = half * (zeta.abs() + (zeta * zeta + Lanes::all(4.0) * tau).sqrt());
        let small = tau / large;
        let a = Lanes::ZERO.where_less(zeta, large, small);
        let b = Lanes::ZERO.where_less(zeta, small, large);
        (a, b)
    };
    let ((a_plus, b_plus), (a_minus, b_minus)) = (roots(z[0] + t), roots(z[0] - t));
    let per_size = Lanes::ZERO.where_less(t, Lanes::ONE / t, Lanes::ZERO);
    let point = |plus: Lanes, minus: Lanes| {
        let along = half * (plus - minus) * per_size;
        [half * (plus + minus), along * z[1], along * z[2]]
    };
    (point(a_plus, a_minus), point(b_plus, b_minus))
}

/// The symmetric W with W y = W⁻¹ x.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scaling {
    axis: Point,
    size: Lanes,
}

impl Scaling {
    /// Of two points inside the cone.
    #[inline(always)]
    pub fn between(x: &Point, y: &Point) -> Self {
        let (dx, dy) = (determinant(x).sqrt(), determinant(y).sqrt());
        let (ix, iy) = (Lanes::ONE / dx, Lanes::ONE / dy);
        let (x, y) = (x.map(|v| v * ix), y.map(|v| v * iy));
        let double = Lanes::ONE / (Lanes::all(2.0) * (Lanes::ONE + dot(&x, &y))).sqrt();
        Self {
            axis: [x[0] + y[0], x[1] - y[1], x[2] - y[2]].map(|v| v * double),
            size: (dx * iy).sqrt(),
        }
    }

    /// W v.
    #[inline(always)]
    pub fn apply(&self, v: &Point) -> Point {
        self.turn(v, Lanes::ONE).map(|v| v * self.size)
    }

    /// W⁻¹ v.
    #[inline(always)]
    pub fn undo(&self, v: &Point) -> Point {
        let inverse = Lanes::ONE / self.size;
        self.turn(v, -Lanes::ONE).map(|v| v * inverse)
    }

    #[inline(always)]
    fn turn(&self, v: &Point, sign: Lanes) -> Point {
        let w = [self.axis[0], sign * self.axis[1], sign * self.axis[2]];
        let d = w[1] * v[1] + w[2] * v[2];
        let k = v[0] + d / (Lanes::ONE + w[0]);
        [w[0] * v[0] + d, v[1] + k * w[1], v[2] + k * w[2]]
    }

    /// W².
    #[inline(always)]
    pub fn square(&self) -> [Point; 3] {
        let (w, e) = (&self.axis, self.size * self.size);
        let double = e + e;
        let mut square = [[Lanes::ZERO; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                square[i][j] = double * w[i] * w[j];
            }
        }
        square[0][0] -= e;
        square[1][1] += e;
        square[2][2] += e;
        square
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another point per lane; the last one on a ray.
    const X: Point = [
        Lanes([1.3, 0.9, 2.0, 0.7]),
        Lanes([0.4, -0.2, 1.1, 0.0]),
        Lanes([-0.9, 0.3, 1.2, 0.0]),
    ];
    const Y: Point = [
        Lanes([0.2, 4.0, 0.8, 0.3]),
        Lanes([-0.12, 1.0, 0.7, 0.0]),
        Lanes([0.05, -3.0, 0.1, 0.0]),
    ];

    fn near(a: &Point, b: &Point) {
        for (a, b) in a.iter().zip(b) {
            for (a, b) in a.0.iter().zip(&b.0) {
                assert!((a - b).abs() < 1e-12, "{a} {b}");
            }
        }
    }

    #[test]
    fn scaling_maps_one_point_to_the_other() {
        let w = Scaling::between(&X, &Y);
        near(&w.apply(&Y), &w.undo(&X));
        let square = w.square();
        near(&std::array::from_fn(|i| dot(&square[i], &Y)), &X);
        let v = [0.3, -2.0, 0.7].map(Lanes::all);
        near(&w.undo(&w.apply(&v)), &v);
    }

    #[test]
    fn split_points_are_central() {
        let z: Point = std::array::from_fn(|i| X[i] - Lanes::all(2.0) * Y[i]);
        let tau = Lanes([1e-6, 0.3, 2.0, 10.0]);
        let (a, b) = split(&z, tau);
        near(&std::array::from_fn(|i| a[i] - b[i]), &z);
        near(&product(&a, &b), &[tau, Lanes::ZERO, Lanes::ZERO]);
    }

    #[test]
    fn quotient_undoes_product() {
        near(&quotient(&X, &product(&X, &Y)), &Y);
    }

    #[test]
    fn reach_ends_on_the_boundary() {
        for d in [[-1.0, 0.0, 0.0], [0.1, 3.0, 5.0], [-0.5, 0.5, 0.1]] {
            let d = d.map(Lanes::all);
            let t = reach(&X, &d);
            let at: Point = std::array::from_fn(|i| X[i] + t * d[i]);
            for (d, (x, t)) in determinant(&at).0.iter().zip(at[0].0.iter().zip(t.0)) {
                assert!(d.abs() < 1e-12 && *x > -1e-12 && t > 0.0, "{d} {x} {t}");
            }
        }
        let inwards = [1.0, 0.5, 0.5].map(Lanes::all);
        assert_eq!(reach(&X, &inwards), Lanes::all(f64::INFINITY));
    }
}

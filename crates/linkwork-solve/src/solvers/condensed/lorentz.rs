//! Algebra of the cone {x₀ ≥ ‖(x₁, x₂)‖} and its Nesterov-Todd scaling, as in [Vandenberghe 2010, §4.1]. A ray is the
//! cone with x₁ = x₂ = 0.

/// A point (x₀, x₁, x₂).
pub(super) type Point = [f64; 3];

/// x₀² − x₁² − x₂²: positive inside the cone.
#[inline]
pub(super) fn determinant(x: &Point) -> f64 {
    let t = size(x[1], x[2]);
    (x[0] - t) * (x[0] + t)
}

/// ‖(a, b)‖. Speeds and impulses are far from overflow, so that `hypot` is not needed.
#[inline]
pub(super) fn size(a: f64, b: f64) -> f64 {
    (a * a + b * b).sqrt()
}

/// xᵀy.
#[inline]
pub(super) fn dot(x: &Point, y: &Point) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// x ∘ y.
#[inline]
pub(super) fn product(x: &Point, y: &Point) -> Point {
    [
        dot(x, y),
        x[0] * y[1] + y[0] * x[1],
        x[0] * y[2] + y[0] * x[2],
    ]
}

/// d with x ∘ d = b, for x inside the cone.
#[inline]
pub(super) fn quotient(x: &Point, b: &Point) -> Point {
    let d0 = (x[0] * b[0] - x[1] * b[1] - x[2] * b[2]) / determinant(x);
    [d0, (b[1] - d0 * x[1]) / x[0], (b[2] - d0 * x[2]) / x[0]]
}

/// The largest t for which x + t d stays in the cone, x inside.
#[inline]
pub(super) fn reach(x: &Point, d: &Point) -> f64 {
    let a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2];
    let b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
    let c = determinant(x);
    let mut t = if d[0] < 0.0 {
        -x[0] / d[0]
    } else {
        f64::INFINITY
    };
    // a t² + 2 b t + c = 0.
    let discriminant = b * b - a * c;
    if discriminant >= 0.0 {
        let q = -(b + discriminant.sqrt().copysign(b));
        for root in [q / a, c / q] {
            if root > 0.0 && root < t {
                t = root;
            }
        }
    }
    t
}

/// The symmetric W with W y = W⁻¹ x.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scaling {
    axis: Point,
    size: f64,
}

impl Scaling {
    /// Of two points inside the cone.
    #[inline]
    pub fn between(x: &Point, y: &Point) -> Self {
        let (dx, dy) = (determinant(x).sqrt(), determinant(y).sqrt());
        let (x, y) = (x.map(|v| v / dx), y.map(|v| v / dy));
        let double = (2.0 * (1.0 + dot(&x, &y))).sqrt();
        Self {
            axis: [x[0] + y[0], x[1] - y[1], x[2] - y[2]].map(|v| v / double),
            size: (dx / dy).sqrt(),
        }
    }

    /// W v.
    #[inline]
    pub fn apply(&self, v: &Point) -> Point {
        self.turn(v, 1.0).map(|v| v * self.size)
    }

    /// W⁻¹ v.
    #[inline]
    pub fn undo(&self, v: &Point) -> Point {
        self.turn(v, -1.0).map(|v| v / self.size)
    }

    #[inline]
    fn turn(&self, v: &Point, sign: f64) -> Point {
        let w = [self.axis[0], sign * self.axis[1], sign * self.axis[2]];
        let d = w[1] * v[1] + w[2] * v[2];
        let k = v[0] + d / (1.0 + w[0]);
        [w[0] * v[0] + d, v[1] + k * w[1], v[2] + k * w[2]]
    }

    /// W².
    #[inline]
    pub fn square(&self) -> [Point; 3] {
        let (w, e) = (&self.axis, self.size * self.size);
        let mut square = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                square[i][j] = 2.0 * e * w[i] * w[j];
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

    const X: Point = [1.3, 0.4, -0.9];
    const Y: Point = [0.2, -0.12, 0.05];

    fn near(a: &Point, b: &Point) {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
    }

    #[test]
    fn scaling_maps_one_point_to_the_other() {
        let w = Scaling::between(&X, &Y);
        near(&w.apply(&Y), &w.undo(&X));
        let square = w.square();
        near(&std::array::from_fn(|i| dot(&square[i], &Y)), &X);
        near(&w.undo(&w.apply(&[0.3, -2.0, 0.7])), &[0.3, -2.0, 0.7]);
    }

    #[test]
    fn quotient_undoes_product() {
        near(&quotient(&X, &product(&X, &Y)), &Y);
    }

    #[test]
    fn reach_ends_on_the_boundary() {
        for d in [[-1.0, 0.0, 0.0], [0.1, 1.0, 2.0], [-0.5, 0.5, 0.1]] {
            let t = reach(&X, &d);
            let at: Point = std::array::from_fn(|i| X[i] + t * d[i]);
            assert!(determinant(&at).abs() < 1e-12 && at[0] > 0.0, "{d:?} {t}");
        }
        assert_eq!(reach(&X, &[1.0, 0.5, 0.5]), f64::INFINITY);
    }
}

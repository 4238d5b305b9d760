//! Principal axes of a body's inertia, in which Euler's equations are simple.

use crate::math::{Mat3, Vec3};

/// Axes along which the inertia is diagonal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Principal {
    /// The axes as columns, right-handed, in body axes.
    pub axes: Mat3,
    /// Moments along them, kg m².
    pub moments: Vec3,
    /// (I_k − I_j)/I_i for i, j, k in cyclic order: I⁻¹(ω × I ω) has the components ratioᵢ ω_j ω_k. None is
    /// larger than 1, as no moment is less than the difference of the others.
    pub ratios: Vec3,
}

impl Principal {
    /// Those of a symmetric, positive definite inertia, kg m².
    pub fn of(inertia: &Mat3) -> Self {
        let off = inertia[(0, 1)].abs() + inertia[(0, 2)].abs() + inertia[(1, 2)].abs();
        let (axes, m) = if off == 0.0 {
            (Mat3::identity(), inertia.diagonal())
        } else {
            let found = inertia.symmetric_eigen();
            let mut axes = found.eigenvectors;
            if axes.determinant() < 0.0 {
                axes.column_mut(0).neg_mut();
            }
            (axes, found.eigenvalues)
        };
        Self {
            axes,
            moments: m,
            ratios: Vec3::new((m.z - m.y) / m.x, (m.x - m.z) / m.y, (m.y - m.x) / m.z),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::exp;

    #[test]
    fn axes_are_right_handed_and_diagonalise_the_inertia() {
        for moments in [Vec3::new(3.0, 2.0, 1.5), Vec3::new(1.0, 1.0, 0.01)] {
            let turn = exp(&Vec3::new(0.3, -1.2, 0.7)).to_rotation_matrix();
            let inertia = turn * Mat3::from_diagonal(&moments) * turn.transpose();
            let inertia = 0.5 * (inertia + inertia.transpose());
            let found = Principal::of(&inertia);
            let back = found.axes * Mat3::from_diagonal(&found.moments) * found.axes.transpose();
            assert!((back - inertia).amax() < 1e-14);
            assert!((found.axes.determinant() - 1.0).abs() < 1e-14);
            assert!(found.ratios.amax() <= 1.0 + 1e-12);
        }
    }
}

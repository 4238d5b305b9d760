//! The forces a chain transmits: an orthonormal basis of the forces that do no work on any link's motion.
//!
//! Gram-Schmidt is applied to the unit forces and then the unit torques along the axes of the frame in the middle of
//! the chain, where the axes of the links move least: two hinges are fixed in it for any angles. In each round the
//! first of x, y, z that is sufficiently far from the present span is used, so the basis changes smoothly with the
//! coordinates. Where a vector comes too close to the span, which some chains cannot avoid, the choice changes and the
//! basis jumps. The only consequence is a poorer guess of impulses and biases in the next step: the constraint is the
//! same in any basis.

use super::motion::{Links, Motion};
use super::{MAX_ROWS, Vec3};
use nalgebra::Vector6;

/// Component of a unit vector outside the present span above which it is chosen.
const WELL_OFF: f64 = 0.3;
/// A twist with a smaller component outside those before counts as dependent on them: the chain is singular here and
/// the basis one of the nearby ones.
const DEPENDENT: f64 = 1e-6;

/// The basis at `motion` as (force at the reference point, torque), and its size. The first `translations` are forces
/// where possible.
pub(super) fn complement(
    links: &Links,
    motion: &Motion,
    translations: usize,
) -> ([[Vec3; 2]; MAX_ROWS], usize) {
    let middle = motion.middle.to_rotation_matrix();
    let axes: [Vec3; 3] = std::array::from_fn(|i| middle.matrix().column(i).into());
    // The axes of two hinges keep their angle: if it is not zero, all translations are locked.
    if links.meet && motion.count > 1 && translations == 3 {
        return (at_a_point(motion, &axes), MAX_ROWS - motion.count);
    }
    let mut span = Span::of(motion);
    let zero = Vec3::zeros();
    let forces = axes.map(|axis| stack(&axis, &zero));
    let torques = axes.map(|axis| stack(&zero, &axis));
    let mut basis = [[zero; 2]; MAX_ROWS];
    let count = MAX_ROWS - motion.count;
    for (i, row) in basis.iter_mut().take(count).enumerate() {
        let kind = if i < translations { &forces } else { &torques };
        let own = kind.iter().map(|unit| span.off(unit));
        let good = own.into_iter().find(|off| off.norm() >= WELL_OFF);
        let chosen = good.unwrap_or_else(|| {
            let all = forces.iter().chain(&torques).map(|unit| span.off(unit));
            // The six vectors span everything, so the best is far enough from any span.
            let best = all.max_by(|a, b| a.norm().total_cmp(&b.norm()));
            best.expect("there are six")
        });
        let unit = span.push(chosen);
        *row = [
            unit.fixed_rows::<3>(0).into(),
            unit.fixed_rows::<3>(3).into(),
        ];
    }
    (basis, count)
}

/// The same for two or three hinges that intersect in the reference point: they transmit every force there, and two of
/// them the torque about the common normal of their axes.
fn at_a_point(motion: &Motion, axes: &[Vec3; 3]) -> [[Vec3; 2]; MAX_ROWS] {
    let mut basis = [[Vec3::zeros(); 2]; MAX_ROWS];
    for (row, axis) in basis.iter_mut().zip(axes) {
        row[0] = *axis;
    }
    if motion.count == 2 {
        let normal = motion.turn[0].cross(&motion.turn[1]).normalize();
        let mut along = axes.iter().map(|axis| axis.dot(&normal));
        // One of three axes has a component of at least 1/√3 outside their plane.
        let sign = along.find(|a| a.abs() >= WELL_OFF).map_or(1.0, f64::signum);
        basis[3][1] = sign * normal;
    }
    basis
}

/// Number of independent link motions at `motion`.
pub(super) fn rank(motion: &Motion) -> usize {
    Span::of(motion).count
}

fn stack(a: &Vec3, b: &Vec3) -> Vector6<f64> {
    Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
}

/// Orthonormal vectors found so far.
#[derive(Default)]
struct Span {
    units: [Vector6<f64>; 6],
    count: usize,
}

impl Span {
    /// The motions of the links.
    fn of(motion: &Motion) -> Self {
        let mut span = Self::default();
        for (shift, turn) in motion.twists() {
            let twist = stack(shift, turn);
            let off = span.off(&twist);
            if off.norm() > DEPENDENT * twist.norm() {
                span.push(off);
            }
        }
        span
    }

    /// The component of `v` outside the span; projected twice, which makes it orthogonal to round-off.
    fn off(&self, v: &Vector6<f64>) -> Vector6<f64> {
        let mut rest = *v;
        for unit in self.units[..self.count].iter().cycle().take(2 * self.count) {
            rest -= unit * unit.dot(&rest);
        }
        rest
    }

    /// Adds a vector outside the span; returns it normalised.
    fn push(&mut self, off: Vector6<f64>) -> Vector6<f64> {
        let unit = off.normalize();
        self.units[self.count] = unit;
        self.count += 1;
        unit
    }
}

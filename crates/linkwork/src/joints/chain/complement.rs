//! The forces a chain transmits: an orthonormal basis of what does no work on any link's motion.
//!
//! Gram-Schmidt on the unit forces and then the unit torques along the axes of the frame in the middle
//! of the chain, where the axes of the links move least: two hinges stand still in it, whatever their
//! angles. In each turn the first of x, y, z that is well off the span so far is taken, so that the basis
//! moves smoothly with the coordinates. Where one comes too near to the span, as it must somewhere for
//! some chains, the choice changes and the basis jumps. The next step then starts from a poorer guess of
//! impulses and biases, no more: the constraint is the same in any basis.

use super::motion::{Links, Motion};
use super::{MAX_ROWS, Vec3};
use nalgebra::Vector6;

/// Share of a unit vector off the span so far that makes it a good choice.
const WELL_OFF: f64 = 0.3;
/// A twist with less than this share off those before counts as dependent on them: the chain is singular
/// here and the basis one of those at hand.
const DEPENDENT: f64 = 1e-6;

/// The basis at `motion` as (force at the reference point, torque), and how many there are: the first
/// `translations` are forces where possible.
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
            // The six span everything, so that the best is well off whatever is spanned already.
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

/// The same for two or three hinges that meet in the reference point: they pass on every force there, and two of
/// them the torque about the common normal of their axes.
fn at_a_point(motion: &Motion, axes: &[Vec3; 3]) -> [[Vec3; 2]; MAX_ROWS] {
    let mut basis = [[Vec3::zeros(); 2]; MAX_ROWS];
    for (row, axis) in basis.iter_mut().zip(axes) {
        row[0] = *axis;
    }
    if motion.count == 2 {
        let normal = motion.turn[0].cross(&motion.turn[1]).normalize();
        let mut along = axes.iter().map(|axis| axis.dot(&normal));
        // One of three axes is off their plane by 1/√3 at least.
        let sign = along.find(|a| a.abs() >= WELL_OFF).map_or(1.0, f64::signum);
        basis[3][1] = sign * normal;
    }
    basis
}

/// How many of the links' motions are independent at `motion`.
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

    /// The part of `v` off the span; projected twice, which makes it orthogonal to round-off.
    fn off(&self, v: &Vector6<f64>) -> Vector6<f64> {
        let mut rest = *v;
        for unit in self.units[..self.count].iter().cycle().take(2 * self.count) {
            rest -= unit * unit.dot(&rest);
        }
        rest
    }

    /// Add a vector off the span; returns it at unit length.
    fn push(&mut self, off: Vector6<f64>) -> Vector6<f64> {
        let unit = off.normalize();
        self.units[self.count] = unit;
        self.count += 1;
        unit
    }
}

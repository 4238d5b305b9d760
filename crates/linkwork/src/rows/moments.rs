//! Rows of a contact with torsional or rolling friction: (t₁, t₂, torsion, rolling₁, rolling₂, n), without those with a
//! coefficient of 0; K = CoulombMoment(μ).
//!
//! Torsion measures the angular velocity of B relative to A about n, rolling about t₁ and t₂. The law is the ellipsoid
//! Σ (λ_i/μ_i)² ≤ λ_N². A moment row is μ_i/μ times the angular velocity: then it is in m/s, its impulse in N s, and
//! the ellipsoid becomes a circular cone, whose projections are known in closed form. Where μ = 0, the largest moment
//! coefficient takes its place.

use super::contacts::point_rows;
use super::{Inputs, RowSource, Rows};
use crate::collision::ContactPoint;
use crate::math::Vec3;
use crate::model::PairMaterial;
use linkwork_solve::{BlockCsr6, Entry, ImpulseSet, MAX_DIM};

/// Appends the rows of J of a contact with directions (t₁, t₂, n), and its set.
pub(super) fn push(
    rows: &mut Rows,
    inputs: &Inputs,
    contact: &ContactPoint,
    material: &PairMaterial,
    directions: &[Vec3; 3],
) {
    let [t1, t2, n] = *directions;
    let (torsional, rolling) = (material.torsional_friction, material.rolling_friction);
    let mu = if material.friction > 0.0 {
        material.friction
    } else {
        torsional.max(rolling)
    };
    let sliding = if material.friction > 0.0 { 2 } else { 0 };
    // Axes of turning, each as long as its row is scaled.
    let (mut axes, mut count) = ([Vec3::zeros(); 3], 0);
    for (axis, coefficient) in [(n, torsional), (t1, rolling), (t2, rolling)] {
        if coefficient > 0.0 {
            axes[count] = (coefficient / mu) * axis;
            count += 1;
        }
    }
    let dim = sliding + count + 1;
    let set = ImpulseSet::CoulombMoment {
        mu,
        rows: dim as u8,
    };
    rows.push_block(RowSource::Contact(contact.key), set);
    for (body, sign) in [(contact.body_a, -1.0), (contact.body_b, 1.0)] {
        let Some(body) = body else { continue };
        let points = point_rows(inputs, contact, body, sign, directions);
        let mut values = [[0.0; 6]; MAX_DIM];
        values[..sliding].copy_from_slice(&points[..sliding]);
        for (row, axis) in values[sliding..].iter_mut().zip(&axes[..count]) {
            row[3..].copy_from_slice((sign * axis).as_slice());
        }
        values[dim - 1] = points[2];
        rows.bodies_mut().1.push_entry(body.index(), &values[..dim]);
    }
}

/// The rows of J of block `k` on body B, or with opposite sign on A if B is the world: the effect of impulses on B.
fn rows_on_b<'a>(
    jacobian: &'a BlockCsr6,
    k: usize,
    contact: &ContactPoint,
) -> (&'a [[f64; 6]], f64) {
    let dim = jacobian.rows_of(k).len();
    let of = |entry: &Entry| jacobian.values_of(entry, dim);
    let (body, sign) = match contact.body_b {
        Some(b) => (Some(b), 1.0),
        None => (contact.body_a, -1.0),
    };
    let entries = jacobian.entries_of(k).iter();
    let found = entries
        .clone()
        .find(|e| body.is_some_and(|b| b.index() == e.body));
    (found.map_or(&[], of), sign)
}

/// The force and the moment of a row, and whether it is a moment row.
fn parts(row: &[f64; 6], sign: f64) -> (Vec3, bool) {
    let force = Vec3::new(row[0], row[1], row[2]);
    let moment = force == Vec3::zeros();
    let turned = Vec3::new(row[3], row[4], row[5]);
    (sign * if moment { turned } else { force }, moment)
}

/// Impulse (N s) and moment about the contact point (N m s) on body B, world frame, of the impulses of block `k`.
pub(crate) fn to_world(
    jacobian: &BlockCsr6,
    k: usize,
    contact: &ContactPoint,
    lambda: &[f64],
) -> [Vec3; 2] {
    let (rows, sign) = rows_on_b(jacobian, k, contact);
    let mut sum = [Vec3::zeros(); 2];
    for (row, l) in rows.iter().zip(lambda) {
        let (direction, moment) = parts(row, sign);
        sum[usize::from(moment)] += *l * direction;
    }
    sum
}

/// The impulses of block `k` that [`to_world`] gives these for.
pub(crate) fn from_world(
    jacobian: &BlockCsr6,
    k: usize,
    contact: &ContactPoint,
    world: &[Vec3; 2],
    out: &mut [f64],
) {
    let (rows, sign) = rows_on_b(jacobian, k, contact);
    for (row, out) in rows.iter().zip(out) {
        let (direction, moment) = parts(row, sign);
        *out = world[usize::from(moment)].dot(&direction) / direction.norm_squared();
    }
}

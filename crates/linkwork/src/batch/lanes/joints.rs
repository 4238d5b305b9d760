//! Joints of eight worlds at once: the formulas of [`crate::joints`], one world per lane. Types that are not written out here are evaluated
//! lane by lane ([`others`]).

use super::math::{M3, Quat, Six, V3, atan2, dot, scale};
use super::others;
use super::place::Place;
use super::program::Kind;
use crate::joints::unwrap_angle;
use linkwork_solve::{Arithmetic, WIDE, Wide};

/// Square of the sine of half the angle up to which the rotation vector of locked rotations is a short series, and beyond which the scalar step is asked.
const SMALL: f64 = 1e-10;

/// The follower's z axis in the base frame.
#[inline(always)]
fn z_axis([w, x, y, z]: &Quat) -> V3 {
    let (a, b) = (*x * *z + *w * *y, *y * *z - *w * *x);
    let c = *x * *x + *y * *y;
    [a + a, b + b, Wide::ONE - (c + c)]
}

/// 2/(1 + z_z) of the alignment of two axes.
#[inline(always)]
fn alignment(z: &V3) -> Wide {
    Wide::all(2.0) / (Wide::ONE + z[2]).max(Wide::all(1e-9))
}

/// Rotation vector of a small rotation; no number where it is not small.
#[inline(always)]
fn rotation_vector<A: Arithmetic>(q: &Quat) -> V3 {
    let v = [q[1], q[2], q[3]];
    let s2 = dot::<A>(&v, &v);
    let w2 = q[0] * q[0];
    // q and −q are the same rotation: v/w has the sign of the shorter one.
    let factor = (Wide::all(2.0) / q[0]) * (Wide::ONE - s2 / (Wide::all(3.0) * w2));
    let factor = s2.where_less(Wide::all(SMALL), factor, Wide::all(f64::NAN));
    scale(factor, &v)
}

/// Rows of J_l⁻¹ of a small rotation vector.
#[inline(always)]
fn left_jacobian_inverse<A: Arithmetic>(t: &V3) -> M3 {
    let a2 = dot::<A>(t, t);
    let k = Wide::all(1.0 / 12.0);
    let h = scale(Wide::all(0.5), t);
    let cross = [
        [Wide::ONE, h[2], -h[1]],
        [-h[2], Wide::ONE, h[0]],
        [h[1], -h[0], Wide::ONE],
    ];
    let mut out = cross;
    for i in 0..3 {
        for j in 0..3 {
            let square = t[i] * t[j] - if i == j { a2 } else { Wide::ZERO };
            out[i][j] = cross[i][j].madd::<A>(k, square);
        }
    }
    out
}

/// C of the locked rows at a place; `turns` are the coordinates last known.
#[inline(always)]
pub(super) fn residual<A: Arithmetic>(
    kind: &Kind,
    place: &Place,
    turns: &[Wide],
    out: &mut [Wide],
) {
    match kind {
        Kind::Revolute => {
            let z = z_axis(&place.rotation);
            let k = alignment(&z);
            out[..3].copy_from_slice(&place.d);
            out[3] = -(k * z[1]);
            out[4] = k * z[0];
        }
        Kind::Fixed => {
            out[..3].copy_from_slice(&place.d);
            out[3..6].copy_from_slice(&rotation_vector::<A>(&place.rotation));
        }
        Kind::Prismatic => {
            out[..2].copy_from_slice(&place.d[..2]);
            out[2..5].copy_from_slice(&rotation_vector::<A>(&place.rotation));
        }
        Kind::Spherical(_) => out.copy_from_slice(&place.d),
        Kind::Other(kind) => others::residual(kind.as_ref(), place, turns, out),
    }
}

/// J of the locked rows on base and follower.
#[inline(always)]
pub(super) fn locked<A: Arithmetic>(
    kind: &Kind,
    place: &Place,
    turns: &[Wide],
    base: &mut [Six],
    follower: &mut [Six],
) {
    let n = base.len();
    let points = match kind {
        Kind::Prismatic => 2,
        Kind::Other(_) => 0,
        _ => 3,
    };
    for i in 0..points {
        [base[i], follower[i]] = place.linear::<A>(&place.axis(i));
    }
    match kind {
        Kind::Revolute => {
            let z = z_axis(&place.rotation);
            let k = alignment(&z);
            let half = 0.5 * (k * k);
            // d = k ds − ½ k² s dz_z, dz_z = (z_y, −z_x, 0), s = −z_y and z_x.
            let (f, g) = (half * z[1], half * z[0]);
            let x = [(k * z[2]).madd::<A>(f, z[1]), -(f * z[0]), -(k * z[0])];
            let y = [-(g * z[1]), (k * z[2]).madd::<A>(g, z[0]), -(k * z[1])];
            [base[3], follower[3]] = place.angular::<A>(&x);
            [base[4], follower[4]] = place.angular::<A>(&y);
        }
        Kind::Fixed | Kind::Prismatic => {
            let theta = rotation_vector::<A>(&place.rotation);
            let j = left_jacobian_inverse::<A>(&theta);
            for (i, row) in j.iter().enumerate() {
                [base[points + i], follower[points + i]] = place.angular::<A>(row);
            }
        }
        Kind::Spherical(_) => {}
        Kind::Other(kind) => {
            let rows = others::derivatives(kind.as_ref(), place, turns, n, true);
            for (i, [linear, angular]) in rows[..n].iter().enumerate() {
                [base[i], follower[i]] = place.any::<A>(linear, angular);
            }
        }
    }
}

/// J of the coordinates on base and follower.
#[inline(always)]
pub(super) fn free<A: Arithmetic>(
    kind: &Kind,
    place: &Place,
    turns: &[Wide],
    base: &mut [Six],
    follower: &mut [Six],
) {
    match kind {
        Kind::Revolute => {
            let [w, x, y, z] = place.rotation;
            let n = (w * w + z * z).max(Wide::all(1e-18));
            let t = [
                (w * y + z * x) / n,
                (z * y - w * x) / n,
                (w * w + z * z) / n,
            ];
            [base[0], follower[0]] = place.angular::<A>(&t);
        }
        Kind::Prismatic => [base[0], follower[0]] = place.linear::<A>(&place.axis(2)),
        Kind::Fixed => {}
        Kind::Spherical(kind) | Kind::Other(kind) => {
            let n = turns.len();
            let rows = others::derivatives(kind.as_ref(), place, turns, n, false);
            for (i, [linear, angular]) in rows[..n].iter().enumerate() {
                [base[i], follower[i]] = place.any::<A>(linear, angular);
            }
        }
    }
}

/// The coordinates at a place, which go on from those last known.
#[inline(always)]
pub(super) fn coordinates<A: Arithmetic>(
    kind: &Kind,
    place: &Place,
    turns: &[Wide],
    out: &mut [Wide],
) {
    match kind {
        Kind::Revolute => {
            let half = atan2::<A>(place.rotation[3], place.rotation[0]);
            for lane in 0..WIDE {
                out[0].0[lane] = unwrap_angle(2.0 * half.0[lane], turns[0].0[lane]);
            }
        }
        Kind::Prismatic => out[0] = place.d[2],
        Kind::Fixed => {}
        Kind::Spherical(kind) | Kind::Other(kind) => {
            others::coordinates(kind.as_ref(), place, turns, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::math::Pose;
    use super::*;
    use crate::joints::{self, MAX_COORDINATES, MAX_ROWS, Placement, Row};
    use crate::math::{self, Vec3, exp};
    use linkwork_solve::Plain;

    /// A number from −1 to 1.
    fn draw(seed: &mut u64) -> f64 {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn draw_pose(seed: &mut u64, size: f64) -> math::Pose {
        let mut vector = || Vec3::new(draw(seed), draw(seed), draw(seed));
        let (position, turn) = (vector(), vector());
        math::Pose::new(position, exp(&(size * turn)))
    }

    fn lanes(poses: &[math::Pose; WIDE]) -> Pose {
        let mut all = Pose::IDENTITY;
        for (lane, pose) in poses.iter().enumerate() {
            all.set(lane, pose);
        }
        all
    }

    fn near(what: &str, found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 3e-13 * (1.0 + expected.abs()),
            "{what}: {found} for {expected}"
        );
    }

    /// C, J and coordinates of each kind at bodies anywhere and joints that are open: angles by a little, as the step leaves them, and anchors by much.
    #[test]
    fn formulas_in_lanes_are_those_of_the_types() {
        let kind = |name: &str| {
            joints::all()
                .into_iter()
                .find(|kind| kind.name() == name)
                .unwrap()
        };
        let kinds = [
            (Kind::Revolute, kind("revolute")),
            (Kind::Prismatic, kind("prismatic")),
            (Kind::Fixed, kind("fixed")),
            (Kind::Spherical(kind("spherical")), kind("spherical")),
            (Kind::Other(kind("universal")), kind("universal")),
        ];
        let mut seed = 18;
        for (code, kind) in &kinds {
            let (locked_rows, count) = (kind.locked().len(), kind.coordinates().len());
            for _ in 0..50 {
                let frames = [(); 2].map(|()| [(); WIDE].map(|()| draw_pose(&mut seed, 3.0)));
                let base = [(); WIDE].map(|()| draw_pose(&mut seed, 3.0));
                let turns = [(); WIDE].map(|()| [(); MAX_COORDINATES].map(|()| draw(&mut seed)));
                let follower: [math::Pose; WIDE] = std::array::from_fn(|lane| {
                    let open = math::Pose::new(
                        draw_pose(&mut seed, 0.0).position,
                        exp(&(2e-6 * Vec3::new(draw(&mut seed), draw(&mut seed), draw(&mut seed)))),
                    );
                    let relative = kind.place(&turns[lane][..count]).as_pose().compose(&open);
                    base[lane]
                        .compose(&frames[0][lane])
                        .compose(&relative)
                        .compose(&frames[1][lane].inverse())
                });
                let known: Vec<Wide> = (0..count)
                    .map(|c| Wide(turns.map(|t| t[c] + 0.01)))
                    .collect();
                let place = Place::new::<Plain>(
                    [&lanes(&base), &lanes(&follower)],
                    &frames.map(|f| lanes(&f)),
                );
                let mut c = vec![Wide::ZERO; locked_rows];
                let mut q = vec![Wide::ZERO; count];
                let mut j = vec![[Wide::ZERO; 6]; 2 * locked_rows];
                let mut free_j = [[[Wide::ZERO; 6]; 6]; 2];
                residual::<Plain>(code, &place, &known, &mut c);
                coordinates::<Plain>(code, &place, &known, &mut q);
                let (on_base, on_follower) = j.split_at_mut(locked_rows);
                locked::<Plain>(code, &place, &known, on_base, on_follower);
                let [free_base, free_follower] = &mut free_j;
                free::<Plain>(code, &place, &known, free_base, free_follower);
                for lane in 0..WIDE {
                    let scalar = Placement::new(
                        &base[lane],
                        &frames[0][lane],
                        &follower[lane],
                        &frames[1][lane],
                    );
                    let turns: Vec<f64> = known.iter().map(|q| q.0[lane]).collect();
                    let (mut rows, mut measured) =
                        ([Row::ZERO; MAX_ROWS], [Row::ZERO; MAX_COORDINATES]);
                    kind.constrain(&scalar.relative, &turns, &mut rows[..locked_rows]);
                    kind.measure(&scalar.relative, &turns, &mut measured[..count]);
                    let compare = |what: &str, row: &Row, value: Wide, found: [&Six; 2]| {
                        let what = format!("{} of {}", what, kind.name());
                        near(&what, value.0[lane], row.value);
                        let expected = scalar.jacobian(row);
                        for i in 0..6 {
                            near(&what, found[0][i].0[lane], expected.0[i]);
                            near(&what, found[1][i].0[lane], expected.1[i]);
                        }
                    };
                    for (i, row) in rows[..locked_rows].iter().enumerate() {
                        compare(&format!("row {i}"), row, c[i], [&j[i], &j[locked_rows + i]]);
                    }
                    for (i, row) in measured[..count].iter().enumerate() {
                        compare(
                            &format!("coordinate {i}"),
                            row,
                            q[i],
                            [&free_j[0][i], &free_j[1][i]],
                        );
                    }
                }
            }
        }
    }
}

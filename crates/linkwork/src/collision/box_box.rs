//! Two boxes: the separating axis test over 6 face normals and 9 edge pairs, in closed form.

use super::convex::{Axis, PREFER_FACE, Scratch, clip_along};
use super::manifold::Manifold;
use super::solid::Placed;
use super::symmetric;
use crate::math::Vec3;

/// Squared sine of the angle below which two edges count as parallel; their face normals then cover the axis between
/// them.
const PARALLEL: f64 = 1e-10;

/// Contacts of boxes with the given half extents (m), closer than `reach` (m).
pub fn collide(
    a: &Placed,
    b: &Placed,
    half: [&Vec3; 2],
    reach: f64,
    scratch: &mut Scratch,
    out: &mut Manifold,
) {
    let Some(axis) = best_axis(a, b, half, reach) else {
        return;
    };
    if axis.separation < 0.0 {
        clip_along(a, b, &axis, &mut scratch.patches, out);
    } else {
        // Apart, the nearest points may lie on edges and corners too.
        symmetric::collide::<3, 0, 6, 0>(a, b, reach, scratch, out);
    }
}

/// The axis of greatest separation; `None` if a separation exceeds `reach` (m).
fn best_axis(a: &Placed, b: &Placed, half: [&Vec3; 2], reach: f64) -> Option<Axis> {
    let [ha, hb] = half;
    let r = a.rotation.tr_mul(&b.rotation);
    let t = a.rotation.tr_mul(&(b.position - a.position));
    let s = r.abs();
    let prefer = PREFER_FACE * ha.norm().min(hb.norm());

    let mut best = f64::NEG_INFINITY;
    let mut which = (0, 0);
    for i in 0..3 {
        let sep = t[i].abs() - ha[i] - s.row(i).transpose().dot(hb);
        if sep > reach {
            return None;
        }
        if sep > best + prefer {
            (best, which) = (sep, (0, i));
        }
    }
    let u = r.tr_mul(&t);
    for j in 0..3 {
        let sep = u[j].abs() - hb[j] - s.column(j).dot(ha);
        if sep > reach {
            return None;
        }
        if sep > best + prefer {
            (best, which) = (sep, (1, j));
        }
    }
    let mut edge: Option<Vec3> = None;
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let length2 = 1.0 - r[(i, j)] * r[(i, j)];
            if length2 < PARALLEL {
                continue;
            }
            // e_i x (column j of r), in the frame of A.
            let d = t[i2] * r[(i1, j)] - t[i1] * r[(i2, j)];
            let ra = ha[i1] * s[(i2, j)] + ha[i2] * s[(i1, j)];
            let rb = hb[j1] * s[(i, j2)] + hb[j2] * s[(i, j1)];
            let length = length2.sqrt();
            let sep = (d.abs() - ra - rb) / length;
            if sep > reach {
                return None;
            }
            if sep > best + prefer {
                best = sep;
                let mut n = Vec3::zeros();
                n[i1] = -r[(i2, j)];
                n[i2] = r[(i1, j)];
                edge = Some(n * (1.0_f64.copysign(d) / n.norm()));
            }
        }
    }
    let (n, owner) = match (edge, which) {
        (Some(n), _) => (a.rotation * n, None),
        (None, (0, i)) => (a.rotation.column(i) * 1.0_f64.copysign(t[i]), Some(0)),
        (None, (_, j)) => (b.rotation.column(j) * 1.0_f64.copysign(u[j]), Some(1)),
    };
    Some(Axis {
        n,
        separation: best,
        owner,
    })
}

//! Spheres against spheres, capsules, boxes, cylinders and cones.

use super::manifold::{Candidate, FACE, Manifold};
use super::solid::Placed;
use crate::math::Vec3;

/// Contact of two balls around `p` and `q` with radii `r` (m), with the given features.
pub fn balls(p: &Vec3, q: &Vec3, r: [f64; 2], features: [u32; 2], reach: f64, out: &mut Manifold) {
    let d = q - p;
    let distance = d.norm();
    if distance - r[0] - r[1] > reach {
        return;
    }
    let n = if distance > 1e-12 * (r[0] + r[1]) {
        d / distance
    } else {
        // Coincident centres have no direction: push apart vertically.
        Vec3::z()
    };
    out.push(Candidate::new(p + n * r[0], q - n * r[1], n, features));
}

/// The parameter in [-1, 1] of the point of the segment `centre` ± `arm` nearest to `p`.
pub fn nearest_on_segment(centre: &Vec3, arm: &Vec3, p: &Vec3) -> f64 {
    let length2 = arm.norm_squared();
    if length2 > 0.0 {
        ((p - centre).dot(arm) / length2).clamp(-1.0, 1.0)
    } else {
        // A segment without length is its centre.
        0.0
    }
}

/// A ball (A) and a capsule (B) with half length `half` (m).
pub fn capsule(a: &Placed, b: &Placed, half: f64, reach: f64, out: &mut Manifold) {
    let arm = b.rotation.column(2) * half;
    let s = nearest_on_segment(&b.position, &arm, &a.position);
    let r = [a.solid.rounding, b.solid.rounding];
    let q = b.position + arm * s;
    balls(&a.position, &q, r, [0, FACE], reach, out);
}

/// A ball (A) and a box (B) with half extents `half` (m).
pub fn cuboid(a: &Placed, b: &Placed, half: &Vec3, reach: f64, out: &mut Manifold) {
    let radius = a.solid.rounding;
    let c = b.rotation.tr_mul(&(a.position - b.position));
    let nearest = c.zip_map(half, |x, h| x.clamp(-h, h));
    let d = c - nearest;
    let distance = d.norm();
    if distance - radius > reach {
        return;
    }
    // Below rounding level the difference has no direction: use the nearest face instead.
    let (out_of_b, foot) = if distance > 1e-12 * half.max() {
        (d / distance, nearest)
    } else {
        // Centre inside: exit through the nearest face (the first of equally near ones).
        let room = half - c.abs();
        let axis = room.imin();
        let mut n = Vec3::zeros();
        n[axis] = 1.0_f64.copysign(c[axis]);
        let mut foot = c;
        foot[axis] = half[axis].copysign(c[axis]);
        (n, foot)
    };
    let n = -(b.rotation * out_of_b);
    let on_b = b.position + b.rotation * foot;
    out.push(Candidate::new(a.position + n * radius, on_b, n, [0, FACE]));
}

/// A ball (A) and a cylinder or cone (B) of the given base radius, top radius (zero for a cone)
/// and half height (m), in the half plane through the axis and the centre of the ball.
pub fn frustum(a: &Placed, b: &Placed, radii: [f64; 2], half: f64, reach: f64, out: &mut Manifold) {
    let radius = a.solid.rounding;
    let c = b.rotation.tr_mul(&(a.position - b.position));
    let across = norm([c.x, c.y]);
    // On the axis every direction across it is as good: take x.
    let side = if across > 1e-12 * radii[0] {
        Vec3::new(c.x / across, c.y / across, 0.0)
    } else {
        Vec3::x()
    };
    // The outline from the axis over base, side and top back to the axis, as (across, along).
    let corners = [
        [0.0, -half],
        [radii[0], -half],
        [radii[1], half],
        [0.0, half],
    ];
    let q = [across, c.z];
    let mut nearest = (f64::INFINITY, [0.0; 2], [0.0; 2]);
    let mut inside = true;
    for k in 0..3 {
        let (p, e) = (corners[k], corners[k + 1]);
        let along = [e[0] - p[0], e[1] - p[1]];
        let length = norm(along);
        // The top of a cone is a point, which the side ends in.
        if length == 0.0 {
            continue;
        }
        let outward = [along[1] / length, -along[0] / length];
        let w = [q[0] - p[0], q[1] - p[1]];
        inside &= w[0] * outward[0] + w[1] * outward[1] <= 0.0;
        let s = ((w[0] * along[0] + w[1] * along[1]) / (length * length)).clamp(0.0, 1.0);
        let foot = [p[0] + along[0] * s, p[1] + along[1] * s];
        let distance = norm([q[0] - foot[0], q[1] - foot[1]]);
        if distance < nearest.0 {
            nearest = (distance, foot, outward);
        }
    }
    let (distance, foot, face) = nearest;
    if !inside && distance - radius > reach {
        return;
    }
    // Inside, or too close to the surface for a direction: the normal of the nearest face.
    let outward = if inside || distance < 1e-12 * radii[0] {
        face
    } else {
        [(q[0] - foot[0]) / distance, (q[1] - foot[1]) / distance]
    };
    let n = -(b.rotation * (side * outward[0] + Vec3::z() * outward[1]));
    let on_b = b.position + b.rotation * (side * foot[0] + Vec3::z() * foot[1]);
    out.push(Candidate::new(a.position + n * radius, on_b, n, [0, FACE]));
}

fn norm(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

//! An ellipsoid against a sphere.

use super::manifold::{Candidate, FACE, Manifold};
use super::solid::Placed;
use crate::math::Vec3;

/// An ellipsoid (A) with semi-axes `radii` (m) and a ball (B).
pub fn sphere(a: &Placed, b: &Placed, radii: &Vec3, reach: f64, out: &mut Manifold) {
    let c = a.rotation.tr_mul(&(b.position - a.position));
    let foot = nearest_on_ellipsoid(radii, &c);
    // The gradient of sum (x/r)² is normal to the surface, inside and outside alike.
    let outward = foot.zip_map(radii, |x, r| x / (r * r)).normalize();
    let n = a.rotation * outward;
    let on_a = a.position + a.rotation * foot;
    let on_b = b.position - n * b.solid.rounding;
    let contact = Candidate::new(on_a, on_b, n, [FACE, 0]);
    if contact.gap <= reach {
        out.push(contact);
    }
}

/// The point of the surface sum (x_i/r_i)² = 1 nearest to `p`: x_i = r_i² p_i/(t + r_i²) with t
/// the largest root of sum (r_i p_i/(t + r_i²))² = 1 (Eberly, Distance from a Point to an
/// Ellipsoid, §3.1).
fn nearest_on_ellipsoid(radii: &Vec3, p: &Vec3) -> Vec3 {
    let least = radii.imin();
    let r2 = radii.component_mul(radii);
    let pole = -r2[least];
    // A centre in the symmetry plane may have no root along the shortest axis: move it off the plane by a rounding
    // error, which selects a side deterministically.
    let mut p = *p;
    let floor = 1e-12 * radii[least];
    if p[least].abs() < floor {
        p[least] = floor.copysign(p[least]);
    }
    let weight = radii.component_mul(&p);
    let value = |t: f64| {
        let q = weight.zip_map(&r2, |w, r| w / (t + r));
        q.norm_squared() - 1.0
    };
    // F decreases on (pole, ∞), is ≥ 0 at lo and ≤ 0 at hi.
    let mut lo = pole + weight[least].abs();
    let mut hi = pole + weight.norm();
    let mut t = lo;
    for _ in 0..128 {
        let f = value(t);
        if f > 0.0 {
            lo = t;
        } else {
            hi = t;
        }
        let slope: f64 = (0..3)
            .map(|i| -2.0 * weight[i] * weight[i] / (t + r2[i]).powi(3))
            .sum();
        // Newton from the left never overshoots a convex function; bisect where it stalls.
        let newton = t - f / slope;
        let next = if newton > lo && newton < hi {
            newton
        } else {
            0.5 * (lo + hi)
        };
        if (next - t).abs() <= 1e-15 * (next - pole).abs() {
            break;
        }
        t = next;
    }
    p.zip_zip_map(&r2, &r2, |x, r, _| r * x / (t + r))
}

//! Non-convex polygons, cut into triangles that do not overlap.

use linkwork::math::Vec3;

/// Triangles of a simple polygon, by the index of its corners: ears are cut off one after the other, the one with the
/// shortest cut first. `None` if no ear is left before three corners are (a self-intersecting polygon). At worst the
/// cost is cubic in the number of corners, which is a few hundred.
pub(super) fn triangles(corners: &[Vec3]) -> Option<Vec<[usize; 3]>> {
    let normal = area(corners);
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut found = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let around = |k: usize| [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
        let ears = (0..n).filter(|&k| is_ear(corners, &left, around(k), &normal));
        let cut = |&k: &usize| {
            let [a, _, c] = around(k);
            (corners[a] - corners[c]).norm_squared()
        };
        let k = ears.min_by(|a, b| cut(a).total_cmp(&cut(b)))?;
        found.push(around(k));
        left.remove(k);
    }
    found.push([left[0], left[1], left[2]]);
    Some(found)
}

/// Twice the area of a polygon, along its normal.
fn area(corners: &[Vec3]) -> Vec3 {
    let first = corners.first().copied().unwrap_or_default();
    let pairs = corners.windows(2);
    pairs.map(|w| (w[0] - first).cross(&(w[1] - first))).sum()
}

/// Whether the corner in the middle is convex and no other corner lies in its triangle.
fn is_ear(corners: &[Vec3], left: &[usize], triangle: [usize; 3], normal: &Vec3) -> bool {
    let [a, b, c] = triangle.map(|i| corners[i]);
    let turn = |p: &Vec3, q: &Vec3, r: &Vec3| (q - p).cross(&(r - q)).dot(normal);
    if turn(&a, &b, &c) <= 0.0 {
        return false;
    }
    let inside =
        |p: &Vec3| turn(&a, &b, p) >= 0.0 && turn(&b, &c, p) >= 0.0 && turn(&c, &a, p) >= 0.0;
    let mut others = left.iter().filter(|i| !triangle.contains(i));
    !others.any(|&i| {
        let p = corners[i];
        // A corner that two edges share is no obstacle.
        p != a && p != b && p != c && inside(&p)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_of_215_corners_is_cut_into_its_area() {
        let n = 215;
        let corner = |i: usize| {
            let (r, angle) = (if i.is_multiple_of(2) { 1.0 } else { 0.4 }, i as f64);
            let angle = std::f64::consts::TAU * angle / n as f64;
            Vec3::new(r * angle.cos(), r * angle.sin(), 0.3)
        };
        let corners: Vec<Vec3> = (0..n).map(corner).collect();
        let triangles = triangles(&corners).unwrap();
        assert_eq!(triangles.len(), n - 2);
        let mut sum = 0.0;
        for t in triangles {
            let own = area(&t.map(|i| corners[i])).z;
            assert!(own > 0.0, "every triangle looks as the polygon does");
            sum += own;
        }
        assert!((sum - area(&corners).z).abs() < 1e-12);
    }
}

//! Pairs of convex solids against independent geometry.

use crate::random::Random;
use crate::reference::{separation, signed_distance, support};
use crate::scene::{cuboid, deepest, pair, solids};
use linkwork::math::{Pose, Vec3};
use linkwork::model::Geometry;

/// The check every convex pair must pass: the deepest gap is the signed distance, the normal
/// attains it, and the point lies halfway between the two supporting planes.
fn check_pair(a: &Geometry, b: &Geometry, random: &mut Random, k: usize) {
    let pose_a = Pose::new(random.direction() * 0.2, random.rotation());
    let rotation = random.rotation();
    let along = random.direction();
    // Along a random line, place B at a random small distance from touching.
    let pose_b = |x: f64| Pose::new(pose_a.position + along * x, rotation);
    let target = match k % 3 {
        0 => random.between(-0.08, -0.01),
        1 => random.between(-0.01, 0.0),
        _ => random.between(0.0, 0.05),
    };
    let (mut lo, mut hi) = (0.0, 3.0);
    while hi - lo > 2e-3 {
        let middle = 0.5 * (lo + hi);
        if signed_distance((a, &pose_a), (b, &pose_b(middle)), &mut Random(1), 2) < target {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    let pose_b = pose_b(0.5 * (lo + hi));
    let exact = signed_distance((a, &pose_a), (b, &pose_b), random, 12);
    let contacts = pair(a, b, [pose_a, pose_b], 0.1);
    let first =
        deepest(&contacts).unwrap_or_else(|| panic!("no contact: {a:?} {b:?} distance {exact}"));
    let (n, gap) = (first.normal, first.gap);
    // The separation along any direction is at most the signed distance. The gap is one such
    // (checked below), so it is right if the search finds none greater.
    assert!(
        gap > exact - 1e-6,
        "{a:?} {b:?}: gap {gap} distance {exact}"
    );
    assert!((n.norm() - 1.0).abs() < 1e-12);
    // Moved by the gap along the normal the two touch.
    let moved = Pose::new(pose_b.position - n * gap, pose_b.rotation);
    let touching = separation((a, &pose_a), (b, &moved), &n);
    // Closed forms are exact; elsewhere the axis carries the tolerance of a search.
    let closed = |g: &Geometry| {
        matches!(
            g,
            Geometry::Sphere { .. } | Geometry::Box { .. } | Geometry::Capsule { .. }
        )
    };
    let accuracy = if closed(a) && closed(b) { 1e-9 } else { 1e-7 };
    assert!(touching.abs() < accuracy, "{a:?} {b:?}: {touching}");
    let top = n.dot(&support(a, &pose_a, &n));
    let bottom = n.dot(&support(b, &pose_b, &-n));
    assert!((n.dot(&first.point) - 0.5 * (top + bottom)).abs() < 10.0 * accuracy);

    // Exchanging the two turns the normal around.
    let swapped = pair(b, a, [pose_b, pose_a], 0.1);
    let other = deepest(&swapped).unwrap();
    assert!((other.gap - gap).abs() < 1e-6, "{a:?} {b:?}");
    assert!((other.normal + n).norm() < 2e-3, "{a:?} {b:?}");
}

#[test]
fn gap_and_normal_of_random_convex_pairs_agree_with_a_search_over_directions() {
    let all = solids();
    let mut random = Random(11);
    for a in &all {
        for b in &all {
            for k in 0..6 {
                check_pair(a, b, &mut random, k);
            }
        }
    }
}

#[test]
fn spheres_and_capsules_touch_where_formulas_say() {
    let ball = Geometry::Sphere { radius: 0.5 };
    let beside = Pose::at(0.9, 0.0, 0.0);
    let c = pair(&ball, &ball, [Pose::identity(), beside], 0.1);
    assert_eq!(c.len(), 1);
    assert!((c[0].gap + 0.1).abs() < 1e-15);
    assert!((c[0].point - Vec3::new(0.45, 0.0, 0.0)).norm() < 1e-15);
    assert_eq!(c[0].normal, Vec3::x());
    let c = pair(&ball, &ball, [Pose::identity(), Pose::identity()], 0.1);
    assert_eq!((c[0].gap, c[0].normal), (-1.0, Vec3::z()));

    let capsule = Geometry::Capsule {
        radius: 0.1,
        half_length: 0.5,
    };
    let crossed = Pose::at(0.25, 0.0, 0.0).rotated(Vec3::x());
    let c = pair(&capsule, &capsule, [Pose::identity(), crossed], 0.1);
    assert_eq!(c.len(), 1);
    assert!((c[0].gap - 0.05).abs() < 1e-15);
    let point = Geometry::Capsule {
        radius: 0.1,
        half_length: 0.0,
    };
    let c = pair(&point, &point, [Pose::identity(), Pose::identity()], 0.1);
    assert_eq!((c.len(), c[0].gap), (1, -0.2));
}

#[test]
fn crossed_edges_of_boxes_meet_with_the_normal_between_them() {
    let g = cuboid(0.5, 0.5, 0.5);
    let quarter = std::f64::consts::FRAC_PI_4;
    // Both balance on an edge; the edges cross at right angles.
    let below = Pose::identity().rotated(Vec3::x() * quarter);
    let r = 0.5_f64.sqrt();
    for gap in [-1e-3, 0.0, 5e-4] {
        let above = Pose::at(0.0, 0.0, 2.0 * r + gap).rotated(Vec3::y() * quarter);
        let c = pair(&g, &g, [below, above], 1e-3);
        assert_eq!(c.len(), 1, "{c:?}");
        assert!((c[0].normal - Vec3::z()).norm() < 1e-9, "{:?}", c[0].normal);
        assert!((c[0].gap - gap).abs() < 1e-12);
    }
}

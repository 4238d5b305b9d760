//! Boxes, capsules and cylinders of random sizes against each other: no direction separates them further
//! than the contact found (1e-8), and its points lie on the solids (1e-7, 1e-5 where points were reduced).

use crate::random::Random;
use crate::reference::{separation, signed_distance};
use crate::scene::{deepest, pair};
use linkwork::math::{Pose, Vec3};
use linkwork::model::Geometry;

/// Distance of a point from a solid, zero inside, m.
fn distance(g: &Geometry, pose: &Pose, p: &Vec3) -> f64 {
    let l = pose.inverse_transform_point(p);
    let beyond = |x: f64, limit: f64| (x.abs() - limit).max(0.0);
    match g {
        Geometry::Box { half_extents } => l.zip_map(half_extents, beyond).norm(),
        Geometry::Capsule {
            radius,
            half_length,
        } => beyond(
            Vec3::new(l.x, l.y, beyond(l.z, *half_length)).norm(),
            *radius,
        ),
        Geometry::Cylinder {
            radius,
            half_length,
        } => beyond(l.x.hypot(l.y), *radius).hypot(beyond(l.z, *half_length)),
        _ => unreachable!(),
    }
}

fn random_solid(kind: usize, random: &mut Random) -> Geometry {
    let mut length = || random.between(0.3, 1.2);
    match kind {
        0 => Geometry::Box {
            half_extents: Vec3::new(length(), length(), length()),
        },
        1 => Geometry::Capsule {
            radius: 0.6 * length(),
            half_length: length(),
        },
        _ => Geometry::Cylinder {
            radius: length(),
            half_length: length(),
        },
    }
}

/// Apart, the witness points lie on the solids, which proves the distance. Overlapping, no
/// direction that a search finds is better.
fn check(kinds: [usize; 2], random: &mut Random, k: usize) {
    let [a, b] = kinds.map(|kind| random_solid(kind, random));
    let pose_a = Pose::new(random.direction() * 0.2, random.rotation());
    let rotation = random.rotation();
    let along = random.direction();
    let pose_b = |x: f64| Pose::new(pose_a.position + along * x, rotation);
    let target = [-0.3, -0.02, 0.1][k % 3] * random.unit();
    // The distance grows at most as fast as the shift.
    let mut x = 0.0;
    for _ in 0..6 {
        let now = signed_distance((&a, &pose_a), (&b, &pose_b(x)), &mut Random(1), 1);
        x += (target - now).max(0.0);
    }
    let pose_b = pose_b(x);
    let contacts = pair(&a, &b, [pose_a, pose_b], 1.0);
    let c = deepest(&contacts).unwrap();
    let (n, gap) = (c.normal, c.gap);
    let attained = separation((&a, &pose_a), (&b, &pose_b), &n);
    let context = || format!("{a:?} {pose_a:?} {b:?} {pose_b:?}: {c:?}");
    // Of nearly equal points the kept one may be off by 1e-5 of the size.
    let kept = if contacts.len() < 4 { 1e-7 } else { 1e-5 };
    assert!((attained - gap).abs() < kept, "{attained} {}", context());
    if gap > 0.0 {
        let on_a = c.point - n * (0.5 * gap);
        let on_b = c.point + n * (0.5 * gap);
        let off = distance(&a, &pose_a, &on_a) + distance(&b, &pose_b, &on_b);
        // Corners count as inside within 1e-6 of the size, across the normal.
        assert!(off < 4e-6, "{off} {}", context());
        assert!(gap - attained < 1e-9 || contacts.len() > 3, "{}", context());
    } else {
        let best = signed_distance((&a, &pose_a), (&b, &pose_b), random, 12);
        assert!(attained > best - 1e-8, "{best} {}", context());
    }
}

#[test]
fn boxes_capsules_and_cylinders_agree_with_a_search() {
    let mut random = Random(23);
    for kinds in [[0, 1], [0, 2], [1, 2], [2, 2], [0, 0]] {
        for k in 0..150 {
            check(kinds, &mut random, k);
        }
    }
}

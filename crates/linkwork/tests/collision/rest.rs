//! Resting and slowly moving bodies keep their contact points.

use crate::random::Random;
use crate::scene::{REST, cuboid, deepest, features, flat_field, flat_mesh, on_world, pair, shape};
use linkwork::collision::CollisionWorld;
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::Geometry;

/// The same keys, points (1e-8) and vertical normals under tilts and shifts of 1e-9.
pub fn check_rest(ground: &Geometry, g: &Geometry, rest: Pose, count: usize) {
    let shapes = [shape(None, ground.clone()), shape(Some(0), g.clone())];
    let mut world = CollisionWorld::new(&shapes, &[]).unwrap();
    let mut at = |pose: Pose| {
        let mut contacts = Vec::new();
        world.detect(&[pose], &[Twist::zero()], &REST, None, &mut contacts);
        contacts
    };
    let reference = at(rest);
    assert_eq!(
        reference.len(),
        count,
        "{ground:?} {g:?} {rest:?}: {reference:#?}"
    );
    let mut random = Random(3);
    for _ in 0..100 {
        let shift = random.direction() * 1e-9;
        let tilt = random.direction() * 1e-9;
        let contacts = at(Pose::new(rest.position + shift, rest.rotation).rotated(tilt));
        assert_eq!(
            features(&contacts),
            features(&reference),
            "{ground:?} {g:?} {rest:?}"
        );
        for (c, r) in contacts.iter().zip(&reference) {
            assert!((c.point - r.point).norm() < 1e-8, "{g:?} {c:?} {r:?}");
            assert!((c.normal - Vec3::z()).norm() < 1e-8, "{g:?} {c:?}");
            assert!((c.gap - r.gap).abs() < 1e-8);
        }
    }
}

#[test]
fn a_resting_box_keeps_its_points_under_rounding() {
    let g = cuboid(0.5, 0.5, 0.5);
    let turned = |a: f64| Pose::at(0.0, 0.0, 0.5).rotated(Vec3::z() * a);
    let quarter = std::f64::consts::FRAC_PI_4;
    for dz in [0.0, -1e-5, 1e-5] {
        let lift = |mut p: Pose, z: f64| {
            p.position.z += z;
            p
        };
        for rest in [turned(0.0), turned(quarter), turned(0.3)] {
            check_rest(&Geometry::HalfSpace, &g, lift(rest, dz), 4);
            check_rest(&flat_mesh(7, 3.3), &g, lift(rest, dz), 4);
            check_rest(&flat_mesh(1, 3.0), &g, lift(rest, dz), 4);
            check_rest(&flat_field(6, 9, 3.0), &g, lift(rest, dz), 4);
        }
        // On a box of the same size: aligned and offset, and turned, where they meet along an octagon.
        let offset = Pose::at(0.2, -0.3, 0.5);
        for (rest, corners) in [
            (turned(0.0), 4),
            (turned(quarter), 8),
            (turned(0.3), 8),
            (offset, 4),
        ] {
            check_rest(&g, &g, lift(rest, dz + 0.5), corners);
        }
    }
}

#[test]
fn point_counts_of_round_shapes() {
    let plane = Geometry::HalfSpace;
    let cylinder = Geometry::Cylinder {
        radius: 0.3,
        half_length: 0.5,
    };
    let cone = Geometry::Cone {
        radius: 0.3,
        half_length: 0.5,
    };
    let capsule = Geometry::Capsule {
        radius: 0.3,
        half_length: 0.5,
    };
    let lying = Pose::at(0.0, 0.0, 0.3).rotated(Vec3::x() * std::f64::consts::FRAC_PI_2);
    let standing = Pose::at(0.0, 0.0, 0.5);
    check_rest(&plane, &cylinder, standing, 4);
    check_rest(&plane, &cone, standing, 4);
    check_rest(&plane, &cylinder, lying, 2);
    check_rest(&plane, &capsule, lying, 2);
    let slab = cuboid(2.0, 2.0, 0.5);
    let up = |mut p: Pose| {
        p.position.z += 0.5;
        p
    };
    check_rest(&slab, &cylinder, up(standing), 4);
    check_rest(&slab, &cone, up(standing), 4);
    check_rest(&slab, &cylinder, up(lying), 2);
    check_rest(&slab, &capsule, up(lying), 2);
    check_rest(&flat_mesh(5, 4.0), &cylinder, standing, 4);
    check_rest(&flat_field(6, 6, 4.0), &cylinder, lying, 2);
    // Standing on each other.
    check_rest(&cylinder, &cylinder, up(standing), 4);

    let tilted = Pose::at(0.0, 0.0, 0.5).rotated(Vec3::x() * 0.5);
    let lowest = 0.5 - 0.5 * 0.5_f64.cos() - 0.3 * 0.5_f64.sin();
    let c = on_world(&plane, &cylinder, tilted);
    assert!(
        (deepest(&c).unwrap().gap - lowest).abs() < 1e-12,
        "{lowest} {c:?}"
    );

    let beside = Pose::at(0.6, 0.0, 0.2);
    let c = pair(&capsule, &capsule, [Pose::identity(), beside], 0.01);
    assert_eq!(c.len(), 2);
    let egg = Geometry::Ellipsoid {
        radii: Vec3::new(0.3, 0.2, 0.1),
    };
    check_rest(&plane, &egg, Pose::at(0.0, 0.0, 0.1), 1);
}

/// Keys over a slow motion of 100 steps: how many steps changed any.
fn key_changes(ground: &Geometry, g: &Geometry, count: usize, pose: impl Fn(f64) -> Pose) -> usize {
    let mut last: Option<Vec<u64>> = None;
    let mut changes = 0;
    for k in 0..100 {
        let contacts = on_world(ground, g, pose(f64::from(k)));
        assert_eq!(contacts.len(), count, "step {k}: {contacts:#?}");
        let keys = features(&contacts);
        changes += usize::from(last.as_ref().is_some_and(|l| *l != keys));
        last = Some(keys);
    }
    changes
}

#[test]
fn keys_do_not_flicker_while_sliding_turning_and_rolling() {
    let g = cuboid(0.1, 0.2, 0.3);
    let slide = |k: f64| Pose::at(1e-3 * k, -2e-3 * k, 0.3).rotated(Vec3::z() * 1e-2 * k);
    for ground in [
        Geometry::HalfSpace,
        flat_mesh(9, 4.0),
        flat_field(9, 11, 4.0),
    ] {
        assert_eq!(key_changes(&ground, &g, 4, slide), 0);
    }
    let same = cuboid(0.5, 0.5, 0.5);
    let turn = |k: f64| Pose::at(0.0, 0.0, 1.0).rotated(Vec3::z() * (0.1 + 5e-3 * k));
    assert_eq!(key_changes(&same, &same, 8, turn), 0);
    let over = |k: f64| Pose::at(0.1 + 2e-3 * k, -0.05 - 1e-3 * k, 1.0);
    assert_eq!(key_changes(&same, &same, 4, over), 0);
    let cylinder = Geometry::Cylinder {
        radius: 0.3,
        half_length: 0.5,
    };
    let quarter = Vec3::x() * std::f64::consts::FRAC_PI_2;
    let roll = |k: f64| {
        Pose::at(3e-3 * k, 0.0, 0.3)
            .rotated(quarter)
            .rotated(Vec3::y() * 1e-2 * k)
    };
    assert_eq!(key_changes(&Geometry::HalfSpace, &cylinder, 2, roll), 0);
}

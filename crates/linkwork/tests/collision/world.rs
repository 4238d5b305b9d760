//! Detection over many bodies, and shapes that are refused.

use crate::scene::{REST, cuboid, heap, shape};
use linkwork::collision::{CollisionError, CollisionWorld, ContactPoint, DetectSettings};
use linkwork::math::{Pose, Quat, Twist, Vec3};
use linkwork::model::{BodyId, CollisionGroup, Geometry, Shape, ShapeId};
use std::sync::Arc;

#[test]
fn threads_do_not_change_a_bit_and_contacts_are_ordered_by_key() {
    let (shapes, poses, twists) = heap(150);
    let settings = DetectSettings {
        margin: 1e-3,
        dt: 1e-2,
    };
    let mut serial = Vec::new();
    let mut world = CollisionWorld::new(&shapes, &[]).unwrap();
    world.detect(&poses, &twists, &settings, None, &mut serial);
    assert!(serial.len() > 300);
    assert!(serial.windows(2).all(|w| w[0].key < w[1].key));
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let mut parallel = Vec::new();
        world.detect(&poses, &twists, &settings, Some(&pool), &mut parallel);
        assert_eq!(serial.len(), parallel.len());
        for (s, p) in serial.iter().zip(&parallel) {
            assert_eq!(s.key, p.key);
            let bits = |c: &ContactPoint| {
                [c.point.x, c.point.y, c.point.z, c.normal.x, c.gap].map(f64::to_bits)
            };
            assert_eq!(bits(s), bits(p));
        }
    }
}

#[test]
fn a_fast_body_is_seen_a_step_ahead() {
    let shapes = [
        shape(None, Geometry::HalfSpace),
        shape(Some(0), cuboid(0.1, 0.1, 0.1)),
    ];
    let mut world = CollisionWorld::new(&shapes, &[]).unwrap();
    let settings = DetectSettings {
        margin: 1e-3,
        dt: 1e-2,
    };
    let mut contacts = Vec::new();
    for (speed, count) in [(-10.0, 4), (10.0, 0), (0.0, 0), (-1.0, 0)] {
        let twist = Twist::new(Vec3::new(0.0, 0.0, speed), Vec3::zeros());
        let pose = [Pose::at(0.0, 0.0, 0.15)];
        world.detect(&pose, &[twist], &settings, None, &mut contacts);
        assert_eq!(contacts.len(), count, "{speed}");
    }
}

#[test]
fn who_may_touch_whom() {
    let g = Geometry::Sphere { radius: 0.5 };
    let mut shapes = vec![
        shape(Some(0), g.clone()),
        shape(Some(0), g.clone()),
        shape(Some(1), g.clone()),
        shape(None, g.clone()),
        shape(None, Geometry::HalfSpace),
    ];
    let poses = [Pose::identity(), Pose::at(0.1, 0.0, 0.0)];
    let count = |shapes: &[Shape], excluded: &[(BodyId, BodyId)]| {
        let mut world = CollisionWorld::new(shapes, excluded).unwrap();
        let mut contacts = Vec::new();
        world.detect(&poses, &[Twist::zero(); 2], &REST, None, &mut contacts);
        contacts.len()
    };
    // 0-2, 1-2, and each of the three with the ball and the plane of the world.
    assert_eq!(count(&shapes, &[]), 8);
    assert_eq!(count(&shapes, &[(BodyId(0), BodyId(1))]), 6);
    shapes[2].group = CollisionGroup { member: 2, mask: 2 };
    assert_eq!(count(&shapes, &[]), 4);
}

#[test]
fn what_is_only_seen_touches_nothing_and_has_a_box_around_it() {
    let flat = Geometry::TriangleMesh {
        vertices: Arc::new(vec![Vec3::x(), -Vec3::x(), Vec3::y()]),
        triangles: Arc::new(vec![[0, 1, 2]]),
    };
    // A flat hull could not take part in detection, but it can be looked at.
    let hull = Geometry::ConvexHull {
        points: Arc::new(vec![Vec3::x(), -Vec3::x(), Vec3::y()]),
    };
    let mut shapes = vec![
        shape(Some(0), flat),
        shape(Some(0), hull),
        shape(Some(1), Geometry::Sphere { radius: 1.0 }),
        shape(None, Geometry::HalfSpace),
    ];
    for seen in &mut shapes[..2] {
        seen.group = CollisionGroup::NONE;
    }
    let mut world = CollisionWorld::new(&shapes, &[]).unwrap();
    let poses = [Pose::at(0.0, 0.0, -0.5), Pose::identity()];
    let mut contacts = Vec::new();
    world.detect(&poses, &[Twist::zero(); 2], &REST, None, &mut contacts);
    assert!(
        contacts
            .iter()
            .all(|c| c.key.shape_a.0 == 2 || c.key.shape_b.0 == 2)
    );
    assert_eq!(contacts.len(), 1);
    let (lo, hi) = world.bounds(ShapeId(0), &poses);
    assert!((lo - Vec3::new(-1.0, 0.0, -0.5)).norm() < 1e-15);
    assert!((hi - Vec3::new(1.0, 1.0, -0.5)).norm() < 1e-15);
}

#[test]
fn bad_numbers_give_no_contacts() {
    let (shapes, mut poses, mut twists) = heap(20);
    poses[3].position.x = f64::NAN;
    poses[4].rotation = Quat::new_unchecked(nalgebra::Quaternion::new(f64::NAN, 0.0, 0.0, 0.0));
    twists[5].angular.y = f64::INFINITY;
    let mut world = CollisionWorld::new(&shapes, &[]).unwrap();
    let mut contacts = Vec::new();
    world.detect(&poses, &twists, &REST, None, &mut contacts);
    assert!(!contacts.is_empty());
    for c in &contacts {
        for body in [c.body_a, c.body_b].into_iter().flatten() {
            assert!(!(3..6).contains(&body.0));
        }
    }
    world.detect(&poses[..2], &twists[..2], &REST, None, &mut contacts);
}

#[test]
fn unusable_shapes_are_refused_by_name() {
    let refuse = |body: Option<u32>, geometry: Geometry| {
        let error = CollisionWorld::new(&[shape(body, geometry)], &[])
            .err()
            .unwrap();
        assert!(error.to_string().contains("shape of"), "{error}");
        error
    };
    assert!(matches!(
        refuse(Some(0), Geometry::HalfSpace),
        CollisionError::MovingHalfSpace { .. }
    ));
    assert!(matches!(
        refuse(Some(0), Geometry::Sphere { radius: -1.0 }),
        CollisionError::BadLength { .. }
    ));
    let flat: Vec<Vec3> = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (0.3, 0.2)]
        .map(|(x, y)| Vec3::new(x, y, 0.0))
        .to_vec();
    for points in [flat.clone(), flat[..3].to_vec(), vec![], vec![Vec3::x(); 6]] {
        let points = Arc::new(points);
        assert!(matches!(
            refuse(Some(0), Geometry::ConvexHull { points }),
            CollisionError::FlatHull { .. }
        ));
    }
    let mesh = |triangles: Vec<[u32; 3]>| Geometry::TriangleMesh {
        vertices: Arc::new(flat.clone()),
        triangles: Arc::new(triangles),
    };
    assert!(matches!(
        refuse(None, mesh(vec![[0, 1, 9]])),
        CollisionError::IndexOutOfRange { index: 9, .. }
    ));
    for triangles in [vec![[0, 1, 1]], vec![]] {
        assert!(matches!(
            refuse(None, mesh(triangles)),
            CollisionError::NoArea { .. }
        ));
    }
    let field = Geometry::HeightField {
        nx: 3,
        ny: 3,
        heights: Arc::new(vec![0.0; 8]),
        size: [1.0, 1.0],
    };
    assert!(matches!(
        refuse(None, field),
        CollisionError::HeightFieldSize { heights: 8, .. }
    ));
}

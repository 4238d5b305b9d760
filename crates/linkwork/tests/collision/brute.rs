//! A world of many shapes against every pair of shapes on its own, and a world that has seen many steps against a
//! new one.

use crate::random::Random;
use crate::scene::{cuboid, heap, shape};
use linkwork::collision::{CollisionWorld, ContactPoint, DetectSettings};
use linkwork::math::{Pose, Twist, Vec3, exp};
use linkwork::model::{Shape, ShapeId};

const SETTINGS: DetectSettings = DetectSettings {
    margin: 5e-3,
    dt: 1e-2,
};

/// A heap of all kinds of solids, on a plane and a mesh, among boxes that do not move.
fn scene() -> (Vec<Shape>, Vec<Pose>, Vec<Twist>) {
    let (mut shapes, poses, twists) = heap(42);
    let mut random = Random(3);
    for _ in 0..30 {
        let mut fixed = shape(None, cuboid(0.1, 0.15, 0.2));
        let p = Vec3::from_fn(|_, _| random.between(0.0, 2.0));
        fixed.local = Pose::new(p, random.rotation());
        shapes.push(fixed);
    }
    // A second shape on some bodies.
    for body in 0..6 {
        let mut second = shape(Some(7 * body), cuboid(0.05, 0.3, 0.05));
        second.local = Pose::at(0.1, 0.2, 0.0);
        shapes.push(second);
    }
    (shapes, poses, twists)
}

fn detect(world: &mut CollisionWorld, poses: &[Pose], twists: &[Twist]) -> Vec<ContactPoint> {
    let mut contacts = Vec::new();
    world.detect(poses, twists, &SETTINGS, None, &mut contacts);
    contacts
}

/// Every pair of shapes in a world of its own, with the other shapes of their bodies, which they may be flush with.
fn pair_by_pair(shapes: &[Shape], poses: &[Pose], twists: &[Twist]) -> Vec<ContactPoint> {
    let mut all = Vec::new();
    for i in 0..shapes.len() {
        for j in i + 1..shapes.len() {
            let bodies = [shapes[i].body, shapes[j].body];
            if bodies[0] == bodies[1] {
                continue;
            }
            let numbers: Vec<usize> = (0..shapes.len())
                .filter(|&k| bodies.contains(&shapes[k].body))
                .collect();
            let few: Vec<Shape> = numbers.iter().map(|&k| shapes[k].clone()).collect();
            let mut world = CollisionWorld::new(&few, &[]).unwrap();
            for mut c in detect(&mut world, poses, twists) {
                let pair = [c.key.shape_a, c.key.shape_b].map(|s| numbers[s.index()]);
                if pair == [i, j] {
                    [c.key.shape_a, c.key.shape_b] = pair.map(|k| ShapeId(k as u32));
                    all.push(c);
                }
            }
        }
    }
    all
}

fn assert_same_bits(a: &[ContactPoint], b: &[ContactPoint], what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (x, y) in a.iter().zip(b) {
        assert_eq!(x.key, y.key, "{what}");
        let bits = |c: &ContactPoint| {
            let [p, n] = [c.point, c.normal];
            [p.x, p.y, p.z, n.x, n.y, n.z, c.gap].map(f64::to_bits)
        };
        assert_eq!(bits(x), bits(y), "{what}: {x:?} {y:?}");
    }
}

fn advance(poses: &mut [Pose], twists: &[Twist]) {
    for (pose, twist) in poses.iter_mut().zip(twists) {
        pose.position += twist.linear * SETTINGS.dt;
        pose.rotation = exp(&(twist.angular * SETTINGS.dt)) * pose.rotation;
    }
}

#[test]
fn many_shapes_touch_as_each_pair_does_on_its_own() {
    let (shapes, mut poses, twists) = scene();
    let mut world = CollisionWorld::new(&shapes, &[]).unwrap();
    for step in 0..9 {
        let found = detect(&mut world, &poses, &twists);
        if step % 4 == 0 {
            assert!(found.len() > 100);
            let all = pair_by_pair(&shapes, &poses, &twists);
            assert_same_bits(&found, &all, &format!("step {step}"));
        }
        advance(&mut poses, &twists);
    }
}

#[test]
fn a_world_that_has_seen_many_steps_finds_the_bits_of_a_new_one() {
    let (shapes, mut poses, twists) = scene();
    let fresh = CollisionWorld::new(&shapes, &[]).unwrap();
    let mut world = fresh.clone();
    let start = poses.clone();
    for step in 0..120 {
        match step {
            // Back to where it began, as when a state is set, and one body lost on the way.
            60 => poses.clone_from(&start),
            80 => poses[3].position.x = f64::NAN,
            81 => poses[3] = start[3],
            _ => {}
        }
        let found = detect(&mut world, &poses, &twists);
        let cold = detect(&mut fresh.clone(), &poses, &twists);
        assert!(!found.is_empty());
        assert_same_bits(&found, &cold, &format!("step {step}"));
        advance(&mut poses, &twists);
    }
}

/// Stored axes are meant for bodies that rest and turn a little: they must not rule out contacts that a search finds.
#[test]
fn neighbours_that_turn_by_little_are_found_as_in_a_new_world() {
    let (shapes, start, twists) = scene();
    let fresh = CollisionWorld::new(&shapes, &[]).unwrap();
    let mut world = fresh.clone();
    let mut random = Random(9);
    for step in 0..100 {
        let mut poses = start.clone();
        for pose in &mut poses {
            pose.position += random.direction() * 2e-3;
            pose.rotation = exp(&(random.direction() * 1e-2)) * pose.rotation;
        }
        let found = detect(&mut world, &poses, &twists);
        let cold = detect(&mut fresh.clone(), &poses, &twists);
        assert_same_bits(&found, &cold, &format!("step {step}"));
    }
}

#[test]
fn one_ball_among_very_many_boxes_touches_those_below_it() {
    let mut shapes: Vec<Shape> = (0..100 * 100)
        .map(|k| {
            let mut tile = shape(None, cuboid(0.05, 0.05, 0.05));
            tile.local = Pose::at(0.1 * f64::from(k % 100), 0.1 * f64::from(k / 100), -0.05);
            tile
        })
        .collect();
    shapes.push(shape(
        Some(0),
        linkwork::model::Geometry::Sphere { radius: 0.2 },
    ));
    let mut world = CollisionWorld::new(&shapes, &[]).unwrap();
    for k in 0..50 {
        let (x, y) = (1.0 + 0.031 * f64::from(k), 2.0 + 0.017 * f64::from(k));
        let found = detect(&mut world, &[Pose::at(x, y, 0.199)], &[Twist::zero()]);
        let tile = (x / 0.1).round() + 100.0 * (y / 0.1).round();
        let below = found
            .iter()
            .find(|c| f64::from(c.key.shape_a.0) == tile)
            .unwrap();
        assert!((below.gap + 1e-3).abs() < 1e-12 && (below.normal - Vec3::z()).norm() < 1e-12);
        // Others are those within the margin of the ball's surface.
        assert!(found.len() <= 9, "{}", found.len());
    }
}

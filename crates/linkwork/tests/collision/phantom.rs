//! Random poses of every pair of convex solids against support functions: none is told to overlap that is apart, none to
//! overlap by more than a shift that frees it, and none that overlaps is missed.
//!
//! A separation along any direction is a lower bound of the signed distance, so a gap below one is wrong. Directions
//! all over the sphere, then ever closer to the best of them, find the greatest.

use crate::random::Random;
use crate::reference::{separation, signed_distance};
use crate::scene::{cuboid, deepest, detect, shape};
use linkwork::collision::{CollisionWorld, DetectSettings};
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::Geometry;
use std::sync::Arc;

fn solids() -> Vec<(&'static str, Geometry)> {
    let tetrahedron = vec![
        Vec3::new(0.04, 0.0, -0.02),
        Vec3::new(-0.03, 0.03, -0.02),
        Vec3::new(-0.03, -0.03, -0.02),
        Vec3::new(0.0, 0.0, 0.05),
    ];
    vec![
        ("sphere", Geometry::Sphere { radius: 0.03 }),
        ("box", cuboid(0.03, 0.02, 0.035)),
        (
            "capsule",
            Geometry::Capsule {
                radius: 0.02,
                half_length: 0.025,
            },
        ),
        (
            "cylinder",
            Geometry::Cylinder {
                radius: 0.03,
                half_length: 0.03,
            },
        ),
        (
            "cone",
            Geometry::Cone {
                radius: 0.03,
                half_length: 0.035,
            },
        ),
        (
            "ellipsoid",
            Geometry::Ellipsoid {
                radii: Vec3::new(0.03, 0.02, 0.04),
            },
        ),
        (
            "hull",
            Geometry::ConvexHull {
                points: Arc::new(tetrahedron),
            },
        ),
    ]
}

/// Directions evenly over the sphere.
fn directions(n: usize) -> Vec<Vec3> {
    (0..n)
        .map(|i| {
            let z: f64 = 1.0 - (2 * i + 1) as f64 / n as f64;
            let (s, c) = (2.399_963_229_728_653 * i as f64).sin_cos();
            let r = (1.0 - z * z).sqrt();
            Vec3::new(r * c, r * s, z)
        })
        .collect()
}

/// `LINKWORK_PAIR_POSES=1000000` for a long run, and `LINKWORK_FIRST_PAIR=15` to go on from the pair of this number.
#[test]
fn no_pair_of_convex_solids_is_told_to_overlap_by_more_than_it_does() {
    let number =
        |name: &str, default: usize| std::env::var(name).map_or(default, |n| n.parse().unwrap());
    let count = number("LINKWORK_PAIR_POSES", 10_000);
    let first = number("LINKWORK_FIRST_PAIR", 0);
    let all = solids();
    let around = directions(150);
    let settings = DetectSettings {
        margin: 1e-3,
        dt: 0.0,
    };
    let mut failures = Vec::new();
    let mut pair = 0;
    for i in 0..all.len() {
        for j in i..all.len() {
            pair += 1;
            if pair <= first {
                continue;
            }
            let (ga, gb) = (&all[i].1, &all[j].1);
            let shapes = [shape(Some(0), ga.clone()), shape(Some(1), gb.clone())];
            let mut world = CollisionWorld::new(&shapes, &[]).unwrap();
            let mut random = Random(7 + (10 * i + j) as u64);
            let mut contacts = Vec::new();
            let (mut wrong, mut worst) = (0, (0.0, String::new()));
            for _ in 0..count {
                let place = Vec3::from_fn(|_, _| random.between(-0.06, 0.06));
                let poses = [
                    Pose::new(Vec3::zeros(), random.rotation()),
                    Pose::new(place, random.rotation()),
                ];
                world.detect(&poses, &[Twist::zero(); 2], &settings, None, &mut contacts);
                let found = deepest(&contacts).map(|c| (c.gap, c.normal));
                let along = |n: &Vec3| separation((ga, &poses[0]), (gb, &poses[1]), n);
                let mut best = (f64::NEG_INFINITY, Vec3::z());
                let mut consider = |n: Vec3| {
                    let s = along(&n);
                    if s > best.0 {
                        best = (s, n);
                    }
                };
                around.iter().for_each(|n| consider(*n));
                consider(place.normalize());
                if let Some((_, n)) = found {
                    consider(n);
                }
                for round in 0..18 {
                    let width = 0.15 * 0.55_f64.powi(round);
                    for _ in 0..8 {
                        let n = (best.1 + random.direction() * width).normalize();
                        let s = along(&n);
                        if s > best.0 {
                            best = (s, n);
                        }
                    }
                }
                // Too deep, along a normal that does not bear it, or missed.
                let error = match found {
                    Some((gap, n)) => (best.0 - gap).max((gap - along(&n)).abs()),
                    // A search that finds no plane between them proves little, a long one more.
                    None if best.0 < 0.0 => {
                        let things = [(ga, &poses[0]), (gb, &poses[1])];
                        -signed_distance(things[0], things[1], &mut random, 40)
                    }
                    None => 0.0,
                };
                wrong += usize::from(error > 1e-6);
                if error > worst.0 {
                    worst = (
                        error,
                        format!("found {found:?}, search {best:?} at {poses:?}"),
                    );
                }
            }
            println!(
                "{}-{}: {wrong} of {count}, worst {:e}",
                all[i].0, all[j].0, worst.0
            );
            if wrong > 0 {
                failures.push(format!(
                    "{}-{}: {wrong} of {count}: {worst:?}",
                    all[i].0, all[j].0
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Two cones 16 mm apart were once taken to be 149 mm inside each other.
#[test]
fn cones_that_are_apart_do_not_touch() {
    let cone = || Geometry::Cone {
        radius: 0.03,
        half_length: 0.035,
    };
    let q = |x, y, z, w| linkwork::math::Quat::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
    let poses = [
        Pose::new(Vec3::zeros(), q(-0.587952, 0.089181, 0.361528, 0.718092)),
        Pose::new(
            Vec3::new(-0.033204, 0.058999, 0.033066),
            q(-0.746822, 0.236677, -0.584408, -0.211442),
        ),
    ];
    let shapes = [shape(Some(0), cone()), shape(Some(1), cone())];
    let settings = DetectSettings {
        margin: 1e-2,
        dt: 0.0,
    };
    assert!(detect(&shapes, &poses, settings).is_empty());
}

//! Random poses of every pair of convex solids against support functions: no separated pair is reported to overlap, no
//! overlap is larger than a shift that separates the pair, and no overlapping pair is missed.
//!
//! A separation along any direction is a lower bound of the signed distance, so a gap below one is wrong. Directions
//! over the whole sphere, then ever closer to the best of them, find the maximum.

use crate::random::Random;
use crate::reference::Couple;
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

/// The widest gap between planes found, from the directions `first` and `around` on, ever closer to the best; the search ends at `enough`.
fn widest(
    couple: &Couple,
    first: &[Vec3],
    around: &[Vec3],
    enough: Option<f64>,
    random: &mut Random,
) -> f64 {
    let mut best = (f64::NEG_INFINITY, Vec3::z());
    let mut given = first.iter().chain(around);
    let mut widths = (0..8 * 18).map(|k| 0.15 * 0.55_f64.powi(k / 8));
    while enough.is_none_or(|enough| best.0 < enough) {
        let n = if let Some(n) = given.next() {
            n.normalize()
        } else if let Some(width) = widths.next() {
            (best.1 + random.direction() * width).normalize()
        } else {
            break;
        };
        let s = couple.separation(&n);
        if s > best.0 {
            best = (s, n);
        }
    }
    best.0
}

/// `LINKWORK_PAIR_POSES=1000000` for a long run, and `LINKWORK_FIRST_PAIR=15` to start at the pair with this index.
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
                let couple = Couple::new((ga, &poses[0]), (gb, &poses[1]));
                let error = match found {
                    // Too deep, or along a normal that does not support it.
                    Some((gap, n)) => {
                        let apart = widest(&couple, &[place, n], &around, None, &mut random);
                        (apart - gap).max((gap - couple.separation(&n)).abs())
                    }
                    // Missed. A short search that ends below the margin proves little, a long one more.
                    None => {
                        let margin = settings.margin;
                        let apart = widest(&couple, &[place], &around, Some(margin), &mut random);
                        if apart < margin {
                            margin - couple.signed_distance(&mut random, 40, margin)
                        } else {
                            0.0
                        }
                    }
                };
                wrong += usize::from(error > 1e-6);
                if error > worst.0 {
                    worst = (error, format!("found {found:?} at {poses:?}"));
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

/// Because of rounding, the search for the depth of these considered facets visible that are not connected with the
/// visible ones, and continued with 1e9 of them for minutes.
#[test]
fn cones_whose_facets_are_seen_by_rounding_are_as_deep_as_a_search_finds() {
    let cone = Geometry::Cone {
        radius: 0.03,
        half_length: 0.035,
    };
    let q = |x, y, z, w| linkwork::math::Quat::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
    let poses = [
        Pose::new(
            Vec3::zeros(),
            q(
                -0.11371429033223567,
                0.16577283733490847,
                -0.8793683985253711,
                0.43162442731047357,
            ),
        ),
        Pose::new(
            Vec3::new(
                0.016957283554610167,
                -0.03875031549559313,
                0.007111426762200557,
            ),
            q(
                0.21120036833201766,
                0.3172128674280778,
                -0.31042319240166766,
                0.8708661451529931,
            ),
        ),
    ];
    let shapes = [shape(Some(0), cone.clone()), shape(Some(1), cone.clone())];
    let settings = DetectSettings {
        margin: 1e-3,
        dt: 0.0,
    };
    let gap = deepest(&detect(&shapes, &poses, settings)).unwrap().gap;
    let couple = Couple::new((&cone, &poses[0]), (&cone, &poses[1]));
    let found = couple.signed_distance(&mut Random(5), 40, f64::INFINITY);
    assert!((gap - found).abs() < 1e-7, "{gap} {found}");
}

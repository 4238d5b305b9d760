//! Contacts of pairs of shapes: against independent geometry, and stable from step to step.

use linkwork::collision::{CollisionError, CollisionWorld, ContactPoint, DetectSettings};
use linkwork::math::{Pose, Quat, Twist, Vec3, exp};
use linkwork::model::{BodyId, CollisionGroup, Geometry, Material, Shape};
use std::sync::Arc;

const REST: DetectSettings = DetectSettings {
    margin: 1e-3,
    dt: 0.0,
};

/// A small deterministic generator (splitmix64).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.between(-1.0, 1.0));
            if (0.01..1.0).contains(&v.norm()) {
                return v.normalize();
            }
        }
    }

    fn rotation(&mut self) -> Quat {
        exp(&(self.direction() * self.between(0.0, 3.0)))
    }
}

fn shape(body: Option<u32>, geometry: Geometry) -> Shape {
    Shape {
        name: format!("shape of {body:?}"),
        body: body.map(BodyId),
        local: Pose::identity(),
        geometry,
        material: Material::default(),
        group: CollisionGroup::default(),
    }
}

fn cuboid(x: f64, y: f64, z: f64) -> Geometry {
    Geometry::Box {
        half_extents: Vec3::new(x, y, z),
    }
}

fn detect(shapes: &[Shape], poses: &[Pose], settings: DetectSettings) -> Vec<ContactPoint> {
    let mut world = CollisionWorld::new(shapes, &[]).unwrap();
    let twists = vec![Twist::zero(); poses.len()];
    let mut contacts = Vec::new();
    world.detect(poses, &twists, &settings, None, &mut contacts);
    contacts
}

/// Two bodies with one shape each.
fn pair(a: &Geometry, b: &Geometry, poses: [Pose; 2], margin: f64) -> Vec<ContactPoint> {
    let shapes = [shape(Some(0), a.clone()), shape(Some(1), b.clone())];
    detect(&shapes, &poses, DetectSettings { margin, dt: 0.0 })
}

/// A body (B) on a world shape (A).
fn on_world(ground: &Geometry, g: &Geometry, pose: Pose) -> Vec<ContactPoint> {
    detect(
        &[shape(None, ground.clone()), shape(Some(0), g.clone())],
        &[pose],
        REST,
    )
}

fn features(contacts: &[ContactPoint]) -> Vec<u64> {
    contacts.iter().map(|c| c.key.feature).collect()
}

fn hull_points() -> Vec<Vec3> {
    let mut random = Random(5);
    (0..24)
        .map(|_| random.direction().component_mul(&Vec3::new(0.3, 0.4, 0.5)))
        .collect()
}

fn solids() -> Vec<Geometry> {
    vec![
        Geometry::Sphere { radius: 0.3 },
        cuboid(0.2, 0.35, 0.5),
        Geometry::Capsule {
            radius: 0.2,
            half_length: 0.3,
        },
        Geometry::Cylinder {
            radius: 0.25,
            half_length: 0.4,
        },
        Geometry::Cone {
            radius: 0.3,
            half_length: 0.35,
        },
        Geometry::Ellipsoid {
            radii: Vec3::new(0.2, 0.3, 0.45),
        },
        Geometry::ConvexHull {
            points: Arc::new(hull_points()),
        },
    ]
}

/// Farthest point along `d`, written independently of the module.
fn support(g: &Geometry, pose: &Pose, d: &Vec3) -> Vec3 {
    let l = pose.rotation.inverse() * d;
    let flat = Vec3::new(l.x, l.y, 0.0);
    let rim = |r: f64| flat / flat.norm().max(1e-300) * r;
    let local = match g {
        Geometry::Sphere { radius } => l.normalize() * *radius,
        Geometry::Box { half_extents } => half_extents.zip_map(&l, f64::copysign),
        Geometry::Capsule {
            radius,
            half_length,
        } => Vec3::z() * half_length.copysign(l.z) + l.normalize() * *radius,
        Geometry::Cylinder {
            radius,
            half_length,
        } => rim(*radius) + Vec3::z() * half_length.copysign(l.z),
        Geometry::Cone {
            radius,
            half_length,
        } => {
            let base = rim(*radius) - Vec3::z() * *half_length;
            let apex = Vec3::z() * *half_length;
            if base.dot(&l) > apex.dot(&l) {
                base
            } else {
                apex
            }
        }
        Geometry::Ellipsoid { radii } => {
            let s = radii.component_mul(&l);
            radii.component_mul(&s) / s.norm()
        }
        Geometry::ConvexHull { points } => *points
            .iter()
            .max_by(|p, q| p.dot(&l).total_cmp(&q.dot(&l)))
            .unwrap(),
        _ => unreachable!(),
    };
    pose.transform_point(&local)
}

type Thing<'a> = (&'a Geometry, &'a Pose);

fn separation(a: Thing, b: Thing, n: &Vec3) -> f64 {
    n.dot(&(support(b.0, b.1, &-n) - support(a.0, a.1, n)))
}

/// Signed distance: the greatest separation over directions, by random search that narrows.
fn signed_distance(a: Thing, b: Thing, random: &mut Random, starts: usize) -> f64 {
    let mut found = f64::NEG_INFINITY;
    // Several starts: an overlap has many local optima.
    for _ in 0..starts {
        let (mut n, mut best) = (Vec3::z(), f64::NEG_INFINITY);
        for _ in 0..60 {
            let d = random.direction();
            let s = separation(a, b, &d);
            if s > best {
                (n, best) = (d, s);
            }
        }
        let mut width = 0.3;
        while width > 1e-7 {
            let mut improved = false;
            for _ in 0..24 {
                let d = (n + random.direction() * width).normalize();
                let s = separation(a, b, &d);
                if s > best {
                    (n, best) = (d, s);
                    improved = true;
                }
            }
            if !improved {
                width *= 0.6;
            }
        }
        found = found.max(best);
    }
    found
}

fn deepest(contacts: &[ContactPoint]) -> Option<&ContactPoint> {
    contacts.iter().min_by(|x, y| x.gap.total_cmp(&y.gap))
}

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
    // Closed forms are exact; elsewhere the axis carries the library's tolerance.
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

fn flat_mesh(cells: usize, size: f64) -> Geometry {
    let n = cells + 1;
    let at = |i: usize| size * (i as f64 / cells as f64 - 0.5);
    let vertices = (0..n * n)
        .map(|k| Vec3::new(at(k / n), at(k % n), 0.0))
        .collect();
    let v = |i: usize, j: usize| (i * n + j) as u32;
    let mut triangles = Vec::new();
    for i in 0..cells {
        for j in 0..cells {
            triangles.push([v(i, j), v(i + 1, j), v(i + 1, j + 1)]);
            triangles.push([v(i, j), v(i + 1, j + 1), v(i, j + 1)]);
        }
    }
    Geometry::TriangleMesh {
        vertices: Arc::new(vertices),
        triangles: Arc::new(triangles),
    }
}

fn flat_field(nx: usize, ny: usize, size: f64) -> Geometry {
    Geometry::HeightField {
        nx,
        ny,
        heights: Arc::new(vec![0.0; nx * ny]),
        size: [size, size],
    }
}

/// The same keys, points (1e-8) and vertical normals under tilts and shifts of 1e-9.
fn check_rest(ground: &Geometry, g: &Geometry, rest: Pose, count: usize) {
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
fn a_resting_box_keeps_its_four_points_under_rounding() {
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
        // On a box of the same size: aligned, offset, turned.
        let offset = Pose::at(0.2, -0.3, 0.5);
        for rest in [turned(0.0), turned(quarter), turned(0.3), offset] {
            check_rest(&g, &g, lift(rest, dz + 0.5), 4);
        }
    }
}

#[test]
fn a_box_on_a_fine_mesh_has_vertical_normals_wherever_it_is() {
    let mut random = Random(17);
    for ground in [flat_mesh(40, 4.0), flat_field(41, 41, 4.0)] {
        for _ in 0..50 {
            let depth = random.between(-2e-2, 5e-4);
            let (x, y) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            let pose = Pose::at(x, y, 0.1 + depth).rotated(Vec3::z() * random.between(0.0, 3.0));
            let contacts = on_world(&ground, &cuboid(0.3, 0.2, 0.1), pose);
            assert_eq!(contacts.len(), 4);
            for c in &contacts {
                assert!((c.normal - Vec3::z()).norm() < 1e-12, "{:?}", c.normal);
                assert!((c.gap - depth).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn spheres_and_capsules_roll_over_flat_edges_without_a_bump() {
    for ground in [flat_mesh(8, 4.0), flat_field(9, 9, 4.0)] {
        for k in 0..200 {
            let x = -1.0 + 0.0101 * f64::from(k);
            let ball = Geometry::Sphere { radius: 0.2 };
            let c = on_world(&ground, &ball, Pose::at(x, 0.37 * x, 0.199));
            assert_eq!(c.len(), 1, "{x}: {c:?}");
            assert!((c[0].normal - Vec3::z()).norm() < 1e-12);
            assert!((c[0].gap + 0.001).abs() < 1e-12);
        }
        let capsule = Geometry::Capsule {
            radius: 0.1,
            half_length: 0.3,
        };
        let lying = Pose::at(0.03, 0.01, 0.1).rotated(Vec3::x() * std::f64::consts::FRAC_PI_2);
        check_rest(&ground, &capsule, lying, 2);
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

#[test]
fn crossed_edges_of_boxes_meet_with_the_normal_between_them() {
    let g = cuboid(0.5, 0.5, 0.5);
    let quarter = std::f64::consts::FRAC_PI_4;
    // Both stand on edge; the edges cross at right angles.
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
    assert!(key_changes(&same, &same, 4, turn) <= 2);
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

#[test]
fn bodies_rest_on_ridges_and_in_valleys() {
    let heights = |middle: f64| Geometry::HeightField {
        nx: 3,
        ny: 2,
        heights: Arc::new(vec![0.0, 0.0, middle, middle, 0.0, 0.0]),
        size: [2.0, 2.0],
    };
    // A ball in a valley with slopes of 45 degrees touches both sides.
    let r = 0.2;
    let rest = Pose::at(0.0, 0.1, -1.0 + r * 2.0_f64.sqrt());
    let c = on_world(&heights(-1.0), &Geometry::Sphere { radius: r }, rest);
    assert_eq!(c.len(), 2, "{c:#?}");
    for c in &c {
        assert!(c.gap.abs() < 1e-9);
        assert!((c.normal.x.abs() - 0.5_f64.sqrt()).abs() < 1e-9);
    }
    // A box balanced on a ridge.
    let on_top = Pose::at(0.05, 0.0, 1.3);
    let c = on_world(&heights(1.0), &cuboid(0.3, 0.3, 0.3), on_top);
    assert_eq!(c.len(), 2, "{c:#?}");
    for c in &c {
        assert!((c.normal - Vec3::z()).norm() < 1e-9 && c.gap.abs() < 1e-9);
        assert!(c.point.x.abs() < 1e-9 && (c.point.y.abs() - 0.3).abs() < 1e-9);
    }
    // A ball and an ellipsoid on the ridge.
    for g in [
        Geometry::Sphere { radius: 0.2 },
        Geometry::Ellipsoid {
            radii: Vec3::new(0.2, 0.3, 0.2),
        },
    ] {
        let c = on_world(&heights(1.0), &g, Pose::at(0.0, 0.0, 1.2));
        assert_eq!(c.len(), 1, "{c:#?}");
        assert!((c[0].normal - Vec3::z()).norm() < 1e-6, "{c:#?}");
        assert!(c[0].gap.abs() < 1e-7, "{c:#?}");
    }
    // Sunk below the ground, a body is still pushed up.
    let ball = Geometry::Sphere { radius: 0.2 };
    let c = on_world(&flat_field(3, 3, 4.0), &ball, Pose::at(0.3, 0.2, -0.5));
    assert_eq!(c.len(), 1);
    assert!((c[0].gap + 0.7).abs() < 1e-12 && c[0].normal.z > 0.999);
}

#[test]
fn a_closed_mesh_bears_like_the_box_it_outlines() {
    let vertices: Vec<Vec3> = (0..8)
        .map(|k| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { 0.5 } else { -0.5 }))
        .collect();
    let quads: [[u32; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles: Vec<[u32; 3]> = quads
        .iter()
        .flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]])
        .collect();
    let mesh = Geometry::TriangleMesh {
        vertices: Arc::new(vertices),
        triangles: Arc::new(triangles),
    };
    let g = cuboid(0.3, 0.3, 0.3);
    for x in [0.0, 0.1, 0.35] {
        for z in [0.8, 0.7999, 0.8005] {
            let c = on_world(&mesh, &g, Pose::at(x, 0.05, z));
            assert!((4..=8).contains(&c.len()), "{c:#?}");
            for c in &c {
                assert!((c.normal - Vec3::z()).norm() < 1e-9, "{:?}", c.normal);
                assert!((c.gap - (z - 0.8)).abs() < 1e-9);
            }
        }
    }
    // The mesh itself can move: on a plane and on another mesh.
    let c = on_world(&Geometry::HalfSpace, &mesh, Pose::at(0.0, 0.0, 0.5));
    assert_eq!(c.len(), 4);
    let c = on_world(&flat_mesh(4, 4.0), &mesh, Pose::at(0.1, 0.2, 0.4999));
    assert!((4..=8).contains(&c.len()), "{c:#?}");
    assert!(c.iter().all(|c| c.normal.z > 0.999_999));
}

/// Bodies of all kinds in a heap.
fn heap(bodies: usize) -> (Vec<Shape>, Vec<Pose>, Vec<Twist>) {
    let mut random = Random(7);
    let all = solids();
    let mut shapes = vec![
        shape(None, Geometry::HalfSpace),
        shape(None, flat_mesh(10, 20.0)),
    ];
    let (mut poses, mut twists) = (Vec::new(), Vec::new());
    for k in 0..bodies {
        shapes.push(shape(Some(k as u32), all[k % all.len()].clone()));
        let p = Vec3::from_fn(|_, _| random.between(0.0, 0.5 * (bodies as f64).cbrt()));
        poses.push(Pose::new(p, random.rotation()));
        twists.push(Twist::new(random.direction(), random.direction()));
    }
    (shapes, poses, twists)
}

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

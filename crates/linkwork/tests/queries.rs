//! Rays, distances, contacts and events against closed forms and against each other.

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, CollisionGroup, Geometry, Material, Model, ModelBuilder, ShapeDef};
use linkwork::{ContactEvents, Control, Settings, Simulator};
use std::sync::Arc;

/// All forms of a solid, about 1 m large.
fn solids() -> Vec<Geometry> {
    let cube = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    let corners: Vec<Vec3> = (0..8)
        .map(|i| cube((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) - Vec3::repeat(0.5))
        .chain([Vec3::new(0.0, 0.0, 0.9)])
        .collect();
    vec![
        Geometry::Sphere { radius: 0.6 },
        Geometry::Box {
            half_extents: Vec3::new(0.5, 0.3, 0.4),
        },
        Geometry::Ellipsoid {
            radii: Vec3::new(0.7, 0.4, 0.5),
        },
        Geometry::Cylinder {
            radius: 0.4,
            half_length: 0.6,
        },
        Geometry::Capsule {
            radius: 0.3,
            half_length: 0.4,
        },
        Geometry::Cone {
            radius: 0.6,
            half_length: 0.5,
        },
        Geometry::ConvexHull {
            points: Arc::new(corners),
        },
    ]
}

fn world_of(geometry: Geometry, pose: Pose) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let body = b.add_body(BodyDef::new("it", MassProperties::solid_sphere(1.0, 0.1)).pose(pose));
    b.add_shape(body, ShapeDef::new(geometry));
    b.build().unwrap()
}

/// Numbers between −1 and 1, the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// A tiny ball moved along the ray by the distance to the shape (as collision finds it) comes to where the ray meets it.
#[test]
fn rays_meet_solids_where_a_point_that_marches_on_does() {
    const POINT: f64 = 1e-6;
    let pose = Pose::at(0.2, -0.1, 0.3).rotated(Vec3::new(0.4, -0.7, 0.2));
    let mut random = Random(7);
    let (mut met, mut missed) = (0, 0);
    for geometry in solids() {
        let mut b = ModelBuilder::new();
        b.gravity(Vec3::zeros());
        let sphere = MassProperties::solid_sphere(1.0, 0.1);
        let it = b.add_body(BodyDef::new("it", sphere).pose(pose));
        let shape = b.add_shape(it, ShapeDef::new(geometry.clone()));
        let probe = b.add_body(BodyDef::new("probe", sphere));
        let ball = b.add_shape(probe, ShapeDef::new(Geometry::Sphere { radius: POINT }));
        let model = b.build().unwrap();
        let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
        for _ in 0..60 {
            let origin = 3.0 * random.vector().normalize();
            let direction = (0.8 * random.vector() - origin).normalize();
            let hit = model.cast_ray(simulator.state(), origin, direction, 10.0, probe.into());
            let mut travelled = 0.0;
            let mut near = f64::INFINITY;
            for _ in 0..2000 {
                let at = origin + travelled * direction;
                simulator
                    .edit_state(|s| s.poses[probe.index()].position = at)
                    .unwrap();
                let gap = simulator
                    .distance(shape, ball, 10.0)
                    .map_or(10.0, |c| c.gap);
                near = near.min(gap);
                if gap < 2e-6 || travelled > 8.0 {
                    break;
                }
                travelled += gap;
            }
            match hit {
                Some(hit) => {
                    met += 1;
                    // There is no earlier hit, and the hit is on the surface.
                    let left = hit.distance - travelled;
                    assert!((-1e-5..1e-2).contains(&left), "{geometry:?}: {left}");
                    let end = hit.point;
                    simulator
                        .edit_state(|s| s.poses[probe.index()].position = end)
                        .unwrap();
                    let gap = simulator.distance(shape, ball, 1.0).unwrap().gap;
                    assert!(gap.abs() < 1e-5, "{geometry:?}: {gap}");
                    assert_eq!((hit.shape, hit.body), (shape, Some(it)));
                    assert!((hit.point - origin - hit.distance * direction).norm() < 1e-12);
                    assert!((hit.normal.norm() - 1.0).abs() < 1e-12);
                    assert!(hit.normal.dot(&direction) <= 1e-9, "{geometry:?}");
                }
                None => {
                    missed += 1;
                    assert!(near > 0.0, "{geometry:?} passes at {near}");
                }
            }
        }
    }
    assert!(met > 150 && missed > 50, "{met} {missed}");
}

#[test]
fn rays_from_inside_along_surfaces_and_to_nowhere() {
    for geometry in solids() {
        let model = world_of(geometry.clone(), Pose::identity());
        let state = model.initial_state();
        let z = Vec3::z();
        let inside = model.cast_ray(&state, Vec3::new(0.01, 0.02, -0.03), z, 9.0, None);
        let inside = inside.unwrap();
        assert_eq!((inside.distance, inside.normal), (0.0, -z), "{geometry:?}");
        let behind = model.cast_ray(&state, Vec3::new(0.0, 0.0, 2.0), z, 9.0, None);
        assert_eq!(behind, None, "{geometry:?}");
        let short = model.cast_ray(&state, Vec3::new(0.0, 0.0, 9.0), -z, 2.0, None);
        assert_eq!(short, None, "{geometry:?}");
        for bad in [Vec3::zeros(), Vec3::new(f64::NAN, 0.0, 1.0)] {
            assert_eq!(model.cast_ray(&state, Vec3::zeros(), bad, 9.0, None), None);
        }
        let lost = Vec3::new(f64::NAN, 0.0, 0.0);
        assert_eq!(model.cast_ray(&state, lost, z, 9.0, None), None);
    }
}

#[test]
fn rays_meet_the_ground_meshes_and_height_fields_but_not_pictures() {
    let mut b = ModelBuilder::new();
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    let seen = ShapeDef::new(Geometry::Sphere { radius: 5.0 }).group(CollisionGroup::NONE);
    b.add_shape(None, seen);
    // A tent: heights 0, 1, 0 along x.
    let field = Geometry::HeightField {
        nx: 3,
        ny: 2,
        heights: Arc::new(vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0]),
        size: [2.0, 2.0],
    };
    b.add_shape(None, ShapeDef::new(field).pose(Pose::at(10.0, 0.0, 0.0)));
    let vertices = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh = Geometry::TriangleMesh {
        vertices: Arc::new(vertices),
        triangles: Arc::new(triangles),
    };
    b.add_shape(None, ShapeDef::new(mesh).pose(Pose::at(20.0, 0.0, 1.0)));
    let model = b.build().unwrap();
    let state = model.initial_state();
    let down = |x: f64, y: f64| {
        let from = Vec3::new(x, y, 9.0);
        model
            .cast_ray(&state, from, -Vec3::z(), 99.0, None)
            .unwrap()
    };
    let ground = down(0.0, 0.0);
    assert_eq!(
        (ground.shape.0, ground.distance, ground.body),
        (0, 9.0, None)
    );
    assert_eq!(ground.normal, Vec3::z());
    let tent = down(10.25, 0.3);
    assert!((tent.distance - (9.0 - 0.75)).abs() < 1e-12);
    assert!((tent.normal - Vec3::new(1.0, 0.0, 1.0).normalize()).norm() < 1e-12);
    let corner = down(20.2, 0.3);
    assert!(
        (corner.distance - (9.0 - 1.5)).abs() < 1e-12,
        "{}",
        corner.distance
    );
    assert!((corner.normal - Vec3::repeat(1.0).normalize()).norm() < 1e-12);
}

#[test]
fn distances_are_those_of_geometry() {
    let mut b = ModelBuilder::new();
    let mass = MassProperties::solid_sphere(1.0, 0.1);
    let ball = b.add_body(BodyDef::new("ball", mass).at(0.0, 0.0, 2.0));
    let sphere = b.add_shape(ball, ShapeDef::new(Geometry::Sphere { radius: 0.5 }));
    let other = b.add_body(BodyDef::new("box", mass).at(3.0, 0.0, 2.0));
    let half_extents = Vec3::new(1.0, 1.0, 1.0);
    let cube = b.add_shape(other, ShapeDef::new(Geometry::Box { half_extents }));
    let floor = b.add_shape(None, ShapeDef::new(Geometry::HalfSpace));
    b.exclude(ball, other).exclude(other, None);
    let model = b.build().unwrap();
    assert_eq!(model.excluded_from_world(), [other]);
    let mut simulator = Simulator::new(model, Settings::default()).unwrap();
    let gap = |s: &mut Simulator, a, b| s.distance(a, b, 10.0).map(|c| c.gap);
    assert!((gap(&mut simulator, sphere, cube).unwrap() - 1.5).abs() < 1e-9);
    assert!((gap(&mut simulator, floor, sphere).unwrap() - 1.5).abs() < 1e-12);
    assert_eq!(
        simulator.distance(sphere, cube, 1.0),
        None,
        "farther than asked"
    );
    let near = simulator.body_distance(ball, None, 9.0).unwrap();
    assert!((near.point - Vec3::new(0.0, 0.0, 0.75)).norm() < 1e-12);
    assert!(!simulator.overlap(ball, other));
    simulator
        .edit_state(|s| s.poses[0].position.x = 1.7)
        .unwrap();
    assert!(simulator.overlap(ball, other));
    let depth = simulator.distance(cube, sphere, 1.0).unwrap();
    assert!((depth.gap + 0.2).abs() < 1e-9, "{depth:?}");
    // Queries ignore filters: they are excluded from each other, and the box from the floor.
    assert!(simulator.detect_contacts().is_empty());
    simulator
        .edit_state(|s| s.poses[1].position.z = 0.9)
        .unwrap();
    assert!(simulator.detect_contacts().is_empty());
}

/// A ball that falls from 5 cm, bounces once and rests: it begins, ends and begins to touch.
#[test]
fn events_tell_when_shapes_begin_and_end_to_touch() {
    let mut b = ModelBuilder::new();
    let bouncy = Material {
        restitution: 0.5,
        ..Material::default()
    };
    b.add_shape(None, ShapeDef::new(Geometry::HalfSpace).material(bouncy));
    let mass = MassProperties::solid_sphere(2.0, 0.1);
    let ball = b.add_body(BodyDef::new("ball", mass).at(0.0, 0.0, 0.15));
    b.add_shape(
        ball,
        ShapeDef::new(Geometry::Sphere { radius: 0.1 }).material(bouncy),
    );
    let model = b.build().unwrap();
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let mut events = ContactEvents::default();
    let mut times = Vec::new();
    for _ in 0..1000 {
        simulator.step(&Control::new(&model)).unwrap();
        for event in events.update(&simulator) {
            times.push((simulator.state().time, event.began));
        }
    }
    let fall = (2.0_f64 * 0.05 / 9.81).sqrt();
    assert!(times[0].1 && (times[0].0 - fall).abs() < 3e-3, "{times:?}");
    assert!(!times[1].1);
    // It comes back after twice the time to rise at half the speed.
    assert!(
        times[2].1 && (times[2].0 - 2.0 * fall).abs() < 5e-3,
        "{times:?}"
    );
    assert!(times.last().unwrap().1, "it rests in the end");
    assert_eq!(events.touching().count(), 1);
    // Solved to 1e-9 m/s, which is 2e-6 N for 2 kg in 1 ms.
    let contacts = simulator.contacts_of(ball);
    let weight: Vec3 = contacts.iter().map(|(_, force)| force).sum();
    assert!(
        (weight - Vec3::new(0.0, 0.0, 2.0 * 9.81)).norm() < 1e-5,
        "{weight}"
    );
}

//! Shapes, bodies and the contacts detected between them.

use crate::random::Random;
use linkwork::collision::{CollisionWorld, ContactPoint, DetectSettings};
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::{BodyId, CollisionGroup, Geometry, Material, Shape};
use std::sync::Arc;

pub const REST: DetectSettings = DetectSettings {
    margin: 1e-3,
    dt: 0.0,
};

pub fn shape(body: Option<u32>, geometry: Geometry) -> Shape {
    Shape {
        name: format!("shape of {body:?}"),
        body: body.map(BodyId),
        local: Pose::identity(),
        geometry,
        material: Material::default(),
        group: CollisionGroup::default(),
        colour: None,
        texture: None,
    }
}

pub fn cuboid(x: f64, y: f64, z: f64) -> Geometry {
    Geometry::Box {
        half_extents: Vec3::new(x, y, z),
    }
}

pub fn detect(shapes: &[Shape], poses: &[Pose], settings: DetectSettings) -> Vec<ContactPoint> {
    let mut world = CollisionWorld::new(shapes, &[]).unwrap();
    let twists = vec![Twist::zero(); poses.len()];
    let mut contacts = Vec::new();
    world.detect(poses, &twists, &settings, None, &mut contacts);
    contacts
}

/// Two bodies with one shape each.
pub fn pair(a: &Geometry, b: &Geometry, poses: [Pose; 2], margin: f64) -> Vec<ContactPoint> {
    let shapes = [shape(Some(0), a.clone()), shape(Some(1), b.clone())];
    detect(&shapes, &poses, DetectSettings { margin, dt: 0.0 })
}

/// A body (B) on a world shape (A).
pub fn on_world(ground: &Geometry, g: &Geometry, pose: Pose) -> Vec<ContactPoint> {
    detect(
        &[shape(None, ground.clone()), shape(Some(0), g.clone())],
        &[pose],
        REST,
    )
}

pub fn features(contacts: &[ContactPoint]) -> Vec<u64> {
    contacts.iter().map(|c| c.key.feature).collect()
}

pub fn deepest(contacts: &[ContactPoint]) -> Option<&ContactPoint> {
    contacts.iter().min_by(|x, y| x.gap.total_cmp(&y.gap))
}

pub fn hull_points() -> Vec<Vec3> {
    let mut random = Random(5);
    (0..24)
        .map(|_| random.direction().component_mul(&Vec3::new(0.3, 0.4, 0.5)))
        .collect()
}

pub fn solids() -> Vec<Geometry> {
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

pub fn flat_mesh(cells: usize, size: f64) -> Geometry {
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

pub fn flat_field(nx: usize, ny: usize, size: f64) -> Geometry {
    Geometry::HeightField {
        nx,
        ny,
        heights: Arc::new(vec![0.0; nx * ny]),
        size: [size, size],
    }
}

/// Bodies of all kinds in a heap.
pub fn heap(bodies: usize) -> (Vec<Shape>, Vec<Pose>, Vec<Twist>) {
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

//! Detection takes no memory once it has run.

#![allow(unsafe_code)]

use linkwork::collision::{CollisionWorld, DetectSettings};
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::{BodyId, CollisionGroup, Geometry, Material, Shape};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting.
struct Counting;

static COUNT: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is handed on unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        unsafe { System.dealloc(p, layout) }
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(p, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Forty solids of five kinds, close enough to overlap, on a plane and a mesh.
fn shapes() -> Vec<Shape> {
    let kinds = [
        Geometry::Sphere { radius: 0.1 },
        Geometry::Box {
            half_extents: Vec3::new(0.1, 0.08, 0.09),
        },
        Geometry::Capsule {
            radius: 0.06,
            half_length: 0.08,
        },
        Geometry::Cylinder {
            radius: 0.08,
            half_length: 0.09,
        },
        Geometry::ConvexHull {
            points: Arc::new((0..40).map(on_egg).collect()),
        },
    ];
    let shape = |body: Option<u32>, geometry: Geometry| Shape {
        name: format!("{body:?}"),
        body: body.map(BodyId),
        local: Pose::identity(),
        geometry,
        material: Material::default(),
        group: CollisionGroup::default(),
        colour: None,
        texture: None,
    };
    let solids = (0..40).map(|k| shape(Some(k), kinds[k as usize % 5].clone()));
    let ground = [Geometry::HalfSpace, slope()].map(|g| shape(None, g));
    ground.into_iter().chain(solids).collect()
}

/// Points all over an egg.
fn on_egg(k: u32) -> Vec3 {
    let z = f64::from(k) / 19.5 - 1.0;
    let (s, c) = (2.4 * f64::from(k)).sin_cos();
    let r = (1.0 - z * z).max(0.0).sqrt();
    Vec3::new(0.08 * r * c, 0.08 * r * s, 0.1 * z)
}

/// A mesh that rises from the plane.
fn slope() -> Geometry {
    let at = |k: u32| Vec3::new(f64::from(k / 9), f64::from(k % 9), 0.1 * f64::from(k / 9)) * 0.1;
    let corner = |i: u32, j: u32| 9 * i + j;
    let cells = (0..64).map(|k| (k / 8, k % 8));
    Geometry::TriangleMesh {
        vertices: Arc::new((0..81).map(at).collect()),
        triangles: Arc::new(
            cells
                .flat_map(|(i, j)| {
                    let [a, b] = [corner(i, j), corner(i + 1, j)];
                    [[a, b, b + 1], [a, b + 1, a + 1]]
                })
                .collect(),
        ),
    }
}

fn poses(step: usize) -> Vec<Pose> {
    (0..40)
        .map(|k| {
            let at = |n: usize| 0.16 * n as f64;
            let turn = Vec3::new(1.3, 0.7, -0.4) * (k as f64 + 0.05 * step as f64);
            Pose::at(at(k % 3), at(k / 3 % 3), 0.08 + at(k / 9)).rotated(turn)
        })
        .collect()
}

#[test]
fn detection_takes_no_memory_once_it_has_run() {
    let mut world = CollisionWorld::new(&shapes(), &[]).unwrap();
    let steps: Vec<Vec<Pose>> = (0..100).map(poses).collect();
    let twists = vec![Twist::zero(); 40];
    let settings = DetectSettings {
        margin: 1e-3,
        dt: 0.0,
    };
    let mut contacts = Vec::new();
    let mut run = || {
        let before = COUNT.load(Ordering::Relaxed);
        let mut found = 0;
        for poses in &steps {
            world.detect(poses, &twists, &settings, None, &mut contacts);
            found += contacts.len();
        }
        (found, COUNT.load(Ordering::Relaxed) - before)
    };
    let (found, first) = run();
    assert!(found > 5000 && first > 0, "{found} {first}");
    assert_eq!(run(), (found, 0));
}

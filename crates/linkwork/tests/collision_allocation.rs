//! Detection takes no memory once it has run.

#![allow(unsafe_code)]

use linkwork::collision::{CollisionWorld, DetectSettings};
use linkwork::math::{Pose, Twist, Vec3};
use linkwork::model::{BodyId, CollisionGroup, Geometry, Material, Shape};
use std::alloc::{GlobalAlloc, Layout, System};
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

/// Forty solids of four kinds, close enough to overlap, on a plane.
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
    ];
    let shape = |body: Option<u32>, geometry: Geometry| Shape {
        name: format!("{body:?}"),
        body: body.map(BodyId),
        local: Pose::identity(),
        geometry,
        material: Material::default(),
        group: CollisionGroup::default(),
    };
    let solids = (0..40).map(|k| shape(Some(k), kinds[k as usize % 4].clone()));
    std::iter::once(shape(None, Geometry::HalfSpace))
        .chain(solids)
        .collect()
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

//! Memory of a long run with contacts that open and close: memory in use, by a counting allocator, and resident memory.
//! `LINKWORK_MEMORY_STEPS=1000000` for the long run.
#![cfg(target_os = "linux")]
// An allocator is unsafe by nature. This one only counts.
#![allow(unsafe_code)]

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Geometry, JointDef, ModelBuilder, ShapeDef};
use linkwork::{Control, Settings, Simulator};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering};

/// The system's allocator, with the bytes in use counted.
struct Counting;

static IN_USE: AtomicI64 = AtomicI64::new(0);
/// The most that was ever in use, within steps too.
static PEAK: AtomicI64 = AtomicI64::new(0);

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size() as i64;
        let used = IN_USE.fetch_add(size, Ordering::Relaxed) + size;
        PEAK.fetch_max(used, Ordering::Relaxed);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size() as i64, Ordering::Relaxed);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Resident memory of this process, kB.
fn resident() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|l| l.starts_with("VmRSS")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// A tray with walls that a drive shakes to and fro, and a box, a ball, a capsule and a cylinder in it.
fn shaken_tray() -> (Simulator, Control) {
    let mut b = ModelBuilder::new();
    let half = Vec3::new(0.3, 0.15, 0.02);
    let tray =
        b.add_body(BodyDef::new("tray", MassProperties::solid_box(5.0, half)).at(0.0, 0.0, -0.02));
    b.add_joint(
        JointDef::prismatic("slide", None, tray)
            .axis(1.0, 0.0, 0.0)
            .drive(2e4, 500.0),
    );
    let wall = |x: f64, y: f64, hx: f64, hy: f64| {
        let half_extents = Vec3::new(hx, hy, 0.2);
        ShapeDef::new(Geometry::Box { half_extents }).pose(Pose::at(x, y, 0.2))
    };
    b.add_shape(tray, ShapeDef::new(Geometry::Box { half_extents: half }));
    for side in [-1.0, 1.0] {
        b.add_shape(tray, wall(side * 0.32, 0.0, 0.02, 0.19));
        b.add_shape(tray, wall(0.0, side * 0.17, 0.3, 0.02));
    }
    let kinds = [
        Geometry::Box {
            half_extents: Vec3::new(0.04, 0.03, 0.05),
        },
        Geometry::Sphere { radius: 0.04 },
        Geometry::Capsule {
            radius: 0.03,
            half_length: 0.03,
        },
        Geometry::Cylinder {
            radius: 0.04,
            half_length: 0.03,
        },
    ];
    for (k, kind) in kinds.into_iter().enumerate() {
        let mass = MassProperties::solid_sphere(0.3, 0.04);
        let x = 0.12 * k as f64 - 0.18;
        let body = b.add_body(BodyDef::new(format!("part{k}"), mass).at(x, 0.02, 0.1));
        b.add_shape(body, ShapeDef::new(kind));
    }
    let model = b.build().unwrap();
    let control = Control::new(&model);
    (Simulator::new(model, Settings::default()).unwrap(), control)
}

#[test]
fn resident_memory_stays_where_it_was_over_a_long_run_with_contacts() {
    let steps = std::env::var("LINKWORK_MEMORY_STEPS").map_or(100_000, |s| s.parse().unwrap());
    let (mut simulator, mut control) = shaken_tray();
    let dt = simulator.settings().dt;
    let (mut contacts, mut least, mut most) = (0, usize::MAX, 0);
    let (mut course, mut peaks) = (Vec::new(), Vec::new());
    // Steps of the second half after which more memory is in use than ever before.
    let (mut record, mut records) = (0, 0);
    for step in 0..steps {
        control.targets[0] = 0.08 * (9.0 * step as f64 * dt).sin();
        let report = simulator.step(&control).unwrap();
        contacts += report.contacts;
        least = least.min(report.contacts);
        most = most.max(report.contacts);
        let used = IN_USE.load(Ordering::Relaxed);
        if step % (steps / 8) == 0 {
            course.push((used, resident()));
            peaks.push(PEAK.load(Ordering::Relaxed));
        }
        if used > record {
            record = used;
            records += usize::from(step >= steps / 2);
        }
    }
    let (used, resident_half) = course[4];
    println!(
        "{steps} steps, {:.1} contacts per step ({least} to {most}): bytes in use and kB resident {course:?}; in the second half {records} \
         steps needed more than ever before, {} B",
        contacts as f64 / steps as f64,
        record - used
    );
    assert!(
        most >= least + 4 && contacts > 4 * steps,
        "contacts come and go"
    );
    // Whatever leaked, a byte a step or a contact, would set a record at every other step. Buffers set one where a step has more
    // rows that can slip than any before it, which is ever rarer.
    assert!(records <= steps / 5000, "{records} records");
    // Resident memory grows only by the needs of single steps. A buffer that grows is copied, and the old one stays
    // resident after it is freed.
    let needed = PEAK.load(Ordering::Relaxed) - peaks[4];
    let grown = resident() - resident_half - 2 * needed / 1024;
    assert!(grown < 200.max(steps as i64 / 2 / 1024), "{grown} kB more");
}

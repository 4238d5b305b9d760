//! Resident memory of a long run with contacts that come and go. `LINKWORK_MEMORY_STEPS=1000000` for the long run.
#![cfg(target_os = "linux")]

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, Geometry, JointDef, ModelBuilder, ShapeDef};
use linkwork::{Control, Settings, Simulator};

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
    let mut course = Vec::new();
    for step in 0..steps {
        control.targets[0] = 0.08 * (9.0 * step as f64 * dt).sin();
        let report = simulator.step(&control).unwrap();
        contacts += report.contacts;
        least = least.min(report.contacts);
        most = most.max(report.contacts);
        if step % (steps / 8) == 0 {
            course.push(resident());
        }
    }
    // Buffers grow to the largest step that there is, and rare steps are large: the second half counts.
    let grown = resident() - course[4];
    println!(
        "{steps} steps, {:.1} contacts a step ({least} to {most}): {course:?} kB, {grown} kB more in the second half",
        contacts as f64 / steps as f64
    );
    assert!(
        most >= least + 4 && contacts > 4 * steps,
        "contacts come and go"
    );
    // One leaked number a step would be 8 bytes. What the allocator has between its blocks is below that.
    let leak = 8 * steps as i64 / 2 / 1024;
    assert!(grown < leak.max(200), "{grown} kB more");
}

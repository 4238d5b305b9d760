//! A step with warm buffers of a jointed scene allocates nothing, and long runs do not grow.
//!
//! Only the test's own thread is counted, so that tests may run in parallel.

// The one place that needs it: an allocator is unsafe by nature. This one only counts.
#![allow(unsafe_code)]

use linkwork::Scene;
use linkwork::joints::{Chain, ChainLink};
use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{
    Anchor, BodyDef, Coupling, JointDef, ModelBuilder, Tendon, Waypoint, WrapForm,
};
use linkwork::{Control, Settings, Simulator};
use linkwork_scenes::scene;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    /// Allocations of this thread, and the bytes it holds.
    static COUNT: Cell<(u64, i64)> = const { Cell::new((0, 0)) };
}

fn count(allocations: u64, bytes: i64) {
    // At the end of a thread its locals are destroyed: nothing is measured then.
    let _ = COUNT.try_with(|c| {
        let (n, b) = c.get();
        c.set((n + allocations, b + bytes));
    });
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -(layout.size() as i64));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size as i64 - layout.size() as i64);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Steps until all buffers have grown.
const WARM_UP: usize = 200;

/// (allocations, growth in bytes) of `steps` steps of a scene after the warm-up.
fn allocated(name: &str, set: &[(&str, f64)], steps: usize) -> (u64, i64) {
    let seen = allocated_by(scene(name, set).unwrap(), steps);
    println!(
        "{name} {set:?}: {} allocations, {} bytes in {steps} steps",
        seen.0, seen.1
    );
    seen
}

fn allocated_by(scene: Scene, steps: usize) -> (u64, i64) {
    allocated_with(scene, WARM_UP, steps).0
}

/// The same with another warm-up, and the number of contacts in the last step.
fn allocated_with(mut scene: Scene, warm_up: usize, steps: usize) -> ((u64, i64), usize) {
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let mut control = Control::new(&model);
    let (mut seen, mut contacts) = ((0, 0), 0);
    for i in 0..warm_up + steps {
        if let Some(script) = &mut scene.script {
            script(&model, simulator.state(), &mut control);
        }
        let before = COUNT.get();
        contacts = simulator.step(&control).unwrap().contacts;
        let after = COUNT.get();
        if i >= warm_up {
            seen.0 += after.0 - before.0;
            seen.1 += after.1 - before.1;
        }
    }
    (seen, contacts)
}

#[test]
fn the_allocator_counts() {
    let before = COUNT.get();
    let kept = std::hint::black_box(vec![0u8; 1000]);
    let after = COUNT.get();
    assert!(after.0 > before.0 && after.1 - before.1 >= 1000);
    drop(kept);
    assert_eq!(COUNT.get().1, before.1);
}

#[test]
fn passive_fourbar_step_allocates_nothing() {
    assert_eq!(allocated("fourbar_fixed", &[], 1000), (0, 0));
}

#[test]
fn driven_fourbar_step_allocates_nothing() {
    assert_eq!(allocated("fourbar_fixed", &[("drive", 1.0)], 1000), (0, 0));
}

#[test]
fn coupled_fourbars_step_allocates_nothing() {
    assert_eq!(allocated("coupled_fourbars", &[("n", 16.0)], 1000), (0, 0));
}

#[test]
fn slider_crank_step_allocates_nothing() {
    assert_eq!(allocated("slider_crank", &[], 1000), (0, 0));
}

#[test]
fn pendulum_with_friction_step_allocates_nothing() {
    let set = [("n", 5.0), ("friction", 0.2)];
    assert_eq!(allocated("pendulum", &set, 1000), (0, 0));
}

/// A rod on a slide and two hinges in one chain, a second rod led by a cam, and a sprung, driven and
/// limited tendon over both.
#[test]
fn chain_cam_and_tendon_step_allocates_nothing() {
    let mut b = ModelBuilder::new();
    let rod = MassProperties::solid_capsule(1.0, 0.02, 0.2);
    let first = b.add_body(BodyDef::new("first", rod).at(0.0, 0.0, -0.2));
    let second = b.add_body(BodyDef::new("second", rod).at(1.0, 0.0, -0.2));
    let links = vec![
        ChainLink::hinge(Vec3::y(), Vec3::zeros()),
        ChainLink::slide(Vec3::z()),
        ChainLink::hinge(Vec3::x(), Vec3::new(0.0, 0.0, -0.1)),
    ];
    let chain = JointDef::new("chain", Chain { links }, None, first);
    let chain = b.add_joint(chain.with(1, |a| a.spring.stiffness = 200.0));
    let hinge = JointDef::revolute("hinge", None, second).anchor(1.0, 0.0, 0.0);
    let hinge = b.add_joint(hinge.axis(0.0, 1.0, 0.0));
    let cam = [0.0, 1.0, 0.3, -0.2, 0.0];
    b.add_coupling(Coupling::polynomial("cam", hinge, chain, (0.0, 0.0), cam));
    let tendon = Tendon::new("tendon", &[(chain, 2, 1.0), (hinge, 0, 0.5)]);
    b.add_tendon(
        tendon
            .limits(-0.1, 0.3)
            .drive(5.0, 0.1)
            .spring(2.0, 0.4, 0.1),
    );
    let scene = Scene {
        model: b.build().unwrap(),
        settings: Settings::default(),
        script: None,
    };
    assert_eq!(allocated_by(scene, 1000), (0, 0));
}

/// Two swinging rods with an elastic, limited cord between them that wraps around a peg now and then.
#[test]
fn a_cord_around_a_peg_allocates_nothing() {
    let mut b = ModelBuilder::new();
    let rod = MassProperties::solid_capsule(1.0, 0.02, 0.2);
    let ends = [-0.3, 0.3].map(|x| {
        let body = b.add_body(BodyDef::new(format!("rod {x}"), rod).at(x, 0.0, -0.2));
        let hinge = JointDef::revolute(format!("hinge {x}"), None, body).anchor(x, 0.0, 0.0);
        b.add_joint(hinge.axis(0.0, 1.0, 0.0));
        Waypoint::Point(Anchor::new(Some(body), Vec3::new(0.0, 0.0, -0.2)))
    });
    let peg = Waypoint::Wrap {
        body: None,
        pose: Pose::at(0.0, 0.0, -0.4),
        form: WrapForm::Sphere,
        radius: 0.1,
        side: None,
    };
    let cord = Tendon::spatial("cord", [ends[0], peg, ends[1]]);
    let cord = cord.with(|axis| axis.armature = 0.1);
    b.add_tendon(cord.limits(0.0, 0.9).spring(5.0, 0.4, 0.1));
    let scene = Scene {
        model: b.build().unwrap(),
        settings: Settings::default(),
        script: None,
    };
    assert_eq!(allocated_by(scene, 1000), (0, 0));
}

/// Joints, drives, limits and contacts: a humanoid that stands and a four-bar that lies on the floor. Remaining growth
/// is bounded by the number of possible contacts; with the solver that eliminates joints.
#[test]
fn steps_with_joints_and_contacts_allocate_nothing() {
    for (name, settle) in [("humanoid20", 600), ("fourbar_free", 1500)] {
        let mut scene = scene(name, &[]).unwrap();
        scene.settings.solver = "condensed".to_owned();
        let (seen, contacts) = allocated_with(scene, settle, 200);
        assert!(contacts > 0, "{name} does not touch anything");
        assert_eq!(seen, (0, 0), "{name}");
    }
}

/// A heap that has come to rest; what may still grow is bounded as above.
#[test]
fn steps_of_a_heap_at_rest_allocate_nothing() {
    let heap = scene("heap", &[("n", 24.0)]).unwrap();
    let (seen, contacts) = allocated_with(heap, 4000, 100);
    assert!(contacts > 40, "{contacts} contacts");
    assert_eq!(seen, (0, 0));
}

/// A four-bar that lies on the floor.
#[test]
fn a_long_run_with_contacts_does_not_grow() {
    let scene = scene("fourbar_free", &[]).unwrap();
    let (seen, contacts) = allocated_with(scene, 2000, 20_000);
    assert!(contacts > 0, "it does not touch anything");
    assert_eq!(seen, (0, 0));
}

#[test]
fn a_run_of_1e5_steps_does_not_grow() {
    assert_eq!(allocated("fourbar_fixed", &[], 100_000), (0, 0));
}

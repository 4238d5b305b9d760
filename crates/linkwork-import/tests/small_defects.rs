//! Small files with what robots of others broke: heavy closures, pushes that friction locks, cords through rings.

mod common;

use common::Folder;
use linkwork::{Run, RunSummary, Settings, Simulator};
use linkwork_import::{Options, load};
use std::ops::ControlFlow;

/// Run a file for `time` (s) at 1 ms.
fn run(inside: &str, time: f64) -> RunSummary {
    let folder = Folder::new();
    let file = folder.write("m.xml", format!("<mujoco>{inside}</mujoco>"));
    let made = load(&file, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let settings = Settings::with(|s| s.dt = 1e-3);
    let simulator = Simulator::new(made.model, settings).unwrap();
    Run::new(simulator, None).time(time, |_| ControlFlow::Continue(()))
}

/// The load of a five-bar falls until one of its arms is stretched, whose elbow whips through: with √(m/M) rad to hand all
/// of the energy to the rods and back. Lighter and heavier loads alike must come out of it.
#[test]
fn the_load_of_a_five_bar_passes_the_stretched_pose() {
    // Upper and lower rods from the vertical, so that the ends meet.
    let upper = 20f64.to_radians();
    let lower = (upper.sin() + 0.15 / 0.46).asin();
    let (a, b) = (upper.to_degrees(), (upper + lower).to_degrees());
    for mass in [0.6, 600.0, 1.3e6] {
        let rod = "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.46' mass='25'/>";
        let hinge = "<joint type='hinge' axis='0 1 0'/>";
        let text = format!(
            "<option><flag contact='disable'/></option><worldbody>\
             <body pos='-.15 0 0' euler='0 {a} 0'>{hinge}{rod}<body pos='0 0 -.46' euler='0 -{b} 0'>{hinge}{rod}\
             <body name='load' pos='0 0 -.46'>{hinge}<inertial pos='0 0 0' mass='{mass}' diaginertia='{i} {i} {i}'/>\
             <site name='l'/></body></body></body>\
             <body pos='.15 0 0' euler='0 -{a} 0'>{hinge}{rod}<body pos='0 0 -.46' euler='0 {b} 0'>{hinge}{rod}\
             <site name='r' pos='0 0 -.46'/></body></body></worldbody>\
             <equality><connect site1='l' site2='r'/></equality>",
            i = 2.5e-4 * mass
        );
        let summary = run(&text, 0.5);
        println!(
            "{mass} kg: {} failed, {:.2e} of the energy off",
            summary.solves_failed, summary.energy_drift
        );
        assert_eq!(summary.solves_failed, 0, "{mass}");
        assert!(
            summary.energy_drift.abs() < 0.01,
            "{mass}: {}",
            summary.energy_drift
        );
    }
}

/// A tetrahedron half a metre deep in the ground, beside a similar one and under a ball: friction locks it.
#[test]
fn pushes_that_friction_locks_give_way() {
    let text = "<asset><mesh name='t' vertex='0 0 0  1 0 0  0 1 0  0 0 1'/></asset>\
                <worldbody><geom size='0 0 .05' type='plane'/>\
                <body pos='.2 0 -.5'><geom type='mesh' mesh='t'/></body>\
                <body pos='.3 0 -.5'><freejoint/><geom name='a' type='mesh' mesh='t'/></body>\
                <geom name='b' size='.2' contype='0' conaffinity='0' pos='.3 0 .4'/></worldbody>\
                <contact><pair geom1='a' geom2='b'/></contact>";
    let summary = run(text, 0.5);
    assert_eq!(summary.solves_failed, 0);
    assert!(
        summary.energy_drift.abs() < 0.01,
        "{}",
        summary.energy_drift
    );
}

/// A cord whose end leaves the ring that it passes through: its length falls while the end comes out, and grows beyond.
#[test]
fn the_end_of_a_cord_may_leave_the_ring_that_it_passes_through() {
    let text = "<worldbody><site name='bulb'/><geom name='bulb' size='.3' contype='0' conaffinity='0'/>\
                <body pos='.2 0 0'><freejoint/><site name='a'/><geom size='.03' condim='1'/></body>\
                <body pos='1.2 .1 0'><freejoint/><site name='b'/><geom size='.1' condim='1'/></body></worldbody>\
                <tendon><spatial range='0 .5'><site site='a'/><geom geom='bulb' sidesite='bulb'/><site site='b'/></spatial></tendon>";
    let summary = run(text, 1.0);
    assert_eq!(summary.solves_failed, 0);
    assert!(
        summary.energy_drift.abs() < 0.01,
        "{}",
        summary.energy_drift
    );
}

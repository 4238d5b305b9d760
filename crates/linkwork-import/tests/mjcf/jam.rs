//! Shapes that overlap from the start and cannot separate.

use crate::{import, soft, told};
use linkwork::{Control, Settings, Simulator};
use linkwork_import::{Imported, Severity};
use linkwork_solve::Status;

const TOLD: &str = "start inside each other";

fn simulator(imported: &Imported) -> Simulator {
    Simulator::new(imported.model.clone(), Settings::default()).unwrap()
}

/// A base that is part of the world, and a shoulder on a vertical hinge that reaches 1 cm into it.
fn shoulder(hinge: &str) -> String {
    format!(
        "<worldbody><geom type='plane' size='9 9 1'/>
         <body pos='0 0 1'><geom type='cylinder' size='.1 .05'/>
         <body name='arm' pos='0 0 .09'><joint {hinge}/><geom type='cylinder' size='.08 .05' mass='2'/></body></body>
         </worldbody><keyframe><key name='turning' qvel='3'/></keyframe>"
    )
}

/// The hinge allows no separation: without the contact the shoulder turns forever, and with it no step has a solution.
#[test]
fn a_shoulder_in_its_base_turns_freely() {
    let imported = import("jam-shoulder", &shoulder("axis='0 0 1'"));
    assert!(told(&imported, Severity::Warning, TOLD));
    let model = &imported.model;
    let mut simulator = simulator(&imported);
    let turning = model.keyframe_state(&model.keyframes()[0]);
    simulator.set_state(turning).unwrap();
    let control = Control::new(model);
    for _ in 0..500 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged);
        assert_eq!(report.contacts, 0);
    }
    let angle = simulator.state().coordinates[0];
    assert!((angle - 1.5).abs() < 1e-9, "{angle}");
}

/// On a vertical slide the same overlap goes, and the shoulder comes to rest on the base.
#[test]
fn what_can_come_apart_is_pushed_apart() {
    let imported = import("jam-slide", &shoulder("type='slide' axis='0 0 1'"));
    assert!(!told(&imported, Severity::Warning, TOLD));
    let mut simulator = simulator(&imported);
    let control = Control::new(&imported.model);
    let mut last = None;
    for _ in 0..500 {
        last = Some(simulator.step(&control).unwrap());
    }
    let report = last.unwrap();
    assert!(report.contacts > 0);
    assert!(report.penetration < 1e-8, "{}", report.penetration);
    let height = simulator.state().coordinates[0];
    assert!((height - 0.01).abs() < 1e-6, "{height}");
}

/// A slide at its upper limit cannot rise.
#[test]
fn limits_can_jam() {
    let limited = "type='slide' axis='0 0 1' limited='true' range='-.1 0'";
    let imported = import("jam-limit", &shoulder(limited));
    assert!(told(&imported, Severity::Warning, TOLD));
    // With room for all of the overlap it can.
    let limited = "type='slide' axis='0 0 1' limited='true' range='-.1 .02'";
    let imported = import("jam-no-limit", &shoulder(limited));
    assert!(!told(&imported, Severity::Warning, TOLD));
}

/// Soft contacts yield, so they stay.
#[test]
fn soft_contacts_stay() {
    let imported = soft("jam-soft", &shoulder("axis='0 0 1'"));
    assert!(!told(&imported, Severity::Warning, TOLD));
    let mut simulator = simulator(&imported);
    let report = simulator.step(&Control::new(&imported.model)).unwrap();
    assert!(report.contacts > 0);
    assert_eq!(report.status, Status::Converged);
}

/// Two balls with a third squeezed between them by other bodies only: contacts of free bodies are not affected.
#[test]
fn free_bodies_are_left_alone() {
    let text = "<worldbody><geom type='plane' size='9 9 1'/>
      <body pos='0 0 .08'><freejoint/><geom size='.1'/></body>
      <body pos='0 0 .26'><freejoint/><geom size='.1'/></body></worldbody>";
    let imported = import("jam-free", text);
    assert!(!told(&imported, Severity::Warning, TOLD));
    let mut simulator = simulator(&imported);
    assert_eq!(simulator.detect_contacts().len(), 2);
}

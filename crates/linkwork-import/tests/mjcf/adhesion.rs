//! Adhesion: bodies held where they touch.

use crate::{import, told};
use linkwork::sensors::{LastStep, Sensor};
use linkwork::{Adhesion, Control, Settings, Simulator};
use linkwork_import::Severity;
use std::ops::ControlFlow;

/// A box of 2 kg against the ceiling, on a part of its own that touches.
const HANGING: &str = "<worldbody><geom type='box' size='1 1 .1' pos='0 0 1.1'/>\
                       <body name='b' pos='0 0 .9'><freejoint/><geom type='box' size='.2 .2 .05' pos='0 0 -.05' mass='1'/>\
                       <body name='cup'><site name='s' size='.5'/><geom type='box' size='.1 .1 .1' mass='1'/></body></body>\
                       </worldbody><actuator><adhesion name='suck' body='cup' ctrlrange='0 2' gain='10'/></actuator>\
                       <sensor><touch site='s'/></sensor>";
const WEIGHT: f64 = 2.0 * 9.81;

/// Height (m) after 0.2 s at a control, and the touch sensor.
fn held(control: f64) -> (f64, f64) {
    let made = import("adhesion", HANGING);
    let mechanism = &made.model;
    assert_eq!(mechanism.actuators().len(), 1);
    assert_eq!(mechanism.actuators()[0].control_range, Some([0.0, 2.0]));
    let simulator = Simulator::new(mechanism.clone(), Settings::default()).unwrap();
    let mut run = linkwork::Run::new(simulator, None);
    let state = run.simulator().state().clone();
    mechanism.actuate(&[control], &state, run.control_mut());
    let mut touch = f64::NAN;
    run.steps(200, |moment| {
        if let Some(last) = LastStep::of(moment) {
            let sensor: &Sensor = &mechanism.sensors()[0];
            touch = mechanism.read(sensor, &state, Some(&last)).unwrap()[0];
        }
        ControlFlow::Continue(())
    });
    let body = &mechanism.bodies()[0];
    (
        run.simulator().state().poses[0].position.z - body.pose.position.z,
        touch,
    )
}

#[test]
fn a_cup_holds_what_it_can_carry() {
    // Twenty newtons carry 19.62; the contact carries the rest. A control beyond the range has no further effect.
    for control in [2.0, 5.0] {
        let (moved, touch) = held(control);
        assert!(moved.abs() < 1e-7, "{moved}");
        assert!((touch - (20.0 - WEIGHT)).abs() < 1e-4, "{touch}");
    }
    // Nineteen do not: it comes off by the micrometre within which it touches, and falls freely.
    let (moved, touch) = held(1.9);
    let off = (2.0 * 1e-6 * 2.0 / (WEIGHT - 19.0)).sqrt();
    let fall = 0.5 * 9.81 * (0.2 - off).powi(2);
    // To within a step.
    assert!((moved + fall).abs() < 9.81 * 0.2 * 1e-3, "{moved} {fall}");
    assert_eq!(touch, 0.0);
}

#[test]
fn an_adhesion_that_pushes_is_refused() {
    let made = import("pushes", HANGING);
    let model = &made.model;
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let mut control = Control::new(model);
    let shapes = vec![linkwork::model::ShapeId(0)];
    let adhesion = |force: f64| Adhesion {
        shapes: shapes.clone(),
        force,
    };
    for (wrong, text) in [
        (adhesion(-1.0), "must be finite and not negative"),
        (adhesion(f64::NAN), "must be finite and not negative"),
        (
            Adhesion {
                shapes: vec![linkwork::model::ShapeId(99)],
                force: 1.0,
            },
            "names shape 99",
        ),
    ] {
        control.adhesions = vec![wrong];
        let error = simulator.step(&control).expect_err(text).to_string();
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn a_body_without_geoms_has_nothing_to_hold_with() {
    let made = import(
        "no-cup",
        "<worldbody><body><freejoint/><geom size='.1'/><body name='cup'/></body></worldbody>\
         <actuator><adhesion body='cup' ctrlrange='0 1'/></actuator>",
    );
    assert!(made.model.actuators().is_empty());
    assert!(told(&made, Severity::Warning, "has no geoms that touch"));
}

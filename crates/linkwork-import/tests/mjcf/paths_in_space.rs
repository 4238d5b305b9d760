//! Spatial tendons.

use crate::{import, near, refused, soft, told};
use linkwork::model::{TendonId, Waypoint};
use linkwork::{Control, Settings, Simulator};
use linkwork_import::Severity;
use std::f64::consts::PI;

/// Two slides along z with a drum between and above them, both 1 m below its axis.
const DRUM: &str = "<worldbody><geom name='drum' type='cylinder' size='.2 .1' euler='90 0 0' contype='0' \
                    conaffinity='0'/><site name='top' pos='0 0 1'/>\
                    <body name='a' pos='-.2 0 -1'><joint name='ja' type='slide' axis='0 0 1'/><geom size='.05' mass='3'/>\
                    <site name='sa'/><site name='sx' pos='.01 0 0'/></body>\
                    <body name='b' pos='.2 0 -1'><joint name='jb' type='slide' axis='0 0 1'/><geom size='.05' mass='2'/>\
                    <body pos='0 0 -.5'><site name='sb' pos='0 0 .5'/><geom size='.01' mass='0'/></body></body></worldbody>";

fn cord(attributes: &str, more: &str) -> String {
    format!(
        "{DRUM}<tendon><spatial name='cord' {attributes}><site site='sa'/><geom geom='drum' sidesite='top'/>\
         <site site='sb'/></spatial></tendon>{more}"
    )
}

#[test]
fn a_cord_over_a_drum_has_its_length_at_home_and_its_spring_rests_there() {
    let made = import(
        "drum",
        &cord(
            "stiffness='50' damping='2' frictionloss='.5' armature='.1' range='1 3'",
            "<actuator><motor tendon='cord' gear='2'/></actuator><sensor><tendonpos tendon='cord'/></sensor>",
        ),
    );
    let model = &made.model;
    let state = model.initial_state();
    let home = 2.0 + PI * 0.2;
    assert!(near(&[state.tendon_length(model, TendonId(0))], &[home]));
    let axis = &model.tendons()[0].axis;
    assert!(near(
        &[axis.spring.rest, axis.spring.stiffness],
        &[home, 50.0]
    ));
    assert!(near(
        &[axis.friction, axis.armature, axis.spring.damping],
        &[0.5, 0.1, 2.0]
    ));
    assert_eq!(axis.limits.map(|l| [l.min, l.max]), Some([1.0, 3.0]));
    let sensor = &made.model.sensors()[0];
    assert!(near(
        &made.model.read(sensor, &state, None).unwrap(),
        &[home]
    ));
    // The motor's force through its gear shortens or lengthens the cord.
    let mut control = Control::new(model);
    made.model.actuate(&[3.0], &state, &mut control);
    assert!(near(&control.tendon_forces, &[6.0]));
}

/// A motor that pulls with T lifts each weight by T/m.
#[test]
fn an_actuator_pulls_both_ends() {
    let made = import(
        "pull",
        &cord("", "<actuator><motor tendon='cord'/></actuator>"),
    );
    let model = &made.model;
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let mut control = Control::new(model);
    for _ in 0..100 {
        let state = simulator.state().clone();
        made.model.actuate(&[-40.0], &state, &mut control);
        simulator.step(&control).unwrap();
    }
    for (pose, mass) in simulator.state().poses.iter().zip([3.0, 2.0]) {
        let rise = 0.5 * (40.0 / mass - 9.81) * 0.01;
        assert!(
            (pose.position.z + 1.0 - rise).abs() < 1e-6,
            "{} {rise}",
            pose.position.z
        );
    }
}

/// w of a soft limit is J M⁻¹ Jᵀ: here 1/3 + 1/2.
#[test]
fn a_soft_limit_feels_the_inertia_of_both_ends() {
    let made = soft("soft-cord", &cord("range='0 2.7' limited='true'", ""));
    let limits = made.model.tendons()[0].axis.limits.unwrap();
    let softness = limits.softness.expect("it yields");
    assert!(near(&[softness.inverse_inertia], &[1.0 / 3.0 + 0.5]));
}

#[test]
fn pulleys_divide_what_follows() {
    let made = import(
        "pulley",
        &format!(
            "{DRUM}<tendon><spatial name='l'><site site='top'/><site site='sa'/><pulley divisor='4'/>\
             <site site='top'/><site site='sb'/></spatial></tendon>"
        ),
    );
    let tendon = &made.model.tendons()[0];
    assert!(matches!(tendon.path[2], Waypoint::Pulley { divisor } if divisor == 4.0));
    let state = made.model.initial_state();
    let length = state.tendon_length(&made.model, TendonId(0));
    assert!(near(&[length], &[1.25 * 2f64.hypot(0.2)]));
}

#[test]
fn a_cord_on_one_body_is_told_and_impossible_paths_are_refused() {
    let tendon =
        |inside: &str| format!("{DRUM}<tendon><spatial name='l'>{inside}</spatial></tendon>");
    let made = import(
        "one-body",
        &format!(
            "{}<actuator><motor tendon='l'/></actuator>",
            tendon("<site site='sa'/><site site='sx'/>")
        ),
    );
    assert!(told(&made, Severity::Warning, "tendon 'l' is left out"));
    let pulled = "it pulls on a tendon that is left out";
    assert!(told(&made, Severity::Warning, pulled));
    for (name, inside, what) in [
        ("lone", "<site site='sa'/>", "fewer than two sites"),
        (
            "last",
            "<site site='sa'/><site site='sb'/><geom geom='drum'/>",
            "no site",
        ),
        (
            "zero",
            "<site site='sa'/><pulley divisor='0'/><site site='sb'/>",
            "divisor",
        ),
        (
            "none",
            "<site site='sa'/><geom geom='nosuch'/><site site='sb'/>",
            "geom",
        ),
    ] {
        let error = refused(&format!("path-{name}"), &tendon(inside));
        assert!(error.to_string().contains(what), "{name}: {error}");
    }
}

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
    let pulled = "its tendon is left out";
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

/// A cord of fixed length over a drum is an Atwood machine: the weights, 3 and 2 kg, move with g/5.
#[test]
fn an_equality_of_a_spatial_tendon_keeps_its_length() {
    let made = import(
        "atwood",
        &cord("", "<equality><tendon tendon1='cord'/></equality>"),
    );
    let model = &made.model;
    let home = model.initial_state().tendon_length(model, TendonId(0));
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(model);
    for _ in 0..500 {
        let report = simulator.step(&control).unwrap();
        assert!(report.status.is_solved(), "{report:?}");
        let length = simulator.state().tendon_length(model, TendonId(0));
        assert!((length - home).abs() < 1e-9, "{length} {home}");
    }
    for (pose, sense) in simulator.state().poses.iter().zip([-1.0, 1.0]) {
        let way = sense * 0.5 * 9.81 / 5.0 * 0.25;
        assert!(
            (pose.position.z + 1.0 - way).abs() < 1e-6,
            "{}",
            pose.position.z
        );
    }
}

/// L₁ − L₁₀ = a₁ (L₂ − L₂₀) of two tendons, one of which has a pulley; with a fixed tendon instead of the second, too.
#[test]
fn equalities_relate_spatial_and_fixed_tendons() {
    let text = |second: &str, a1: f64| {
        format!(
            "{DRUM}<tendon><spatial name='l'><site site='top'/><site site='sa'/></spatial>\
             <spatial name='r'><site site='top'/><site site='sa'/><pulley divisor='2'/><site site='top'/><site site='sb'/></spatial>\
             <fixed name='f'><joint joint='jb' coef='-1'/></fixed></tendon>\
             <equality><tendon tendon1='l' tendon2='{second}' polycoef='0 {a1}'/></equality>"
        )
    };
    for (second, a1) in [("r", 2.0), ("r", -3.0), ("f", -0.5)] {
        let made = import("related", &text(second, a1));
        let model = &made.model;
        let number = if second == "r" { 1 } else { 2 };
        let lengths = |simulator: &Simulator| {
            [0, number].map(|t| simulator.state().tendon_length(model, TendonId(t)))
        };
        let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
        let home = lengths(&simulator);
        let control = Control::new(model);
        let mut moved = 0.0f64;
        for _ in 0..300 {
            let report = simulator.step(&control).unwrap();
            assert!(report.status.is_solved(), "{report:?}");
            let now = lengths(&simulator);
            let off = now[0] - home[0] - a1 * (now[1] - home[1]);
            assert!(off.abs() < 1e-9, "{second} {a1}: {off}");
            moved = moved.max((now[0] - home[0]).abs());
        }
        assert!(moved > 0.02, "{moved}");
    }
}

#[test]
fn a_tendon_spring_has_a_dead_band_between_two_lengths() {
    let made = import("band", &cord("stiffness='50' springlength='2.5 2.8'", ""));
    let spring = made.model.tendons()[0].axis.spring;
    assert!(near(&[spring.rest, spring.band], &[2.5, 0.3]));
    let error = refused("turned", &cord("stiffness='50' springlength='2.8 2.5'", ""));
    assert!(error.what.contains("springlength"), "{error}");
}

//! Actuators: gains, ranges, transmissions.

use crate::{hinged, import, near, told};
use linkwork::actuators::Transmission;
use linkwork::model::FrameId;
use linkwork_import::Severity;

/// Gain and bias of all actuators.
fn forces(name: &str, default: &str, actuators: &str) -> Vec<(f64, [f64; 3])> {
    let text = format!(
        "<default>{default}</default>{}<actuator>{actuators}</actuator>",
        hinged("")
    );
    let made = import(name, &text);
    made.model
        .actuators()
        .iter()
        .map(|a| (a.gain, a.bias))
        .collect()
}

#[test]
fn shortcuts_are_settings_of_the_general_actuator() {
    let made = forces(
        "shortcuts",
        "",
        "<motor joint='j'/><position joint='j' kp='7' kv='2'/><velocity joint='j' kv='3'/>\
         <general joint='j' gainprm='5' biastype='affine' biasprm='1 -5 -.5'/>",
    );
    assert_eq!(made[0], (1.0, [0.0; 3]));
    assert_eq!(made[1], (7.0, [0.0, -7.0, -2.0]));
    assert_eq!(made[2], (3.0, [0.0, 0.0, -3.0]));
    assert_eq!(made[3], (5.0, [1.0, -5.0, -0.5]));
}

#[test]
fn classes_share_one_actuator_as_in_mujoco() {
    let all = "<position joint='j'/><motor joint='j'/><velocity joint='j'/><general joint='j'/>\
               <position joint='j' kp='7'/>";
    // Numbers from MuJoCo 4.0.
    let made = forces("by-position", "<position kp='100' kv='5'/>", all);
    assert_eq!(made[0], (100.0, [0.0, -100.0, -5.0]));
    assert_eq!(made[1], (1.0, [0.0; 3]));
    assert_eq!(made[2], (1.0, [0.0, 0.0, -1.0]));
    assert_eq!(made[3], (100.0, [0.0, -100.0, -5.0]));
    assert_eq!(made[4], (7.0, [0.0, -7.0, -5.0]));
    let general = "<general gainprm='50' biastype='affine' biasprm='0 -50 -2'/>";
    let made = forces("by-general", general, all);
    assert_eq!(made[0], (50.0, [0.0, -50.0, -2.0]));
    assert_eq!(made[2], (50.0, [0.0, 0.0, -50.0]));
    assert_eq!(made[4], (7.0, [0.0, -7.0, -2.0]));
}

#[test]
fn a_damping_ratio_is_of_the_inertia_at_home() {
    // d = 2 ζ √(k m), m = I/gear² with all else free; the ball's I is 2/5 m r².
    let made = forces(
        "ratio",
        "",
        "<position joint='j' kp='8' dampratio='.5' gear='2'/>",
    );
    let mass = 4000.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let inertia = 0.4 * mass * 0.01;
    let damping = 2.0 * 0.5 * (8.0 * inertia / 4.0_f64).sqrt();
    assert!(near(&[made[0].1[2]], &[-damping]));
}

#[test]
fn ranges_gear_and_effort_limits_are_carried() {
    let made = import(
        "ranges",
        &format!(
            "{}<actuator><motor joint='j' gear='4' ctrlrange='-1 2' forcerange='-3 3'/>\
             <position joint='k' inheritrange='.5'/></actuator>",
            hinged("<body><joint name='k' range='-2 6' actuatorfrcrange='-8 8'/><geom size='.1'/></body>")
                .replace("<worldbody>", "<compiler angle='radian'/><worldbody>")
        ),
    );
    let [motor, servo] = made.model.actuators() else {
        panic!("two actuators");
    };
    assert!(matches!(
        motor.transmission,
        Transmission::Coordinate { gear: 4.0, .. }
    ));
    assert_eq!(motor.control_range, Some([-1.0, 2.0]));
    assert_eq!(motor.force_range, Some([-3.0, 3.0]));
    assert_eq!(servo.control_range, Some([0.0, 4.0]));
    assert_eq!(servo.force_range, Some([-8.0, 8.0]));
}

#[test]
fn a_servo_on_a_tendon_drives_it_to_its_target() {
    let made = import(
        "servo",
        &format!(
            "<option><flag gravity='disable'/></option>{}<tendon><fixed name='t'>\
             <joint joint='j' coef='2'/></fixed></tendon>\
             <actuator><position tendon='t' kp='50' kv='5'/></actuator>",
            hinged("")
        ),
    );
    let model = made.model.clone();
    let mut control = linkwork::Control::new(&model);
    let mut simulator = linkwork::Simulator::new(model, linkwork::Settings::default()).unwrap();
    for _ in 0..2000 {
        made.model.actuate(&[0.6], simulator.state(), &mut control);
        simulator.step(&control).unwrap();
    }
    let q = simulator.state().coordinates[0];
    assert!((q - 0.3).abs() < 1e-3, "2 q is at 0.6: {q}");
}

#[test]
fn sites_push_along_their_axes_and_others_are_told() {
    let made = import(
        "site",
        &format!(
            "{}<actuator><motor site='s' gear='0 0 2 0 0 1'/><muscle joint='j'/>\
             <general joint='j' dyntype='integrator'/><damper joint='j'/></actuator>",
            hinged("<site name='s' pos='0 0 1'/>")
        ),
    );
    assert_eq!(made.model.actuators().len(), 2);
    let gear = [0.0, 0.0, 2.0, 0.0, 0.0, 1.0];
    let expected = Transmission::Frame {
        frame: FrameId(0),
        gear,
    };
    assert_eq!(made.model.actuators()[0].transmission, expected);
    let integrator = made.model.actuators()[1].dynamics.unwrap();
    assert_eq!(integrator.time_constant, None);
    assert!(told(&made, Severity::Warning, "give lengthrange"));
    assert!(told(&made, Severity::Warning, "not constant"));
}

#[test]
fn a_joint_cuts_what_its_actuator_gives() {
    for (own, gear, left) in [
        ("1 2", "1", [0.5, 0.5]),
        ("-9 .25", "1", [-0.5, 0.25]),
        ("-9 9", "2", [-0.25, 0.25]),
    ] {
        let made = import(
            "cut",
            &format!(
                "{}<actuator><motor joint='j' forcerange='{own}' gear='{gear}'/></actuator>",
                hinged("").replace("name='j'", "name='j' actuatorfrcrange='-.5 .5'")
            ),
        );
        assert_eq!(made.model.actuators()[0].force_range, Some(left), "{own}");
    }
}

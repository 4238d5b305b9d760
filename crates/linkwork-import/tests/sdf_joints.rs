//! What joints of an SDF become.

mod common;

use common::sdf::{joint, link, model, read};
use linkwork::assemble::{AssembleSettings, Targets, assemble};
use linkwork::math::Vec3;
use linkwork::mobility::mobility;
use std::f64::consts::TAU;

#[test]
fn every_joint_type_has_its_degrees_of_freedom() {
    let axes = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";
    let types = [
        ("fixed", 0),
        ("revolute", 1),
        ("continuous", 1),
        ("prismatic", 1),
        ("screw", 1),
        ("universal", 2),
        ("revolute2", 2),
        ("ball", 3),
    ];
    for (kind, freedom) in types {
        let held = link("a", "0 0 0 0 0 0") + &joint("j", kind, "world", "a", axes);
        let read = read(&model("1.7", &held));
        assert_eq!(read.counts.degrees_of_freedom, freedom, "{kind}");
        let model = &read.model;
        let report = mobility(model, &model.initial_state());
        assert_eq!(report.degrees_of_freedom, freedom, "{kind}");
    }
}

#[test]
fn a_screw_advances_by_its_pitch() {
    // rad/m and left-handed by the old name, m a turn and right-handed by the new one.
    for (given, advance) in [
        ("<thread_pitch>-100</thread_pitch>", TAU / 100.0),
        ("<screw_thread_pitch>0.02</screw_thread_pitch>", 0.02),
    ] {
        let axis = format!("{given}<axis><xyz>0 0 1</xyz></axis>");
        let held = link("a", "0 0 0 0 0 0") + &joint("j", "screw", "world", "a", &axis);
        let m = read(&model("1.10", &held)).model;
        let (screw, _) = m.coordinate_named("j").unwrap();
        let targets = Targets::none().hard(screw, 0, TAU);
        let guess = m.initial_state();
        let turned = assemble(&m, &guess, &targets, &AssembleSettings::default()).unwrap();
        let height = m
            .link_named("a")
            .unwrap()
            .frame
            .pose(&turned.state)
            .position
            .z;
        assert!((height - advance).abs() < 1e-9, "{given}: {height}");
    }
}

#[test]
fn limits_springs_and_efforts_are_carried() {
    let acting = "<axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower><upper>0.5</upper><effort>3</effort>\
        </limit><dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>10</spring_stiffness>\
        <spring_reference>0.3</spring_reference></dynamics></axis>";
    let held = link("a", "0 0 0 0 0 0") + &joint("j", "revolute", "world", "a", acting);
    let m = read(&model("1.6", &held)).model;
    let axis = &m.joints()[0].axes[0];
    let limits = axis.limits.unwrap();
    assert_eq!((limits.min, limits.max), (f64::NEG_INFINITY, 0.5));
    assert_eq!((axis.spring.damping, axis.friction), (0.1, 0.2));
    assert_eq!((axis.spring.stiffness, axis.spring.rest), (10.0, 0.3));
    assert_eq!(m.actuators()[0].force_range, Some([-3.0, 3.0]));
}

#[test]
fn a_joint_mimics_another() {
    let z = "<axis><xyz>0 0 1</xyz></axis>";
    let follow = "<axis><xyz>0 0 1</xyz><mimic joint=\"j\"><multiplier>-2</multiplier>\
        <offset>0.1</offset><reference>0.5</reference></mimic></axis>";
    let links = link("a", "0 0 0 0 0 0") + &link("b", "0 0 1 0 0 0");
    let joints =
        joint("j", "revolute", "world", "a", z) + &joint("k", "revolute", "world", "b", follow);
    let m = read(&model("1.11", &(links + &joints))).model;
    assert_eq!(m.actuators().len(), 1);
    let (leader, _) = m.coordinate_named("j").unwrap();
    let targets = Targets::none().hard(leader, 0, 0.7);
    let guess = m.initial_state();
    let turned = assemble(&m, &guess, &targets, &AssembleSettings::default()).unwrap();
    let (follower, _) = m.coordinate_named("k").unwrap();
    let q = turned.state.joint_coordinates(&m, follower)[0];
    assert!((q - (-2.0 * 0.2 + 0.1)).abs() < 1e-9, "{q}");
}

/// A rotor and an output on hinges about z of a base, geared 1 to 25, the output joint backwards.
fn geared(output: &str) -> String {
    let z = "<axis><xyz>0 0 1</xyz></axis>";
    let gear = "<gearbox_ratio>0.04</gearbox_ratio><gearbox_reference_body>base</gearbox_reference_body>\
        <axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 -1</xyz></axis2>";
    let links =
        link("base", "0 0 0 0 0 0") + &link("rotor", "0 0 1 0 0 0") + &link("out", "0 0 2 0 0 0");
    model(
        "1.6",
        &(links
            + &joint("w", "fixed", "world", "base", "")
            + &joint("r", "revolute", "base", "rotor", z)
            + output
            + &joint("g", "gearbox", "rotor", "out", gear)),
    )
}

#[test]
fn a_gearbox_holds_its_angles_in_the_ratio() {
    let z = "<axis><xyz>0 0 1</xyz></axis>";
    // θ₂ about −z is −0.04 θ₁, so about z it is +0.04 θ₁; measured from the output it is the opposite.
    let forwards = joint("o", "revolute", "base", "out", z);
    let backwards = joint("o", "revolute", "out", "base", z);
    for (output, sign) in [(forwards, 1.0), (backwards, -1.0)] {
        let read = read(&geared(&output));
        let m = &read.model;
        assert_eq!((m.bodies().len(), m.couplings().len()), (2, 1));
        let (rotor, _) = m.coordinate_named("r").unwrap();
        let targets = Targets::none().hard(rotor, 0, 2.0);
        let guess = m.initial_state();
        let turned = assemble(m, &guess, &targets, &AssembleSettings::default()).unwrap();
        let (out, _) = m.coordinate_named("o").unwrap();
        let q = turned.state.joint_coordinates(m, out)[0];
        assert!((q - sign * 0.08).abs() < 1e-9, "{q}");
        let (_, x) = {
            let pose = m.link_named("out").unwrap().frame.pose(&turned.state);
            (pose.position, pose.rotation * Vec3::x())
        };
        assert!((x.y.atan2(x.x) - 0.08).abs() < 1e-9, "{x}");
    }
}

#[test]
fn loops_are_closed_by_the_joints_that_are_left() {
    // A square of four hinges; the last joint closes it, with its real type.
    let z = "<axis><xyz>0 0 1</xyz></axis>";
    let bars = link("a", "0 0 0 0 0 0")
        + &link("b", "1 0 0 0 0 0")
        + &link("c", "1 1 0 0 0 0")
        + &link("d", "0 1 0 0 0 0");
    let joints = joint("w", "fixed", "world", "a", "")
        + &joint("ab", "revolute", "a", "b", z)
        + &joint("bc", "revolute", "b", "c", z)
        + &joint("ad", "revolute", "a", "d", z)
        + &joint("dc", "ball", "d", "c", "");
    let read = read(&model("1.6", &(bars + &joints)));
    assert_eq!((read.counts.joints, read.counts.closures), (3, 1));
    let m = &read.model;
    assert_eq!(m.joints().last().unwrap().kind.name(), "spherical");
    assert_eq!(mobility(m, &m.initial_state()).degrees_of_freedom, 1);
}

#[test]
fn a_link_that_is_only_a_parent_hangs_on_its_child() {
    let axes = "<axis><xyz>1 0 0</xyz><dynamics><damping>1</damping></dynamics></axis>\
        <axis2><xyz>0 1 0</xyz><dynamics><damping>2</damping></dynamics></axis2>";
    let text = model(
        "1.7",
        &(link("a", "0 0 0 0 0 0")
            + &link("b", "0 0 1 0 0 0")
            + &joint("w", "fixed", "world", "a", "")
            + &joint("u", "universal", "b", "a", axes)),
    );
    let m = read(&text).model;
    assert_eq!(m.labels()[0], ["u_2", "u_1"]);
    let damping: Vec<f64> = m.joints()[0]
        .axes
        .iter()
        .map(|a| a.spring.damping)
        .collect();
    assert_eq!(damping, [2.0, 1.0]);
    // Turning the parent about x while the child is fixed is a turn of −q of the child.
    let (joint, first) = m.coordinate_named("u_1").unwrap();
    let targets = Targets::none().hard(joint, first, 0.3).hard(joint, 0, 0.0);
    let guess = m.initial_state();
    let turned = assemble(&m, &guess, &targets, &AssembleSettings::default()).unwrap();
    let y = m
        .link_named("b")
        .unwrap()
        .frame
        .pose(&turned.state)
        .rotation
        * Vec3::y();
    assert!((y.z.atan2(y.y) + 0.3).abs() < 1e-9, "{y}");
}

//! Joints: limits, springs, home values, several a body.

use crate::{hinged, import, near, refused};
use linkwork_import::Fault;

#[test]
fn a_hinge_carries_what_acts_on_it() {
    let made = import(
        "hinge",
        "<worldbody><body><joint name='j' axis='0 2 0' pos='0 0 1' range='-90 45' stiffness='2' \
         springref='30' damping='3' armature='4' frictionloss='5'/><geom size='.1'/></body>\
         </worldbody>",
    );
    let (id, c) = made.model.coordinate_named("j").unwrap();
    let joint = made.model.joint(id);
    let a = joint.axes[c];
    let limits = a.limits.unwrap();
    let quarter = std::f64::consts::FRAC_PI_2;
    assert!(near(&[limits.min, limits.max], &[-quarter, quarter / 2.0]));
    assert!(near(&[a.spring.rest], &[30f64.to_radians()]));
    assert_eq!([a.spring.stiffness, a.spring.damping], [2.0, 3.0]);
    assert_eq!([a.armature, a.friction], [4.0, 5.0]);
    let z = joint.frame_base.rotation * linkwork::math::Vec3::z();
    assert!(near(z.as_slice(), &[0.0, 1.0, 0.0]));
    assert!(near(joint.frame_base.position.as_slice(), &[0.0, 0.0, 1.0]));
}

#[test]
fn ref_is_the_coordinate_at_home() {
    let made = import(
        "ref",
        "<worldbody><body><joint name='h' ref='30'/><geom size='.1'/><body pos='0 0 1'>\
         <joint name='s' type='slide' ref='.5'/><geom size='.1'/></body></body></worldbody>",
    );
    let state = made.model.initial_state();
    let q = |name: &str| {
        let (id, c) = made.model.coordinate_named(name).unwrap();
        state.joint_coordinates(&made.model, id)[c]
    };
    assert!(near(&[q("h"), q("s")], &[30f64.to_radians(), 0.5]));
}

#[test]
fn ranges_limit_by_themselves_or_when_told() {
    let limit = |name: &str, compiler: &str, joint: &str| {
        let made = import(
            name,
            &format!(
                "{compiler}<worldbody><body><joint name='j' {joint}/><geom size='.1'/></body>\
                 </worldbody>"
            ),
        );
        made.model.joints()[0].axes[0].limits.is_some()
    };
    assert!(limit("auto", "", "range='0 1'"));
    assert!(!limit("never", "", "range='0 1' limited='false'"));
    let off = "<compiler autolimits='false'/>";
    assert!(limit("told", off, "range='0 1' limited='true'"));
    let e = refused(
        "untold",
        &format!("{off}{}", hinged("").replace("name='j'", "range='0 1'")),
    );
    assert_eq!(e.fault, Fault::Missing);
}

#[test]
fn several_joints_of_a_body_are_one_chain_in_their_order() {
    let made = import(
        "chain",
        "<worldbody><body pos='0 0 1'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' \
         axis='0 1 0' pos='0 0 .5'/><geom size='.1'/></body></worldbody>\
         <keyframe><key qpos='.3 1.5707963267948966'/></keyframe>",
    );
    assert_eq!(made.counts.joints, 2);
    assert_eq!(made.counts.degrees_of_freedom, 2);
    assert_eq!(made.model.joints().len(), 1);
    assert_eq!(made.model.labels()[0], ["x", "y"]);
    // A quarter turn about (0.3, ·, 1.5) takes the origin from below to the side.
    let state = made.model.keyframe_state(&made.model.keyframes()[0]);
    let at = made.model.links()[0].frame.pose(&state).position;
    assert!(
        (at - linkwork::math::Vec3::new(-0.2, 0.0, 1.5)).norm() < 1e-9,
        "{at}"
    );
}

#[test]
fn ball_and_free_joints_count_three_and_six() {
    let made = import(
        "ball",
        "<worldbody><body><freejoint name='f'/><geom size='.1'/><body pos='1 0 0'>\
         <joint name='b' type='ball' range='0 30'/><geom size='.1'/></body></body></worldbody>",
    );
    assert_eq!(made.counts.joints, 2);
    assert_eq!(made.counts.degrees_of_freedom, 9);
    let balls = made.model.joints().iter().filter_map(|j| j.turn_limits);
    let greatest: Vec<f64> = balls.map(|l| l.max).collect();
    assert!(near(&greatest, &[30f64.to_radians()]));
}

#[test]
fn three_slides_and_a_ball_are_a_free_joint_with_coordinates() {
    let made = import(
        "slides",
        "<worldbody><body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>\
         <joint type='slide'/><joint type='ball'/><geom size='.1'/></body></worldbody>",
    );
    assert_eq!(made.counts.joints, 4);
    assert_eq!(made.counts.degrees_of_freedom, 6);
    assert_eq!(made.model.joints()[0].kind.name(), "free");
}

#[test]
fn a_spring_damper_follows_from_the_inertia_at_home() {
    // Numbers from MuJoCo 4.0 (jnt_stiffness, dof_damping).
    let made = import(
        "springdamper",
        "<worldbody><body><joint name='j' springdamper='0.1 0.7' armature='0.3'/><geom size='.1' \
         pos='.3 0 0'/><body pos='1 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.3 0.2 0'/>\
         </body></body></worldbody><actuator><motor joint='j' gear='2' armature='.1'/></actuator>",
    );
    let spring = made.model.joints()[0].axes[0].spring;
    assert!(
        (spring.stiffness - 1705.53234579).abs() < 1e-7,
        "{}",
        spring.stiffness
    );
    assert!(
        (spring.damping - 167.14216989).abs() < 1e-7,
        "{}",
        spring.damping
    );
}

#[test]
fn joints_that_cannot_be_are_refused() {
    let body =
        |joints: &str| format!("<worldbody><body>{joints}<geom size='.1'/></body></worldbody>");
    for (name, joints, fault) in [
        ("axis", "<joint axis='0 0 0'/>", Fault::BadValue),
        (
            "after-ball",
            "<joint type='ball'/><joint/>",
            Fault::Unsupported,
        ),
        ("free-and", "<freejoint/><joint/>", Fault::Mechanism),
        (
            "empty",
            "<joint range='2 1' limited='true'/>",
            Fault::BadValue,
        ),
    ] {
        assert_eq!(refused(name, &body(joints)).fault, fault, "{name}");
    }
    let e = refused("world", "<worldbody><joint/></worldbody>");
    assert_eq!(e.fault, Fault::Mechanism);
    let below = body("<freejoint/>").replace("<worldbody>", "<worldbody><body>");
    let below = below.replace("</worldbody>", "</body></worldbody>");
    assert_eq!(refused("below", &below).fault, Fault::Mechanism);
}

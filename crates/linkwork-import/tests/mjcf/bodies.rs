//! Frames, orientations, defaults and mass.

use crate::{import, near, position, refused, told};
use linkwork::{Control, Settings, Simulator};
use linkwork_import::{Fault, Severity};

#[test]
fn poses_nest_in_degrees_unless_radians_are_asked_for() {
    let tree = "<worldbody><body name='a' pos='1 0 0' euler='0 0 90'><geom size='.1'/>\
                <body name='b' pos='1 0 0'><geom size='.1'/></body></body></worldbody>";
    assert!(near(&position(&import("deg", tree), "b"), &[1.0, 1.0, 0.0]));
    let radian = format!(
        "<compiler angle='radian'/>{}",
        tree.replace("90", "1.5707963267948966")
    );
    assert!(near(
        &position(&import("rad", &radian), "b"),
        &[1.0, 1.0, 0.0]
    ));
}

#[test]
fn five_ways_to_turn_a_body_agree() {
    for (i, turn) in [
        "quat='0.5 0.5 0.5 0.5'",
        "axisangle='1 1 1 120'",
        "euler='90 90 0'",
        "xyaxes='0 1 0 0 0 1'",
    ]
    .iter()
    .enumerate()
    {
        let tree = format!(
            "<worldbody><body name='a' {turn}><geom size='.1'/><body name='b' pos='1 2 3'>\
             <geom size='.1'/></body></body></worldbody>"
        );
        let at = position(&import(&format!("turn{i}"), &tree), "b");
        assert!(near(&at, &[3.0, 1.0, 2.0]), "{turn}: {at:?}");
    }
    let tree = "<worldbody><body name='a' zaxis='0 2 0'><geom size='.1'/><body name='b' \
                pos='0 0 1'><geom size='.1'/></body></body></worldbody>";
    assert!(near(
        &position(&import("zaxis", tree), "b"),
        &[0.0, 1.0, 0.0]
    ));
}

#[test]
fn capital_euler_axes_stay_where_they_are() {
    // About fixed x, then fixed y: the other order about axes that move along.
    let body = |seq: &str, euler: &str| {
        format!(
            "<compiler eulerseq='{seq}'/><worldbody><body name='a' euler='{euler}'><geom size='.1'/>\
             <body name='b' pos='1 2 3'><geom size='.1'/></body></body></worldbody>"
        )
    };
    let fixed = position(&import("XYZ", &body("XYZ", "30 40 0")), "b");
    let moving = position(&import("yxz", &body("yxz", "40 30 0")), "b");
    assert!(near(&fixed, &moving), "{fixed:?} {moving:?}");
}

#[test]
fn classes_nest_and_elements_override_them() {
    let made = import(
        "classes",
        "<default><joint damping='1' armature='2'/><default class='a'><joint damping='3'/>\
         <default class='b'><joint frictionloss='4'/></default></default></default>\
         <worldbody><body name='x' childclass='b'><joint name='j'/><geom size='.1'/>\
         <body><joint name='k' class='a' damping='5'/><geom size='.1'/></body></body>\
         <body><joint name='l'/><geom size='.1'/></body></worldbody>",
    );
    let axis = |name: &str| {
        let (id, c) = made.model.coordinate_named(name).unwrap();
        let a = made.model.joint(id).axes[c];
        [a.spring.damping, a.armature, a.friction]
    };
    assert_eq!(axis("j"), [3.0, 2.0, 4.0]);
    assert_eq!(axis("k"), [5.0, 2.0, 0.0]);
    assert_eq!(axis("l"), [1.0, 2.0, 0.0]);
}

#[test]
fn mass_comes_from_shapes_unless_an_inertial_is_given() {
    let body = "<worldbody><body name='b'><freejoint/><geom type='box' size='.1 .2 .3'/>INERTIAL\
                </body></worldbody>";
    let shapes = import("shapes", &body.replace("INERTIAL", ""));
    assert!((shapes.counts.mass - 1000.0 * 0.2 * 0.4 * 0.6).abs() < 1e-12);
    let given = "<inertial pos='0 0 1' mass='2' diaginertia='1 1 1'/>";
    let explicit = import("explicit", &body.replace("INERTIAL", given));
    let solid = &explicit.model.bodies()[0];
    assert_eq!((solid.mass, solid.com.z), (2.0, 1.0));
    let forced = format!(
        "<compiler inertiafromgeom='true'/>{}",
        body.replace("INERTIAL", given)
    );
    assert!((import("forced", &forced).counts.mass - 48.0).abs() < 1e-12);
}

#[test]
fn full_inertia_lists_diagonal_then_xy_xz_yz() {
    let made = import(
        "full",
        "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' \
         fullinertia='3 4 5 .1 .2 .3'/></body></worldbody>",
    );
    let i = made.model.bodies()[0].inertia;
    assert!(near(
        &[
            i[(0, 0)],
            i[(1, 1)],
            i[(2, 2)],
            i[(0, 1)],
            i[(0, 2)],
            i[(1, 2)]
        ],
        &[3.0, 4.0, 5.0, 0.1, 0.2, 0.3]
    ));
}

#[test]
fn the_compiler_bounds_balances_and_scales_mass() {
    let body = "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='1' \
                diaginertia='9 1 2'/></body></worldbody>";
    let e = refused("unbalanced", body);
    assert_eq!(e.fault, Fault::Mechanism);
    let balanced = import(
        "balanced",
        &format!("<compiler balanceinertia='true'/>{body}"),
    );
    assert!((balanced.model.bodies()[0].inertia[(0, 0)] - 4.0).abs() < 1e-12);
    let bounds = "<compiler boundmass='3' boundinertia='20' settotalmass='6'/>";
    let bounded = import("bounded", &format!("{bounds}{body}"));
    let solid = &bounded.model.bodies()[0];
    assert!((solid.mass - 6.0).abs() < 1e-12);
    assert!((solid.inertia[(0, 0)] - 40.0).abs() < 1e-12);
}

#[test]
fn gravity_is_compensated_and_switched_off() {
    let body = "<worldbody><body gravcomp='.25'><freejoint/><geom size='.1'/></body></worldbody>";
    let made = import("gravcomp", body);
    assert_eq!(made.model.bodies()[0].gravity_scale, 0.75);
    assert_eq!(made.model.gravity().z, -9.81);
    let off = format!("<option><flag gravity='disable'/></option>{body}");
    assert_eq!(import("weightless", &off).model.gravity().norm(), 0.0);
}

/// An arm held by its actuators is at rest, and moves under a torque as without gravity.
#[test]
fn actuators_that_compensate_gravity_hold_an_arm() {
    let arm = |gravcomp: f64, gravity: f64| {
        format!(
            "<option gravity='0 0 {gravity}'/><worldbody><body gravcomp='{gravcomp}'>\
             <joint name='q' axis='0 1 0' actuatorgravcomp='true'/><geom type='capsule' fromto='0 0 0 .4 0 0' size='.02' mass='2'/>\
             <body pos='.4 0 0' gravcomp='{gravcomp}'><joint axis='0 1 0' actuatorgravcomp='true'/>\
             <geom type='capsule' fromto='0 0 0 .3 0 .1' size='.02' mass='1'/></body></body></worldbody>\
             <actuator><motor joint='q'/></actuator>"
        )
    };
    let path = |name: &str, text: String, torque: f64| {
        let model = import(name, &text).model;
        let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
        let mut control = Control::new(&model);
        model.actuate(&[torque], simulator.state(), &mut control);
        for _ in 0..300 {
            simulator.step(&control).unwrap();
        }
        let moved =
            |k: usize| simulator.state().poses[k].position - model.bodies()[k].pose.position;
        [moved(0), moved(1)]
    };
    let held = path("held", arm(1.0, -9.81), 0.0);
    assert!(held.iter().all(|d| d.norm() < 1e-10), "{held:?}");
    let driven = path("driven", arm(1.0, -9.81), 0.5);
    let afloat = path("afloat", arm(0.0, 0.0), 0.5);
    let half = path("half", arm(0.5, -9.81), 0.0);
    let light = path("light", arm(0.0, -0.5 * 9.81), 0.0);
    for k in 0..2 {
        assert!(
            (driven[k] - afloat[k]).norm() < 1e-9,
            "{driven:?} {afloat:?}"
        );
        assert!((half[k] - light[k]).norm() < 1e-9, "{half:?} {light:?}");
        assert!(driven[k].norm() > 0.01 && half[k].norm() > 0.05);
    }
}

#[test]
fn mocap_bodies_are_moved_and_touch_neither_world_nor_each_other() {
    let made = import(
        "mocap",
        "<worldbody><geom type='plane' size='1 1 1'/><body name='m' mocap='true' pos='1 2 3'><geom size='.1'/></body>\
         <body name='n' mocap='true' pos='1 2 3.05' quat='0 1 0 0'><site name='s'/></body>\
         <body name='free' pos='1 2 3.15'><freejoint/><geom size='.1'/></body></worldbody>\
         <keyframe><key name='k' mpos='4 5 6 7 8 9' mquat='1 0 0 0 0 0 0 1'/></keyframe>",
    );
    assert!(told(&made, Severity::Choice, "mocap"));
    let model = &made.model;
    let moved: Vec<_> = model.joints().iter().filter(|j| j.is_moved()).collect();
    assert_eq!(moved.len(), 2);
    let state = model.initial_state();
    let q = state.joint_coordinates(model, linkwork::model::JointId(0));
    assert!(near(q, &[1.0, 2.0, 3.0, 0.0, 0.0, 0.0]), "{q:?}");
    let state = model.keyframe_state(&model.keyframes()[0]);
    let q = &state.coordinates;
    let half = std::f64::consts::PI;
    assert!(near(&q[..6], &[4.0, 5.0, 6.0, 0.0, 0.0, 0.0]), "{q:?}");
    assert!(near(&q[6..9], &[7.0, 8.0, 9.0]) && near(&[q[11].abs()], &[half]));

    // The first mocap body lies in the floor, in the second one, and in a free body, which it pushes away.
    let mut simulator =
        linkwork::Simulator::new(model.clone(), linkwork::Settings::default()).unwrap();
    let mut control = linkwork::Control::new(model);
    let m = model.body_named("m").unwrap();
    let place = linkwork::math::Pose::at(1.0, 2.0, 0.05);
    control.place(model, m, &place).unwrap();
    simulator.step(&control).unwrap();
    let free = model.body_named("free");
    let others = simulator.contacts_of(m);
    let other = |c: &linkwork::model::BodyId| Some(*c) == free || *c == m;
    let bodies = others
        .iter()
        .flat_map(|(c, _)| [c.contact.body_a, c.contact.body_b]);
    assert!(bodies.clone().count() > 0 && bodies.flatten().all(|b| other(&b)));
    assert!(near(
        simulator.state().poses[m.index()].position.as_slice(),
        &[1.0, 2.0, 0.05]
    ));
    simulator.step(&control).unwrap();
    assert!(simulator.contacts_of(m).is_empty());
}

#[test]
fn a_mocap_body_with_a_plane_is_held_and_told() {
    let made = import(
        "mocap-plane",
        "<worldbody><body mocap='true'><geom type='plane' size='1 1 1'/></body></worldbody>",
    );
    assert!(made.model.bodies().is_empty());
    assert!(told(&made, Severity::Choice, "fixed at its pose"));
}

#[test]
fn an_aligned_free_body_has_its_frame_at_the_centre_of_mass() {
    let made = import(
        "align",
        "<worldbody><body name='b' pos='1 0 0'><freejoint align='true'/><geom size='.1' \
         pos='0 0 2'/></body></worldbody>",
    );
    assert!(near(&position(&made, "b"), &[1.0, 0.0, 2.0]));
}

#[test]
fn without_names_bodies_are_called_by_number_and_twice_the_same_is_refused() {
    let made = import(
        "unnamed",
        "<worldbody><body/><body name='b'/><body/></worldbody>",
    );
    let names: Vec<_> = made
        .model
        .links()
        .iter()
        .map(|l| l.frame.name.as_str())
        .collect();
    assert_eq!(names, ["body_1", "b", "body_3"]);
    let e = refused(
        "twice",
        "<worldbody><body name='b'/><body name='b'/></worldbody>",
    );
    assert_eq!(e.fault, Fault::Duplicate);
}

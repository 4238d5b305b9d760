//! What a URDF becomes: joints, relations, motors and notices.

mod common;

use common::urdf::{LIMIT, joint, link, read, robot};
use common::{import, told};
use linkwork::actuators::Transmission;
use linkwork::assemble::{AssembleSettings, Targets, assemble};
use linkwork::math::Vec3;
use linkwork_import::Options;
use std::f64::consts::FRAC_PI_2;

#[test]
fn links_stand_where_joints_put_them_and_turn_about_their_axis() {
    let placed = r#"<origin xyz="1 0 0.5" rpy="0 0 1.5707963267948966"/><axis xyz="0 3 0"/>
        <dynamics damping="0.2" friction="0.3"/>"#;
    let text = robot(
        &(link("a") + &link("b") + &joint("j", "revolute", "a", "b", &(placed.to_owned() + LIMIT))),
    );
    let read = read(&text);
    let m = &read.model;
    // The root is part of the world.
    assert_eq!(m.bodies().len(), 1);
    let state = m.initial_state();
    let pose = m.link_named("b").unwrap().frame.pose(&state);
    assert!((pose.position - Vec3::new(1.0, 0.0, 0.5)).norm() < 1e-15);
    // The axis y of the joint frame, turned a quarter about z, is −x of the world.
    let joint = &m.joints()[0];
    let axis = joint.frame_base.rotation * Vec3::z();
    assert!((axis + Vec3::x()).norm() < 1e-15);
    let acting = &joint.axes[0];
    let limits = acting.limits.unwrap();
    assert_eq!((limits.min, limits.max), (-1.0, 2.0));
    assert_eq!((acting.spring.damping, acting.friction), (0.2, 0.3));
    let motor = &m.actuators()[0];
    assert_eq!(
        (motor.name.as_str(), motor.force_range),
        ("j", Some([-7.0, 7.0]))
    );
    assert!(matches!(motor.transmission, Transmission::Coordinate { gear, .. } if gear == 1.0));
    assert!(told(&read, "'velocity'"));
    assert_eq!(m.gravity(), Vec3::new(0.0, 0.0, -9.81));
}

#[test]
fn every_joint_type_has_its_degrees_of_freedom() {
    let types = [
        ("fixed", 0),
        ("revolute", 1),
        ("continuous", 1),
        ("prismatic", 1),
        ("planar", 3),
        ("spherical", 3),
        ("floating", 6),
    ];
    for (kind, freedom) in types {
        let text = robot(&(link("a") + &link("b") + &joint("j", kind, "a", "b", LIMIT)));
        let read = read(&text);
        assert_eq!(read.counts.degrees_of_freedom, freedom, "{kind}");
        assert_eq!(read.counts.links, 2);
        let model = &read.model;
        let report = linkwork::mobility::mobility(model, &model.initial_state());
        assert_eq!(report.degrees_of_freedom, freedom, "{kind}");
    }
}

#[test]
fn a_floating_root_frees_the_robot_and_the_link_world_stays() {
    let options = Options::with(|s| s.floating = true);
    let arm = link("b") + &joint("j", "continuous", "a", "b", "");
    let free = import("r.urdf", &robot(&(link("a") + &arm)), &options).unwrap();
    assert_eq!(free.counts.degrees_of_freedom, 7);
    let world = r#"<link name="world"/>"#.to_owned() + &link("b");
    let text = robot(&(world + &joint("j", "continuous", "world", "b", "")));
    let fixed = import("r.urdf", &text, &options).unwrap();
    assert_eq!(fixed.counts.degrees_of_freedom, 1);
    assert!(told(&fixed, "does not float"));
}

#[test]
fn mimic_joints_follow_in_chains() {
    let follow = |of: &str, by: f64, offset: f64| {
        format!(r#"<axis xyz="0 0 1"/><mimic joint="{of}" multiplier="{by}" offset="{offset}"/>"#)
    };
    let links = ["a", "b", "c", "d"].map(link).concat();
    let joints = joint("j1", "continuous", "a", "b", r#"<axis xyz="0 0 1"/>"#)
        + &joint("j2", "continuous", "a", "c", &follow("j1", -2.0, 0.1))
        + &joint("j3", "continuous", "a", "d", &follow("j2", 3.0, 0.0));
    let read = read(&robot(&(links + &joints)));
    let m = &read.model;
    assert_eq!(m.couplings().len(), 2);
    // Followers have no motors.
    assert_eq!(m.actuators().len(), 1);
    assert!(told(&read, "offset 0.1"));
    let (leader, _) = m.coordinate_named("j1").unwrap();
    let targets = Targets::none().hard(leader, 0, 0.4);
    let guess = m.initial_state();
    let closed = assemble(m, &guess, &targets, &AssembleSettings::default()).unwrap();
    let q = |name: &str| {
        let (joint, _) = m.coordinate_named(name).unwrap();
        closed.state.joint_coordinates(m, joint)[0]
    };
    assert!((q("j2") - (-2.0 * 0.4 + 0.1)).abs() < 1e-9);
    assert!((q("j3") - 3.0 * q("j2")).abs() < 1e-9);
}

#[test]
fn what_has_no_effect_is_told_once_a_kind() {
    let odd = r#"<gazebo/><gazebo/><transmission/><mujoco/><jont name="x"/>"#;
    let read = read(&robot(&(link("a") + odd)));
    let gazebo: Vec<_> = read
        .notices
        .all()
        .iter()
        .filter(|n| n.what.contains("gazebo"))
        .collect();
    assert_eq!(gazebo.len(), 1);
    assert!(gazebo[0].what.contains("2 times"), "{}", gazebo[0]);
    assert!(told(&read, "<transmission>") && told(&read, "<mujoco>"));
    assert!(told(&read, "did you mean 'joint'?"));
}

#[test]
fn limits_that_say_nothing_are_no_limits() {
    let bare = r#"<limit effort="1" velocity="20"/>"#;
    let text = robot(&(link("a") + &link("b") + &joint("j", "revolute", "a", "b", bare)));
    let read = read(&text);
    assert!(read.model.joints()[0].axes[0].limits.is_none());
    assert!(told(&read, "taken as no limits"));
}

#[test]
fn limits_that_the_home_pose_violates_are_told() {
    let limit = r#"<limit lower="0.5" upper="1" effort="1"/>"#;
    let text = robot(&(link("a") + &link("b") + &joint("j", "revolute", "a", "b", limit)));
    assert!(told(&read(&text), "outside its limits 0.5 … 1"));
}

#[test]
fn a_hinge_swings_like_a_pendulum() {
    // A point-like mass 1 m below a hinge about y: T = 2π sqrt((I + m l²)/(m g l)).
    let bob = r#"<link name="b"><inertial><origin xyz="0 0 -1"/><mass value="2"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#;
    let text =
        robot(&(link("a") + bob + &joint("j", "continuous", "a", "b", r#"<axis xyz="0 1 0"/>"#)));
    let m = read(&text).model;
    let (hinge, _) = m.coordinate_named("j").unwrap();
    let start = m.initial_state();
    let targets = Targets::none().hard(hinge, 0, 0.01);
    let state = assemble(&m, &start, &targets, &AssembleSettings::default())
        .unwrap()
        .state;
    let settings = linkwork::Settings::default();
    let mut simulator = linkwork::Simulator::new(m.clone(), settings).unwrap();
    simulator.set_state(state).unwrap();
    let quarter = FRAC_PI_2 * f64::sqrt(2.1 / (2.0 * 9.81));
    let dt = simulator.settings().dt;
    let control = linkwork::Control::new(&m);
    while simulator.state().time < quarter - 0.5 * dt {
        simulator.step(&control).unwrap();
    }
    let q = simulator.state().joint_coordinates(&m, hinge)[0];
    // It passes the middle, up to the step size and the amplitude.
    assert!(
        q.abs() < 0.01 * 2.0 * dt / quarter * FRAC_PI_2 + 1e-5,
        "{q}"
    );
}

//! Links without mass between joints: chains, universal and ball joints.

mod common;

use common::{Folder, told};
use linkwork::assemble::{AssembleSettings, Targets, assemble};
use linkwork::math::Vec3;
use linkwork::mobility::mobility;
use linkwork::{Control, Settings, Simulator};
use linkwork_import::{Imported, Options, load};

const HEAVY: &str = r#"<inertial><origin xyz="0.3 0.1 -0.2"/><mass value="1"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>"#;

fn joint(name: &str, kind: &str, parent: &str, child: &str, xyz: &str, axis: &str) -> String {
    format!(
        r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
        <origin xyz="{xyz}"/><axis xyz="{axis}"/></joint>"#
    )
}

fn read(inner: &str, loops: &str) -> Imported {
    let folder = Folder::new();
    folder.write("r.loops.yaml", loops);
    let file = folder.write("r.urdf", format!("<robot name=\"r\">{inner}</robot>"));
    load(&file, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Position of the body that `link` is part of after half a second, pulled by gravity.
fn fall(read: &Imported, link: &str) -> Vec3 {
    let model = &read.model;
    let settings = Settings::with(|s| s.dt = 5e-4);
    let mut simulator = Simulator::new(model.clone(), settings).unwrap();
    let control = Control::new(model);
    for _ in 0..1000 {
        simulator.step(&control).unwrap();
    }
    let body = model.link_named(link).unwrap().frame.body.unwrap();
    simulator.state().poses[body.index()].position
}

#[test]
fn two_hinges_with_a_massless_cross_swing_as_a_universal_joint() {
    let cross = format!(
        r#"<link name="base"/><link name="cross"/><link name="arm">{HEAVY}</link>{}{}"#,
        joint("a", "continuous", "base", "cross", "0 0 1", "1 0 0"),
        joint("b", "continuous", "cross", "arm", "0 0 0", "0 1 0"),
    );
    let chain = read(&cross, "floating: false\n");
    assert!(told(&chain, "link 'cross' has no mass"));
    assert_eq!(chain.counts.degrees_of_freedom, 2);
    assert_eq!(chain.model.bodies().len(), 1);
    for name in ["a", "b"] {
        assert!(chain.model.coordinate_named(name).is_some(), "{name}");
        assert!(chain.model.actuators().iter().any(|m| m.name == name));
    }
    let universal = format!(
        r#"<link name="base"/><link name="arm">{HEAVY}</link>{}"#,
        joint("a", "continuous", "base", "arm", "0 0 1", "1 0 0"),
    );
    let universal = read(&universal, "joints:\n  a: universal-xy\n");
    let (a, b) = (fall(&chain, "arm"), fall(&universal, "arm"));
    let still = Vec3::new(0.3, 0.1, 0.8);
    assert!((a - still).norm() > 0.1, "it falls");
    assert!((a - b).norm() < 1e-6, "{a} {b}");
}

#[test]
fn chains_of_three_hinges_and_a_fixed_frame_between_are_one_joint() {
    let text = format!(
        r#"<link name="base"/><link name="one"/><link name="frame"/><link name="two"/><link name="arm">{HEAVY}</link>{}{}{}{}"#,
        joint("a", "continuous", "base", "one", "0 0 1", "1 0 0"),
        joint("f", "fixed", "one", "frame", "0.1 0 0", "1 0 0"),
        joint("b", "continuous", "frame", "two", "0 0.1 0", "0 1 0"),
        joint("c", "prismatic", "two", "arm", "0 0 0", "0 0 1").replace(
            "</joint>",
            r#"<limit lower="-1" upper="1" effort="5" velocity="1"/></joint>"#
        ),
    );
    let made = read(&text, "floating: false\n");
    let model = &made.model;
    assert_eq!((model.bodies().len(), model.joints().len()), (1, 1));
    assert_eq!(made.model.labels()[0], ["a", "b", "c"]);
    // The coordinates are those of the file: the arm's frame by hand.
    let kind = &model.joints()[0].kind;
    let at = kind.place(&[0.3, -0.4, 0.2]);
    let (rx, ry) = (
        linkwork::math::exp(&Vec3::new(0.3, 0.0, 0.0)),
        linkwork::math::exp(&Vec3::new(0.0, -0.4, 0.0)),
    );
    let by_hand = rx * (Vec3::new(0.1, 0.1, 0.0) + ry * Vec3::new(0.0, 0.0, 0.2));
    let home = Vec3::new(0.1, 0.1, 0.0);
    // Given in the frame of the arm at home, which lies at `home` from the first joint.
    assert!((home + at.d - by_hand).norm() < 1e-12, "{} {by_hand}", at.d);
}

/// Three hinges through one point, about axes that are not perpendicular, with massless links between them.
fn ball_of_hinges(parent: &str, child: &str, xyz: &str) -> String {
    let massless = "<link name='one'/><link name='two'/>";
    let [a, b, c] = [
        joint("a", "continuous", parent, "one", xyz, "1 0 0"),
        joint("b", "continuous", "one", "two", "0 0 0", "0 0.8 0.6"),
        joint("c", "continuous", "two", child, "0 0 0", "0 0 1"),
    ];
    [massless, &a, &b, &c].concat()
}

#[test]
fn three_hinges_through_one_point_swing_as_a_ball_joint() {
    let arm = format!("<link name='base'/><link name='arm'>{HEAVY}</link>");
    let chain = read(
        &format!("{arm}{}", ball_of_hinges("base", "arm", "0 0 1")),
        "floating: false\n",
    );
    assert_eq!(chain.counts.degrees_of_freedom, 3);
    assert_eq!(
        (chain.model.bodies().len(), chain.model.joints().len()),
        (1, 1)
    );
    let ball = joint("s", "spherical", "base", "arm", "0 0 1", "0 0 0");
    let ball = read(&format!("{arm}{ball}"), "floating: false\n");
    let (a, b) = (fall(&chain, "arm"), fall(&ball, "arm"));
    assert!((a - Vec3::new(0.3, 0.1, 0.8)).norm() > 0.1, "it falls");
    assert!((a - b).norm() < 1e-6, "{a} {b}");
}

/// A crank and a rocker whose axes cross in space, with a rod between them: the structure of a leg of a parallel robot.
#[test]
fn a_loop_with_a_ball_of_hinges_moves_as_with_a_ball_joint() {
    let inertial = |xyz: &str| {
        format!(
            r#"<inertial><origin xyz="{xyz}"/><mass value="1"/>
            <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>"#
        )
    };
    let parts = format!(
        "<link name='base'/><link name='crank'>{}</link><link name='rod'>{}</link><link name='rocker'>{}</link>{}{}",
        inertial("0.05 0 0.15"),
        inertial("0.3 0.2 0.15"),
        inertial("0 0.1 0.3"),
        joint("crank", "continuous", "base", "crank", "0 0 0", "0 1 0"),
        joint(
            "rocker",
            "continuous",
            "base",
            "rocker",
            "0.6 0.4 0",
            "1 0 0"
        ),
    );
    let loops = "closures:\n  - name: tip\n    type: spherical\n    a: {link: rod, xyz: [0.6, 0.4, 0.2]}\n    b: {link: rocker, xyz: [0, 0, 0.5]}\n";
    let hinges = ball_of_hinges("crank", "rod", "0 0 0.3");
    let chain = read(&format!("{parts}{hinges}"), loops);
    let ball = joint("s", "spherical", "crank", "rod", "0 0 0.3", "0 0 0");
    let ball = read(&format!("{parts}{ball}"), loops);
    for made in [&chain, &ball] {
        assert_eq!(made.model.bodies().len(), 3);
        let found = mobility(&made.model, &made.model.initial_state());
        // The rod may turn about itself.
        assert_eq!((found.degrees_of_freedom, found.redundant_rows), (2, 0));
    }
    for link in ["crank", "rod", "rocker"] {
        let (a, b) = (fall(&chain, link), fall(&ball, link));
        let body = ball.model.link_named(link).unwrap().frame.body.unwrap();
        let still = ball.model.initial_state().poses[body.index()].position;
        assert!((a - still).norm() > 0.01, "{link} moves");
        assert!((a - b).norm() < 1e-6, "{link}: {a} {b}");
    }
}

/// A square four-bar whose last hinge is written as a hinge and a massless link that a closure welds.
#[test]
fn a_weld_of_a_massless_end_is_a_hinge_that_closes_the_loop() {
    let bar = |name: &str| {
        format!(
            r#"<link name="{name}"><inertial><origin xyz="0.5 0 0"/><mass value="1"/><inertia ixx="0.01"
            iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
        )
    };
    let hinge = |name: &str, parent: &str, child: &str, x: f64, turn: f64| {
        format!(
            r#"<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>
            <origin xyz="{x} 0 0" rpy="0 0 {turn}"/><axis xyz="0 0 1"/></joint>"#
        )
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    let text = [
        bar("base"),
        bar("one"),
        bar("two"),
        bar("three"),
        "<link name=\"end\"/>".to_owned(),
        hinge("a", "base", "one", 0.0, quarter),
        hinge("b", "one", "two", 1.0, -quarter),
        hinge("c", "two", "three", 1.0, -quarter),
        hinge("d", "three", "end", 1.0, quarter),
    ];
    let closure = "closures:\n  - name: corner\n    type: fixed\n    a: end\n    b: {link: base, xyz: [1, 0, 0]}\n";
    let made = read(&text.concat(), closure);
    let model = &made.model;
    assert_eq!(model.bodies().len(), 3);
    let settings = AssembleSettings::default();
    let closed = assemble(model, &model.initial_state(), &Targets::none(), &settings).unwrap();
    let report = mobility(model, &closed.state);
    assert_eq!((report.degrees_of_freedom, report.redundant_rows), (1, 3));
    assert!(made.model.coordinate_named("d").is_some());
}

#[test]
fn hinges_through_the_centre_of_a_ball_do_nothing() {
    let text = format!(
        r#"<link name="base"/><link name="cross"/><link name="arm">{HEAVY}</link>{}{}"#,
        joint("a", "continuous", "base", "cross", "0 0 1", "1 0 0"),
        joint("b", "spherical", "cross", "arm", "0.2 0 0", "0 0 0"),
    );
    let made = read(&text, "floating: false\n");
    assert!(told(
        &made,
        "joint 'a' passes through the centre of the ball"
    ));
    assert_eq!(made.counts.degrees_of_freedom, 3);
}

#[test]
fn a_universal_joint_turns_about_any_two_axes_in_order() {
    let text = format!(
        r#"<link name="base"/><link name="arm">{HEAVY}</link>{}"#,
        joint("u", "continuous", "base", "arm", "0 0 1", "1 0 0"),
    );
    for (word, axes) in [
        ("UJOINT_ZY", [Vec3::z(), Vec3::y()]),
        ("UJOINT_YX", [Vec3::y(), Vec3::x()]),
        ("UJOINT_XZ", [Vec3::x(), Vec3::z()]),
        ("UJOINT_ZX", [Vec3::z(), Vec3::x()]),
    ] {
        let loops = format!(
            "closed_loop: []\ntype: []\nname_mot: []\njoint_name: [u]\njoint_type: [{word}]\n"
        );
        let folder = Folder::new();
        folder.write("r.yaml", loops);
        let file = folder.write("r.urdf", format!("<robot name=\"r\">{text}</robot>"));
        let made = load(&file, &Options::default()).unwrap_or_else(|e| panic!("{word}: {e}"));
        let joint = &made.model.joints()[0];
        let turned = joint.kind.place(&[0.3, 0.5]).rotation;
        // Seen in the link: joint frame, turned, and back.
        let frame = joint.frame_base.rotation;
        let found = frame * turned * frame.inverse();
        let wanted = linkwork::math::exp(&(0.3 * axes[0])) * linkwork::math::exp(&(0.5 * axes[1]));
        assert!(found.angle_to(&wanted) < 1e-12, "{word}");
    }
}

#[test]
fn a_package_path_without_a_folder_is_a_file_beside_the_robot() {
    let folder = Folder::new();
    folder.write(
        "box.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
    );
    let text = r#"<robot name="r"><link name="base"><collision><geometry><mesh filename="package://box.obj"/>
        </geometry></collision></link></robot>"#;
    let file = folder.write("r.urdf", text);
    let made = load(&file, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(made.model.shapes().len(), 1);
}

/// A base, a link on joint `yaw` and two arms on that link.
fn fork(inertial: &str) -> String {
    let links = format!(
        "<link name='base'/><link name='fork'>{inertial}</link><link name='left'>{HEAVY}</link>\
         <link name='right'>{HEAVY}</link>"
    );
    let joints = [
        joint("yaw", "continuous", "base", "fork", "0 0 0", "0 0 1"),
        joint("l", "continuous", "fork", "left", "0 1 0", "0 1 0"),
        joint(
            "r",
            "continuous",
            "fork",
            "right",
            "0.2 -0.3 0",
            "0.6 0 0.8",
        ),
    ];
    format!("{links}{}", joints.concat())
}

/// A massless link that carries two arms gets a thousandth of their mass: the total mass does not change, and the arms
/// move as on a link with negligible mass. The error is proportional to the share.
#[test]
fn a_massless_fork_gets_a_thousandth_of_what_it_carries() {
    let made = read(&fork(""), "floating: false\n");
    assert!(told(&made, "link 'fork' moves on joint 'yaw'"));
    assert!(told(&made, "2 joints hang on it ('l', 'r')"));
    assert_eq!(made.counts.degrees_of_freedom, 3);
    assert_eq!(made.model.bodies().len(), 3);
    let whole: f64 = made.model.bodies().iter().map(|b| b.mass).sum();
    assert!((whole - 2.0).abs() < 1e-14, "{whole}");
    let grain = "<inertial><mass value='1e-5'/><inertia ixx='1e-7' iyy='1e-7' izz='1e-7' ixy='0' ixz='0' iyz='0'/></inertial>";
    let light = read(&fork(grain), "floating: false\n");
    for arm in ["left", "right"] {
        let (a, b) = (fall(&made, arm), fall(&light, arm));
        let still = made.model.initial_state().poses[made
            .model
            .link_named(arm)
            .unwrap()
            .frame
            .body
            .unwrap()
            .index()]
        .position;
        let (way, off) = ((b - still).norm(), (a - b).norm());
        assert!(way > 0.1 && off < 5e-3 * way, "{arm}: {off} of {way}");
    }
}

/// Forks on forks, and a massless link between a ball and a hinge.
#[test]
fn any_massless_link_that_carries_something_is_carried() {
    let text = format!(
        "<link name='base'/><link name='one'/><link name='two'/><link name='a'>{HEAVY}</link><link name='b'>{HEAVY}</link>\
         <link name='c'>{HEAVY}</link>{}{}{}{}{}",
        joint("ball", "spherical", "base", "one", "0 0 1", "0 0 0"),
        joint("h", "continuous", "one", "two", "0.1 0 0", "0 0 1"),
        joint("ja", "continuous", "one", "a", "0 0.1 0", "1 0 0"),
        joint("jb", "continuous", "two", "b", "0 0 0.1", "0 1 0"),
        joint("jc", "continuous", "two", "c", "0 0 -0.1", "1 0 0"),
    );
    let made = read(&text, "floating: false\n");
    assert_eq!(made.counts.degrees_of_freedom, 7);
    let whole: f64 = made.model.bodies().iter().map(|b| b.mass).sum();
    assert!((whole - 3.0).abs() < 1e-14, "{whole}");
    let model = &made.model;
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(model);
    for _ in 0..1000 {
        let report = simulator.step(&control).unwrap();
        assert!(report.status.is_solved(), "{:?}", report.status);
    }
}

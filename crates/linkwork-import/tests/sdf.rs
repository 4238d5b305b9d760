//! What an SDF becomes.

mod common;

use common::{Folder, import, models, told};
use linkwork::assemble::{AssembleSettings, Targets, assemble};
use linkwork::math::Vec3;
use linkwork::mobility::mobility;
use linkwork::model::Geometry;
use linkwork_import::{Imported, Options, load};
use std::f64::consts::TAU;

const HEAVY: &str = "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz>\
    </inertia></inertial>";

fn link(name: &str, pose: &str) -> String {
    format!("<link name=\"{name}\"><pose>{pose}</pose>{HEAVY}</link>")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, inner: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent>{parent}</parent><child>{child}</child>\
         {inner}</joint>"
    )
}

fn model(version: &str, inner: &str) -> String {
    format!("<sdf version=\"{version}\"><model name=\"m\">{inner}</model></sdf>")
}

fn read(text: &str) -> Imported {
    import("m.sdf", text, &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Position and rotated x axis of a link at home.
fn home(read: &Imported, name: &str) -> (Vec3, Vec3) {
    let state = read.mechanism.model.initial_state();
    let pose = read.mechanism.link(name).unwrap().frame.pose(&state);
    (pose.position, pose.rotation * Vec3::x())
}

/// World direction of a joint's axis at home.
fn axis(read: &Imported, joint: usize) -> Vec3 {
    let model = &read.mechanism.model;
    let joint = &model.joints()[joint];
    let base = joint
        .base
        .map(|b| model.initial_state().poses[b.index()].rotation);
    base.unwrap_or_default() * joint.frame_base.rotation * Vec3::z()
}

#[test]
fn a_model_floats_unless_joined_to_the_world_or_static() {
    let arm = link("a", "0 0 1 0 0 0")
        + &link("b", "0 0 2 0 0 0")
        + &joint("j", "revolute", "a", "b", "");
    let free = read(&model("1.6", &arm));
    assert_eq!(free.counts.degrees_of_freedom, 7);
    let held = read(&model(
        "1.6",
        &(arm.clone() + &joint("w", "fixed", "world", "a", "")),
    ));
    assert_eq!(held.counts.degrees_of_freedom, 1);
    let fixed = read(&model("1.6", &(arm + "<static>true</static>")));
    assert_eq!(
        (
            fixed.counts.degrees_of_freedom,
            fixed.mechanism.model.bodies().len()
        ),
        (0, 0)
    );
    assert!(told(&fixed, "between parts of the world"));
}

#[test]
fn axes_are_in_the_frame_the_version_says() {
    let turned = "0 0 0 0 0 1.5707963267948966";
    let bodies = link("a", "0 0 0 0 0 0") + &link("b", turned);
    let hinge = |inner: &str| {
        joint(
            "j",
            "revolute",
            "a",
            "b",
            &format!("<axis><xyz>2 0 0</xyz>{inner}</axis>"),
        )
    };
    // The joint frame is the child's, whose x is the world's y.
    let own = read(&model("1.6", &(bodies.clone() + &hinge(""))));
    assert!((axis(&own, 0) - Vec3::y()).norm() < 1e-12);
    let parent = "<use_parent_model_frame>1</use_parent_model_frame>";
    let of_model = read(&model("1.6", &(bodies.clone() + &hinge(parent))));
    assert!((axis(&of_model, 0) - Vec3::x()).norm() < 1e-12);
    let old = read(&model("1.4", &(bodies.clone() + &hinge(""))));
    assert!((axis(&old, 0) - Vec3::x()).norm() < 1e-12);
    let named = joint(
        "j",
        "revolute",
        "a",
        "b",
        "<axis><xyz expressed_in=\"a\">1 0 0</xyz></axis>",
    );
    let new = read(&model("1.7", &(bodies + &named)));
    assert!((axis(&new, 0) - Vec3::x()).norm() < 1e-12);
}

#[test]
fn frames_are_given_relative_to_each_other() {
    let quarter = "1 0 0 0 0 90";
    let text = model(
        "1.9",
        &format!(
            "<pose>0 0 5 0 0 0</pose>{}<frame name=\"f\" attached_to=\"a\"><pose degrees=\"true\">{quarter}</pose>\
             </frame><link name=\"b\"><pose relative_to=\"f\">1 0 0 0 0 0</pose>{HEAVY}</link>\
             <link name=\"c\"><pose relative_to=\"j\" rotation_format=\"quat_xyzw\">0 0 1 0 0 0 1</pose>\
             {HEAVY}</link>{}{}",
            link("a", "0 1 0 0 0 0"),
            joint("j", "revolute", "f", "b", "<pose>0 0 2 0 0 0</pose>"),
            joint("k", "fixed", "b", "c", "")
        ),
    );
    let read = read(&text);
    // f stands at (1, 1, 5) and its x is the world's y.
    let (b, x) = home(&read, "b");
    assert!((b - Vec3::new(1.0, 2.0, 5.0)).norm() < 1e-12 && (x - Vec3::y()).norm() < 1e-12);
    let (c, _) = home(&read, "c");
    assert!((c - Vec3::new(1.0, 2.0, 8.0)).norm() < 1e-12);
    assert_eq!(read.counts.degrees_of_freedom, 7);
    // The parent frame f moves with link a.
    let joint = &read.mechanism.model.joints()[0];
    let base = read.mechanism.model.body(joint.base.unwrap());
    assert_eq!(base.name, "a");
}

#[test]
fn models_nest_and_may_be_placed_by_one_of_their_frames() {
    let text = format!(
        "<sdf version=\"1.8\"><model name=\"m\">{}<model name=\"n\" placement_frame=\"tip\">\
         <pose relative_to=\"a\">0 0 1 0 0 0</pose>{}<frame name=\"tip\"><pose>2 0 0 0 0 0</pose></frame>\
         </model>{}</model></sdf>",
        link("a", "1 0 0 0 0 0"),
        link("b", "0 0 0 0 0 0"),
        joint(
            "j",
            "revolute",
            "a",
            "n::b",
            "<axis><xyz expressed_in=\"n::b\">0 1 0</xyz></axis>"
        )
    );
    let read = read(&text);
    let (b, _) = home(&read, "n::b");
    assert!((b - Vec3::new(-1.0, 0.0, 1.0)).norm() < 1e-12);
    assert!((axis(&read, 0) - Vec3::y()).norm() < 1e-12);
}

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
        let model = &read.mechanism.model;
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
        let m = read(&model("1.10", &held)).mechanism;
        let (screw, _) = m.coordinate("j").unwrap();
        let targets = Targets::none().hard(screw, 0, TAU);
        let guess = m.model.initial_state();
        let turned = assemble(&m.model, &guess, &targets, &AssembleSettings::default()).unwrap();
        let height = m.link("a").unwrap().frame.pose(&turned.state).position.z;
        assert!((height - advance).abs() < 1e-9, "{given}: {height}");
    }
}

#[test]
fn limits_springs_and_efforts_are_carried() {
    let acting = "<axis><xyz>0 0 1</xyz><limit><lower>-1e16</lower><upper>0.5</upper><effort>3</effort>\
        </limit><dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>10</spring_stiffness>\
        <spring_reference>0.3</spring_reference></dynamics></axis>";
    let held = link("a", "0 0 0 0 0 0") + &joint("j", "revolute", "world", "a", acting);
    let m = read(&model("1.6", &held)).mechanism;
    let axis = &m.model.joints()[0].axes[0];
    let limits = axis.limits.unwrap();
    assert_eq!((limits.min, limits.max), (f64::NEG_INFINITY, 0.5));
    assert_eq!((axis.spring.damping, axis.friction), (0.1, 0.2));
    assert_eq!((axis.spring.stiffness, axis.spring.rest), (10.0, 0.3));
    assert_eq!(m.actuators[0].force_range, Some([-3.0, 3.0]));
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
        let m = &read.mechanism;
        assert_eq!((m.model.bodies().len(), m.model.couplings().len()), (2, 1));
        let (rotor, _) = m.coordinate("r").unwrap();
        let targets = Targets::none().hard(rotor, 0, 2.0);
        let guess = m.model.initial_state();
        let turned = assemble(&m.model, &guess, &targets, &AssembleSettings::default()).unwrap();
        let (out, _) = m.coordinate("o").unwrap();
        let q = turned.state.joint_coordinates(&m.model, out)[0];
        assert!((q - sign * 0.08).abs() < 1e-9, "{q}");
        let (_, x) = {
            let pose = m.link("out").unwrap().frame.pose(&turned.state);
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
    let m = &read.mechanism.model;
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
    let m = read(&text).mechanism;
    assert_eq!(m.labels[0], ["u_2", "u_1"]);
    let damping: Vec<f64> = m.model.joints()[0]
        .axes
        .iter()
        .map(|a| a.spring.damping)
        .collect();
    assert_eq!(damping, [2.0, 1.0]);
    // Turning the parent about x while the child stands is a turn of −q of the child.
    let (joint, first) = m.coordinate("u_1").unwrap();
    let targets = Targets::none().hard(joint, first, 0.3).hard(joint, 0, 0.0);
    let guess = m.model.initial_state();
    let turned = assemble(&m.model, &guess, &targets, &AssembleSettings::default()).unwrap();
    let y = m.link("b").unwrap().frame.pose(&turned.state).rotation * Vec3::y();
    assert!((y.z.atan2(y.y) + 0.3).abs() < 1e-9, "{y}");
}

#[test]
fn worlds_have_gravity_steps_planes_and_includes() {
    let folder = Folder::new();
    let ball = format!(
        "<sdf version=\"1.6\"><model name=\"ball\"><link name=\"l\">{HEAVY}<collision name=\"c\"><geometry>\
         <sphere><radius>0.5</radius></sphere></geometry><surface><friction><ode><mu>0.7</mu></ode></friction>\
         </surface></collision></link></model></sdf>"
    );
    folder.write("ball/ball.sdf", ball);
    folder.write(
        "ball/model.config",
        "<model><sdf version=\"1.6\">ball.sdf</sdf></model>",
    );
    let world = "<sdf version=\"1.6\"><world name=\"w\"><gravity>0 0 -3</gravity><physics type=\"ode\">\
        <max_step_size>0.002</max_step_size></physics><include><uri>model://ball</uri><name>one</name>\
        <pose>0 0 2 0 0 0</pose></include><include><uri>model://ball</uri><name>two</name>\
        <static>1</static></include><model name=\"ground\"><static>1</static><link name=\"l\">\
        <collision name=\"c\"><geometry><plane><normal>0 1 0</normal></plane></geometry></collision>\
        </link></model></world></sdf>";
    let file = folder.write("w.world", world);
    let read = load(&file, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let m = &read.mechanism;
    assert_eq!(m.model.gravity(), Vec3::new(0.0, 0.0, -3.0));
    assert_eq!(m.timestep, Some(0.002));
    assert_eq!(m.model.bodies().len(), 1);
    assert_eq!(home(&read, "one::l").0, Vec3::new(0.0, 0.0, 2.0));
    let shapes = m.model.shapes();
    assert_eq!((shapes.len(), shapes[0].material.friction), (3, 0.7));
    let plane = shapes
        .iter()
        .find(|s| s.geometry == Geometry::HalfSpace)
        .unwrap();
    assert!((plane.local.rotation * Vec3::z() - Vec3::y()).norm() < 1e-12);
    // The ball touches the ground but parts of the world do not touch each other.
    assert!(shapes[0].group.meets(&plane.group));
}

#[test]
fn links_of_a_model_touch_only_if_it_says_so() {
    let shaped = |name: &str| {
        format!(
            "<link name=\"{name}\">{HEAVY}<collision name=\"c\"><geometry><sphere><radius>1</radius></sphere>\
             </geometry></collision></link>"
        )
    };
    let links = shaped("a") + &shaped("b");
    for (end, touch) in [("", false), ("<self_collide>1</self_collide>", true)] {
        let read = read(&model("1.6", &(links.clone() + end)));
        let shapes = read.mechanism.model.shapes();
        assert_eq!(shapes[0].group.meets(&shapes[1].group), touch);
    }
}

#[test]
fn a_rotor_no_body_can_be_is_made_possible_and_told() {
    let rotor = "<link name=\"a\"><inertial><mass>1</mass><pose>0 0 0 1.5707963267948966 0 0</pose><inertia>\
        <ixx>1</ixx><iyy>2</iyy><izz>5</izz></inertia></inertial></link>";
    let read = read(&model("1.6", rotor));
    let inertia = read.mechanism.model.bodies()[0].inertia;
    // z of the inertial frame is −y of the link; 1 is raised to 2 and 2 to 3.
    let exact = Vec3::new(2.0, 5.0, 3.0);
    assert!((inertia.diagonal() - exact).norm() < 1e-12, "{inertia}");
    assert!(told(&read, "raised"));
}

#[test]
fn cassie_loads_with_its_loops_and_gearboxes() {
    let Some(models) = models() else { return };
    // Links, joints of the tree, closures, gearboxes, sum of joint freedoms without the floating base
    // (gearboxes count 5), mass, mobility, rank and rows of closures and gearboxes.
    let cases = [
        ("cassie.sdf", 35, 34, 6, 10, 98, 16, (28, 36)),
        ("cassie_v2.sdf", 23, 22, 4, 0, 34, 18, (10, 12)),
    ];
    for (file, links, tree, closures, gearboxes, freedoms, mobile, (rank, rows)) in cases {
        let options = Options {
            assets: Some(models.clone()),
            ..Options::default()
        };
        let path = models.join("cassie_description/robots").join(file);
        let read = load(&path, &options).unwrap_or_else(|e| panic!("{e}"));
        let m = &read.mechanism;
        let found = (read.counts.links, read.counts.joints, read.counts.closures);
        assert_eq!(found, (links, tree, closures), "{file}");
        assert_eq!(m.model.couplings().len(), gearboxes, "{file}");
        let coordinates: usize = m.model.joints().iter().map(|j| j.axes.len()).sum();
        assert_eq!(coordinates + 5 * gearboxes, freedoms, "{file}");
        assert_eq!(
            read.counts.degrees_of_freedom,
            6 + tree_freedom(&read),
            "{file}"
        );
        let guess = m.model.initial_state();
        let settings = AssembleSettings::default();
        let closed = assemble(&m.model, &guess, &Targets::none(), &settings).unwrap();
        assert!(closed.residual <= 1e-9, "{file}: {:e}", closed.residual);
        let report = mobility(&m.model, &closed.state);
        let carried: usize = m
            .tree
            .iter()
            .map(|j| m.model.joint(*j).kind.locked().len())
            .sum();
        assert_eq!(
            (report.rank - carried, report.rows - carried),
            (rank, rows),
            "{file}"
        );
        assert_eq!(report.degrees_of_freedom, mobile, "{file}");
    }
}

fn tree_freedom(read: &Imported) -> usize {
    let m = &read.mechanism;
    m.tree.iter().map(|j| m.model.joint(*j).axes.len()).sum()
}

//! The model of an SDF: poses, masses and collisions.

mod common;

use common::sdf::{HEAVY, home, joint, link, model, read};
use common::{Folder, import, told};
use linkwork::math::Vec3;
use linkwork::model::{Geometry, Lens};
use linkwork_import::export::{to_mjcf, to_urdf};
use linkwork_import::own::to_toml;
use linkwork_import::{Imported, Options, load};

/// World direction of a joint's axis in the home pose.
fn axis(read: &Imported, joint: usize) -> Vec3 {
    let model = &read.model;
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
        (fixed.counts.degrees_of_freedom, fixed.model.bodies().len()),
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
    // f is at (1, 1, 5) and its x is the world's y.
    let (b, x) = home(&read, "b");
    assert!((b - Vec3::new(1.0, 2.0, 5.0)).norm() < 1e-12 && (x - Vec3::y()).norm() < 1e-12);
    let (c, _) = home(&read, "c");
    assert!((c - Vec3::new(1.0, 2.0, 8.0)).norm() < 1e-12);
    assert_eq!(read.counts.degrees_of_freedom, 7);
    // The parent frame f moves with link a.
    let joint = &read.model.joints()[0];
    let base = read.model.body(joint.base.unwrap());
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
    let m = &read.model;
    assert_eq!(m.gravity(), Vec3::new(0.0, 0.0, -3.0));
    assert_eq!(m.timestep(), Some(0.002));
    assert_eq!(m.bodies().len(), 1);
    assert_eq!(home(&read, "one::l").0, Vec3::new(0.0, 0.0, 2.0));
    let shapes = m.shapes();
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
        let shapes = read.model.shapes();
        assert_eq!(shapes[0].group.meets(&shapes[1].group), touch);
    }
}

#[test]
fn a_rotor_no_body_can_be_is_made_possible_and_told() {
    let rotor = "<link name=\"a\"><inertial><mass>1</mass><pose>0 0 0 1.5707963267948966 0 0</pose><inertia>\
        <ixx>1</ixx><iyy>2</iyy><izz>5</izz></inertia></inertial></link>";
    let read = read(&model("1.6", rotor));
    let inertia = read.model.bodies()[0].inertia;
    // z of the inertial frame is −y of the link; 1 is raised to 2 and 2 to 3.
    let exact = Vec3::new(2.0, 5.0, 3.0);
    assert!((inertia.diagonal() - exact).norm() < 1e-12, "{inertia}");
    assert!(told(&read, "raised"));
}

/// `diffuse` is the colour; files such as Cassie's have `ambient` only.
#[test]
fn colours_of_materials_reach_every_format() {
    let visual = |name: &str, colours: &str| {
        format!(
            "<visual name='{name}'><geometry><sphere><radius>0.1</radius></sphere></geometry>\
             <material>{colours}</material></visual>"
        )
    };
    let visuals = visual("a", "<ambient>0.25 0.5 0.75 1</ambient>")
        + &visual(
            "b",
            "<ambient>1 1 1</ambient><diffuse>0.5 0 0 0.5</diffuse>",
        )
        + &visual("c", "<specular>1 1 1</specular>");
    let sdf = read(&model(
        "1.6",
        &format!("<link name='l'>{HEAVY}{visuals}</link>"),
    ));
    let colours =
        |read: &Imported| -> Vec<_> { read.model.shapes().iter().map(|s| s.colour).collect() };
    let expected = vec![
        Some([0.25, 0.5, 0.75, 1.0]),
        Some([0.5, 0.0, 0.0, 0.5]),
        None,
    ];
    assert_eq!(colours(&sdf), expected);
    let written = [
        ("m.linkwork.toml", to_toml(&sdf.model)),
        ("m.xml", to_mjcf(&sdf.model).unwrap().text),
        ("m.urdf", to_urdf(&sdf.model, "meshes").text),
    ];
    for (name, text) in written {
        let again = import(name, &text, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        let found = colours(&again);
        assert_eq!(&found[..2], &expected[..2], "{name}");
        // MuJoCo's default colour stands for none.
        assert!(
            matches!(found[2], None | Some([0.5, 0.5, 0.5, 1.0])),
            "{name}: {found:?}"
        );
    }
}

/// A camera of SDF looks along x, with z upwards; one of the model along −z, with y upwards.
#[test]
fn visuals_have_colours_and_links_have_cameras() {
    let text = model(
        "1.9",
        "<link name='l'><inertial><mass>1</mass></inertial><visual name='v'><geometry><sphere><radius>0.1</radius></sphere>\
         </geometry><material><diffuse>0.2 0.4 0.6</diffuse></material></visual>\
         <sensor name='eye' type='camera'><pose>0.1 0 0 0 0 0</pose><camera><horizontal_fov>1.5</horizontal_fov>\
         <image><width>400</width><height>200</height></image></camera></sensor>\
         <sensor name='imu' type='imu'/></link>",
    );
    let read = read(&text);
    assert_eq!(read.model.shapes()[0].colour, Some([0.2, 0.4, 0.6, 1.0]));
    let [camera] = read.model.cameras() else {
        panic!("one camera");
    };
    assert_eq!(camera.frame.name, "l/eye");
    let pose = camera.frame.pose(&read.model.initial_state());
    assert!((pose.position - Vec3::new(0.1, 0.0, 0.0)).norm() < 1e-12);
    assert!((pose.rotation * -Vec3::z() - Vec3::x()).norm() < 1e-12);
    assert!((pose.rotation * Vec3::y() - Vec3::z()).norm() < 1e-12);
    let Lens::Perspective { field_of_view } = camera.lens else {
        panic!("it has perspective");
    };
    assert!((field_of_view - 2.0 * (0.75f64.tan() / 2.0).atan()).abs() < 1e-12);
    assert!(told(&read, "<sensor> of type imu"));
}

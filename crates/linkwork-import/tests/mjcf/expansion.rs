//! Includes, frames, copies and attached models.

use crate::work::within;
use crate::{Folder, import, near, position, refused};
use linkwork_import::Fault;

#[test]
fn frames_move_what_is_in_them() {
    let made = import(
        "frame",
        "<worldbody><frame pos='1 0 0' euler='0 0 90'><frame pos='1 0 0'><body name='b' \
         pos='1 0 0'><geom size='.1'/></body></frame></frame></worldbody>",
    );
    assert!(near(&position(&made, "b"), &[1.0, 2.0, 0.0]));
}

#[test]
fn copies_are_numbered_and_each_moves_on_from_the_last() {
    let made = import(
        "replicate",
        "<worldbody><replicate count='10' offset='1 0 0' euler='0 0 90' sep='-'><body name='a'>\
         <joint name='j'/><geom size='.1'/></body></replicate></worldbody>\
         <actuator><motor name='m' joint='j'/></actuator>",
    );
    assert!(near(&position(&made, "a-02"), &[1.0, 1.0, 0.0]));
    assert!(near(&position(&made, "a-03"), &[0.0, 1.0, 0.0]));
    // What refers to a copy is copied with it.
    let names: Vec<_> = made
        .model
        .actuators()
        .iter()
        .map(|a| a.name.as_str())
        .collect();
    assert_eq!(names.len(), 10);
    assert_eq!(names[9], "m-09");
}

#[test]
fn copies_of_copies_have_the_inner_number_first() {
    let made = import(
        "nested",
        "<worldbody><replicate count='2' offset='0 1 0' sep='_'><body name='a'><geom size='.1'/>\
         <replicate count='3' offset='1 0 0' sep='-'><body name='b'><geom size='.1'/></body>\
         </replicate></body></replicate></worldbody>",
    );
    assert_eq!(made.counts.links, 8);
    assert!(near(&position(&made, "b-2_1"), &[2.0, 1.0, 0.0]));
}

#[test]
fn a_model_is_attached_with_its_own_units_classes_and_prefix() {
    let child = "<mujoco model='c'><compiler angle='radian'/><default><joint damping='7'/></default>\
                 <worldbody><body name='arm' euler='0 0 1.5707963267948966'><joint name='j' \
                 range='-1 1'/><geom size='.1'/><body name='tip' pos='1 0 0'><geom size='.1'/></body>\
                 </body><body name='other'><geom size='.1'/></body></worldbody>\
                 <actuator><motor name='m' joint='j'/></actuator></mujoco>";
    let parent = "<mujoco><asset><model name='c' file='child.xml'/></asset><worldbody>\
                  <frame pos='0 0 1'><attach model='c' body='arm' prefix='l_'/></frame>\
                  <body name='base' pos='0 0 2'><attach model='c' body='arm' prefix='r_'/></body>\
                  </worldbody></mujoco>";
    let files = [("child.xml", child), ("parent.xml", parent)];
    let made = Folder::new("attach", &files).load("parent.xml").unwrap();
    assert_eq!(made.counts.links, 5);
    assert!(near(&position(&made, "l_tip"), &[0.0, 1.0, 1.0]));
    assert!(near(&position(&made, "r_tip"), &[0.0, 1.0, 2.0]));
    let (id, _) = made.model.coordinate_named("r_j").unwrap();
    let axis = made.model.joint(id).axes[0];
    assert_eq!(axis.spring.damping, 7.0);
    assert_eq!(axis.limits.map(|l| l.max), Some(1.0));
    let names: Vec<_> = made
        .model
        .actuators()
        .iter()
        .map(|a| a.name.as_str())
        .collect();
    assert_eq!(names, ["l_m", "r_m"]);
}

#[test]
fn included_files_stand_in_place() {
    let main = "<mujoco><include file='defaults.xml'/><worldbody><include file='body.xml'/>\
                </worldbody></mujoco>";
    let files = [
        ("main.xml", main),
        (
            "defaults.xml",
            "<mujocoinclude><default><geom size='.5'/></default></mujocoinclude>",
        ),
        (
            "body.xml",
            "<mujocoinclude><body name='b'><geom density='1'/></body></mujocoinclude>",
        ),
        ("loop.xml", "<mujoco><include file='again.xml'/></mujoco>"),
        (
            "again.xml",
            "<mujocoinclude><include file='loop.xml'/></mujocoinclude>",
        ),
        (
            "out.xml",
            "<mujoco><include file='../../secret.xml'/></mujoco>",
        ),
    ];
    let folder = Folder::new("include", &files);
    let made = folder.load("main.xml").unwrap();
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
    assert!(near(&[made.counts.mass], &[ball]));
    for (file, fault) in [
        ("loop.xml", Fault::Cycle),
        ("out.xml", Fault::Escape),
        ("body.xml", Fault::UnknownElement),
    ] {
        let e = folder.load(file).err().expect("it is refused");
        assert_eq!(e.fault, fault, "{e}");
    }
}

#[test]
fn a_model_that_attaches_itself_is_refused() {
    let circle = "<mujoco><asset><model name='a' file='b.xml'/></asset></mujoco>";
    let files = [
        ("a.xml", circle),
        ("b.xml", &circle.replace("b.xml", "a.xml")),
    ];
    let e = Folder::new("circle", &files).load("a.xml").err().unwrap();
    assert_eq!(e.fault, Fault::Cycle);
    let e = refused(
        "snake",
        "<worldbody><body name='a'><geom size='.1'/><attach body='a' prefix='x'/></body></worldbody>",
    );
    assert_eq!(e.fault, Fault::TooLarge);
}

#[test]
fn expansion_bombs_are_refused_before_they_expand() {
    let many = "<worldbody><replicate count='1000000000'><site/></replicate></worldbody>";
    let fault = |name, text| within(5.0, name, || refused(name, text)).fault;
    assert_eq!(fault("bomb", many), Fault::TooLarge);
    let mut nested = "<site/>".to_owned();
    for _ in 0..9 {
        nested = format!("<replicate count='100'>{nested}</replicate>");
    }
    let nested = format!("<worldbody>{nested}</worldbody>");
    assert_eq!(fault("bombs", &nested), Fault::TooLarge);
}

//! Sensors and keyframes.

use crate::{Folder, hinged, import, near, refused, told};
use linkwork_import::{Fault, Severity};

#[test]
fn keyframes_place_free_ball_and_hinged_bodies() {
    let made = import(
        "key",
        "<worldbody><body name='f'><freejoint/><geom size='.1'/><body name='b' pos='1 0 0'>\
         <joint type='ball'/><geom size='.1'/><body name='h' pos='1 0 0'><joint axis='0 0 1'/>\
         <geom size='.1' pos='1 0 0'/></body></body></body></worldbody>\
         <keyframe><key name='k' time='2' qpos='0 0 3 1 0 0 0 1 0 0 1 -1.5707963267948966' \
         qvel='0 0 1 0 0 2 0 0 0 3'/></keyframe>",
    );
    let key = &made.model.keyframes()[0];
    let state = made.model.keyframe_state(key);
    assert_eq!(state.time, 2.0);
    let at = |name: &str| {
        made.model
            .link_named(name)
            .unwrap()
            .frame
            .pose(&state)
            .position
    };
    let close =
        |a: linkwork::math::Vec3, b: [f64; 3]| (a - linkwork::math::Vec3::from(b)).norm() < 1e-9;
    // The ball turns by 90° about z: the hinge lies along y; it turns back.
    assert!(close(at("b"), [1.0, 0.0, 3.0]));
    assert!(close(at("h"), [1.0, 1.0, 3.0]), "{}", at("h"));
    let twist = |name: &str| made.model.link_named(name).unwrap().frame.twist(&state);
    assert!(close(twist("f").linear, [0.0, 0.0, 1.0]));
    // Carried round by the free body at 2 rad/s, 1 m from it.
    assert!(
        close(twist("b").linear, [0.0, 2.0, 1.0]),
        "{}",
        twist("b").linear
    );
    assert!((twist("h").angular.z - 5.0).abs() < 1e-9);
}

#[test]
fn controls_of_keyframes_follow_the_actuators_that_are_carried() {
    let made = import(
        "ctrl",
        &format!(
            "{}<actuator><motor joint='j'/><muscle joint='j'/><motor joint='j'/></actuator>\
             <keyframe><key ctrl='1 2 3'/></keyframe>",
            hinged("")
        ),
    );
    assert_eq!(made.model.keyframes()[0].controls, [1.0, 3.0]);
}

#[test]
fn lists_of_wrong_length_are_refused_or_told() {
    let key = |q: &str| format!("{}<keyframe><key qpos='{q}'/></keyframe>", hinged(""));
    assert_eq!(refused("long", &key("1 2")).fault, Fault::BadValue);
    let two = key("1").replace("<geom", "<joint axis='1 0 0'/><geom");
    assert!(told(
        &import("short", &two),
        Severity::Warning,
        "the rest is in the home pose"
    ));
}

#[test]
fn sensors_read_the_state_and_others_are_counted() {
    let made = import(
        "sensors",
        "<worldbody><body name='b' pos='0 0 1'><joint name='j' ref='90'/><geom name='g' size='.1' \
         pos='1 0 0'/><site name='s' pos='0 2 0'/></body></worldbody>\
         <sensor><jointpos joint='j'/><framepos objtype='site' objname='s'/><framepos objtype='geom' \
         objname='g'/><framepos objtype='xbody' objname='b'/><framepos objtype='body' objname='b'/>\
         <subtreecom body='b'/><framezaxis objtype='site' objname='s'/><clock/><gyro site='s'/>\
         <e_potential/><user dim='1'/><user dim='2'/></sensor>",
    );
    let state = made.model.initial_state();
    let read = |i: usize| {
        made.model
            .read(&made.model.sensors()[i], &state, None)
            .unwrap()
    };
    assert!(near(&read(0), &[std::f64::consts::FRAC_PI_2]));
    assert!(near(&read(1), &[0.0, 2.0, 1.0]));
    assert!(near(&read(2), &[1.0, 0.0, 1.0]));
    assert!(near(&read(3), &[0.0, 0.0, 1.0]));
    assert!(
        near(&read(4), &[1.0, 0.0, 1.0]),
        "'body' is the centre of mass"
    );
    assert!(near(&read(5), &[1.0, 0.0, 1.0]));
    assert!(near(&read(6), &[0.0, 0.0, 1.0]));
    // − m g · z of the ball, 1 m above the origin.
    let mass = 4.0 / 3.0 * std::f64::consts::PI;
    assert!(near(&read(9), &[mass * 9.81]));
    assert_eq!(made.model.sensors().len(), 10);
    assert!(told(&made, Severity::Ignored, "2 sensor(s) of kind <user>"));
}

#[test]
fn sections_for_the_eye_are_told_once() {
    let text = "<mujoco><visual><global fovy='45'/><quality shadowsize='1'/></visual><statistic \
                extent='1'/><worldbody><light/><light/><geom size='.1' solmix='2'/><geom size='.1' \
                solmix='2'/></worldbody></mujoco>";
    let made = Folder::new("eye", &[("m.xml", text)])
        .load("m.xml")
        .unwrap();
    let about = |word: &str| {
        let all = made.notices.all().iter();
        all.filter(|n| n.what.contains(word)).count()
    };
    assert_eq!(
        [about("<visual>"), about("<light>"), about("solmix")],
        [1, 1, 1]
    );
    assert!(told(&made, Severity::Ignored, "<light>, found 2 time(s)"));
}

const CHILD: &str = "<mujoco><default><default class='r'><joint type='ball'/></default></default><worldbody>\
                     <body name='z'><frame childclass='r'><joint name='zz'/></frame><geom size='.1'/></body>\
                     <body name='b'><body name='c' pos='1 0 0'><joint name='k' ref='.5'/><geom size='.1'/>\
                     </body><joint name='j'/><geom size='.1'/></body></worldbody><actuator>\
                     <position name='p' joint='k'/><motor name='m' joint='j'/></actuator><keyframe>\
                     <key name='one' qpos='1 0 0 0 .1 .2' ctrl='6 5' time='3' qvel='7 7 7 1 2'/>\
                     <key qpos='1 0 0 0 .3 .4'/></keyframe></mujoco>";

/// As in MuJoCo 4.0.0: the joints of the attached part, in the order of their own file (a body's joints before those of
/// the bodies below it), all others in the home pose.
#[test]
fn keyframes_of_attached_models_come_with_their_prefix() {
    let main = "<mujoco><compiler angle='radian'/><asset><model name='child' file='child.xml'/></asset>\
                <worldbody><body name='t'><joint name='t' ref='.7'/><geom size='.1'/></body>\
                <attach model='child' body='b' prefix='p_'/><attach model='child' body='b' prefix='q_'/>\
                </worldbody><keyframe><key name='own' qpos='1 2 3 4 5'/></keyframe></mujoco>";
    let folder = Folder::new("attached-keys", &[("m.xml", main), ("child.xml", CHILD)]);
    let made = folder.load("m.xml").unwrap_or_else(|e| panic!("{e}"));
    let mechanism = &made.model;
    let keys = &mechanism.keyframes();
    let names: Vec<_> = keys.iter().map(|k| k.name.as_str()).collect();
    assert_eq!(names, ["own", "p_one", "p_key_2", "q_one", "q_key_4"]);
    let home = 0.5f64.to_radians();
    let at = |key: usize| -> Vec<f64> {
        let joints = keys[key].joints.iter();
        joints.flat_map(|(_, q)| q.iter().copied()).collect()
    };
    assert!(near(&at(0), &[1.0, 2.0, 3.0, 4.0, 5.0]));
    assert!(near(&at(1), &[0.7, 0.1, 0.2, 0.0, home]));
    assert!(near(&at(2), &[0.7, 0.3, 0.4, 0.0, home]));
    assert!(near(&at(3), &[0.7, 0.0, home, 0.1, 0.2]));
    let rates: Vec<f64> = keys[3].rates.iter().flat_map(|(_, v)| v.clone()).collect();
    assert!(near(&rates, &[0.0, 0.0, 0.0, 1.0, 2.0]));
    // Controls p_p, p_m, q_p, q_m.
    assert_eq!(keys[1].controls, [6.0, 5.0, 0.0, 0.0]);
    assert_eq!(keys[3].controls, [0.0, 0.0, 6.0, 5.0]);
    assert_eq!(keys[3].time, 3.0);
}

#[test]
fn keyframes_of_an_attached_model_with_copies_are_told() {
    let main = "<mujoco><asset><model name='child' file='child.xml'/></asset><worldbody>\
                <attach model='child' prefix='p_'/></worldbody></mujoco>";
    let child = "<mujoco><worldbody><replicate count='2' offset='1 0 0'><body><joint/><geom size='.1'/>\
                 </body></replicate></worldbody><keyframe><key qpos='1 2'/></keyframe></mujoco>";
    let folder = Folder::new("copied-keys", &[("m.xml", main), ("child.xml", child)]);
    let made = folder.load("m.xml").unwrap_or_else(|e| panic!("{e}"));
    assert!(made.model.keyframes().is_empty());
    assert!(told(
        &made,
        Severity::Ignored,
        "keyframes of an attached model"
    ));
    // Too many numbers are an error there too.
    let child = CHILD.replace("qpos='1 0 0 0 .1 .2'", "qpos='1 0 0 0 .1 .2 9'");
    let folder = Folder::new("long-keys", &[("m.xml", main), ("child.xml", &child)]);
    let error = folder.load("m.xml").err().unwrap();
    assert!(error.what.contains("the model needs 6"), "{}", error.what);
}

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
    let key = &made.mechanism.keyframes[0];
    let state = made.mechanism.keyframe_state(key);
    assert_eq!(state.time, 2.0);
    let at = |name: &str| {
        made.mechanism
            .link(name)
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
    let twist = |name: &str| made.mechanism.link(name).unwrap().frame.twist(&state);
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
    assert_eq!(made.mechanism.keyframes[0].controls, [1.0, 3.0]);
}

#[test]
fn lists_of_wrong_length_are_refused_or_told() {
    let key = |q: &str| format!("{}<keyframe><key qpos='{q}'/></keyframe>", hinged(""));
    assert_eq!(refused("long", &key("1 2")).fault, Fault::BadValue);
    let two = key("1").replace("<geom", "<joint axis='1 0 0'/><geom");
    assert!(told(
        &import("short", &two),
        Severity::Warning,
        "the rest is at home"
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
         <touch site='s'/><touch site='s'/></sensor>",
    );
    let state = made.mechanism.model.initial_state();
    let read = |i: usize| made.mechanism.read(&made.mechanism.sensors[i], &state);
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
    assert_eq!(made.mechanism.sensors.len(), 9);
    assert!(told(
        &made,
        Severity::Ignored,
        "2 sensor(s) of kind <touch>"
    ));
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

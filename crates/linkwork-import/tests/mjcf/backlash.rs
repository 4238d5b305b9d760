//! Two joints on one axis, the second of which is the play of the first.

use crate::import;
use linkwork::model::Model;
use linkwork::{Control, Settings, Simulator};
use std::sync::Arc;

/// A pendulum on a hinge, with `more` joints on its body.
fn pendulum(name: &str, more: &str) -> Arc<Model> {
    let made = import(
        name,
        &format!(
            "<compiler angle='radian'/><worldbody><body name='b'><joint name='q' axis='0 1 0'/>{more}\
             <geom type='capsule' fromto='0 0 0 .3 0 0' size='.02' mass='1.5'/></body></worldbody>\
             <sensor><jointpos joint='q'/><subtreecom body='b'/></sensor>\
             <keyframe><key name='down' qpos='{}'/></keyframe>",
            if more.is_empty() { "1" } else { "1 0.001" }
        ),
    );
    assert_eq!(made.counts.links, 1);
    assert!((made.counts.mass - 1.5).abs() < 1e-12);
    made.model
}

/// Positions of the last body's centre of mass every 10 ms.
fn swing(model: &Arc<Model>) -> Vec<[f64; 3]> {
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(model);
    let link = model.link_named("b").unwrap().frame.body.unwrap();
    let mut path = Vec::new();
    for step in 0..1000 {
        simulator.step(&control).unwrap();
        if step % 10 == 0 {
            path.push(simulator.state().poses[link.index()].position.into());
        }
    }
    path
}

#[test]
fn a_pendulum_with_play_swings_as_one_without_to_the_play() {
    let play = 1e-4;
    let plain = pendulum("plain", "");
    let loose = pendulum(
        "loose",
        &format!("<joint name='play' axis='0 1 0' range='-{play} {play}' limited='true'/>"),
    );
    for (a, b) in swing(&plain).iter().zip(swing(&loose)) {
        let off = (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max);
        // The play divided by the length, and its growth in time.
        assert!(off < 0.15 * 10.0 * play, "{off}");
    }
}

#[test]
fn sensors_and_stored_states_find_both_coordinates() {
    let model = pendulum(
        "states",
        "<joint name='play' axis='0 1 0' range='-.1 .1' limited='true'/>",
    );
    let state = model.keyframe_state(&model.keyframes()[0]);
    for (name, wanted) in [("q", 1.0), ("play", 0.001)] {
        let (joint, c) = model.coordinate_named(name).unwrap();
        let found = state.joint_coordinates(&model, joint)[c];
        assert!((found - wanted).abs() < 1e-12, "{name}: {found}");
    }
    let com = model
        .read(&model.sensors()[1], &model.initial_state(), None)
        .unwrap();
    assert!(
        (com[0] - 0.15).abs() < 1e-12,
        "the whole is where it was: {com:?}"
    );
    assert_eq!(
        model.read(&model.sensors()[0], &state, None).unwrap(),
        [1.0]
    );
}

//! Loops that contradict each other because their numbers are rounded.

mod common;

use common::import;
use linkwork::assemble::ClosedStart;
use linkwork::model::Model;
use linkwork::{Control, Settings, Simulator};
use linkwork_import::Options;
use linkwork_solve::Status;
use std::sync::Arc;

/// A parallelogram with a third rod, the second longer by `off` m in x.
fn parallelogram(off: f64) -> String {
    format!(
        r#"<mujoco><option timestep="0.001"/>
  <default><geom contype="0" conaffinity="0" type="capsule" size="0.002"/></default>
  <worldbody><site name="f2" pos="0.02 0 0.01"/><site name="b2" pos="-0.02 0 -0.01"/>
    <body name="neck"><joint name="neck" axis="0 1 0"/><geom fromto="0 0 0 -0.03 0 0.06"/>
      <body name="plate" pos="-0.03 0 0.06"><joint name="act" axis="0 -1 0"/><geom fromto="-0.02 0 -0.01 0.02 0 0.01"/>
        <body name="rod" pos="0.02 0 0.01"><joint name="front" axis="0 -1 0"/><geom fromto="0 0 0 0.03 0 -0.06"/>
          <site name="f1" pos="0.03 0 -0.06"/></body>
        <body name="rod2" pos="-0.02 0 -0.01"><joint name="back" axis="0 -1 0"/><geom fromto="0 0 0 0.03 0 -0.06"/>
          <site name="b1" pos="{} 0 -0.06"/></body>
      </body></body></worldbody>
  <equality><connect name="front loop" site1="f1" site2="f2"/><connect name="back loop" site1="b1" site2="b2"/></equality>
</mujoco>"#,
        0.03 + off
    )
}

/// The neck of the toddlerbot, its digits rounded to 1e-8 m, as its file has them.
const NECK: &str = r#"<mujoco><compiler angle="radian"/><option timestep="0.001"/>
  <default><geom contype="0" conaffinity="0" type="capsule" size="0.002"/></default>
  <worldbody><site name="f2" pos="0.00724444 0 0.0169411"/><site name="b2" pos="-0.00724444 0 0.0130589"/>
    <body name="neck" pos="0 0 0.015"><joint name="neck" axis="0 1 0"/><geom fromto="0 0 0 -0.027 0 0.0326157"/>
      <body name="plate" pos="-0.027 0 0.0326157"><joint name="act" axis="0 -1 0"/>
        <geom fromto="-0.00723736 0 -0.0019674 0.00723736 0 0.0019674"/>
        <body name="rod" pos="0.00723736 0 0.0019674"><joint name="front" axis="0 -1 0"/>
          <geom fromto="0 0 0 0.02700705 0 -0.03264198"/><site name="f1" pos="0.02700705 0 -0.03264198"/></body>
        <body name="rod2" pos="-0.00723736 0 -0.0019674"><joint name="back" axis="0 -1 0"/>
          <geom fromto="0 0 0 0.02699292 0 -0.03258941"/><site name="b1" pos="0.02699292 0 -0.03258941"/></body>
      </body></body></worldbody>
  <equality><connect name="front loop" site1="f1" site2="f2"/><connect name="back loop" site1="b1" site2="b2"/></equality>
</mujoco>"#;

fn started(text: &str) -> (Arc<Model>, ClosedStart) {
    let read = import("loop.xml", text, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let model = read.model;
    let closed = model.closed(&model.initial_state());
    let closed = closed.unwrap_or_else(|e| panic!("{e}"));
    (model.started(&closed).unwrap(), closed)
}

/// Angles of the neck over a second; all solves must converge.
fn swing(model: &Arc<Model>) -> Vec<f64> {
    let (joint, c) = model.coordinate_named("neck").unwrap();
    let mut simulator = Simulator::new(model.clone(), Settings::default()).unwrap();
    let control = Control::new(model);
    let mut path = Vec::new();
    for step in 0..1000 {
        let report = simulator.step(&control).unwrap();
        assert_eq!(report.status, Status::Converged, "step {step}");
        path.push(simulator.state().joint_coordinates(model, joint)[c]);
    }
    path
}

#[test]
fn a_parallelogram_with_rounded_rods_swings_as_the_exact_one() {
    let (exact, closed) = started(&parallelogram(0.0));
    assert_eq!(
        closed.contradiction, None,
        "exact rods do not contradict each other"
    );
    let path = swing(&exact);
    let least = path.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least < -1.0, "it falls: {least} rad");
    for off in [1e-10, 1e-9, 1e-8, 1e-7] {
        let (rounded, closed) = started(&parallelogram(off));
        let contradiction = closed.contradiction.unwrap();
        let [m, rad] = contradiction.open;
        assert!(m < off && rad < 1e-9, "{m} {rad}");
        // Spread over the rows of all joints.
        assert!(m > 0.01 * off, "{m}");
        assert_eq!(
            contradiction.joints.len(),
            2,
            "the two loops yield, not the tree"
        );
        let other = swing(&rounded);
        // Until it is folded flat, after 1.57 rad, where it can continue in two ways.
        for (a, b) in path.iter().zip(&other).take_while(|(a, _)| a.abs() < 1.3) {
            assert!((a - b).abs() < 1e-3, "{off}: {a} {b}");
        }
    }
}

#[test]
fn the_rounded_neck_of_a_robot_is_closed_and_runs() {
    let (model, closed) = started(NECK);
    let contradiction = closed.contradiction.unwrap();
    assert!(contradiction.open[0] < 1e-8, "{contradiction:?}");
    let path = swing(&model);
    assert!(path.iter().any(|q| q.abs() > 0.5), "it is not locked");
}

#[test]
fn loops_that_are_apart_by_more_than_digits_are_refused() {
    let text = parallelogram(1e-4);
    let read = import("loop.xml", &text, &Options::default()).unwrap();
    let model = read.model;
    let closed = model.closed(&model.initial_state());
    assert!(closed.unwrap_err().to_string().contains("stays open"));
}

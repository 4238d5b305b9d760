//! Rods that the other joints do not let swing: found, held, and as good as a weld.

use linkwork::math::{MassProperties, Pose, Vec3};
use linkwork::model::{BodyDef, JointDef, Model, ModelBuilder};
use linkwork::{Control, Settings, Simulator, joints};
use linkwork_solve::Status;
use std::sync::Arc;

fn bar(name: &str, at: Vec3) -> BodyDef {
    let mass = MassProperties::solid_box(1.0, Vec3::new(0.2, 0.03, 0.03));
    BodyDef::new(name, mass).pose(Pose::at(at.x, at.y, at.z))
}

/// A double pendulum about y; what holds its second body to the first comes last.
fn pendulum(hold: impl FnOnce(&mut ModelBuilder)) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    let first = b.add_body(bar("first", Vec3::new(0.2, 0.0, 0.0)));
    let second = b.add_body(bar("second", Vec3::new(0.6, 0.0, 0.0)));
    let hinge = |name: &str, base, follower, x: f64| {
        JointDef::of(name, Arc::new(joints::Revolute), base, follower)
            .anchor(x, 0.0, 0.0)
            .axis(0.0, 1.0, 0.0)
    };
    b.add_joint(hinge("shoulder", None, first, 0.0));
    b.add_joint(hinge("elbow", Some(first), second, 0.4));
    hold(&mut b);
    b.build().expect("a sound model")
}

/// A rod from `from` on the first body to `to` on the second, both in the world at the start.
fn rod(from: Vec3, to: Vec3) -> impl FnOnce(&mut ModelBuilder) {
    move |b| {
        let length = (to - from).norm();
        let kind = Arc::new(joints::Distance { length });
        let (first, second) = (Vec3::new(0.2, 0.0, 0.0), Vec3::new(0.6, 0.0, 0.0));
        let [a, c] = [from - first, to - second].map(|p| Pose::at(p.x, p.y, p.z));
        let ids = [0, 1].map(linkwork::model::BodyId);
        b.add_joint(JointDef::of("rod", kind, Some(ids[0]), ids[1]).frames(a, c));
    }
}

fn weld(b: &mut ModelBuilder) {
    let ids = [0, 1].map(linkwork::model::BodyId);
    let kind = Arc::new(joints::Fixed);
    b.add_joint(JointDef::of("weld", kind, Some(ids[0]), ids[1]).anchor(0.5, 0.0, 0.0));
}

fn ends(model: Arc<Model>, dt: f64, steps: usize) -> Vec3 {
    let settings = Settings::with(|s| s.dt = dt);
    let control = Control::new(&model);
    let mut simulator = Simulator::new(model, settings).expect("a sound model");
    for step in 0..steps {
        let report = simulator.step(&control).expect("a step");
        assert_eq!(report.status, Status::Converged, "step {step} of {dt} s");
        assert!(
            report.closure_linear <= 1e-11,
            "{:e}",
            report.closure_linear
        );
    }
    simulator.state().poses[1].position
}

#[test]
fn a_rod_along_the_axis_of_its_hinge_holds_like_a_weld() {
    let across = |at: Vec3| rod(at, at + Vec3::new(0.0, 0.3, 0.0));
    let locked = pendulum(across(Vec3::new(0.5, 0.0, 0.1)));
    assert_eq!(locked.held_rods().count(), 1);
    // As data it is still a rod.
    let again = locked.data().clone().build().expect("the same model");
    assert_eq!(
        (again.hash(), again.held_rods().count()),
        (locked.hash(), 1)
    );
    assert_eq!(again.joints()[2].kind.name(), "distance");
    for (dt, steps) in [(1e-3, 1000), (5e-3, 400)] {
        let (rod, weld) = (
            ends(locked.clone(), dt, steps),
            ends(pendulum(weld), dt, steps),
        );
        assert!((rod - weld).norm() < 1e-7, "{rod} {weld}");
    }
}

#[test]
fn rods_that_block_at_first_order_or_not_at_all_stay_rods() {
    // Slanted: it blocks the elbow at first order.
    let slanted = rod(Vec3::new(0.3, 0.0, 0.1), Vec3::new(0.6, 0.2, 0.0));
    assert_eq!(pendulum(slanted).held_rods().count(), 0);
    // Along the axis of the hinge itself: redundant, and does not block anything.
    let idle = rod(Vec3::new(0.4, 0.0, 0.0), Vec3::new(0.4, 0.3, 0.0));
    assert_eq!(pendulum(idle).held_rods().count(), 0);
}

/// Two cranks of 0.3 m with a rod of 1 m between their tips, all on one line: J of the rod vanishes on the cranks'
/// motions, but the parallelogram moves on.
#[test]
fn a_rod_at_a_change_point_stays_a_rod() {
    let mut b = ModelBuilder::new();
    let ids =
        [0.0, 1.0].map(|x| b.add_body(bar(&format!("crank{x}"), Vec3::new(x + 0.15, 0.0, 0.0))));
    for (i, x) in [0.0, 1.0].into_iter().enumerate() {
        let kind = Arc::new(joints::Revolute);
        let hinge = JointDef::of(format!("hinge{i}"), kind, None, ids[i]);
        b.add_joint(hinge.anchor(x, 0.0, 0.0).axis(0.0, 1.0, 0.0));
    }
    let kind = Arc::new(joints::Distance { length: 1.0 });
    let tip = Pose::at(0.15, 0.0, 0.0);
    b.add_joint(JointDef::of("rod", kind, Some(ids[0]), ids[1]).frames(tip, tip));
    assert_eq!(b.build().expect("a sound model").held_rods().count(), 0);
}

/// Crank and rod stretched to the full between two fixed points: taut, it cannot move either, though no hinge is
/// parallel to the rod.
#[test]
fn a_taut_rod_is_held() {
    let mut b = ModelBuilder::new();
    let crank = b.add_body(bar("crank", Vec3::new(0.15, 0.0, 0.0)));
    let kind = Arc::new(joints::Revolute);
    b.add_joint(
        JointDef::of("hinge", kind, None, crank)
            .anchor(0.0, 0.0, 0.0)
            .axis(0.0, 1.0, 0.0),
    );
    let kind = Arc::new(joints::Distance { length: 0.7 });
    let (post, tip) = (Pose::at(1.0, 0.0, 0.0), Pose::at(0.15, 0.0, 0.0));
    b.add_joint(JointDef::of("rod", kind, None, crank).frames(post, tip));
    let model = b.build().expect("a sound model");
    assert_eq!(model.held_rods().count(), 1);
    let at = ends_of_crank(model);
    assert!((at - Vec3::new(0.15, 0.0, 0.0)).norm() < 1e-9, "{at}");
}

fn ends_of_crank(model: Arc<Model>) -> Vec3 {
    let control = Control::new(&model);
    let mut simulator = Simulator::new(model, Settings::default()).expect("a sound model");
    for _ in 0..500 {
        let report = simulator.step(&control).expect("a step");
        assert_eq!(report.status, Status::Converged);
    }
    simulator.state().poses[0].position
}

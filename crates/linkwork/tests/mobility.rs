//! Degrees of freedom, redundancy and uniqueness of reactions of known mechanisms.

mod mechanisms;

use linkwork::math::{Pose, Quat, Vec3};
use linkwork::mobility::{MobilityReport, mobility};
use linkwork::model::{JointDef, Model, ModelBuilder};
use mechanisms::*;

fn report(model: &Model) -> MobilityReport {
    let report = mobility(model, &model.initial_state());
    assert_eq!(report.rows, model.locked_rows());
    assert_eq!(report.rank + report.redundant_rows, report.rows);
    report
}

/// (degrees of freedom, rank, redundant rows)
fn counts(model: &Model) -> (usize, usize, usize) {
    let r = report(model);
    (r.degrees_of_freedom, r.rank, r.redundant_rows)
}

#[test]
fn a_planar_four_bar_has_one_freedom_and_three_redundant_rows() {
    let model = four_bar();
    let r = report(&model);
    assert_eq!((r.rows, r.rank), (26, 23));
    assert_eq!((r.degrees_of_freedom, r.redundant_rows), (1, 3));
    assert!(r.condition > 1.0 && r.condition < 1e6, "{}", r.condition);
    // Out of the plane the loop is held several times over, in it just once. z is the hinge axis.
    assert_eq!(r.not_unique.len(), 4, "{:?}", r.not_unique);
    for joint in &r.not_unique {
        assert_eq!(joint.rows, ["z", "rotation x", "rotation y"]);
        assert_ne!(model.joint(joint.joint).name, "base");
    }
}

#[test]
fn an_open_chain_has_nothing_redundant() {
    for n in [1, 2, 10, 60] {
        let r = report(&chain(n));
        assert_eq!((r.degrees_of_freedom, r.redundant_rows), (n, 0));
        assert!(r.not_unique.is_empty() && r.couplings_not_unique.is_empty());
    }
}

#[test]
fn a_slider_crank_has_one_freedom() {
    assert_eq!(counts(&slider_crank()), (1, 17, 3));
}

#[test]
fn a_rod_on_two_balls_may_idle_and_one_on_a_cross_may_not() {
    assert_eq!(counts(&rssr(false)), (2, 16, 0));
    assert_eq!(counts(&rssr(true)), (1, 17, 0));
}

#[test]
fn a_gear_takes_a_freedom_and_a_second_one_is_named_as_redundant() {
    assert_eq!(counts(&coupled_four_bars(0)), (2, 46, 6));
    let one = report(&coupled_four_bars(1));
    assert_eq!((one.degrees_of_freedom, one.redundant_rows), (1, 6));
    assert!(one.couplings_not_unique.is_empty());
    let two = report(&coupled_four_bars(2));
    assert_eq!((two.degrees_of_freedom, two.redundant_rows), (1, 7));
    assert_eq!(two.couplings_not_unique.len(), 2);
}

#[test]
fn a_parallelogram_laid_flat_gains_a_freedom() {
    let parallelogram = |angle: f64| {
        let arm = 0.4 * at(angle.cos(), angle.sin());
        let [a, d] = [at(0.0, 0.0), at(1.0, 0.0)];
        let mut b = ModelBuilder::new();
        add_four_bar(&mut b, "", [a, a + arm, d + arm, d]);
        b.build().unwrap()
    };
    assert_eq!(counts(&parallelogram(1.0)), (1, 23, 3));
    assert_eq!(counts(&parallelogram(0.0)), (2, 22, 4));
}

/// Gruebler counts −2; the special proportions sin α / a = sin β / b let it move all the same.
#[test]
fn a_bennett_linkage_moves_against_grueblers_count() {
    let (a, alpha) = (0.5, 0.6f64);
    let beta = 1.1f64;
    let b_length = a * beta.sin() / alpha.sin();
    let theta1 = 1.3f64;
    let ratio = (0.5 * (beta + alpha)).sin() / (0.5 * (beta - alpha)).sin();
    let theta2 = 2.0 * (ratio / (0.5 * theta1).tan()).atan();
    let turn = |axis: Vec3, angle: f64| Pose::new(Vec3::zeros(), Quat::new(axis * angle));
    let mut frames = vec![Pose::identity()];
    for (theta, length, twist) in [
        (theta1, a, alpha),
        (theta2, b_length, beta),
        (-theta1, a, alpha),
        (-theta2, b_length, beta),
    ] {
        let last = *frames.last().unwrap();
        let link = turn(Vec3::z(), theta)
            .compose(&Pose::at(length, 0.0, 0.0))
            .compose(&turn(Vec3::x(), twist));
        frames.push(last.compose(&link));
    }
    let gap = frames[4].position.norm() + frames[4].rotation.angle();
    assert!(gap < 1e-12, "the linkage does not close: {gap}");
    let mut b = ModelBuilder::new();
    let mut before = None;
    for i in 0..4 {
        let body = (i < 3).then(|| {
            let ends = (frames[i].position, frames[i + 1].position);
            link(&mut b, &format!("link{i}"), ends.0, ends.1)
        });
        let axis = frames[i].rotation * Vec3::z();
        let name = format!("hinge{i}");
        let (base, follower) = match (before, body) {
            (base, Some(body)) => (base, body),
            (Some(last), None) => (None, last),
            (None, None) => unreachable!("the first link is a body"),
        };
        hinge(&mut b, &name, base, follower, frames[i].position, axis);
        before = body;
    }
    assert_eq!(counts(&b.build().unwrap()), (1, 17, 3));
}

#[test]
fn a_body_welded_twice_has_no_unique_reaction() {
    let mut b = ModelBuilder::new();
    let beam = link(&mut b, "beam", at(0.0, 0.0), at(2.0, 0.0));
    b.add_joint(JointDef::fixed("left", None, beam));
    b.add_joint(JointDef::fixed("right", None, beam).anchor(2.0, 0.0, 0.0));
    let model = b.build().unwrap();
    let r = report(&model);
    assert_eq!((r.degrees_of_freedom, r.redundant_rows), (0, 6));
    assert!(r.not_unique.iter().all(|j| j.rows.len() == 6));
}

#[test]
fn every_joint_type_alone_locks_its_rows() {
    for kind in linkwork::joints::all() {
        let mut b = ModelBuilder::new();
        let body = link(&mut b, "body", at(0.1, 0.5), at(0.4, 0.9));
        b.add_joint(JointDef::of("joint", kind.clone(), None, body));
        let r = report(&b.build().unwrap());
        assert_eq!(r.redundant_rows, 0, "{}", kind.name());
        assert_eq!(r.degrees_of_freedom, 6 - kind.locked().len());
    }
}

#[test]
fn the_size_does_not_change_the_rank() {
    // The same four-bar from watch size to bridge size.
    for size in [1e-4, 1.0, 1e3] {
        let mut b = ModelBuilder::new();
        add_four_bar(&mut b, "", corners().map(|p| p * size));
        assert_eq!(counts(&b.build().unwrap()), (1, 23, 3), "size {size}");
    }
}

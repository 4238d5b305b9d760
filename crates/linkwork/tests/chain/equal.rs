//! Chains that are other joint types, and the order in which links act.

use crate::parts::{Random, constrained, difference, hinges, measured};
use linkwork::joints::{
    Cartesian, Chain, ChainLink, Gimbal, JointType, Relative, Revolute, Row, Unit,
};
use linkwork::math::Vec3;
use std::f64::consts::FRAC_PI_2;

#[test]
fn one_hinge_is_a_revolute_joint() {
    let (chain, mut random) = (hinges(&[Vec3::z()]), Random(1));
    for _ in 0..200 {
        let q = [random.number(25.0)];
        let rel = chain.place(&q);
        let other = Revolute.place(&q);
        assert!(
            (rel.as_pose().inverse().compose(&other.as_pose()))
                .position
                .norm()
                < 1e-15
        );
        let (a, b) = (
            constrained(&chain, &rel, &q),
            constrained(&Revolute, &rel, &q),
        );
        assert!(difference(&a, &b) < 1e-9, "{}", difference(&a, &b));
        let (a, b) = (measured(&chain, &rel, &q), measured(&Revolute, &rel, &q));
        assert!(difference(&a, &b) < 1e-9, "{}", difference(&a, &b));
    }
}

#[test]
fn a_hinge_off_the_origin_locks_translations_and_rotations_separately() {
    let anchor = Vec3::new(0.4, -0.2, 0.7);
    let chain = Chain {
        links: vec![ChainLink::hinge(Vec3::x(), anchor)],
    };
    let rel = chain.place(&[0.8]);
    assert!((rel.as_pose().transform_point(&anchor) - anchor).norm() < 1e-15);
    let rows = constrained(&chain, &rel, &[0.8]);
    for (row, (name, unit)) in rows.iter().zip(chain.locked()) {
        let turned_only = row.linear.norm() < 1e-12;
        assert_eq!(turned_only, *unit == Unit::Angle, "{name}");
    }
}

#[test]
fn three_slides_are_a_cartesian_joint_everywhere() {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let chain = Chain {
        links: axes.map(ChainLink::slide).to_vec(),
    };
    let mut random = Random(2);
    for _ in 0..200 {
        let rel = random.relative(3.0, 1.0);
        let turns = [0.0; 3];
        let locked = constrained(&Cartesian, &rel, &turns);
        assert!(difference(&constrained(&chain, &rel, &turns), &locked) < 1e-9);
        let free = measured(&Cartesian, &rel, &turns);
        assert!(difference(&measured(&chain, &rel, &turns), &free) < 1e-9);
    }
}

#[test]
fn three_hinges_through_a_point_are_a_gimbal() {
    let chain = hinges(&[Vec3::x(), Vec3::y(), Vec3::z()]);
    let mut random = Random(3);
    for _ in 0..500 {
        let q = [random.number(9.0), random.number(1.3), random.number(9.0)];
        let mut rel = Gimbal.place(&q);
        rel.d = random.vector(0.5);
        let locked = constrained(&Gimbal, &rel, &q);
        // The basis turns with the first ring: equal as a whole, not row by row.
        let size = |rows: &[Row]| rows.iter().map(|r| r.value * r.value).sum::<f64>();
        let rows = constrained(&chain, &rel, &q);
        assert!((size(&rows) - size(&locked)).abs() < 1e-12);
        let (a, b) = (measured(&chain, &rel, &q), measured(&Gimbal, &rel, &q));
        assert!(difference(&a, &b) < 1e-7, "{}", difference(&a, &b));
    }
}

#[test]
fn links_act_in_order_each_in_the_frame_the_earlier_ones_moved() {
    let knee = Vec3::new(0.0, 0.0, -0.5);
    let chain = Chain {
        links: vec![
            ChainLink::slide(Vec3::x()).offset(1.0),
            ChainLink::hinge(Vec3::y(), Vec3::zeros()),
            ChainLink::hinge(Vec3::x(), knee).offset(0.25),
        ],
    };
    // With the coordinates at the offsets the chain is in its reference configuration.
    assert_eq!(chain.place(&[1.0, 0.0, 0.25]), Relative::identity());
    // A quarter turn about y carries the knee to −x; the second hinge's axis then points to −z.
    let rel = chain.place(&[3.0, FRAC_PI_2, 0.25 + FRAC_PI_2]);
    let at = |local: Vec3| rel.as_pose().transform_point(&local);
    assert!((at(knee) - Vec3::new(1.5, 0.0, 0.0)).norm() < 1e-15);
    let foot = at(knee + Vec3::new(0.0, 0.0, -1.0)) - at(knee);
    assert!((foot - Vec3::y()).norm() < 1e-15, "{foot}");
}

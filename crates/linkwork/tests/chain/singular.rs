//! Chains whose links depend on each other, and those that are refused.

use crate::parts::{Random, hinges, measured, values};
use linkwork::joints::{Chain, ChainLink, JointType, MAX_COORDINATES, MAX_ROWS, Row};
use linkwork::math::{Vec3, exp};
use std::f64::consts::FRAC_PI_2;

#[test]
fn singular_chains_stay_finite() {
    let gimbal = hinges(&[Vec3::x(), Vec3::y(), Vec3::z()]);
    let twice = hinges(&[Vec3::z(), Vec3::z()]);
    let same = Chain {
        links: vec![ChainLink::slide(Vec3::x()); 4],
    };
    let proper = hinges(&[Vec3::z(), Vec3::x(), Vec3::z()]);
    let cases: [(&Chain, Vec<f64>); 5] = [
        (&gimbal, vec![0.4, FRAC_PI_2, -0.7]),
        (&gimbal, vec![9.0, 1e-8 - FRAC_PI_2, 0.0]),
        (&twice, vec![0.3, -0.1]),
        (&same, vec![0.1; 4]),
        (&proper, vec![0.0; 3]),
    ];
    let mut random = Random(6);
    for (chain, q) in cases {
        for size in [0.0, 1e-9, 1e-3, 0.3] {
            let mut rel = chain.place(&q);
            rel.d += random.vector(size);
            rel.rotation = exp(&random.vector(size)) * rel.rotation;
            let (mut locked, mut free) = ([Row::ZERO; MAX_ROWS], [Row::ZERO; MAX_COORDINATES]);
            chain.constrain(&rel, &q, &mut locked[..chain.locked().len()]);
            chain.measure(&rel, &q, &mut free[..q.len()]);
            for row in locked.iter().chain(&free) {
                let mut numbers = row.linear.iter().chain(&row.angular).chain([&row.value]);
                assert!(numbers.all(|x| x.abs() < 1e6), "{chain:?} {row:?}");
            }
        }
    }
}

#[test]
fn a_turn_is_followed_through_gimbal_lock() {
    let chain = hinges(&[Vec3::x(), Vec3::y(), Vec3::z()]);
    let mut q = vec![0.2, 0.0, -0.4];
    for i in 0..2000 {
        let b = 2e-3 * f64::from(i);
        let rel = chain.place(&[0.2, b, -0.4]);
        q = values(&measured(&chain, &rel, &q));
        let again = chain.place(&q);
        assert!(again.rotation.angle_to(&rel.rotation) < 1e-7, "{i}: {q:?}");
        assert!((q[1] - b).abs() < 0.02, "{b}: {q:?}");
    }
}

#[test]
fn bad_chains_are_refused_with_a_remedy() {
    let good = ChainLink::hinge(Vec3::z(), Vec3::zeros());
    let refused = |links: Vec<ChainLink>| Chain { links }.validate().unwrap_err();
    assert!(refused(Vec::new()).contains("one to six"));
    assert!(refused(vec![good; 7]).contains("one to six"));
    let long = ChainLink::slide(Vec3::new(1.0, 1.0, 0.0));
    assert!(refused(vec![good, long]).contains("unit vector"));
    let far = ChainLink::hinge(Vec3::z(), Vec3::new(f64::NAN, 0.0, 0.0));
    assert!(refused(vec![far]).contains("finite"));
    assert!(refused(vec![good.offset(f64::INFINITY)]).contains("finite"));
    // Two hinges on one line and four slides can do less than they seem.
    assert!(refused(vec![good; 2]).contains("1 independent"));
    let slides = [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(0.6, 0.8, 0.0)];
    assert!(refused(slides.map(ChainLink::slide).to_vec()).contains("3 independent"));
    // A chain that is singular in the reference configuration only is not refused: Euler angles about z, x, z.
    let euler = hinges(&[Vec3::z(), Vec3::x(), Vec3::z()]);
    assert_eq!(euler.validate(), Ok(()));
    let arm = [
        Vec3::z(),
        Vec3::y(),
        Vec3::y(),
        Vec3::x(),
        Vec3::y(),
        Vec3::x(),
    ];
    let anchor = |i: usize| Vec3::new(0.0, 0.0, 0.4 * i.min(3) as f64);
    let links = arm.iter().enumerate();
    let links = links.map(|(i, axis)| ChainLink::hinge(*axis, anchor(i)));
    assert_eq!(
        Chain {
            links: links.collect()
        }
        .validate(),
        Ok(())
    );
}

//! Rows of random chains against finite differences, and how they move.

use crate::parts::{Random, constrained, difference, measured, values};
use linkwork::joints::{Chain, ChainLink, JointType, Relative};
use linkwork::math::{Vec3, exp};

#[test]
fn any_chain_has_exact_derivatives_and_finds_its_coordinates() {
    const STEP: f64 = 1e-5;
    let mut random = Random(4);
    let mut regular = 0;
    for i in 0..600 {
        let n = 1 + i % 6;
        let chain = random.chain(n);
        let q: Vec<f64> = (0..n).map(|_| random.number(1.5)).collect();
        let mut rel = chain.place(&q);
        let rows = measured(&chain, &rel, &q);
        // Chains near a singularity have large rates, which differences do not resolve.
        let steepest = rows.iter().map(|r| r.linear.norm() + r.angular.norm());
        if steepest.fold(0.0, f64::max) > 10.0 {
            continue;
        }
        regular += 1;
        for (row, q) in rows.iter().zip(&q) {
            assert!((row.value - q).abs() < 1e-12);
        }
        let violation = [0.0, 0.01][i % 2];
        rel.d += random.vector(violation);
        rel.rotation = exp(&random.vector(violation)) * rel.rotation;
        let q = values(&measured(&chain, &rel, &q));
        let all =
            |rel: &Relative| [constrained(&chain, rel, &q), measured(&chain, rel, &q)].concat();
        let exact = all(&rel);
        assert_eq!(exact.len(), 6);
        for axis in 0..6 {
            let moved = |step: f64| {
                let mut moved = rel;
                let by = Vec3::ith(axis % 3, step);
                if axis < 3 {
                    moved.d += by;
                } else {
                    moved.rotation = exp(&by) * moved.rotation;
                }
                values(&all(&moved))
            };
            for ((row, ahead), behind) in exact.iter().zip(moved(STEP)).zip(moved(-STEP)) {
                let part = if axis < 3 { row.linear } else { row.angular };
                let (found, told) = ((ahead - behind) / (2.0 * STEP), part[axis % 3]);
                assert!(
                    (found - told).abs() < 1e-6,
                    "{chain:?}: {told}, not {found}"
                );
            }
        }
    }
    println!("{regular} regular chains");
    assert!(regular > 300);
}

#[test]
fn locked_rows_do_no_work_on_any_link() {
    let mut random = Random(5);
    for i in 0..300 {
        let n = 1 + i % 5;
        let chain = random.chain(n);
        let q: Vec<f64> = (0..n).map(|_| random.number(3.0)).collect();
        let rel = chain.place(&q);
        let rows = constrained(&chain, &rel, &q);
        for c in 0..n {
            let moved = |step: f64| {
                let mut q = q.clone();
                q[c] += step;
                values(&constrained(&chain, &chain.place(&q), &q))
            };
            assert!(moved(0.1).iter().all(|c| c.abs() < 1e-14));
            let step = 1e-6;
            let shift = |s: f64| {
                let mut q = q.clone();
                q[c] += s;
                chain.place(&q)
            };
            let (ahead, behind) = (shift(step), shift(-step));
            let v = (ahead.d - behind.d) / (2.0 * step);
            let turn = ahead.rotation * behind.rotation.inverse();
            let w = turn.scaled_axis() / (2.0 * step);
            for row in &rows {
                let work = row.linear.dot(&v) + row.angular.dot(&w);
                assert!(work.abs() < 1e-8, "{chain:?} {work}");
            }
        }
    }
}

#[test]
fn rows_of_two_hinges_turn_smoothly_through_whole_turns() {
    let tilted = Vec3::new(0.6, 0.0, 0.8);
    let chain = Chain {
        links: vec![
            ChainLink::hinge(Vec3::z(), Vec3::zeros()),
            ChainLink::hinge(tilted, Vec3::new(0.3, 0.0, -0.1)),
        ],
    };
    let at = |t: f64| {
        let q = [2.0 * t, -3.0 * t];
        constrained(&chain, &chain.place(&q), &q)
    };
    let step = 1e-3;
    for i in 0..7000 {
        let change = difference(&at(step * f64::from(i)), &at(step * f64::from(i + 1)));
        assert!(change < 10.0 * step, "{change} at {i}");
    }
}

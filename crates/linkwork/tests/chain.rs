//! Chains of hinges and slides against the joint types they generalise, finite differences and
//! singular placements.

use linkwork::joints::{
    Cartesian, Chain, ChainLink, Gimbal, JointType, MAX_COORDINATES, MAX_ROWS, Relative, Revolute,
    Row, Unit,
};
use linkwork::math::{Vec3, exp};
use std::f64::consts::FRAC_PI_2;

/// Marsaglia's xorshift64*: small, and the same numbers on every machine.
struct Random(u64);

impl Random {
    /// Uniform in [−bound, bound].
    fn number(&mut self, bound: f64) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        bound * (2.0 * bits as f64 / (1u64 << 53) as f64 - 1.0)
    }

    fn vector(&mut self, bound: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.number(bound))
    }

    fn relative(&mut self, shift: f64, turn: f64) -> Relative {
        Relative {
            d: self.vector(shift),
            rotation: exp(&self.vector(turn)),
        }
    }

    /// A chain of `n` links with any axes and anchors.
    fn chain(&mut self, n: usize) -> Chain {
        // More than three slides always depend on each other.
        let slides = (self.number(2.0).abs() + 0.5) as usize;
        let mut link = |i: usize| ChainLink {
            slide: i % 2 == 1 && i / 2 < slides,
            axis: self.vector(1.0).normalize(),
            anchor: self.vector(0.3),
            offset: self.number(0.5),
        };
        let links = (0..n).map(&mut link).collect();
        Chain { links }
    }
}

fn constrained(joint: &dyn JointType, rel: &Relative, turns: &[f64]) -> Vec<Row> {
    let mut rows = vec![Row::ZERO; joint.locked().len()];
    joint.constrain(rel, turns, &mut rows);
    rows
}

fn measured(joint: &dyn JointType, rel: &Relative, turns: &[f64]) -> Vec<Row> {
    let mut rows = vec![Row::ZERO; joint.coordinates().len()];
    joint.measure(rel, turns, &mut rows);
    rows
}

fn values(rows: &[Row]) -> Vec<f64> {
    rows.iter().map(|row| row.value).collect()
}

fn distance(a: &Row, b: &Row) -> f64 {
    let value = (a.value - b.value).abs();
    value.max((a.linear - b.linear).norm() + (a.angular - b.angular).norm())
}

/// Largest difference of two lists of rows, values and derivatives.
fn difference(a: &[Row], b: &[Row]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b).map(|(a, b)| distance(a, b));
    pairs.fold(0.0, f64::max)
}

fn hinges(axes: &[Vec3]) -> Chain {
    let links = axes.iter().map(|a| ChainLink::hinge(*a, Vec3::zeros()));
    Chain {
        links: links.collect(),
    }
}

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
    // At the offsets the chain is at home.
    assert_eq!(chain.place(&[1.0, 0.0, 0.25]), Relative::identity());
    // A quarter turn about y carries the knee to −x; the second hinge's axis then points to −z.
    let rel = chain.place(&[3.0, FRAC_PI_2, 0.25 + FRAC_PI_2]);
    let at = |local: Vec3| rel.as_pose().transform_point(&local);
    assert!((at(knee) - Vec3::new(1.5, 0.0, 0.0)).norm() < 1e-15);
    let foot = at(knee + Vec3::new(0.0, 0.0, -1.0)) - at(knee);
    assert!((foot - Vec3::y()).norm() < 1e-15, "{foot}");
}

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
    assert_eq!(
        Chain {
            links: vec![good; 6]
        }
        .validate(),
        Ok(())
    );
}

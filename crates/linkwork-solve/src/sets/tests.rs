//! Every set of the table: projections, duals, answers and their derivatives, faces, cones, and NaN.

use super::*;

/// Marsaglia's xorshift64*, uniform in [−2, 2].
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let bits = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11;
        4.0 * bits as f64 / (1u64 << 53) as f64 - 2.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

fn projected(set: ImpulseSet, x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    set.project(&mut y);
    y
}

fn dual(set: ImpulseSet, x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    set.project_dual(&mut y);
    y
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// How far the slacks of `x` are outside their cones: an independent formula for what `project` computes.
fn outside(set: ImpulseSet, x: &[f64]) -> f64 {
    let mut worst = 0.0f64;
    set.cones(&mut |cone, slacks| {
        let s = |k: &Slack| k.constant + k.factor * x[k.row];
        let s: Vec<f64> = slacks.iter().map(s).collect();
        worst = worst.max(match cone {
            Cone::Zero => s.iter().fold(0.0, |a: f64, s| a.max(s.abs())),
            Cone::NonNegative => s.iter().fold(0.0, |a: f64, s| a.max(-s)),
            Cone::SecondOrder => dot(&s[1..], &s[1..]).sqrt() - s[0],
        });
    });
    worst
}

/// λ and its slope for τ and 1/(R + ε).
fn answer(
    set: ImpulseSet,
    friction: Friction,
    tau: &[f64],
    inverse: &[f64; 6],
) -> (Vec<f64>, Slope) {
    let mut lambda = tau.to_vec();
    let slope = set.respond(friction, &mut lambda, inverse);
    (lambda, slope)
}

/// Random level compliances, inverted.
fn metric(set: ImpulseSet, random: &mut Random) -> [f64; 6] {
    let mut r: Vec<f64> = (0..set.dim()).map(|_| 2.5 + random.next()).collect();
    set.level(&mut r);
    std::array::from_fn(|i| r.get(i).map_or(0.0, |r| 1.0 / r))
}

#[test]
fn projections_lead_to_the_nearest_point() {
    let mut random = Random(1);
    for set in ImpulseSet::samples() {
        for _ in 0..300 {
            let x = random.vector(set.dim());
            let y = projected(set, &x);
            assert!(outside(set, &y) < 1e-14, "{set:?}: {y:?} is outside");
            assert!(dot(&minus(&projected(set, &y), &y), &y).abs() < 1e-14);
            // The variational inequality of the nearest point of a convex set.
            for _ in 0..50 {
                let k = projected(set, &random.vector(set.dim()));
                let angle = dot(&minus(&x, &y), &minus(&k, &y));
                assert!(
                    angle < 1e-13,
                    "{set:?}: {k:?} is nearer to {x:?} than {y:?}"
                );
            }
        }
    }
}

#[test]
fn cones_and_their_duals_decompose_every_point() {
    let mut random = Random(2);
    for set in ImpulseSet::samples() {
        if !set.is_cone() {
            let x = random.vector(set.dim());
            assert_eq!(dual(set, &x), x, "{set:?}");
            continue;
        }
        for _ in 0..300 {
            let x = random.vector(set.dim());
            let negative: Vec<f64> = x.iter().map(|x| -x).collect();
            let (y, d) = (projected(set, &x), dual(set, &negative));
            let rest = minus(&minus(&y, &d), &x);
            assert!(dot(&rest, &rest) < 1e-26, "x = P_K(x) − P_K*(−x): {set:?}");
            assert!(dot(&y, &d).abs() < 1e-13, "P_K(x) ⟂ P_K*(−x): {set:?}");
            let k = projected(set, &random.vector(set.dim()));
            assert!(dot(&k, &d) > -1e-13, "K* is the dual of K: {set:?}");
        }
    }
}

#[test]
fn slopes_are_the_derivatives_of_the_answers() {
    let mut random = Random(3);
    let h = 1e-6;
    for set in ImpulseSet::samples() {
        let mut faces = Vec::new();
        for friction in [Friction::Exact, Friction::Lagged] {
            let mut compared = 0;
            for _ in 0..400 {
                let (n, inverse) = (set.dim(), metric(set, &mut random));
                let tau = random.vector(n);
                let (_, slope) = answer(set, friction, &tau, &inverse);
                for b in 0..n {
                    // v_b changes by ±h.
                    let at = |h: f64| {
                        let mut tau = tau.clone();
                        tau[b] -= h * inverse[b];
                        answer(set, friction, &tau, &inverse)
                    };
                    let ((ahead, s1), (behind, s2)) = (at(h), at(-h));
                    let kind = std::mem::discriminant(&slope);
                    if std::mem::discriminant(&s1) != kind || std::mem::discriminant(&s2) != kind {
                        continue;
                    }
                    compared += 1;
                    for a in 0..n {
                        let difference = (behind[a] - ahead[a]) / (2.0 * h);
                        let error = (slope.entry(a, b) - difference).abs();
                        assert!(
                            error < 1e-8,
                            "{set:?} {friction:?} G_{a}{b} at {tau:?}: {error:e}"
                        );
                    }
                }
                let d = random.vector(n);
                let product: Vec<f64> = (0..n).map(|i| slope.row_product(i, &d)).collect();
                let entries = |i| (0..n).map(|k| slope.entry(i, k) * d[k]).sum::<f64>();
                assert!((0..n).all(|i| (product[i] - entries(i)).abs() < 1e-13));
                assert!((slope.quadratic(&d) - dot(&d, &product)).abs() < 1e-13);
                if friction == Friction::Lagged {
                    assert!(
                        slope.quadratic(&d) > -1e-14,
                        "G of a convex energy: {set:?}"
                    );
                }
                faces.push(std::mem::discriminant(&set.face(&tau)));
            }
            assert!(compared > 300, "{set:?} {friction:?}: {compared}");
        }
        faces.dedup();
        assert!(
            faces.len() > 1 || set.is_free(),
            "{set:?} shows one face only"
        );
    }
}

#[test]
fn lagged_answers_are_nearest_in_their_metric() {
    let mut random = Random(4);
    for set in ImpulseSet::samples() {
        for _ in 0..200 {
            let inverse = metric(set, &mut random);
            let tau = random.vector(set.dim());
            let (lambda, _) = answer(set, Friction::Lagged, &tau, &inverse);
            assert!(outside(set, &lambda) < 1e-13, "{set:?}: {lambda:?}");
            let mut normal = minus(&tau, &lambda);
            normal.iter_mut().zip(inverse).for_each(|(n, i)| *n /= i);
            for _ in 0..50 {
                let k = projected(set, &random.vector(set.dim()));
                assert!(dot(&normal, &minus(&k, &lambda)) < 1e-12, "{set:?}");
            }
        }
    }
}

#[test]
fn exact_answers_obey_the_law_with_the_shift() {
    // λ = answer to v without a centre, R = 1: σ = v + λ, and λ = P_K(λ − σ − Γ(σ)).
    let mut random = Random(5);
    for set in ImpulseSet::samples() {
        for _ in 0..300 {
            let v = random.vector(set.dim());
            let tau: Vec<f64> = v.iter().map(|v| -v).collect();
            let (lambda, _) = answer(set, Friction::Exact, &tau, &[1.0; 6]);
            let mut sigma: Vec<f64> = v.iter().zip(&lambda).map(|(v, l)| v + l).collect();
            *sigma.last_mut().unwrap() += set.desaxce_shift(&sigma);
            let again = projected(set, &minus(&lambda, &sigma));
            let rest = minus(&again, &lambda);
            assert!(
                dot(&rest, &rest) < 1e-26,
                "{set:?} {v:?}: {lambda:?} {again:?}"
            );
        }
    }
}

#[test]
fn faces_say_where_the_answer_lies() {
    let mut random = Random(6);
    for set in ImpulseSet::samples() {
        for _ in 0..300 {
            let tau = random.vector(set.dim());
            let (lambda, _) = answer(set, Friction::Exact, &tau, &[1.0; 6]);
            match set.face(&tau) {
                Face::Interior => assert_eq!(lambda, tau, "{set:?}"),
                Face::Open => assert!(lambda.iter().all(|l| *l == 0.0), "{set:?}"),
                Face::Low => assert!(lambda[0] > tau[0] && lambda[0] <= 0.0, "{set:?}"),
                Face::High => assert!(lambda[0] < tau[0] && lambda[0] >= 0.0, "{set:?}"),
                Face::Slip { direction } => {
                    let t = &direction[..set.dim()];
                    assert!((dot(t, t) - 1.0).abs() < 1e-14, "{set:?}");
                    let size = dot(t, &lambda);
                    for (i, t) in t.iter().enumerate().filter(|(_, t)| **t != 0.0) {
                        assert!((lambda[i] - size * t).abs() < 1e-14, "{set:?}");
                        assert!((tau[i] - lambda[i]) * t > 0.0, "slides on: {set:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn nan_stays_in_every_projection() {
    for set in ImpulseSet::samples() {
        for i in 0..set.dim() {
            for other in [-1.0, 0.0, 1.0] {
                let mut x = vec![other; set.dim()];
                x[i] = f64::NAN;
                for y in [projected(set, &x), dual(set, &x)] {
                    assert!(y.iter().any(|y| y.is_nan()), "{set:?}: {x:?} became {y:?}");
                }
            }
        }
    }
    let broken = f64::NAN;
    for set in [
        ImpulseSet::Interval { bound: broken },
        ImpulseSet::Coulomb { mu: broken },
        ImpulseSet::CoulombMoment {
            mu: broken,
            rows: 4,
        },
        ImpulseSet::Ball { radius: broken },
    ] {
        assert!(!set.is_valid());
        let y = projected(set, &vec![1.0; set.dim()]);
        assert!(y.iter().any(|y| y.is_nan()), "{set:?}");
    }
}

#[test]
fn units_scale_the_set() {
    let mut random = Random(7);
    for set in ImpulseSet::samples() {
        let (unit, x) = (0.3, random.vector(set.dim()));
        let scaled: Vec<f64> = x.iter().map(|x| x / unit).collect();
        let there = projected(set.in_units(unit), &scaled);
        let here = projected(set, &x);
        for (a, b) in there.iter().zip(here) {
            assert!((a * unit - b).abs() < 1e-14, "{set:?}");
        }
    }
}

#[test]
fn files_name_the_sets_as_ever() {
    for (set, text) in [
        (ImpulseSet::Free { dim: 5 }, r#"{"Free":{"dim":5}}"#),
        (ImpulseSet::NonNegative, r#""NonNegative""#),
        (
            ImpulseSet::Interval { bound: 0.5 },
            r#"{"Interval":{"bound":0.5}}"#,
        ),
        (ImpulseSet::Coulomb { mu: 0.7 }, r#"{"Coulomb":{"mu":0.7}}"#),
        (
            ImpulseSet::CoulombMoment { mu: 0.7, rows: 6 },
            r#"{"CoulombMoment":{"mu":0.7,"rows":6}}"#,
        ),
    ] {
        assert_eq!(serde_json::to_string(&set).unwrap(), text);
        assert_eq!(serde_json::from_str::<ImpulseSet>(text).unwrap(), set);
    }
}

#[test]
fn numbers_that_make_no_sense_are_told() {
    for set in [
        ImpulseSet::Free { dim: 0 },
        ImpulseSet::Free { dim: MAX_DIM + 1 },
        ImpulseSet::Interval { bound: -1.0 },
        ImpulseSet::Coulomb { mu: -0.1 },
        ImpulseSet::CoulombMoment { mu: -0.1, rows: 4 },
        ImpulseSet::CoulombMoment { mu: 0.5, rows: 1 },
        ImpulseSet::CoulombMoment { mu: 0.5, rows: 7 },
    ] {
        assert!(!set.is_valid(), "{set:?}");
    }
    assert!(ImpulseSet::samples().iter().all(ImpulseSet::is_valid));
    assert!(ImpulseSet::samples().iter().all(|s| s.dim() <= MAX_DIM));
}

#[test]
fn scaled_rows_make_the_ellipsoid_of_moments_round() {
    // Physical impulses λ_i and velocities σ_i with coefficients μ_i; rows scaled by s_i = μ_i/μ have λ'_i = λ_i/s_i
    // and σ'_i = s_i σ_i. Of all impulses of the ellipsoid with the same normal impulse, the answer dissipates most.
    let mut random = Random(8);
    let mu = [0.6, 0.6, 0.02, 0.003, 0.003];
    let scale = mu.map(|m| m / mu[0]);
    let set = ImpulseSet::CoulombMoment { mu: mu[0], rows: 6 };
    let mut slides = 0;
    for _ in 0..300 {
        let mut v = random.vector(6);
        (0..5).for_each(|i| v[i] *= scale[i]);
        let tau: Vec<f64> = v.iter().map(|v| -v).collect();
        let (lambda, _) = answer(set, Friction::Exact, &tau, &[1.0; 6]);
        let sigma: Vec<f64> = v.iter().zip(&lambda).map(|(v, l)| v + l).collect();
        let physical: Vec<f64> = (0..5).map(|i| lambda[i] * scale[i]).collect();
        let velocity: Vec<f64> = (0..5).map(|i| sigma[i] / scale[i]).collect();
        let size = |l: &[f64]| l.iter().zip(mu).map(|(l, m)| (l / m).powi(2)).sum::<f64>();
        let normal = lambda[5];
        assert!(size(&physical) <= normal * normal * (1.0 + 1e-12));
        slides += usize::from(normal > 0.0 && size(&physical) > 0.999 * normal * normal);
        for _ in 0..50 {
            // Any other impulse of the ellipsoid.
            let mut other = random.vector(5);
            let length = dot(&other, &other).sqrt().max(1.0);
            (0..5).for_each(|i| other[i] *= normal * mu[i] / length);
            assert!(dot(&velocity, &physical) <= dot(&velocity, &other) + 1e-12);
        }
    }
    assert!(slides > 50, "{slides}");
}

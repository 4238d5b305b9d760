//! f and v obey the law everywhere; ∂r/∂x is the derivative of r.

use super::law::ImplicitLaw;
use super::model::Model;
use super::system::{Point, System};
use faer::Mat;

fn random(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A random law and x, near edges now and then.
fn draw(seed: &mut u64) -> (ImplicitLaw, Vec<f64>) {
    let law = match (2.5 * (random(seed) + 1.0)) as usize {
        0 => ImplicitLaw::Free,
        1 => ImplicitLaw::Limit,
        2 => ImplicitLaw::Interval { bound: 0.3 },
        3 => ImplicitLaw::Contact { mu: 0.0 },
        _ => ImplicitLaw::Contact {
            mu: 1.0 + 0.9 * random(seed),
        },
    };
    (law, (0..law.dim()).map(|_| random(seed)).collect())
}

#[test]
fn impulse_and_velocity_satisfy_the_law_for_every_x() {
    let mut seed = 5;
    for _ in 0..20_000 {
        let (law, x) = draw(&mut seed);
        let mut f = vec![0.0; x.len()];
        law.impulse(&x, &mut f);
        let v: Vec<f64> = f.iter().zip(&x).map(|(f, x)| f + x).collect();
        match law {
            ImplicitLaw::Free => assert_eq!(v[0], 0.0),
            ImplicitLaw::Limit => assert!(f[0] >= 0.0 && v[0] >= 0.0 && f[0] * v[0] == 0.0),
            ImplicitLaw::Interval { bound } => {
                assert!(f[0].abs() <= bound);
                // Inside it holds still; at a bound the velocity is against the impulse.
                assert!(v[0] == 0.0 || (f[0].abs() == bound && v[0] * f[0] < 0.0));
            }
            ImplicitLaw::Contact { mu } => {
                assert!(f[2] >= 0.0 && v[2] >= 0.0 && f[2] * v[2] == 0.0);
                let (ft, vt) = (f[0].hypot(f[1]), v[0].hypot(v[1]));
                assert!(ft <= mu * f[2] * (1.0 + 1e-14));
                // Slip only at the boundary of the cone, and opposed: ‖f‖‖v‖ + f·v = 0.
                assert!(vt * (mu * f[2] - ft) <= 1e-14);
                assert!((ft * vt + f[0] * v[0] + f[1] * v[1]).abs() <= 1e-14);
            }
        }
    }
}

/// A system of random blocks with a random positive A.
fn random_system(blocks: usize, seed: &mut u64) -> (System, Point) {
    let mut system = System::default();
    let mut point = Point::default();
    for _ in 0..blocks {
        let (law, x) = draw(seed);
        let first = point.x.len();
        system.blocks.push((law, first..first + law.dim()));
        point.x.extend(x);
    }
    let n = point.x.len();
    let b = Mat::from_fn(n, n, |_, _| random(seed));
    *system.scaled.a = &b * b.transpose();
    system.scaled.q = (0..n).map(|_| random(seed)).collect();
    system.evaluate(&mut point);
    (system, point)
}

#[test]
fn the_generalised_jacobian_is_the_derivative_away_from_edges() {
    let mut seed = 9;
    let (mut checked, mut worst) = (0, 0.0f64);
    for _ in 0..100 {
        let (system, point) = random_system(6, &mut seed);
        let n = point.x.len();
        let u: Vec<f64> = (0..n).map(|_| random(&mut seed)).collect();
        let h = 1e-6;
        let at = |step: f64| {
            let mut p = point.clone();
            p.x.iter_mut().zip(&u).for_each(|(x, u)| *x += step * u);
            system.evaluate(&mut p);
            p
        };
        // An edge between the two points would spoil the difference, not the derivative.
        let (back, ahead) = (at(-h), at(h));
        let mut cuts = Vec::new();
        for (law, rows) in &system.blocks {
            let step: Vec<f64> = u[rows.clone()].iter().map(|u| 2.0 * h * u).collect();
            law.crossings(&back.x[rows.clone()], &step, &mut cuts);
        }
        if !cuts.is_empty() {
            continue;
        }
        checked += 1;
        let (mut exact, mut scratch) = (Vec::new(), Vec::new());
        system.derivative(&point.x, &u, &mut scratch, &mut exact);
        let size = exact.iter().fold(0.0f64, |a, x| a.max(x.abs()));
        for ((ahead, back), exact) in ahead.r.iter().zip(&back.r).zip(&exact) {
            let difference = (ahead - back) / (2.0 * h);
            worst = worst.max((difference - exact).abs() / size);
        }
        // The model has the same J: its gradient is Jᵀ r, so gᵀ u = rᵀ J u.
        let mut model = Model::default();
        model.build(&system, &point);
        let along: f64 = model.gradient().iter().zip(&u).map(|(g, u)| g * u).sum();
        let wanted: f64 = exact.iter().zip(&point.r).map(|(j, r)| j * r).sum();
        assert!((along - wanted).abs() < 1e-11 * (1.0 + wanted.abs()));
    }
    println!("{checked} checked, largest relative error {worst:.1e}");
    assert!(checked > 80 && worst < 1e-6);
}

#[test]
fn crossings_are_where_the_slope_jumps() {
    let mut seed = 21;
    for _ in 0..5000 {
        let (law, x) = draw(&mut seed);
        let u: Vec<f64> = x.iter().map(|_| 3.0 * random(&mut seed)).collect();
        let mut cuts = Vec::new();
        law.crossings(&x, &u, &mut cuts);
        for &a in &cuts {
            let mut y: Vec<f64> = x.iter().zip(&u).map(|(x, u)| x + a * u).collect();
            law.snap(&mut y, 1e-9);
            let edge = law.edge(&y);
            assert!(edge.is_some(), "{law:?} {y:?}");
        }
        // Between two neighbouring cuts the slope changes continuously: stick stays stick.
        cuts.extend([0.0, 1.0]);
        cuts.sort_by(f64::total_cmp);
        for pair in cuts.windows(2) {
            let region = |t: f64| {
                let y: Vec<f64> = x.iter().zip(&u).map(|(x, u)| x + t * u).collect();
                let slope = law.slope(&y);
                let last = slope[law.dim() - 1][law.dim() - 1];
                (last == 0.0, slope[0][0] == -1.0 && slope[0][1] == 0.0)
            };
            let length = pair[1] - pair[0];
            if length > 1e-6 {
                assert_eq!(
                    region(pair[0] + 0.01 * length),
                    region(pair[1] - 0.01 * length)
                );
            }
        }
    }
}

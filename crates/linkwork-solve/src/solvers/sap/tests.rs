//! Every derivative against central differences, and the descent, on random problems with all sets.

use super::super::samples::{Random, random_problem};
use super::*;
use crate::sets::Slope;

fn parts(problem: &Problem) -> Parts<'_> {
    match &problem.operator {
        Operator::Bodies {
            mass,
            jacobian,
            u_free,
        } => Parts {
            problem,
            mass,
            jacobian,
            u_free,
        },
        Operator::Delassus { .. } => panic!("on bodies"),
    }
}

fn point_at(problem: &Problem, u: &[f64]) -> Point {
    let mut point = Point::default();
    point.u.extend_from_slice(u);
    point.evaluate(parts(problem));
    point
}

fn line_from(problem: &Problem, from: &Point, step: &[f64]) -> Line {
    let mut line = Line::default();
    line.step.extend_from_slice(step);
    line.prepare(parts(problem), from);
    line
}

/// Two points between which no block changes its region: their slopes are of the same kind.
fn same_regions(a: &Point, b: &Point) -> bool {
    let kinds = |p: &Point| -> Vec<_> { p.slopes.iter().map(std::mem::discriminant).collect() };
    kinds(a) == kinds(b)
}

const STEP: f64 = 1e-5;

/// (f(+) − f(−))/2h against `exact`, relative to `scale`.
fn assert_derivative(plus: f64, minus: f64, exact: f64, scale: f64, what: &str) {
    let error = ((plus - minus) / (2.0 * STEP) - exact).abs() / scale;
    assert!(error <= 1e-6, "{what}: relative error {error:.1e}");
}

#[test]
fn gradient_slopes_and_hessian_are_the_derivatives_of_the_cost() {
    let mut random = Random(7);
    let (mut compared, mut kinds) = (0, [0; 3]);
    for _ in 0..40 {
        let problem = random_problem(&mut random);
        let u = random.vector(18);
        let direction = random.vector(18);
        let at = |h: f64| {
            let u: Vec<f64> = u.iter().zip(&direction).map(|(u, d)| u + h * d).collect();
            point_at(&problem, &u)
        };
        let (minus, here, plus) = (at(-STEP), at(0.0), at(STEP));
        if !same_regions(&minus, &here) || !same_regions(&here, &plus) {
            continue;
        }
        compared += 1;
        for slope in &here.slopes {
            kinds[match slope {
                Slope::Zero => 0,
                Slope::Diagonal(_) => 1,
                Slope::Full(_) | Slope::Full6(_) => 2,
            }] += 1;
        }
        let slope: f64 = here
            .gradient
            .iter()
            .zip(&direction)
            .map(|(g, d)| g * d)
            .sum();
        assert_derivative(
            plus.cost,
            minus.cost,
            slope,
            slope.abs().max(1.0),
            "gradient",
        );

        // −G J d and H d, the latter by undoing a solve with the factors of H.
        let line = line_from(&problem, &here, &direction);
        for ((_, rows), slope) in problem.sets.iter().zip(&here.slopes) {
            let dv = &line.dv[rows.clone()];
            for (k, i) in rows.enumerate() {
                let exact = -slope.row_product(k, dv);
                let scale = exact.abs().max(1.0);
                assert_derivative(plus.gamma[i], minus.gamma[i], exact, scale, "G");
            }
        }
        let parts = parts(&problem);
        let mut lu = NewtonMatrix::default();
        lu.factor(
            parts.mass,
            parts.jacobian,
            &here.slopes[..],
            Symmetry::Symmetric,
        )
        .unwrap();
        let change = plus.gradient.iter().zip(&minus.gradient);
        let mut solved: Vec<f64> = change.map(|(p, m)| (p - m) / (2.0 * STEP)).collect();
        lu.solve(&mut solved);
        for (s, d) in solved.iter().zip(&direction) {
            assert!((s - d).abs() <= 1e-6, "H: {s} {d}");
        }
    }
    println!("{compared} points, {kinds:?} blocks idle, inside, sliding");
    assert!(compared > 20 && kinds.iter().all(|&n| n > 20));
}

#[test]
fn line_derivatives_are_those_of_the_cost_along_the_line() {
    let mut random = Random(11);
    let mut compared = 0;
    for _ in 0..60 {
        let problem = random_problem(&mut random);
        let here = point_at(&problem, &random.vector(18));
        let line = line_from(&problem, &here, &random.vector(18));
        let alpha = 1.0 + random.next();
        let at = |alpha: f64| {
            let u: Vec<f64> = here
                .u
                .iter()
                .zip(&line.step)
                .map(|(u, d)| u + alpha * d)
                .collect();
            point_at(&problem, &u)
        };
        let (minus, plus) = (at(alpha - STEP), at(alpha + STEP));
        if !same_regions(&minus, &plus) {
            continue;
        }
        compared += 1;
        let (first, second) = line.derivatives(parts(&problem), &here, alpha);
        let scale = first.abs().max(1.0);
        assert_derivative(plus.cost, minus.cost, first, scale, "first");
        let slope = |alpha| line.derivatives(parts(&problem), &here, alpha).0;
        let (p, m) = (slope(alpha + STEP), slope(alpha - STEP));
        assert_derivative(p, m, second, second, "second");
        assert!(second >= line.inertia);
    }
    assert!(compared > 30);
}

#[test]
fn on_cones_the_cost_is_the_kinetic_distance_and_the_stored_energy() {
    let mut random = Random(3);
    let mut problem = random_problem(&mut random);
    // A bound that is never met makes the interval the whole line, and the ball the whole space.
    let sets: Vec<_> = problem.sets.iter().map(|s| s.0).collect();
    problem.sets.clear();
    for set in sets {
        problem.sets.push(set.in_units(1e-6));
    }
    let point = point_at(&problem, &random.vector(18));
    let parts = parts(&problem);
    let change: Vec<f64> = point
        .u
        .iter()
        .zip(parts.u_free)
        .map(|(u, f)| u - f)
        .collect();
    let mut momentum = vec![0.0; 18];
    parts.mass.multiply(&change, &mut momentum);
    let kinetic: f64 = change.iter().zip(&momentum).map(|(c, m)| c * m).sum();
    let impulses = point.gamma.iter().zip(&problem.compliance);
    let stored: f64 = impulses.map(|(g, r)| r * g * g).sum();
    let wanted = 0.5 * (kinetic + stored);
    assert!((point.cost - wanted).abs() <= 1e-12 * wanted);
}

#[test]
fn every_iteration_lowers_the_cost() {
    let mut random = Random(5);
    for _ in 0..20 {
        let problem = random_problem(&mut random);
        let mut sap = Sap::new(SolverSettings::default().into());
        let parts = parts(&problem);
        sap.point.u = random.vector(18).iter().map(|u| 10.0 * u).collect();
        sap.point.evaluate(parts);
        let mut count = Counts::default();
        for _ in 0..30 {
            let before = sap.point.cost;
            assert!(sap.newton_step(parts, &mut count));
            // At the minimum the decrease is round-off.
            let expected = -sap.line.slope;
            sap.advance(parts);
            assert!(
                sap.point.cost < before || expected <= 1e-12 * before,
                "{before} {}",
                sap.point.cost
            );
        }
        let size = sap
            .point
            .gradient
            .iter()
            .fold(0.0f64, |a, g| a.max(g.abs()));
        assert!(size < 1e-12, "gradient {size:.1e} after 30 iterations");
    }
}

#[test]
fn every_start_leads_to_the_same_impulses() {
    let mut random = Random(13);
    for _ in 0..20 {
        let problem = random_problem(&mut random);
        let mut sap = Sap::new(SapSettings::from(SolverSettings {
            tolerance: 1e-11,
            ..SolverSettings::default()
        }));
        let mut first: Option<Vec<f64>> = None;
        for start in 0..6 {
            let size = 10f64.powi(start) - 1.0;
            let mut x = Solution {
                lambda: random
                    .vector(problem.rows())
                    .iter()
                    .map(|l| size * l)
                    .collect(),
                ..Solution::default()
            };
            let report = sap.solve(&problem, &mut x, &mut ());
            assert_eq!(report.status, Status::Converged);
            let first = first.get_or_insert_with(|| x.lambda.clone());
            for (a, b) in first.iter().zip(&x.lambda) {
                assert!((a - b).abs() < 1e-9, "{a} {b}");
            }
        }
    }
}

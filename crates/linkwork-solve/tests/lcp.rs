//! The friction pyramid: how fast it approaches the cone, and what happens where it has no solution.

mod balls;
mod body_graphs;

use balls::{Balls, Box};
use linkwork_solve::solvers::{Lcp, LcpSettings};
use linkwork_solve::*;
use nalgebra::Vector3;
use std::ops::ControlFlow;

type V3 = Vector3<f64>;

fn lcp(facets: usize, refinements: usize) -> Lcp {
    Lcp::new(LcpSettings {
        facets,
        refinements,
        ..LcpSettings::default()
    })
}

/// A box of 2 kg, 0.4 x 0.3 x 0.2 m, its four lower corners on the floor with friction μ, moving at `u`.
fn box_on_plane(mu: f64, u: [f64; 6]) -> Problem {
    let (m, half) = (2.0, V3::new(0.2, 0.15, 0.1));
    let s = half.component_mul(&half) * (m / 3.0);
    let i = V3::new(s.y + s.z, s.z + s.x, s.x + s.y);
    let mut mass = BlockDiag6::new();
    let diagonal = |d: V3| [d.x, 0., 0., 0., d.y, 0., 0., 0., d.z];
    mass.push_rigid(m, &diagonal(i), &diagonal(i.map(|i| 1.0 / i)));
    let mut jacobian = BlockCsr6::new(1);
    let mut problem = Problem::for_bodies(1e-2);
    for (x, y) in [(1., 1.), (-1., 1.), (-1., -1.), (1., -1.)] {
        let arm = V3::new(x * half.x, y * half.y, -half.z);
        let row = |d: V3| {
            let t = arm.cross(&d);
            [d.x, d.y, d.z, t.x, t.y, t.z]
        };
        jacobian.push_block(3);
        jacobian.push_entry(0, &[row(V3::x()), row(V3::y()), row(V3::z())]);
        problem.sets.push(ImpulseSet::Coulomb { mu });
    }
    problem.operator = Operator::Bodies {
        mass,
        jacobian,
        u_free: u.to_vec(),
    };
    problem.v_bias = vec![0.0; 12];
    problem.compliance = vec![0.0; 12];
    problem
}

/// The motion on the exact cone.
fn exact(problem: &Problem) -> Option<Solution> {
    let settings = SolverSettings {
        tolerance: 1e-10,
        max_iterations: 5000,
    };
    let mut x = Solution::default();
    let mut solver = solver_by_name("hybrid", settings).unwrap();
    let report = solver.solve(problem, &mut x, &mut ());
    (report.status == Status::Converged).then_some(x)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |d, (a, b)| d.max((a - b).abs()))
}

/// Steps of heaps of balls in which several contacts slide, with the exact motion.
fn sliding_heaps() -> Vec<(Problem, Solution)> {
    let world = Box {
        edge: 0.8,
        radii: (0.08, 0.16),
        mu: 0.3,
        dt: 0.005,
    };
    let mut found = Vec::new();
    for seed in 0..4 {
        let mut balls = Balls::new(seed, 8, world);
        for step in 0..120 {
            let problem = balls.problem();
            let x = exact(&problem).expect("hybrid solves a small heap");
            let slides = |rows: std::ops::Range<usize>| {
                let (l, s) = (&x.lambda[rows.clone()], &x.sigma[rows]);
                l[2] > 1e-3 && s[0].hypot(s[1]) > 1e-2
            };
            let sliding = problem.sets.iter().filter(|(_, r)| slides(r.clone()));
            if step % 5 == 0 && sliding.count() >= 3 {
                found.push((problem, x.clone()));
            }
            balls.advance(&x.u_plus);
        }
    }
    found
}

/// Each pyramid misses the slip by an angle of up to π/n: friction is that much askew and the motion
/// off by O(1/n); the impulse it loses in length is O(1/n²).
#[test]
fn the_pyramid_approaches_the_cone_as_corners_are_added() {
    let heaps = sliding_heaps();
    assert!(heaps.len() > 10, "{}", heaps.len());
    println!("{} problems", heaps.len());
    let mut errors = Vec::new();
    for facets in [4, 8, 16, 32] {
        let (mut motion, mut angle) = (0.0, 0.0f64);
        for (problem, wanted) in &heaps {
            let mut x = Solution::default();
            let mut solver = lcp(facets, 0);
            let report = solver.solve(problem, &mut x, &mut ());
            assert_eq!(
                report.status,
                Status::Stalled,
                "solved, but not on the cone"
            );
            motion += distance(&x.u_plus, &wanted.u_plus) / heaps.len() as f64;
            angle = angle.max(solver.misalignment());
        }
        println!("{facets:2} corners: mean error {motion:.2e} m/s, largest angle {angle:.4} rad");
        assert!(angle <= std::f64::consts::PI / facets as f64 + 1e-9);
        errors.push(motion);
    }
    for pair in errors.windows(2) {
        assert!(pair[1] < 0.75 * pair[0], "{errors:?}");
    }
    // Three doublings: 1/n would give an eighth.
    assert!(errors[3] < errors[0] / 5.0, "{errors:?}");
}

#[test]
fn refinement_ends_on_the_cone() {
    for (problem, wanted) in sliding_heaps() {
        let mut x = Solution::default();
        let mut solver = lcp(8, 30);
        let report = solver.solve(&problem, &mut x, &mut ());
        assert_eq!(report.status, Status::Converged, "{report:?}");
        assert!(solver.misalignment() < 1e-6);
        let error = distance(&x.u_plus, &wanted.u_plus);
        assert!(error < 1e-7, "{error}");
    }
}

/// Four corners on a plane: one too many, and all alike.
#[test]
fn a_box_on_redundant_corners_ends() {
    for (mu, u) in [
        (0.5, [0.0, 0.0, -0.1, 0.0, 0.0, 0.0]),
        (0.5, [1.0, 0.0, -0.1, 0.0, 0.0, 0.0]),
        (0.5, [1.0, 1.0, -0.1, 0.0, 0.0, 0.0]),
        (0.0, [1.0, 0.3, -0.1, 0.0, 0.0, 0.0]),
        (0.4, [1.1, 0.7, -0.3, 0.2, -0.4, 1.5]),
    ] {
        let problem = box_on_plane(mu, u);
        let mut x = Solution::default();
        let report = lcp(8, 30).solve(&problem, &mut x, &mut ());
        println!(
            "{u:?}: {} after {} iterations",
            report.status, report.iterations
        );
        assert_eq!(report.status, Status::Converged);
        if u[3..] == [0.0; 3] && u[0] == 1.0 && u[1] == 0.0 {
            // 2 kg: λ_N = 0.2 N s in all, friction takes 0.5 · 0.1 m/s.
            assert!((x.u_plus[0] - 0.95).abs() < 1e-9, "{:?}", x.u_plus);
        }
    }
}

/// A body between two limits that both push and leave no room: σ₁ = λ₁ − λ₂ − 1, σ₂ = λ₂ − λ₁ − 1.
#[test]
fn contradicting_limits_leave_along_a_ray() {
    let triplets = [(0, 0, 1.0), (0, 1, -1.0), (1, 0, -1.0), (1, 1, 1.0)];
    let mut sets = ImpulseSets::new();
    sets.push(ImpulseSet::NonNegative);
    sets.push(ImpulseSet::NonNegative);
    let problem = Problem {
        dt: 1e-3,
        operator: Operator::Delassus {
            matrix: SparseSym::from_triplets(2, &triplets).0,
            v_free: vec![-1.0, -1.0],
        },
        v_bias: vec![0.0; 2],
        compliance: vec![0.0; 2],
        sets,
    };
    let mut x = Solution::default();
    let report = lcp(8, 30).solve(&problem, &mut x, &mut ());
    assert_eq!(report.status, Status::RayTermination);
    assert_eq!(x.lambda, [0.0, 0.0]);
}

#[test]
fn an_observer_stops_it_and_large_problems_are_refused() {
    struct Stop;
    impl Observer for Stop {
        fn iteration(&mut self, iteration: usize, _: f64) -> ControlFlow<()> {
            match iteration {
                3 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }
    let problem = box_on_plane(0.4, [1.1, 0.7, -0.3, 0.2, -0.4, 1.5]);
    let mut x = Solution::default();
    let report = lcp(8, 30).solve(&problem, &mut x, &mut Stop);
    assert_eq!((report.status, report.iterations), (Status::Interrupted, 3));
    let small = Lcp::new(LcpSettings {
        max_pairs: 39,
        ..LcpSettings::default()
    });
    assert!(small.supports(&problem).is_err());
}

#[test]
fn a_number_that_is_none_is_a_failure() {
    for name in ["lcp", "implicit"] {
        let problem = box_on_plane(0.4, [f64::NAN, 0.0, -0.3, 0.0, 0.0, 0.0]);
        let mut x = Solution::default();
        let mut solver = solver_by_name(name, SolverSettings::default()).unwrap();
        let report = solver.solve(&problem, &mut x, &mut ());
        assert_eq!(report.status, Status::NumericalFailure, "{name}");
    }
}

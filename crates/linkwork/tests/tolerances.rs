//! A looser tolerance never needs more iterations than a tighter one, and a long chain no more than a short one.

use linkwork::{Control, Simulator};
use linkwork_scenes::scene;
use linkwork_solve::{Solution, SolverSettings, Status, solver_entry};

const TOLERANCES: [f64; 7] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];

/// Scenes in which all but a few steps consist of equations alone: one exact round each, at any tolerance.
const EQUATIONS: [&str; 2] = ["gear_train", "boxes_fixed"];

/// Step a scene at 1e-9 and solve the problem of every fifth step at each tolerance, from the guess that the step
/// began with.
fn compare(name: &str, steps: usize) {
    let mut scene = scene(name, &[]).unwrap();
    scene.settings.solve.tolerance = 1e-9;
    let solve = scene.settings.solve;
    let model = scene.model;
    let mut simulator = Simulator::new(model.clone(), scene.settings).unwrap();
    let mut control = Control::new(&model);
    let mut total = [0; TOLERANCES.len()];
    for step in 0..steps {
        if let Some(script) = &mut scene.script {
            script(&model, simulator.state(), &mut control);
        }
        simulator.step(&control).unwrap();
        if step % 5 != 0 {
            continue;
        }
        let iterations = TOLERANCES.map(|tolerance| {
            let settings = SolverSettings { tolerance, ..solve };
            let mut solver = solver_entry("condensed").unwrap().make(settings, false);
            let mut x = Solution {
                lambda: simulator.warm_guess().to_vec(),
                ..Solution::default()
            };
            let report = solver.solve(simulator.problem(), &mut x, &mut ());
            assert_eq!(
                report.status,
                Status::Converged,
                "{name} step {step} {tolerance:e}"
            );
            report.iterations
        });
        assert!(
            iterations.is_sorted(),
            "{name} step {step}: {iterations:?} at {TOLERANCES:?}"
        );
        for (sum, n) in total.iter_mut().zip(iterations) {
            *sum += n;
        }
    }
    println!("{name}: {total:?}");
    let most = total[TOLERANCES.len() - 1];
    if EQUATIONS.contains(&name) {
        assert!(most <= 105 * steps.div_ceil(5) / 100, "{name}: {total:?}");
    } else {
        assert!(total[0] < most, "{name}: {total:?}");
    }
}

#[test]
fn loops_with_contacts() {
    for name in ["fourbar_free", "nunchuk", "gear_train"] {
        compare(name, 600);
    }
}

#[test]
fn heaps() {
    for name in ["stack", "boxes_fixed"] {
        compare(name, 600);
    }
}

#[test]
fn robots() {
    for name in [
        "quadruped",
        "walker31",
        "humanoid20",
        "figure22",
        "figure54",
    ] {
        compare(name, 600);
    }
}

/// Round-off of the elimination along 10⁴ links is no more than the tolerance: one round a solve.
#[test]
fn long_chains_are_solved_in_one_round() {
    for n in [1e2, 1e3, 1e4] {
        let scene = scene("pendulum", &[("n", n)]).unwrap();
        let mut simulator = Simulator::new(scene.model.clone(), scene.settings).unwrap();
        let control = Control::new(&scene.model);
        for step in 0..8 {
            let report = simulator.step(&control).unwrap();
            assert_eq!(report.status, Status::Converged);
            let solves = 1 + report.closure_passes;
            assert!(report.iterations <= solves, "{n} links, step {step}");
        }
    }
}

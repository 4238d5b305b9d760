//! A score and a run for tests.

use crate::results::{Score, Simulation, Start};

/// A cold solve; one that is not solved was claimed to be.
pub fn score(problem: &str, solver: &str, wall_s: f64, solved: bool) -> Score {
    Score {
        problem: problem.to_owned(),
        system: "s".to_owned(),
        class: None,
        solver: solver.to_owned(),
        start: Start::Cold,
        tolerance: 1e-6,
        limit_s: 1.0,
        claimed: "converged".to_owned(),
        solved,
        false_convergence: !solved,
        residual: 0.0,
        residual_ncp: 0.0,
        measures: None,
        own_test: None,
        wall_s,
        iterations: 1,
        factorizations: 1,
        bodies: 1,
        rows: 3,
        contacts: 1,
        history: Vec::new(),
    }
}

/// A whole run with this r_pen.
pub fn simulation(system: &str, solver: &str, r_pen: f64) -> Simulation {
    Simulation {
        system: system.to_owned(),
        solver: solver.to_owned(),
        tolerance: 1e-6,
        dt: 1e-3,
        steps: 1000,
        steps_done: 1000,
        ended: String::new(),
        failures: 0,
        r_pen_max: r_pen,
        closure_max: r_pen,
        penetration_max: 0.0,
        limit_max: 0.0,
        residual_max: 1e-9,
        energy_drift: 0.0,
        iterations_mean: 1.0,
        wall_s: 1.0,
        phases_s: [0.2; 5],
        course: Vec::new(),
    }
}

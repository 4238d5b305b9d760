//! Made-up speeds: a scene at three sizes, and one that never rests.

use linkwork_bench::Machine;
use linkwork_bench::speed::{Part, Speed};

pub fn speeds() -> Vec<Speed> {
    let mut all: Vec<Speed> = [20.0, 40.0, 80.0].map(heap).into();
    all.push(Speed {
        name: "fourbar_fixed".to_owned(),
        scene: "fourbar_fixed".to_owned(),
        parameters: Default::default(),
        joint_rows: 26,
        rest: None,
        penetration_rest: f64::NAN,
        ..heap(4.0)
    });
    all
}

fn heap(n: f64) -> Speed {
    Speed {
        name: format!("heap n={n}"),
        scene: "heap".to_owned(),
        parameters: [("n".to_owned(), n)].into(),
        bodies: n as usize,
        joint_rows: 0,
        dt: 0.01,
        solver: "condensed".to_owned(),
        tolerance: 1e-6,
        steps: 600,
        ended: String::new(),
        repeats: 3,
        steps_per_cpu_s: 1e5 / n,
        rate_least: 0.9e5 / n,
        rate_most: 1.1e5 / n,
        moving: Some(part(200, n, Some(1e5 * n))),
        rest: Some(part(400, 0.2 * n, None)),
        failed: 1,
        residual_max: 3e-6,
        closure_max: 0.0,
        penetration_rest: 1e-7,
        machine: Machine::here(),
    }
}

fn part(steps: u64, cost: f64, instructions: Option<f64>) -> Part {
    Part {
        steps,
        step_us: 10.0 * cost,
        phases_us: [1.0, 1.0, 6.0, 1.0, 1.0].map(|share| share * cost),
        iterations: 4.0,
        factorizations: 3.0,
        closure_passes: 0.0,
        contacts: 2.0 * cost,
        instructions,
    }
}

//! Made-up closed-loop runs: some blow up, some are refused.

use super::noise;
use linkwork_bench::{SYSTEMS, Simulation};
use linkwork_solve::all_solvers;

pub fn simulations() -> Vec<Simulation> {
    let mut all = Vec::new();
    for (k, entry) in all_solvers().iter().enumerate() {
        for (i, system) in SYSTEMS.iter().enumerate() {
            let blows_up = (k + i) % 17 == 4;
            let level = 10f64.powf(-11.0 + 0.3 * k as f64 + 0.4 * noise(i, k));
            let refused = entry.name == "direct" && i % 2 == 0;
            let done = if refused {
                0
            } else if blows_up {
                700
            } else {
                2000
            };
            let point = |n: u64| {
                let t = 0.01 * n as f64;
                let r = level * (0.3 + noise(n as usize, k + i));
                (
                    t,
                    r,
                    40.0 + (3.0 * t).sin() - if k % 5 == 2 { 2.0 * t } else { 0.0 },
                )
            };
            let per_body = 1e-6 * system.bodies as f64 * done as f64;
            all.push(Simulation {
                system: system.name.to_owned(),
                solver: entry.name.to_owned(),
                tolerance: 1e-9,
                dt: 1e-3,
                steps: 2000,
                steps_done: done,
                ended: if refused {
                    "refused: contacts"
                } else if blows_up {
                    "state not finite"
                } else {
                    ""
                }
                .to_owned(),
                failures: if k % 4 == 1 { 13 * i as u64 } else { 0 },
                r_pen_max: if blows_up || refused { f64::NAN } else { level },
                closure_max: level,
                penetration_max: 0.5 * level,
                limit_max: 0.0,
                residual_max: 1e-9,
                energy_drift: 1e-4,
                iterations_mean: 5.0 + k as f64,
                wall_s: 20.0 * per_body,
                phases_s: [2.0, 1.0, 4.0 + k as f64, 2.0, 0.5].map(|c| c * per_body),
                course: (0..done / 10).map(point).collect(),
            });
        }
    }
    all
}

//! Made-up scores: some solvers lie, one refuses contacts, some break.

use super::{noise, samples};
use linkwork_bench::{Facts, Score, Start};
use linkwork_solve::{Measures, known_solvers};

/// Samples cold and warm, and 20 FCLIB problems cold.
pub fn scores() -> Vec<Score> {
    let mut all = Vec::new();
    for (k, entry) in known_solvers().enumerate() {
        for (i, sample) in samples().iter().enumerate() {
            for start in [Start::Cold, Start::Warm] {
                let facts = Some(&sample.facts);
                all.push(score(
                    entry.name,
                    (k, i),
                    &sample.name,
                    &sample.system,
                    facts,
                    start,
                ));
            }
        }
        for i in 0..20 {
            let name = format!("Boxes/problem-{i}.hdf5");
            all.push(score(entry.name, (k, i), &name, "Boxes", None, Start::Cold));
        }
    }
    all
}

fn score(
    solver: &str,
    (k, i): (usize, usize),
    problem: &str,
    system: &str,
    facts: Option<&Facts>,
    start: Start,
) -> Score {
    let contacts = facts.map_or(8, |f| f.contacts);
    let refused = solver == "direct" && contacts > 0;
    let luck = noise(i, 31 * k + 7) + if start == Start::Warm { 0.1 } else { 0.0 };
    let solved = !refused && luck > 0.03 * (k % 25) as f64;
    let false_convergence = !refused && !solved && k % 6 == 3 && luck < 0.15;
    let broken = !refused && !solved && luck < 0.02;
    let limit_s = 0.5;
    let wall_s = if solved {
        1e-5 * 10f64.powf(0.1 * k as f64 + 2.0 * noise(i, k))
    } else {
        limit_s
    };
    let residual = match (broken || refused, solved) {
        (true, _) => f64::NAN,
        (_, true) => 1e-6 * noise(i, k + 3),
        _ => 1e-3 * noise(i, k + 3),
    };
    let convex = solver.contains("ccp") || solver == "sap" || solver == "clarabel";
    Score {
        problem: problem.to_owned(),
        system: system.to_owned(),
        class: facts.map(|f| f.class),
        solver: solver.to_owned(),
        start,
        tolerance: 1e-6,
        limit_s,
        claimed: match (refused, solved || false_convergence) {
            (true, _) => "unsupported",
            (_, true) => "converged",
            _ if broken => "numerical failure",
            _ => ["time limit", "stalled"][i % 2],
        }
        .to_owned(),
        solved,
        false_convergence,
        residual,
        residual_ncp: if convex && contacts > 0 && i % 3 > 0 {
            0.01
        } else {
            residual
        },
        measures: (!refused).then_some(Measures {
            r_dual: residual,
            r_ncp: 0.1 * residual,
            r_nat: residual,
            e_m: 1e-15,
            e_mu: if contacts > 0 {
                0.01 * residual
            } else {
                f64::NAN
            },
        }),
        own_test: solver.contains('/').then_some(solved || luck > 0.2),
        wall_s,
        iterations: 10 + i,
        factorizations: 1 + i % 3,
        bodies: facts.map_or(20, |f| f.bodies),
        rows: facts.map_or(24, |f| f.rows),
        contacts,
        history: if i % 4 == 0 && !refused {
            history(k, i, wall_s, solved)
        } else {
            Vec::new()
        },
    }
}

/// Falls to the end, or stalls; now and then an exact zero.
fn history(k: usize, i: usize, wall_s: f64, solved: bool) -> Vec<(f64, f64)> {
    let goal: f64 = if solved { 1e-7 } else { 1e-4 };
    let point = |n: usize| {
        let share = n as f64 / 30.0;
        let wiggle = 1.0 + noise(n + i, k);
        (
            wall_s * share,
            if n == 30 && i.is_multiple_of(8) {
                0.0
            } else {
                wiggle * goal.powf(share)
            },
        )
    };
    (0..=30).map(point).collect()
}

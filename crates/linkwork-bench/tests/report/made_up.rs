//! Made-up results for every solver, class and system, the same every time, with what goes wrong in real
//! ones: false convergence, refusals, time limits, NaN, runs that blow up.

use linkwork_bench::papers::{Finding, Verdict};
use linkwork_bench::{
    Axis, Class, Facts, Folder, Plot, SYSTEMS, SampleInfo, Score, Simulation, Start, Style, Table,
};
use linkwork_solve::all_solvers;
use serde::Serialize;
use std::path::Path;

const PER_CLASS: usize = 12;

/// Everything the report can show.
pub fn fill(folder: &Folder) {
    write_lines(&folder.samples().join("index.jsonl"), &samples());
    write_scores(folder, &scores());
    write_simulations(folder, &simulations());
    let verdicts = [
        ("first", Verdict::Agree),
        (
            "second",
            Verdict::Disagree("our penalty starts elsewhere".to_owned()),
        ),
        ("third", Verdict::Skipped("no data".to_owned())),
    ];
    for (name, verdict) in verdicts {
        write_finding(
            folder,
            name,
            &Finding {
                verdict,
                ..finding("made-up")
            },
        );
    }
    for score in scores()
        .iter()
        .filter(|s| !s.solved && s.class.is_some())
        .take(40)
    {
        let name = format!("{}.json", score.problem.replace('/', "-"));
        std::fs::write(folder.problems().join(name), "{}").unwrap();
    }
}

pub fn samples() -> Vec<SampleInfo> {
    let class = |i: usize| Class::ALL[i / PER_CLASS];
    let sample = |i: usize| {
        let system = &SYSTEMS[(5 * i) % SYSTEMS.len()];
        let contacts = if i / PER_CLASS < 3 { 0 } else { 1 + i % 9 };
        let rows = system.rows + 3 * contacts;
        let dofs = 6.0 * system.bodies as f64;
        SampleInfo {
            name: format!("{}/step{:05}", system.name, 40 * i),
            system: system.name.to_owned(),
            step: 40 * i as u64,
            time: 0.04 * i as f64,
            facts: Facts {
                class: class(i),
                bodies: system.bodies,
                joint_rows: system.rows,
                other_rows: 0,
                contacts,
                rows,
                rank: rows - rows / 7,
                joint_rank: system.rows,
                joint_density: system.rows as f64 / dofs,
                contact_density: 3.0 * contacts as f64 / dofs,
                density: rows as f64 / dofs,
                condition: 10f64.powf(1.0 + 7.0 * noise(i, 1)),
                mass_ratio: system.mass_ratio,
            },
        }
    };
    (0..PER_CLASS * Class::ALL.len()).map(sample).collect()
}

/// Samples cold and warm, and 20 FCLIB problems cold.
pub fn scores() -> Vec<Score> {
    let mut all = Vec::new();
    for (k, entry) in all_solvers().iter().enumerate() {
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
    let solved = !refused && luck > 0.03 * k as f64;
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
            if n == 30 && i % 8 == 0 {
                0.0
            } else {
                wiggle * goal.powf(share)
            },
        )
    };
    (0..=30).map(point).collect()
}

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

pub fn finding(text: &str) -> Finding {
    let mut table = Table::new(format!("Iterations, {text}"), &["case", "paper", "ours"]);
    table.row([text, "2.6", "3"]);
    let points = |scale: f64| (1..40).map(|i| (i as f64, scale / i as f64)).collect();
    let mut dots: Vec<(f64, f64)> = points(3.0);
    dots[4].1 = f64::NAN;
    Finding {
        tables: vec![table],
        plots: vec![
            Plot::new(
                text,
                "Falls as 1/n.",
                Axis::linear("n"),
                Axis::log("error (m)"),
            )
            .with(text, Style::Line, points(1.0))
            .with("paper", Style::Dots, dots),
        ],
        notes: vec![text.to_owned()],
        verdict: Verdict::Agree,
    }
}

pub fn write_scores(folder: &Folder, scores: &[Score]) {
    write_lines(&folder.scores(), scores);
}

pub fn write_simulations(folder: &Folder, runs: &[Simulation]) {
    write_lines(&folder.simulations(), runs);
}

pub fn write_finding(folder: &Folder, name: &str, finding: &Finding) {
    let text = serde_json::to_string_pretty(finding).unwrap();
    std::fs::write(folder.papers().join(format!("{name}.json")), text).unwrap();
}

fn write_lines(path: &Path, records: &[impl Serialize]) {
    let lines = records
        .iter()
        .map(|r| serde_json::to_string(r).unwrap() + "\n");
    std::fs::write(path, lines.collect::<String>()).unwrap();
}

/// 0 … 1, without a pattern one would see.
fn noise(i: usize, k: usize) -> f64 {
    let x = (i as f64 * 12.9898 + k as f64 * 78.233).sin() * 43_758.545;
    x - x.floor()
}

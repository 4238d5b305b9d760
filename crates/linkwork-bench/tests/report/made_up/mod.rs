//! Made-up results for every solver, class and system, the same every time, with what goes wrong in real
//! ones: false convergence, refusals, time limits, NaN, runs that blow up.

mod scores;
mod simulations;
mod speeds;

pub use scores::scores;
pub use simulations::simulations;

use linkwork_bench::papers::{Finding, Verdict};
use linkwork_bench::{
    Axis, Class, Facts, Folder, Plot, SYSTEMS, SampleInfo, Score, Simulation, Style, Table,
};
use serde::Serialize;
use std::path::Path;

const PER_CLASS: usize = 12;

/// Everything the report can show.
pub fn fill(folder: &Folder) {
    write_lines(&folder.samples().join("index.jsonl"), &samples());
    write_scores(folder, &scores());
    write_simulations(folder, &simulations());
    write_lines(&folder.speed(), &speeds::speeds());
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

//! The report from artificial results: it is well formed and complete.
//!
//! `LINKWORK_KEEP_REPORT=DIR` keeps the page of all results in DIR for inspection.

mod made_up;
mod markup;
#[path = "../support/mod.rs"]
mod support;

use linkwork_bench::{BenchError, Folder, report};
use linkwork_solve::{known_solvers, printed_solvers};
use markup::Page;
use std::path::PathBuf;
use support::Scratch;

const SECTIONS: [&str; 13] = [
    "summary",
    "systems",
    "samples",
    "classes",
    "profiles",
    "accuracy",
    "measures",
    "printed",
    "fclib",
    "closed-loop",
    "speed",
    "failures",
    "papers",
];

fn written(folder: &Folder) -> Page {
    let path = report::write(folder).unwrap();
    assert_eq!(path, folder.report());
    Page::parse(&std::fs::read_to_string(path).unwrap())
}

#[test]
fn a_full_folder_fills_every_section() {
    let scratch = Scratch::new();
    let folder = match std::env::var_os("LINKWORK_KEEP_REPORT") {
        Some(kept) => Folder::create(&PathBuf::from(kept)).unwrap(),
        None => scratch.folder(),
    };
    made_up::fill(&folder);
    let page = written(&folder);
    for id in SECTIONS {
        let section = page.section(id);
        assert!(section.count("p") > 0, "{id}: nothing is explained");
        assert!(!section.has_class("missing"), "{id}: a part is missing");
        for table in section.all("table") {
            assert!(table.count("caption") == 1 && table.count("td") > 0, "{id}");
        }
    }
    // Plots: all of them drawn, named for those who cannot see them.
    let plots = page.with_class("plot");
    assert!(plots.len() > 40, "{} plots", plots.len());
    for plot in &plots {
        let paths = plot.all("path").into_iter().filter(|p| p.is_drawn());
        assert!(paths.count() > 1, "empty plot: {}", plot.text());
        assert!(plot.all("svg")[0].attribute("aria-label").is_some());
    }
    for solver in known_solvers() {
        assert!(page.section("classes").text().contains(solver.name));
        assert!(page.section("measures").text().contains(solver.name));
    }
    for solver in printed_solvers() {
        assert!(page.section("printed").text().contains(solver.name));
    }
}

#[test]
fn coordinates_are_numbers_whatever_was_measured() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    made_up::fill(&folder);
    let page = written(&folder);
    for path in page.root().all("path") {
        let line = path.attribute("d").unwrap();
        assert!(!line.contains("NaN") && !line.contains("inf"), "{line}");
    }
    assert!(page.section("closed-loop").text().contains("not finite"));
}

#[test]
fn false_convergence_is_red_wherever_it_occurs() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    made_up::fill(&folder);
    let page = written(&folder);
    for id in ["summary", "classes", "failures"] {
        let alarms = page.section(id).with_class("alarm");
        assert!(!alarms.is_empty(), "{id}");
    }
    let honest: Vec<_> = made_up::scores()
        .into_iter()
        .filter(|s| !s.false_convergence)
        .collect();
    made_up::write_scores(&folder, &honest);
    let page = written(&folder);
    let numbers = page.root().with_class("alarm");
    // What is left is the explanation of the mark.
    assert!(
        numbers.iter().all(|a| a.text() == "false convergence"),
        "{}",
        numbers.len()
    );
}

#[test]
fn what_a_solver_refuses_is_not_a_failure() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    made_up::fill(&folder);
    let page = written(&folder);
    let refused = page.section("classes").with_class("refused");
    assert!(refused.iter().all(|cell| cell.text() == "refused"));
    // direct takes no contacts: four classes, cold and warm.
    let direct = refused.iter().filter(|c| {
        c.attribute("title")
            .is_some_and(|t| t.starts_with("direct "))
    });
    assert_eq!(direct.count(), 8);
    assert!(!page.section("failures").text().contains("unsupported"));
}

#[test]
fn failures_link_to_kept_problems_with_a_command() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    made_up::fill(&folder);
    let page = written(&folder);
    let failures = page.section("failures");
    let link = failures.all("a").into_iter().find(|a| {
        a.attribute("href")
            .is_some_and(|h| h.starts_with("problems/"))
    });
    let href = link.unwrap().attribute("href").unwrap();
    assert!(folder.root().join(&href).is_file());
    assert!(
        failures
            .text()
            .contains(&format!("linkwork solve {href} --solver "))
    );
}

#[test]
fn an_empty_folder_says_which_commands_to_run() {
    let scratch = Scratch::new();
    let page = written(&scratch.folder());
    let text = page.root().text();
    for command in ["sample", "score", "simulate", "score --fclib"] {
        assert!(
            text.contains(&format!("linkwork bench {command}")),
            "{command}"
        );
    }
    for id in SECTIONS {
        assert!(page.section(id).count("p") > 0, "{id}");
    }
    assert!(page.section("systems").text().contains("fourbar_fixed"));
}

#[test]
fn names_of_others_cannot_break_the_page() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    let evil = format!("</td><script>alert(1)</script>\"'&{}", "x".repeat(20_000));
    let (mut scores, mut runs) = (made_up::scores(), made_up::simulations());
    for score in scores.iter_mut().take(400) {
        (score.problem, score.solver) = (format!("{evil}/{}", score.problem), evil.clone());
        (score.claimed, score.solved) = (evil.clone(), false);
    }
    (runs[0].system, runs[1].solver, runs[2].ended) = (evil.clone(), evil.clone(), evil.clone());
    made_up::write_scores(&folder, &scores);
    made_up::write_simulations(&folder, &runs);
    made_up::write_finding(&folder, "stranger", &made_up::finding(&evil));
    let page = written(&folder);
    assert_eq!(page.root().count("script"), 0);
    assert!(page.root().text().contains("<script>alert(1)</script>"));
}

#[test]
fn csv_reads_back() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    made_up::fill(&folder);
    let mut scores = made_up::scores();
    scores[0].problem = "a,\"b\"\nc".to_owned();
    made_up::write_scores(&folder, &scores);
    report::write(&folder).unwrap();
    let read =
        |name: &str| markup::csv(&std::fs::read_to_string(folder.root().join(name)).unwrap());
    let table = read("scores.csv");
    assert_eq!(table.len(), scores.len() + 1);
    let column = |name: &str| table[0].iter().position(|head| head == name).unwrap();
    for (row, score) in table[1..].iter().zip(&scores) {
        assert_eq!(row.len(), table[0].len());
        assert_eq!(row[column("problem")], score.problem);
        assert_eq!(row[column("wall_s")].parse::<f64>().unwrap(), score.wall_s);
        let residual = row[column("residual")].parse::<f64>().ok();
        assert_eq!(residual, Some(score.residual).filter(|r| r.is_finite()));
    }
    for name in ["simulations.csv", "classes.csv", "systems.csv"] {
        let table = read(name);
        assert!(
            table.len() > 10 && table.iter().all(|row| row.len() == table[0].len()),
            "{name}"
        );
    }
}

#[test]
fn a_cut_last_line_is_left_out_and_a_bad_line_named() {
    let scratch = Scratch::new();
    let folder = scratch.folder();
    made_up::write_scores(&folder, &made_up::scores()[..5]);
    let whole = std::fs::read_to_string(folder.scores()).unwrap();
    std::fs::write(folder.scores(), &whole[..whole.len() - 40]).unwrap();
    report::write(&folder).unwrap();
    let csv = std::fs::read_to_string(folder.root().join("scores.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 4);

    let lines: Vec<&str> = whole.lines().collect();
    let broken = [lines[0], lines[1], "{\"problem\": 3}", lines[3]].join("\n") + "\n";
    std::fs::write(folder.scores(), broken).unwrap();
    match report::write(&folder) {
        Err(BenchError::Malformed { path, line, .. }) => {
            assert_eq!((path, line), (folder.scores(), 3))
        }
        other => panic!("{other:?}"),
    }
}

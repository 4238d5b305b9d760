//! The experiments of the papers: their claims, and the results here.

use crate::papers::{EXPERIMENTS, Experiment, Finding, Verdict};
use crate::report::data::Data;
use crate::report::html::{Cell, Grid, Html, figure};
use crate::report::svg::Chart;

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "Experiments of other papers, reproduced by name. Each states what the paper claims and a criterion, fixed \
         before the run, by which ours agrees or disagrees; a disagreement is a result and says why. Pending \
         experiments wait for a part of Linkwork that does not exist yet. Experiments that were not run are run with \
         linkwork bench paper NAME.",
    );
    let known = |name: &str| EXPERIMENTS.iter().any(|e| e.name == name);
    let strangers: Vec<_> = data
        .findings
        .iter()
        .filter(|(name, _)| !known(name))
        .collect();
    if EXPERIMENTS.is_empty() && strangers.is_empty() {
        html.missing(
            "No experiment has been run yet.",
            "linkwork bench paper --all",
        );
        return html;
    }
    html.p("All experiments with their verdicts; below, each with its numbers.");
    let mut grid = Grid::new(
        "Experiments and verdicts",
        &["experiment", "source", "verdict"],
        3,
    );
    for e in EXPERIMENTS {
        let (word, class, _) = verdict(Some(e), data.findings.get(e.name));
        grid.row(vec![
            name_cell(e.name),
            Cell::new(e.source),
            Cell::new(word).class(class),
        ]);
    }
    for (name, finding) in &strangers {
        let (word, class, _) = verdict(None, Some(finding));
        let source = Cell::new("not an experiment of this version").class("soft");
        grid.row(vec![name_cell(name), source, Cell::new(word).class(class)]);
    }
    html.add(grid.html());
    for e in EXPERIMENTS {
        html.add(experiment(e.name, Some(e), data.findings.get(e.name)));
    }
    for (name, finding) in strangers {
        html.add(experiment(name, None, Some(finding)));
    }
    html
}

fn name_cell(name: &str) -> Cell {
    Cell {
        link: format!("#paper-{name}"),
        ..Cell::new(name)
    }
}

/// Word, class of its style, and reason.
fn verdict<'a>(
    e: Option<&Experiment>,
    finding: Option<&'a Finding>,
) -> (&'static str, &'static str, &'a str) {
    match finding.map(|f| &f.verdict) {
        Some(v @ Verdict::Agree) => (v.name(), "ok", ""),
        Some(v @ Verdict::NotContradicted) => (
            v.name(),
            "note",
            "a quick run has too few cases to decide; run it in full",
        ),
        Some(v @ Verdict::Disagree(why)) => (v.name(), "bad", why),
        Some(v @ Verdict::Skipped(why)) => (v.name(), "note", why),
        None if e.is_some_and(|e| e.run.is_none()) => ("pending", "soft", ""),
        None => ("not run", "note", ""),
    }
}

fn experiment(name: &str, e: Option<&Experiment>, finding: Option<&Finding>) -> Html {
    let mut html = Html::new();
    let (word, class, why) = verdict(e, finding);
    html.element("h3", &[("id", &format!("paper-{name}"))], |h| {
        h.text(name);
        h.leaf("span", &[("class", &format!("verdict {class}"))], word);
    });
    if let Some(e) = e {
        labelled(&mut html, "Source: ", e.source);
        labelled(&mut html, "The paper finds: ", e.claim);
        labelled(&mut html, "Criterion: ", e.criterion);
    }
    if !why.is_empty() {
        labelled(
            &mut html,
            if word == "disagree" {
                "Why not: "
            } else {
                "Why: "
            },
            why,
        );
    }
    let Some(finding) = finding else {
        return html;
    };
    if !finding.tables.is_empty() {
        html.p("The paper's numbers and ours:");
    }
    for table in &finding.tables {
        html.add(Grid::from(table).html());
    }
    for plot in &finding.plots {
        html.add(figure(&plot.title, Chart::of(plot).html(), &plot.caption));
    }
    if !finding.notes.is_empty() {
        html.element("ul", &[], |h| {
            for note in &finding.notes {
                h.leaf("li", &[], note);
            }
        });
    }
    html
}

fn labelled(html: &mut Html, label: &str, text: &str) {
    html.element("p", &[], |h| {
        h.leaf("strong", &[], label);
        h.text(text);
    });
}

//! Purpose of the report, the machine, and the main result.

use crate::machine::Machine;
use crate::papers::{EXPERIMENTS, Verdict};
use crate::report::data::{Data, Selection, Solvers, Tally, fastest};
use crate::report::html::{Cell, Grid, Html};
use crate::report::numbers::{date, percent, seconds, short, times};
use crate::results::Start;

/// The section.
pub fn section(data: &Data, machine: &Machine) -> Html {
    let mut html = Html::new();
    html.p(
        "A simulator of mechanisms solves a small mathematical problem at every step: which impulses keep all \
         joints closed and all contacts from overlapping, with friction? This report compares solvers of that \
         problem. Thirteen mechanisms, from a box on a floor to a figure of 54 bodies, are run; the problems of \
         some of their steps are kept as samples and sorted into seven classes; every solver is given every \
         sample, and then runs the mechanisms by itself. Whether a problem is solved is decided by a residual \
         that is recomputed outside the solver, never by the solver.",
    );
    html.element("p", &[], |h| {
        h.text("A solver that says it converged although the recomputed residual misses the tolerance makes a ");
        h.leaf("span", &[("class", "alarm")], "false convergence");
        h.text("; wherever that occurs in this report it is shown like this. A problem that a solver is not made \
                for (e.g. contacts, for a solver of joints) is refused, which is not a failure and is counted \
                apart.");
    });
    stamp(&mut html, data.machine.as_ref(), machine);
    let suite = data.suite();
    if suite.scores.is_empty() {
        html.missing("No solver has been scored yet.", "linkwork bench score");
        return html;
    }
    facts(&mut html, data, &suite);
    html.p(&format!(
        "The headline. Solved: the share of the samples a solver takes on which the residual came down to {} N s \
         and m/s within {}, from zero (cold) and from the impulses of the step before (warm). × fastest: its time \
         relative to the fastest solver of the same law on the same problem, the median over what it solves from \
         cold. Solvers of the convex relaxation (CCP) solve an easier problem, in which sliding contacts separate; \
         they are compared among themselves. Exact law met: the share of the answers that satisfy the exact law to \
         the tolerance. A dash stands where nothing was measured: no start of that kind, or no problem solved. Rows are \
         in order of the number of problems solved.",
        short(suite.tolerance),
        seconds(suite.limit_s),
    ));
    html.add(headline(&suite, &data.solvers).html());
    html
}

/// Load of a machine from which on times suffer: half a core.
const BUSY: f64 = 0.5;

/// What the results were measured on, and what wrote the page where that is another version or machine.
fn stamp(html: &mut Html, measured: Option<&Machine>, here: &Machine) {
    let on = |m: &Machine| {
        format!(
            "Linkwork {}, commit {}, {}, {}; {} cores of {}, {}; {}; {}",
            m.version,
            m.commit,
            m.profile,
            m.rustc,
            m.cores,
            m.processor,
            m.system,
            match m.load {
                Some(load) => format!("load {load:.2} when it began"),
                None => "load not recorded".to_owned(),
            },
            date(m.unix_s),
        )
    };
    if let Some(measured) = measured {
        let text = format!("Measured with {}.", on(measured));
        html.leaf("p", &[("class", "stamp")], &text);
        if let Some(load) = measured.load.filter(|load| *load > BUSY) {
            html.leaf("p", &[("class", "warning")], &format!(
                "The machine was busy with other work (load {load:.2}): times are longer than they would be, and not \
                 all by the same factor."
            ));
        }
    }
    let text = format!("Report written by {}.", on(here));
    html.leaf("p", &[("class", "stamp")], &text);
}

/// What was run, in numbers, with warnings where something is missing.
fn facts(html: &mut Html, data: &Data, suite: &Selection) {
    let false_claims = data.scores.iter().filter(|s| s.false_convergence).count();
    html.element("ul", &[], |h| {
        h.leaf(
            "li",
            &[],
            &format!(
                "{} solves of {} samples by {} solvers at tolerance {}",
                suite.scores.len(),
                suite.problems(),
                suite.solvers(&data.solvers).len(),
                short(suite.tolerance),
            ),
        );
        h.element("li", &[], |h| {
            let class = if false_claims > 0 { "alarm" } else { "ok" };
            h.leaf(
                "span",
                &[("class", class)],
                &format!("{false_claims} false convergences"),
            );
            h.text(match data.fclib().scores.is_empty() {
                true => " in all solves of samples; FCLIB was not scored",
                false => " in all solves, FCLIB included",
            });
        });
        let runs = data.runs();
        let early = runs.values().filter(|r| !r.ended.is_empty()).count();
        h.leaf(
            "li",
            &[],
            &format!(
                "{} closed-loop runs, of which {early} ended early",
                runs.len()
            ),
        );
        h.leaf("li", &[], &experiments(data));
    });
    let missing = suite.missing(&data.solvers);
    if missing > 0 {
        html.leaf("p", &[("class", "warning")], &format!(
            "Scoring is not complete: {missing} solves are missing, and shares of solvers with fewer solves cannot \
             be compared. linkwork bench score goes on where it was interrupted."
        ));
    }
    if suite.left_out > 0 {
        html.leaf("p", &[("class", "missing")], &format!(
            "{} scores at other tolerances or time limits are in scores.csv and not on this page.",
            suite.left_out
        ));
    }
}

/// Number of experiments of the papers by result, including those without a verdict.
fn experiments(data: &Data) -> String {
    let verdicts = [
        Verdict::Agree,
        Verdict::NotContradicted,
        Verdict::Disagree(String::new()),
        Verdict::Skipped(String::new()),
    ];
    let mut parts = Vec::new();
    for verdict in verdicts {
        let name = verdict.name();
        let findings = data.findings.values();
        let count = findings.filter(|f| f.verdict.name() == name).count();
        parts.push(format!("{count} {name}"));
    }
    let open = || {
        EXPERIMENTS
            .iter()
            .filter(|e| !data.findings.contains_key(e.name))
    };
    let pending = open().filter(|e| e.run.is_none()).count();
    parts.push(format!("{pending} pending"));
    parts.push(format!("{} not run", open().count() - pending));
    format!("experiments of the papers: {}", parts.join(", "))
}

/// The headline table over the scores of a selection.
pub fn headline(selection: &Selection, solvers: &Solvers) -> Grid {
    let head = [
        "solver",
        "solved, cold",
        "solved, warm",
        "refused",
        "median time",
        "× fastest",
        "exact law met",
        "false",
    ];
    let caption = format!("Solvers at tolerance {}", short(selection.tolerance));
    let mut grid = Grid::new(caption, &head, 1);
    for (law, keys) in solvers.by_law(&selection.solvers(solvers)) {
        grid.group(law);
        let of = |key: usize| {
            let name = &solvers[key].name;
            selection
                .scores
                .iter()
                .copied()
                .filter(move |s| s.solver == *name)
        };
        let best = fastest(keys.iter().flat_map(|k| of(*k)));
        let mut rows: Vec<(usize, [Tally; 2])> = keys
            .iter()
            .map(|k| {
                let tally = |start| Tally::of(of(*k).filter(|s| s.start == start), &best);
                (*k, [tally(Start::Cold), tally(Start::Warm)])
            })
            .collect();
        rows.sort_by_key(|(_, [cold, warm])| std::cmp::Reverse(cold.solved + warm.solved));
        for (key, [cold, warm]) in rows {
            // Times of one start only: cold where it was scored, else warm.
            let timed = if cold.problems > 0 { &cold } else { &warm };
            let refused = cold.refused.max(warm.refused);
            grid.row_of(
                format!("k{key}"),
                vec![
                    Cell::new(&solvers[key].name).title(&solvers[key].summary),
                    share(&cold),
                    share(&warm),
                    Cell::new(refused.to_string()).class("soft"),
                    timed.time().map_or_else(|| "–".to_owned(), seconds).into(),
                    times(timed.ratio()).into(),
                    percent(cold.exact + warm.exact, cold.solved + warm.solved).into(),
                    Cell::alarms(cold.false_claims + warm.false_claims),
                ],
            );
        }
    }
    grid
}

fn share(tally: &Tally) -> Cell {
    let mut cell = Cell::new(percent(tally.solved, tally.tried()));
    if tally.tried() > 0 {
        cell.small = format!("{} of {}", tally.solved, tally.tried());
    }
    cell
}

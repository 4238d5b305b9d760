//! Solves that failed, with the problem and the command to try them again.

use crate::folder::Folder;
use crate::report::data::{Data, Selection, Solvers, is_refused};
use crate::report::html::{Cell, Grid, Html};
use crate::report::numbers::{percent, seconds, short};
use crate::results::Score;
use crate::table::Align;
use linkwork_solve::DEFAULT_SOLVER;

/// Rows of the table; the CSV has the rest.
const MOST: usize = 150;

/// The section.
pub fn section(data: &Data, folder: &Folder) -> Html {
    let mut html = Html::new();
    html.p(
        "Solves that did not reach the tolerance; what a solver refuses is not among them. First the table of how \
         they ended, by solver, in the solver's own words. A false convergence is a bug of a solver or of its \
         stopping rule; a limit or a stall is an honest failure.",
    );
    let (suite, fclib) = (data.suite(), data.fclib());
    if suite.scores.is_empty() && fclib.scores.is_empty() {
        html.missing("No solver has been scored yet.", "linkwork bench score");
        return html;
    }
    let mut failed = failures(&suite);
    failed.extend(failures(&fclib));
    if failed.is_empty() {
        html.leaf(
            "p",
            &[("class", "ok")],
            "Every solve reached the tolerance.",
        );
        return html;
    }
    let all: Vec<&Score> = [suite.scores, fclib.scores].concat();
    html.add(endings(&data.solvers, &failed, &all));
    html.p(&format!(
        "The single solves: false convergences first, then those of the default solver {DEFAULT_SOLVER}, then those \
         whose problem was kept in a file, then the others. The link opens the problem; the command solves it again, \
         from a cold start, and is to be run in the folder of this page."
    ));
    failed.sort_by_cached_key(|s| {
        let kept = file(folder, &s.problem).is_some();
        (
            !s.false_convergence,
            s.solver != DEFAULT_SOLVER,
            !kept,
            s.problem.clone(),
            s.solver.clone(),
        )
    });
    html.add(single_solves(folder, &failed));
    if failed.len() > MOST {
        html.element("p", &[], |h| {
            h.text(&format!(
                "{} of {} failures are shown; all are in ",
                MOST,
                failed.len()
            ));
            h.leaf("a", &[("href", "scores.csv")], "scores.csv");
            h.text(", column solved.");
        });
    }
    html
}

fn failures<'a>(selection: &Selection<'a>) -> Vec<&'a Score> {
    let scores = selection.scores.iter().copied();
    scores.filter(|s| !s.solved && !is_refused(s)).collect()
}

/// Solver and ending.
fn endings(solvers: &Solvers, failed: &[&Score], all: &[&Score]) -> Html {
    let mut kinds: Vec<&str> = failed
        .iter()
        .filter(|s| !s.false_convergence)
        .map(|s| s.claimed.as_str())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut head = vec!["solver", "false convergence"];
    head.extend(&kinds);
    head.extend(["failed", "of all solves"]);
    let mut grid = Grid::new("How failed solves ended, samples and FCLIB", &head, 1);
    for (key, solver) in solvers.iter().enumerate() {
        let mine: Vec<&&Score> = failed.iter().filter(|s| s.solver == solver.name).collect();
        if mine.is_empty() {
            continue;
        }
        let count = |kind: &str| {
            mine.iter()
                .filter(|s| !s.false_convergence && s.claimed == kind)
                .count()
        };
        let shown = |n: usize| {
            let class = if n > 0 { "" } else { "soft" };
            Cell::new(n.to_string()).class(class)
        };
        let tried = all
            .iter()
            .filter(|s| s.solver == solver.name && !is_refused(s))
            .count();
        let false_claims = mine.iter().filter(|s| s.false_convergence).count();
        let mut cells = vec![Cell::new(&solver.name), Cell::alarms(false_claims)];
        cells.extend(kinds.iter().map(|kind| shown(count(kind))));
        cells.extend([
            Cell::new(mine.len().to_string()),
            Cell::new(percent(mine.len(), tried)),
        ]);
        grid.row_of(format!("k{key}"), cells);
    }
    grid.html()
}

fn single_solves(folder: &Folder, failed: &[&Score]) -> Html {
    let head = [
        "problem",
        "solver",
        "start",
        "ended",
        "residual",
        "time",
        "solve it again",
    ];
    let mut grid = Grid::new("Failed solves", &head, 4);
    if let Some((_, align)) = grid.head.last_mut() {
        *align = Align::Left;
    }
    for score in failed.iter().take(MOST) {
        let kept = file(folder, &score.problem);
        let ended = if score.false_convergence {
            Cell::new("false convergence")
                .class("alarm")
                .title(&score.claimed)
        } else {
            Cell::new(&score.claimed).class("nowrap")
        };
        let command = kept
            .as_ref()
            .map(|path| command(score, path))
            .unwrap_or_default();
        grid.row(vec![
            Cell {
                link: kept.as_deref().map(address).unwrap_or_default(),
                ..Cell::new(&score.problem)
            }
            .title(&score.problem),
            Cell::new(&score.solver),
            Cell::new(score.start.name()),
            ended,
            Cell::new(short(score.residual)),
            Cell::new(seconds(score.wall_s)),
            Cell::new(command).class("command"),
        ]);
    }
    grid.html()
}

/// Where the problem was kept, relative to the page: as `SYSTEM-stepNNNNN.json`.
fn file(folder: &Folder, problem: &str) -> Option<String> {
    let path = folder.problem(problem);
    let below = path.strip_prefix(folder.root()).ok()?;
    path.is_file().then(|| below.display().to_string())
}

/// The command that solves it again under the same conditions; samples are solved as they are, FCLIB
/// problems in their own units.
fn command(score: &Score, path: &str) -> String {
    let absolute = if score.class.is_some() {
        " --absolute"
    } else {
        ""
    };
    let (solver, tolerance, limit) = (&score.solver, score.tolerance, score.limit_s);
    let path = if path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    };
    format!(
        "linkwork solve {path} --solver {solver} --tolerance {tolerance:e} --limit {limit}{absolute}"
    )
}

/// A path as a relative address [RFC 3986 §2.1].
fn address(path: &str) -> String {
    let escaped = |c: char| match c {
        c if is_plain(c) => c.to_string(),
        c => {
            let bytes = c.to_string().into_bytes();
            bytes.iter().map(|b| format!("%{b:02X}")).collect()
        }
    };
    path.chars().map(escaped).collect()
}

/// Whether a character needs no escaping in addresses and on the command line.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-._/".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::data::fixture::score;

    #[test]
    fn odd_names_are_safe_in_links_and_commands() {
        let path = "problems/it's #1 µ.json";
        assert_eq!(address(path), "problems/it%27s%20%231%20%C2%B5.json");
        let command = command(&score("a", "newton", 1.0, false), path);
        assert_eq!(
            command,
            "linkwork solve 'problems/it'\\''s #1 µ.json' --solver newton --tolerance 1e-6 --limit 1"
        );
    }
}

//! The thirteen systems, with pictures and the check against the paper's table.

use crate::report::html::{Cell, Grid, Html};
use crate::report::numbers::short;
use crate::report::pictures::picture;
use crate::report::table_two::{Check, Counts};

/// The section.
pub fn section(checks: &[Check]) -> Html {
    let mut html = Html::new();
    html.p(
        "The suite has the sizes of Table II of Tsounis et al.: as many bodies, joints, rows (scalar equations the \
         joints impose) and loops, and the same ratio of the heaviest body to the lightest. Loops make rows \
         redundant and large mass ratios make problems ill-conditioned; both are what solvers fail on. The paper's \
         robots are not public; ours are stand-ins under our own names, with their own shapes and motions.",
    );
    html.p(
        "Each number is ours, counted in the scene as this program builds it; where it is not the paper's, that one \
         follows in brackets and the last column says that it differs. Actuated axes are shown and do not count for that column: the \
         four-bars are passive unless asked for, and the figures drive what moves them.",
    );
    html.add(table(checks));
    html
}

fn table(checks: &[Check]) -> Html {
    let head = [
        "system",
        "picture",
        "in the paper",
        "base",
        "bodies",
        "joints",
        "rows",
        "loops",
        "mass ratio",
        "actuated",
        "Table II",
    ];
    let mut grid = Grid::new(
        "The systems of the suite and the check against Table II",
        &head,
        4,
    );
    grid.class = "pictures";
    let mut category = None;
    for check in checks {
        let system = check.system;
        if category != Some(system.category) {
            category = Some(system.category);
            grid.group(system.category.name());
        }
        let wanted = Counts::wanted(system);
        let found = check.found.as_ref().and_then(|f| f.as_ref().ok());
        let mut cells = vec![
            Cell::new(system.name),
            Cell {
                image: picture(system.name).unwrap_or_default(),
                title: format!("picture of {}", system.name),
                ..Cell::default()
            },
            Cell::new(system.paper),
            Cell::new(if system.fixed { "fixed" } else { "free" }),
        ];
        let numbers = |c: &Counts| {
            let counts = [c.bodies, c.joints, c.rows, c.loops].map(|n| n.to_string());
            let last = [mass_ratio(c.mass_ratio), c.actuated.to_string()];
            counts.into_iter().chain(last)
        };
        let ours = found.map(|c| numbers(c).collect::<Vec<_>>());
        cells.extend(numbers(&wanted).enumerate().map(|(i, paper)| match &ours {
            None => Cell::new(format!("({paper})")).class("soft"),
            Some(ours) if ours[i] == paper => Cell::new(paper),
            Some(ours) => Cell::new(format!("{} ({paper})", ours[i])).class("bad"),
        }));
        cells.push(verdict(check));
        grid.row(cells);
    }
    grid.html()
}

fn verdict(check: &Check) -> Cell {
    let word = check.verdict();
    let class = match word {
        "ok" => "ok",
        "no scene yet" => "note",
        _ => "bad",
    };
    let reason = check.found.as_ref().and_then(|f| f.as_ref().err());
    Cell::new(word)
        .class(class)
        .title(reason.cloned().unwrap_or_default())
}

/// To the two decimals of the paper.
fn mass_ratio(ratio: f64) -> String {
    if ratio.is_finite() {
        format!("{ratio:.2}")
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    } else {
        short(ratio)
    }
}

//! What the samples are.

use crate::class::Class;
use crate::facts::Facts;
use crate::plot::{Axis, Plot, Style};
use crate::report::data::Data;
use crate::report::html::{Cell, Grid, Html, figure, figures};
use crate::report::svg::{Chart, boxes};
use crate::suite::SYSTEMS;

/// The section.
pub fn section(data: &Data) -> Html {
    let mut html = Html::new();
    html.p(
        "A sample is the problem of one step of one system's scripted run with the default solver. The classes of \
         Tsounis et al. say what makes it hard: joints only, with rows that are independent, redundant, or so many \
         that there are as many rows as degrees of freedom (dense); a single contact; contacts that are few \
         (sparse) or more than two per body (dense); and contacts together with joints, more rows than degrees of \
         freedom (dense constraints).",
    );
    if data.samples.is_empty() {
        html.missing("There are no samples yet.", "linkwork bench sample");
        return html;
    }
    html.p("How many samples there are of each class, by system. A class that no system reaches is a column of zeros.");
    html.add(counts(data));
    html.p(
        "What the samples are like, by class. A box spans the middle half of the samples, the thick line is the \
         median, the thin line reaches from the least to the greatest. Density is rows over degrees of freedom \
         (n_d/6n_b), and the same of joints and contacts alone: above 1 something must be redundant. Redundant \
         rows are rows less the rank of the Jacobian. The condition number κ is that of the Delassus matrix J M⁻¹ \
         Jᵀ over its nonzero spectrum: splitting methods need the more iterations the larger it is. The mass \
         ratio is the heaviest body over the lightest.",
    );
    html.add(spreads(data));
    html.p(
        "Each dot is a sample: how dense it is and how ill-conditioned. The upper right is where problems are hard.",
    );
    html.add(scatter(data));
    html
}

fn counts(data: &Data) -> Html {
    let mut head = vec!["system"];
    head.extend(Class::ALL.map(Class::name));
    head.push("all");
    let mut grid = Grid::new("Samples by system and class", &head, 1);
    let known = SYSTEMS.iter().map(|s| s.name.to_owned());
    let mut systems: Vec<String> = known.collect();
    for sample in &data.samples {
        if !systems.contains(&sample.system) {
            systems.push(sample.system.clone());
        }
    }
    let row = |name: &str, is_mine: &dyn Fn(&str) -> bool| {
        let mine = || data.samples.iter().filter(|s| is_mine(&s.system));
        let count = |class| mine().filter(|s| s.facts.class == class).count();
        let counts = Class::ALL.into_iter().map(count).chain([mine().count()]);
        let shown = |n: usize| {
            let class = if n > 0 { "" } else { "soft" };
            Cell::new(n.to_string()).class(class)
        };
        std::iter::once(Cell::new(name))
            .chain(counts.map(shown))
            .collect()
    };
    for system in &systems {
        grid.row(row(system, &|name| name == system));
    }
    grid.group("");
    grid.row(row("all", &|_| true));
    grid.html()
}

/// What is shown of a sample: title, axis, value.
type Measure = (&'static str, Axis, fn(&Facts) -> f64);

fn spreads(data: &Data) -> Html {
    let measures: [Measure; 6] = [
        (
            "Density",
            Axis::linear("rows over degrees of freedom"),
            |f| f.density,
        ),
        (
            "Density of joints",
            Axis::linear("joint rows over degrees of freedom"),
            |f| f.joint_density,
        ),
        (
            "Density of contacts",
            Axis::linear("contact rows over degrees of freedom"),
            |f| f.contact_density,
        ),
        ("Redundant rows", Axis::linear("rows less rank"), |f| {
            f.rows.saturating_sub(f.rank) as f64
        }),
        ("Condition number", Axis::log("κ(D)"), |f| f.condition),
        ("Mass ratio", Axis::log("heaviest over lightest"), |f| {
            f.mass_ratio
        }),
    ];
    figures(measures.iter().map(|(title, axis, value)| {
        let group = |class: Class| {
            let mine = data.samples.iter().filter(|s| s.facts.class == class);
            (
                class.name().to_owned(),
                mine.map(|s| value(&s.facts)).collect(),
            )
        };
        let groups: Vec<(String, Vec<f64>)> = Class::ALL.into_iter().map(group).collect();
        figure(title, boxes(title, axis, &groups), "")
    }))
}

fn scatter(data: &Data) -> Html {
    let title = "Density and conditioning of all samples";
    let mut plot = Plot::new(
        title,
        "",
        Axis::linear("density n_d/6n_b"),
        Axis::log("condition number κ(D)"),
    );
    for class in Class::ALL {
        let mine = data.samples.iter().filter(|s| s.facts.class == class);
        let points = mine.map(|s| (s.facts.density, s.facts.condition)).collect();
        plot = plot.with(class.name(), Style::Dots, points);
    }
    figure(title, Chart::of(&plot).html(), "")
}

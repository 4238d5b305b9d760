//! The page around the sections.

use super::Html;

/// The most solvers that can be highlighted.
const KEYS: usize = 64;

/// A section of the page: identifier, heading, contents.
pub type Section = (&'static str, &'static str, Html);

/// The whole page; `solvers` can be highlighted, in the order of their keys.
pub fn page(title: &str, solvers: &[&str], sections: Vec<Section>) -> String {
    let mut html = Html::new();
    html.verbatim("<!DOCTYPE html>\n");
    html.element("html", &[("lang", "en-GB")], |h| {
        h.element("head", &[], |h| {
            h.empty("meta", &[("charset", "utf-8")]);
            let view = "width=device-width, initial-scale=1";
            h.empty("meta", &[("name", "viewport"), ("content", view)]);
            h.empty(
                "meta",
                &[("name", "color-scheme"), ("content", "light dark")],
            );
            // An empty icon; without it browsers would request favicon.ico.
            h.empty("link", &[("rel", "icon"), ("href", "data:,")]);
            h.leaf("title", &[], title);
            h.element("style", &[], |h| {
                h.verbatim(include_str!("style.css"));
                h.verbatim(&highlights(solvers.len().min(KEYS)));
            });
        });
        h.element("body", &[], |h| {
            h.leaf(
                "a",
                &[("class", "skip"), ("href", "#summary")],
                "Skip to the report",
            );
            h.element("header", &[], |h| {
                h.leaf("h1", &[], title);
            });
            navigation(h, solvers, &sections);
            h.element("main", &[], |h| {
                for (id, heading, contents) in sections {
                    h.element("section", &[("id", id)], |h| {
                        h.leaf("h2", &[], heading);
                        h.add(contents);
                    });
                }
            });
        });
    });
    html.into_string()
}

/// Links to the sections, and the choice of a solver to highlight everywhere.
fn navigation(html: &mut Html, solvers: &[&str], sections: &[Section]) {
    html.element("nav", &[("aria-label", "Sections")], |h| {
        for (id, heading, _) in sections {
            h.leaf("a", &[("href", &format!("#{id}"))], heading);
        }
        if solvers.is_empty() {
            return;
        }
        h.element("label", &[], |h| {
            h.text("Highlight ");
            h.element("select", &[("id", "highlight")], |h| {
                h.leaf("option", &[("value", "none")], "no solver");
                for (k, name) in solvers.iter().enumerate().take(KEYS) {
                    h.leaf("option", &[("value", &format!("k{k}"))], name);
                }
            });
        });
    });
}

/// Rules that fade all other curves where one is pointed at or its solver chosen; no script needed.
fn highlights(solvers: usize) -> String {
    let pointed = (0..KEYS)
        .map(|k| format!("figure:has(.k{k}:hover) :is(path,li).k:not(.k{k}){{opacity:.12}}\n"));
    let chosen = (0..solvers).map(|k| {
        let body = format!("body:has(option[value=k{k}]:checked)");
        format!(
            "{body} .by-solver :is(path,li).k:not(.k{k}){{opacity:.12}}\n\
             {body} .by-solver path.k{k}{{stroke-width:3.5}}\n\
             {body} tr.k{k}>:is(th,td){{box-shadow:inset 0 2px var(--link),inset 0 -2px var(--link)}}\n"
        )
    });
    pointed.chain(chosen).collect()
}

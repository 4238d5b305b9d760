//! Broken and hostile COLLADA files.

use crate::support::{bounded, load, refused};
use crate::writers;
use linkwork_import::Fault::{self, *};

const FACES: &str =
    r##"<triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>"##;

fn geometry(faces: &str) -> String {
    format!(
        r##"<geometry id="part"><mesh><source id="p"><float_array>0 0 0 1 0 0 0 1 0</float_array></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{faces}</mesh></geometry>"##
    )
}

fn dae(faces: &str) -> String {
    let node = r##"<node id="n"><instance_geometry url="#part"/></node>"##;
    writers::dae_scene("", &geometry(faces), node)
}

#[test]
fn collada() {
    let good = dae(FACES);
    load("good.dae", &good).0.unwrap();
    let bomb = r#"<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><COLLADA>&b;</COLLADA>"#;
    let with = |old: &str, new: &str| {
        assert!(good.contains(old), "{old}");
        good.replace(old, new)
    };
    let cases: Vec<(&str, String, Fault)> = vec![
        ("empty", String::new(), Syntax),
        ("cut off", good[..good.len() / 2].to_owned(), Syntax),
        ("another root", "<svg/>".to_owned(), UnknownElement),
        ("entities", bomb.to_owned(), Unsupported),
        ("nested deep", "<COLLADA>".repeat(100_000), TooLarge),
        ("nothing in it", "<COLLADA/>".to_owned(), Mechanism),
        ("an index too high", with("0 1 2", "0 1 3"), BadValue),
        ("a negative index", with("0 1 2", "0 1 -1"), BadValue),
        ("half an index", with("0 1 2", "0 1 1.5"), BadValue),
        ("two corners", with("0 1 2", "0 1"), BadValue),
        ("NaN", with("1 0 0", "1 nan 0"), BadValue),
        (
            "no such geometry",
            with("url=\"#part\"", "url=\"#other\""),
            Unresolved,
        ),
        (
            "another file",
            with("url=\"#part\"", "url=\"../../etc/passwd#part\""),
            Unresolved,
        ),
        (
            "no such source",
            with("source=\"#p\"", "source=\"#q\""),
            Unresolved,
        ),
        (
            "a source of the wrong kind",
            with("source=\"#p\"", "source=\"#v\""),
            Unresolved,
        ),
        (
            "no vertices",
            with("semantic=\"VERTEX\"", "semantic=\"NORMAL\""),
            Missing,
        ),
        (
            "no positions",
            with("semantic=\"POSITION\"", "semantic=\"NORMAL\""),
            Missing,
        ),
        (
            "a huge offset",
            with("offset=\"0\"", "offset=\"9000000000000000000\""),
            BadValue,
        ),
        (
            "an offset beyond",
            with("offset=\"0\"", "offset=\"5\""),
            BadValue,
        ),
        (
            "a negative offset",
            with("offset=\"0\"", "offset=\"-1\""),
            BadValue,
        ),
        (
            "a unit of zero",
            with("<asset>", "<asset><unit meter=\"0\"/>"),
            BadValue,
        ),
        (
            "a negative unit",
            with("<asset>", "<asset><unit meter=\"-1\"/>"),
            BadValue,
        ),
        (
            "an infinite unit",
            with("<asset>", "<asset><unit meter=\"inf\"/>"),
            BadValue,
        ),
        (
            "a short matrix",
            with("<node id=\"n\">", "<node id=\"n\"><matrix>1 0</matrix>"),
            BadValue,
        ),
        (
            "a skew",
            with("<node id=\"n\">", "<node id=\"n\"><skew>1</skew>"),
            Unsupported,
        ),
        (
            "itself",
            with(
                "<node id=\"n\">",
                "<node id=\"n\"><instance_node url=\"#n\"/>",
            ),
            TooLarge,
        ),
        (
            "faces of more corners than there are",
            dae(&FACES
                .replace("triangles", "polylist")
                .replace("<p>", "<vcount>1e18</vcount><p>")),
            BadValue,
        ),
        (
            "corners left over",
            dae(&FACES
                .replace("triangles", "polylist")
                .replace("<p>", "<vcount>2</vcount><p>")),
            BadValue,
        ),
        (
            "no vcount",
            dae(&FACES.replace("triangles", "polylist")),
            Missing,
        ),
        (
            "holes",
            dae(&FACES
                .replace("triangles", "polygons")
                .replace("<p>0", "<ph/><p>0")),
            Unsupported,
        ),
    ];
    for (what, text, fault) in cases {
        let error = bounded(what, || refused("x.dae", &text));
        assert_eq!(error.fault, fault, "{what}: {error}");
    }
}

#[test]
fn a_chain_of_references_that_doubles_at_every_step_is_refused() {
    let mut nodes = r##"<node id="n0"><instance_geometry url="#part"/></node>"##.to_owned();
    for k in 1..64 {
        let twice = format!(r##"<instance_node url="#n{}"/>"##, k - 1).repeat(2);
        nodes += &format!(r##"<node id="n{k}">{twice}</node>"##);
    }
    let text = writers::dae_scene("", &geometry(FACES), &nodes);
    assert_eq!(
        bounded("doubling", || refused("x.dae", &text)).fault,
        TooLarge
    );
}

#[test]
fn a_node_of_many_steps_met_many_times_is_refused() {
    let steps = "<translate>0 0 0</translate>".repeat(10_000);
    let long = format!(r##"<node id="n0">{steps}<instance_geometry url="#part"/></node>"##);
    let many = r##"<instance_node url="#n0"/>"##.repeat(10_000);
    let text = writers::dae_scene("", &geometry(FACES), &format!("{long}<node>{many}</node>"));
    assert_eq!(bounded("steps", || refused("x.dae", &text)).fault, TooLarge);
}

#[test]
fn many_lists_of_faces_share_their_vertices() {
    let numbers = "0 0 0 1 0 0 0 1 0 ".repeat(10_000);
    let geometry = geometry(&FACES.repeat(2_000)).replace("0 0 0 1 0 0 0 1 0", &numbers);
    let node = r##"<node><instance_geometry url="#part"/></node>"##;
    let text = writers::dae_scene("", &geometry, node);
    let mesh = bounded("lists", || load("x.dae", &text).0.unwrap());
    assert_eq!(mesh.vertices.len(), 3);
}

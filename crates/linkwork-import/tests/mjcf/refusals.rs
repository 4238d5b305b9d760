//! Files that are wrong, each with the fault it must be refused for.

use crate::work::in_proportion;
use crate::{hinged, refused, try_import};
use linkwork_import::Fault;

#[test]
fn wrong_models_are_refused_with_their_fault() {
    let world = |inside: &str| format!("<worldbody>{inside}</worldbody>");
    let with = |section: &str| format!("{}{section}", hinged(""));
    let cases = [
        ("element", world("<bodi/>"), Fault::UnknownElement),
        ("section", "<equalities/>".to_owned(), Fault::UnknownElement),
        (
            "attribute",
            world("<body pose='1 2 3'/>"),
            Fault::UnknownAttribute,
        ),
        ("nan", world("<body pos='nan 0 0'/>"), Fault::BadValue),
        ("two", world("<body pos='1 2'/>"), Fault::BadValue),
        (
            "zero-quat",
            world("<body quat='0 0 0 0'/>"),
            Fault::BadValue,
        ),
        (
            "class",
            world("<geom size='.1' class='none'/>"),
            Fault::Unresolved,
        ),
        (
            "childclass",
            world("<body childclass='none'/>"),
            Fault::Unresolved,
        ),
        (
            "type",
            world("<geom type='spere' size='.1'/>"),
            Fault::BadValue,
        ),
        ("massless", world("<body><joint/></body>"), Fault::Mechanism),
        (
            "negative",
            world("<body><joint/><inertial pos='0 0 0' mass='-1'/></body>"),
            Fault::BadValue,
        ),
        (
            "no-mass",
            world("<body><inertial pos='0 0 0'/></body>"),
            Fault::Missing,
        ),
        ("cloth", world("<flexcomp name='f'/>"), Fault::Unsupported),
        (
            "global",
            "<compiler coordinate='global'/>".to_owned(),
            Fault::Unsupported,
        ),
        (
            "eulerseq",
            "<compiler eulerseq='xyw'/>".to_owned(),
            Fault::BadValue,
        ),
        (
            "timestep",
            "<option timestep='-1'/>".to_owned(),
            Fault::BadValue,
        ),
        (
            "classes",
            "<default><default class='a'/><default class='a'/></default>".to_owned(),
            Fault::Duplicate,
        ),
        (
            "actuator",
            with("<actuator><motor joint='nobody'/></actuator>"),
            Fault::Unresolved,
        ),
        (
            "equality",
            with("<equality><joint joint1='j' joint2='nobody'/></equality>"),
            Fault::Unresolved,
        ),
        (
            "exclude",
            with("<contact><exclude body1='b' body2='nobody'/></contact>"),
            Fault::Unresolved,
        ),
        (
            "builtin",
            mesh("<mesh name='m' builtin='sphere' params='1'/>"),
            Fault::BadValue,
        ),
        (
            "file",
            mesh("<mesh name='m' file='nowhere.stl'/>"),
            Fault::Unreadable,
        ),
        (
            "escape",
            mesh("<mesh name='m' file='../../../m.stl'/>"),
            Fault::Escape,
        ),
        (
            "face",
            mesh("<mesh name='m' vertex='0 0 0 1 0 0 0 1 0' face='0 1 7'/>"),
            Fault::BadValue,
        ),
    ];
    for (name, text, fault) in cases {
        let e = refused(&format!("bad-{name}"), &text);
        assert_eq!(e.fault, fault, "{name}: {e}");
        assert!(e.place.line > 0 && !e.remedy.is_empty(), "{name}: {e}");
    }
}

fn mesh(asset: &str) -> String {
    format!("<asset>{asset}</asset><worldbody><geom type='mesh' mesh='m'/></worldbody>")
}

#[test]
fn deep_trees_neither_overflow_nor_hang() {
    let deep = |n: usize| {
        let open = "<body><joint/><geom size='.1'/>".repeat(n);
        format!("<worldbody>{open}{}</worldbody>", "</body>".repeat(n))
    };
    assert_eq!(try_import("deep", &deep(200)).unwrap().counts.links, 200);
    assert_eq!(refused("deeper", &deep(100_000)).fault, Fault::TooLarge);
}

#[test]
fn many_notices_take_work_in_proportion() {
    in_proportion("notices", 4_000, |n| {
        let off = "<connect body1='b' anchor='0 0 0' active='false'/>".repeat(n);
        let text = format!("{}<equality>{off}</equality>", hinged(""));
        assert!(crate::import("notices", &text).notices.all().len() >= n);
    });
}

#[test]
fn many_bodies_take_work_in_proportion() {
    in_proportion("bodies", 2_500, |n| {
        let text = format!(
            "<worldbody><replicate count='{n}' offset='1 0 0'><body name='b'><freejoint/>\
             <geom size='.1'/></body></replicate></worldbody>"
        );
        assert_eq!(crate::import("many", &text).counts.links, n);
    });
}

//! Loops of a URDF in the second file.

use crate::case::Case;
use linkwork_import::Fault::{self, *};

const ROBOT: &str = "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/>\
    <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>\
    <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>";

fn loops(name: &str, yaml: &str, fault: Fault, line: u32) -> Case {
    let mut case = Case::new(name, "r.urdf", ROBOT, fault)
        .with("r.loops.yaml", yaml)
        .names("r.loops.yaml")
        .at_line(line);
    case.name = format!("r.loops.yaml, {name}");
    case
}

pub fn cases() -> Vec<Case> {
    let deep = "[".repeat(100_000);
    let anchors = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n";
    let mut cases = vec![
        loops("an unknown key", "closurs: []\n", UnknownAttribute, 1)
            .says(&["did you mean 'closures'"]),
        loops("not a map", "- a\n- b\n", BadValue, 1),
        loops("a tab", "closures:\n\t- x\n", Syntax, 2),
        loops("no closing bracket", "motors: [j\n", Syntax, 1),
        loops("a key twice", "motors: [j]\nmotors: [j]\n", Duplicate, 2),
        loops("an anchor bomb", anchors, Unsupported, 1),
        loops("nested deep", &format!("motors: {deep}"), TooLarge, 1),
        loops(
            "two documents",
            "motors: [j]\n---\nmotors: [j]\n",
            Unsupported,
            2,
        ),
        loops(
            "an unknown link",
            "closures:\n  - {type: fixed, a: a, b: bb}\n",
            Unresolved,
            2,
        )
        .says(&["did you mean 'b'"]),
        loops(
            "an unknown type",
            "closures:\n  - {type: hook, a: a, b: b}\n",
            BadValue,
            2,
        ),
        loops(
            "NaN",
            "closures:\n  - {type: fixed, a: a, b: {link: b, xyz: [0, .nan, 0]}}\n",
            BadValue,
            2,
        ),
        loops("an unknown motor", "motors: [k]\n", Unresolved, 1),
    ];
    let not_text = Case::new("not UTF-8", "r.urdf", ROBOT, Syntax)
        .with("r.loops.yaml", b"motors: [\xff\xfe]\n")
        .names("r.loops.yaml");
    cases.push(not_text);
    cases
}

//! URDF.

use crate::case::Case;
use linkwork_import::Fault::{self, *};

const INERTIAL: &str = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";

/// A robot whose contents begin on line 2.
fn robot(name: &str, inside: &str, fault: Fault) -> Case {
    let text = format!("<robot name='r'>\n{inside}\n</robot>");
    Case::new(name, "r.urdf", text, fault)
}

fn joint(kind: &str, parent: &str, child: &str, inner: &str) -> String {
    format!(
        "<joint name='{parent}{child}' type='{kind}'><parent link='{parent}'/>\
         <child link='{child}'/>{inner}</joint>"
    )
}

/// Links `a` and `b` on line 2, and what follows on line 3.
fn two(name: &str, inside: &str, fault: Fault) -> Case {
    let text = format!("<link name='a'/><link name='b'>{INERTIAL}</link>\n{inside}");
    robot(name, &text, fault).at_line(3)
}

fn hinge(name: &str, kind: &str, inner: &str, fault: Fault) -> Case {
    two(name, &joint(kind, "a", "b", inner), fault)
}

fn link(name: &str, inner: &str, fault: Fault) -> Case {
    let text = format!("<link name='b'>{inner}</link>");
    robot(name, &text, fault).at_line(2)
}

fn shape(name: &str, form: &str, fault: Fault) -> Case {
    link(
        name,
        &format!("<collision><geometry>{form}</geometry></collision>"),
        fault,
    )
}

/// A link `b` on a hinge, with this mass and these principal moments.
fn inertia(name: &str, mass: &str, [x, y, z]: [&str; 3], fault: Fault) -> Case {
    let inner = format!(
        "<inertial><mass value='{mass}'/><inertia ixx='{x}' iyy='{y}' izz='{z}' ixy='0' ixz='0' \
         iyz='0'/></inertial>"
    );
    let text = format!(
        "<link name='a'/><link name='b'>{inner}</link>{}",
        joint("continuous", "a", "b", "")
    );
    robot(name, &text, fault).at_line(2).says(&["link 'b'"])
}

pub fn cases() -> Vec<Case> {
    let mimic = |of: &str| format!("<mimic joint='{of}'/>");
    let circle = [
        joint("continuous", "a", "b", &mimic("bc")),
        joint("continuous", "b", "c", &mimic("ab")),
    ]
    .concat();
    let ring = [joint("fixed", "a", "b", ""), joint("fixed", "b", "a", "")].concat();
    vec![
        Case::new("empty", "r.urdf", "", Syntax),
        Case::new("another root", "r.urdf", "<mujoco/>", UnknownElement).says(&["MJCF"]),
        robot("no links", "", Missing),
        robot("a link without name", "<link/>", Missing).at_line(2),
        robot(
            "a link twice",
            "<link name='a'/>\n<link name='a'/>",
            Duplicate,
        )
        .at_line(3),
        robot("two roots", "<link name='a'/><link name='b'/>", Mechanism).says(&["a, b"]),
        robot(
            "no root",
            &format!("<link name='a'/><link name='b'/>{ring}"),
            Cycle,
        ),
        two(
            "a joint twice",
            &joint("fixed", "a", "b", "").repeat(2),
            Duplicate,
        ),
        two(
            "a joint without type",
            "<joint name='j'><parent link='a'/><child link='b'/></joint>",
            Missing,
        )
        .says(&["type"]),
        two(
            "a joint without child",
            "<joint name='j' type='fixed'><parent link='a'/></joint>",
            Missing,
        )
        .says(&["child"]),
        two(
            "a joint to an unknown link",
            &joint("fixed", "a", "bb", ""),
            Unresolved,
        )
        .says(&["did you mean 'b'"]),
        two(
            "a joint from an unknown link",
            &joint("fixed", "aa", "b", ""),
            Unresolved,
        )
        .says(&["did you mean 'a'"]),
        two("a link on itself", &joint("fixed", "b", "b", ""), Cycle).at_line(2),
        hinge("an unknown type", "revolut", "", BadValue).says(&["did you mean 'revolute'"]),
        hinge("revolute without limit", "revolute", "", Missing).says(&["continuous"]),
        hinge(
            "limits the wrong way",
            "revolute",
            "<limit lower='1' upper='-1' effort='1' velocity='1'/>",
            BadValue,
        ),
        hinge(
            "a limit that is NaN",
            "revolute",
            "<limit lower='nan' upper='1' effort='1' velocity='1'/>",
            BadValue,
        ),
        hinge(
            "negative effort",
            "revolute",
            "<limit lower='0' upper='1' effort='-1' velocity='1'/>",
            BadValue,
        ),
        hinge(
            "an axis of length zero",
            "continuous",
            "<axis xyz='0 0 0'/>",
            BadValue,
        ),
        hinge(
            "an axis of two numbers",
            "continuous",
            "<axis xyz='0 1'/>",
            BadValue,
        ),
        hinge(
            "an infinite origin",
            "fixed",
            "<origin xyz='inf 0 0'/>",
            BadValue,
        ),
        hinge(
            "negative friction",
            "continuous",
            "<dynamics friction='-1'/>",
            BadValue,
        ),
        hinge("mimics nothing", "continuous", &mimic("no"), Unresolved),
        hinge("mimics itself", "continuous", &mimic("ab"), Cycle),
        two(
            "two mimic each other",
            &format!("<link name='c'>{INERTIAL}</link>{circle}"),
            Cycle,
        ),
        inertia("a negative mass", "-1", ["1", "1", "1"], BadValue),
        inertia(
            "an inertia against the triangle",
            "1",
            ["1", "1", "3"],
            Mechanism,
        )
        .says(&["triangle"]),
        inertia("a negative inertia", "1", ["1", "1", "-1"], Mechanism),
        inertia("a mass that is infinite", "inf", ["1", "1", "1"], BadValue),
        link(
            "mass without value",
            "<inertial><mass/></inertial>",
            Missing,
        ),
        link(
            "no number",
            "<inertial><mass value='heavy'/></inertial>",
            BadValue,
        )
        .says(&["heavy"]),
        shape("a negative radius", "<sphere radius='-1'/>", BadValue),
        shape("a box of two sides", "<box size='1 1'/>", BadValue),
        shape(
            "a cylinder without length",
            "<cylinder radius='1'/>",
            Missing,
        ),
        shape("a shape that is near", "<spere radius='1'/>", Unsupported)
            .says(&["did you mean 'sphere'"]),
        shape("a mesh without file", "<mesh/>", Missing),
        shape(
            "a scale of zero",
            "<mesh filename='a.stl' scale='1 0 1'/>",
            BadValue,
        )
        .with("a.stl", crate::meshes::text_stl()),
        shape(
            "a mesh on the net",
            "<mesh filename='https://x.org/a.stl'/>",
            Unsupported,
        ),
    ]
}

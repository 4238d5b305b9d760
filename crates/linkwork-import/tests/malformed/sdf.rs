//! SDF.

use crate::case::Case;
use linkwork_import::Fault::{self, *};

/// A model whose contents begin on line 2.
fn model(name: &str, inside: &str, fault: Fault) -> Case {
    let text = format!("<sdf version='1.9'><model name='m'>\n{inside}\n</model></sdf>");
    Case::new(name, "m.sdf", text, fault)
}

/// Two links on line 2, and a joint on line 3.
fn joint(name: &str, kind: &str, inner: &str, fault: Fault) -> Case {
    let text = format!(
        "<link name='a'/><link name='b'/>\n<joint name='j' type='{kind}'><parent>a</parent>\
         <child>b</child>{inner}</joint>"
    );
    model(name, &text, fault).at_line(3)
}

fn link(name: &str, inner: &str, fault: Fault) -> Case {
    model(name, &format!("<link name='a'>{inner}</link>"), fault).at_line(2)
}

fn shape(name: &str, form: &str, fault: Fault) -> Case {
    let inner = format!("<collision name='c'><geometry>{form}</geometry></collision>");
    link(name, &inner, fault)
}

pub fn cases() -> Vec<Case> {
    let include = |uri: &str| {
        format!(
            "<sdf version='1.9'><model name='m'>\n<include><uri>{uri}</uri></include></model></sdf>"
        )
    };
    let unknown = "<link name='a'/><link name='b'/>\n<joint name='j' type='ball'><parent>a</parent><child>c</child></joint>";
    let gear = "<gearbox_ratio>2</gearbox_ratio>";
    vec![
        Case::new("empty", "m.sdf", "", Syntax),
        Case::new("another root", "m.sdf", "<robot/>", UnknownElement).at_line(1),
        Case::new("no version", "m.sdf", "<sdf/>", Missing),
        Case::new(
            "an old version",
            "m.sdf",
            "<sdf version='1.3'/>",
            Unsupported,
        ),
        Case::new(
            "a version that is no number",
            "m.sdf",
            "<sdf version='new'/>",
            Unsupported,
        ),
        Case::new("nothing in it", "m.sdf", "<sdf version='1.9'/>", Missing),
        model(
            "a link twice",
            "<link name='a'/>\n<link name='a'/>",
            Duplicate,
        ),
        model("a model without links", "", Missing),
        model("a joint to an unknown link", unknown, Unresolved)
            .at_line(3)
            .says(&["'c'"]),
        link(
            "five numbers for a pose",
            "<pose>0 0 0 0 0</pose>",
            BadValue,
        ),
        link("NaN", "<pose>0 0 nan 0 0 0</pose>", BadValue),
        link(
            "a negative mass",
            "<inertial><mass>-1</mass></inertial>",
            BadValue,
        ),
        link(
            "a mass of words",
            "<inertial><mass>one</mass></inertial>",
            BadValue,
        ),
        link(
            "a negative inertia",
            "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>-9</izz></inertia></inertial>",
            Mechanism,
        ),
        link(
            "relative to nothing",
            "<pose relative_to='q'>0 0 0 0 0 0</pose>",
            Unresolved,
        ),
        link(
            "relative to itself",
            "<pose relative_to='a'>0 0 0 0 0 0</pose>",
            Cycle,
        ),
        joint("an unknown type", "revolt", "", BadValue).says(&["did you mean 'revolute'"]),
        joint(
            "an axis of length zero",
            "revolute",
            "<axis><xyz>0 0 0</xyz></axis>",
            BadValue,
        ),
        joint(
            "an axis that is NaN",
            "revolute",
            "<axis><xyz>0 0 nan</xyz></axis>",
            BadValue,
        ),
        joint(
            "limits the wrong way",
            "revolute",
            "<axis><xyz>0 0 1</xyz><limit><lower>1</lower><upper>-1</upper></limit></axis>",
            BadValue,
        ),
        joint(
            "a gearbox without ratio",
            "gearbox",
            "<axis><xyz>0 0 1</xyz></axis>",
            Missing,
        ),
        joint("a gearbox without reference", "gearbox", gear, Missing)
            .says(&["gearbox_reference_body"]),
        joint(
            "a screw without thread",
            "screw",
            "<axis><xyz>0 0 1</xyz></axis><thread_pitch>0</thread_pitch>",
            BadValue,
        ),
        shape(
            "a negative radius",
            "<sphere><radius>-1</radius></sphere>",
            BadValue,
        ),
        shape("no shape", "", Missing),
        shape(
            "a mesh of nothing",
            "<mesh><uri>no.stl</uri></mesh>",
            Unreadable,
        ),
        Case::new("includes itself", "m.sdf", include("m.sdf"), Cycle),
        Case::new("two include each other", "m.sdf", include("n.sdf"), Cycle)
            .with("n.sdf", include("m.sdf")),
        Case::new("three include each other", "m.sdf", include("n.sdf"), Cycle)
            .with("n.sdf", include("o.sdf"))
            .with("o.sdf", include("m.sdf"))
            .names("n.sdf"),
        Case::new("includes nothing", "m.sdf", include("no.sdf"), Unreadable).at_line(2),
    ]
}

//! MJCF.

use crate::case::Case;
use linkwork_import::Fault::{self, *};

/// A file whose contents begin on line 2.
fn mjcf(name: &str, inside: &str, fault: Fault) -> Case {
    let text = format!("<mujoco>\n{inside}\n</mujoco>");
    Case::new(name, "m.xml", text, fault)
}

fn world(name: &str, inside: &str, fault: Fault) -> Case {
    let inside = format!("<worldbody>\n{inside}\n</worldbody>");
    mjcf(name, &inside, fault).at_line(3)
}

/// A hinged body in the world, and a section after it on line 3.
fn with(name: &str, section: &str, fault: Fault) -> Case {
    let body = "<body name='b'><joint name='j'/><geom name='g' size='.1'/></body>";
    let text = format!("<worldbody>{body}</worldbody>\n{section}");
    mjcf(name, &text, fault).at_line(3)
}

pub fn cases() -> Vec<Case> {
    [values(), structure(), references(), files()].concat()
}

fn values() -> Vec<Case> {
    vec![
        world("NaN", "<body pos='0 nan 0'/>", BadValue).says(&["'nan'", "pos"]),
        world("infinity", "<geom size='inf'/>", BadValue).says(&["inf"]),
        world("beyond all numbers", "<body pos='1e999 0 0'/>", BadValue),
        world("two of three values", "<body pos='1 2'/>", BadValue).says(&["3 number"]),
        world(
            "seven of four values",
            "<body quat='1 0 0 0 0 0 0'/>",
            BadValue,
        ),
        world("no rotation", "<body quat='0 0 0 0'/>", BadValue),
        world("a size missing", "<geom type='box' size='.1'/>", BadValue),
        world(
            "a negative size",
            "<geom type='box' size='.1 -.1 .1'/>",
            BadValue,
        ),
        world(
            "a negative radius",
            "<geom type='sphere' size='-1'/>",
            BadValue,
        ),
        world("no size", "<geom type='sphere'/>", BadValue),
        world(
            "a negative density",
            "<body><joint/><geom size='.1' density='-1'/></body>",
            BadValue,
        ),
        world(
            "a negative mass",
            "<body><joint/><geom size='.1' mass='-1'/></body>",
            BadValue,
        ),
        world(
            "a negative inertial",
            "<body><joint/><inertial pos='0 0 0' mass='-2' diaginertia='1 1 1'/></body>",
            BadValue,
        ),
        world(
            "an impossible inertia",
            "<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 5'/></body>",
            Mechanism,
        ),
        world(
            "a moving body without mass",
            "<body name='x'><joint/></body>",
            Mechanism,
        )
        .says(&["x"]),
        world(
            "an axis of length zero",
            "<body><joint axis='0 0 0'/><geom size='.1'/></body>",
            BadValue,
        ),
        world(
            "a range the wrong way",
            "<body><joint range='1 -1' limited='true'/><geom size='.1'/></body>",
            BadValue,
        ),
        world(
            "limited without range",
            "<body><joint limited='true'/><geom size='.1'/></body>",
            Missing,
        ),
        world(
            "negative damping",
            "<body><joint damping='-1'/><geom size='.1'/></body>",
            Mechanism,
        ),
        world("a word for a number", "<body pos='a b c'/>", BadValue).says(&["'a'"]),
        world(
            "a word that is near",
            "<geom type='spere' size='.1'/>",
            BadValue,
        )
        .says(&["did you mean 'sphere'"]),
        world(
            "a negative count",
            "<replicate count='-5'><geom size='.1'/></replicate>",
            BadValue,
        ),
        mjcf("a timestep of zero", "<option timestep='0'/>", BadValue).at_line(2),
        mjcf(
            "an unknown angle unit",
            "<compiler angle='gradian'/>",
            BadValue,
        )
        .says(&["gradian"]),
        with(
            "polynomial of six",
            "<equality><joint joint1='j' polycoef='0 1 0 0 0 0'/></equality>",
            BadValue,
        ),
    ]
}

fn structure() -> Vec<Case> {
    vec![
        Case::new("empty", "m.xml", "", Syntax),
        Case::new("blank", "m.xml", " \n\n ", Syntax),
        Case::new("another root", "m.xml", "<robot/>", UnknownElement).says(&["mujoco"]).at_line(1),
        Case::new("an unclosed element", "m.xml", "<mujoco>\n<worldbody>\n</mujoco>", Syntax).at_line(3),
        Case::new("cut off", "m.xml", "<mujoco>\n<worldbody>\n<geom si", Syntax).at_line(3),
        Case::new("an attribute twice", "m.xml", "<mujoco>\n<option timestep='1' timestep='2'/></mujoco>", Syntax).at_line(2),
        Case::new("two roots", "m.xml", "<mujoco/>\n<mujoco/>", Syntax).at_line(2),
        mjcf("an undefined entity", "<option timestep='&ms;'/>", Syntax).at_line(2),
        world("an unknown element", "<bodi/>", UnknownElement).says(&["did you mean 'body'"]),
        world("an unknown attribute", "<geom sise='.1'/>", UnknownAttribute).says(&["did you mean 'size'"]),
        mjcf("an unknown section", "<actuators/>", UnknownElement).says(&["did you mean 'actuator'"]).at_line(2),
        with("an unknown actuator", "<actuator><mottor joint='j'/></actuator>", UnknownElement).says(&["did you mean 'motor'"]),
        with("an unknown equality", "<equality><conect body1='b'/></equality>", UnknownElement).says(&["did you mean 'connect'"]),
        world("cloth", "<flexcomp name='f' type='grid'/>", Unsupported),
        mjcf("a class twice", "<default><default class='a'/>\n<default class='a'/></default>", Duplicate).at_line(3),
        world("a body twice", "<body name='b'/><body name='b'/>", Duplicate).says(&["'b'"]),
        world("a joint twice", "<body><joint name='j'/><geom size='.1'/></body><body><joint name='j'/><geom size='.1'/></body>", Duplicate).says(&["'j'"]),
        world("a free joint inside a body", "<body><geom size='.1'/><body><freejoint/><geom size='.1'/></body></body>", Mechanism),
    ]
}

fn references() -> Vec<Case> {
    vec![
        world(
            "an unknown class",
            "<geom class='no' size='.1'/>",
            Unresolved,
        )
        .says(&["no"]),
        world(
            "an unknown mesh",
            "<geom type='mesh' mesh='no'/>",
            Unresolved,
        )
        .says(&["mesh=\"no\""]),
        with(
            "a motor of nothing",
            "<actuator><motor joint='jj'/></actuator>",
            Unresolved,
        )
        .says(&["did you mean 'j'"]),
        with(
            "a motor on nothing",
            "<actuator><motor name='m'/></actuator>",
            Missing,
        ),
        with(
            "a weld to nothing",
            "<equality><weld body1='b' body2='no'/></equality>",
            Unresolved,
        ),
        with(
            "a connect without anchor",
            "<equality><connect body1='b'/></equality>",
            Missing,
        ),
        with(
            "a tendon of nothing",
            "<tendon><fixed><joint joint='no' coef='1'/></fixed></tendon>",
            Unresolved,
        ),
        with(
            "an excluded nobody",
            "<contact><exclude body1='b' body2='no'/></contact>",
            Unresolved,
        ),
        with(
            "a pair of nothing",
            "<contact><pair geom1='g' geom2='no'/></contact>",
            Unresolved,
        ),
        with(
            "a sensor of nothing",
            "<sensor><jointpos joint='no'/></sensor>",
            Unresolved,
        ),
        with(
            "a key of too few values",
            "<keyframe><key qpos='1 2 3'/></keyframe>",
            BadValue,
        )
        .says(&["3"]),
    ]
}

fn files() -> Vec<Case> {
    let include = |file: &str| format!("<mujoco>\n<include file='{file}'/></mujoco>");
    let attach = |file: &str| {
        format!(
            "<mujoco><asset>\n<model name='a' file='{file}'/></asset><worldbody>\
             <attach model='a' body='b' prefix='p'/></worldbody></mujoco>"
        )
    };
    let own = |name: &str, text: String, fault| Case::new(name, "m.xml", text, fault).at_line(2);
    vec![
        own("includes itself", include("m.xml"), Cycle),
        own("two include each other", include("n.xml"), Cycle)
            .with("n.xml", include("m.xml"))
            .names("n.xml"),
        own("three include each other", include("n.xml"), Cycle)
            .with("n.xml", include("o.xml"))
            .with("o.xml", include("m.xml"))
            .names("o.xml"),
        own("includes nothing", include("no.xml"), Unreadable).says(&["no.xml"]),
        own("includes a folder", include("d"), Unreadable).with("d/x.xml", "<mujoco/>"),
        own(
            "includes without a file",
            "<mujoco>\n<include/></mujoco>".to_owned(),
            Missing,
        ),
        own("includes rubbish", include("n.xml"), Syntax)
            .with("n.xml", "<mujoco>\n<<")
            .names("n.xml"),
        own("includes another format", include("n.xml"), UnknownElement)
            .with("n.xml", "\n<robot/>")
            .names("n.xml"),
        own("attaches itself", attach("m.xml"), Cycle),
        own("two attach each other", attach("n.xml"), Cycle)
            .with("n.xml", attach("m.xml"))
            .names("n.xml"),
        own("attaches no body", attach("n.xml"), Unresolved)
            .with("n.xml", "<mujoco/>")
            .at_line(2),
        own("a missing mesh", mesh("no.stl"), Unreadable).says(&["no.stl"]),
        own("a mesh of no format", mesh("x.fbx"), Unsupported).with("x.fbx", "x"),
        own("a height field of rubbish", height("x.png"), Syntax)
            .with("x.png", "x")
            .names("x.png")
            .at_line(0),
    ]
}

fn mesh(file: &str) -> String {
    format!(
        "<mujoco><asset>\n<mesh name='m' file='{file}'/></asset>\
         <worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
    )
}

fn height(file: &str) -> String {
    format!(
        "<mujoco><asset>\n<hfield name='h' file='{file}' size='1 1 1 1'/></asset>\
         <worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>"
    )
}

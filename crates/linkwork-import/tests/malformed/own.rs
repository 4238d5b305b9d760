//! The own format.

use crate::case::Case;
use linkwork_import::Fault::{self, *};

const HEAD: &str = "linkwork = 1\n";
const BODY: &str = "[[body]]\nname = 'b'\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n";

fn toml(name: &str, text: &str, fault: Fault) -> Case {
    Case::new(name, "m.linkwork.toml", format!("{HEAD}{text}"), fault)
}

/// A body on lines 2 to 5, and what follows from line 6.
fn body(name: &str, text: &str, fault: Fault) -> Case {
    toml(name, &format!("{BODY}{text}"), fault)
}

fn json(name: &str, text: &str, fault: Fault) -> Case {
    Case::new(name, "m.linkwork.json", text, fault)
}

pub fn cases() -> Vec<Case> {
    let joint = "[[joint]]\nname = 'j'\ntype = 'revolute'\nfollower = 'b'\n";
    let pair = |shapes: &str, more: &str| {
        format!(
            "[[shape]]\nname = 's'\nbody = 'b'\ntype = 'sphere'\nradius = 1\n[[shape]]\nname = 't'\n\
             type = 'half_space'\n[[pair]]\nshapes = {shapes}\n{more}\n"
        )
    };
    let mass = |m: &str| BODY.replace("1.0\n", &format!("{m}\n"));
    vec![
        Case::new("empty", "m.linkwork.toml", "", Missing).says(&["linkwork"]),
        Case::new(
            "another version",
            "m.linkwork.toml",
            "linkwork = 9\n",
            Unsupported,
        )
        .at_line(1),
        toml("no equals sign", "name\n", Syntax),
        toml("a key twice", "name = 'a'\nname = 'b'\n", Syntax).at_line(3),
        toml("a text without end", "name = 'a\n", Syntax).at_line(2),
        toml("an unknown key", "gravty = [0, 0, 0]\n", UnknownAttribute)
            .at_line(2)
            .says(&["did you mean 'gravity'"]),
        body("a pair of one shape", &pair("['s']", ""), BadValue).says(&["name two"]),
        body("a pair of a shape with itself", &pair("['s', 's']", ""), BadValue),
        body("a pair of nothing", &pair("['s', 'q']", ""), Unresolved).says(&["'q'"]),
        body("a pair of numbers", &pair("[1, 2]", ""), BadValue),
        body(
            "a pair that pulls",
            &pair("['s', 't']", "friction = -1"),
            Mechanism,
        )
        .says(&["contact pair of 's' and 't'"]),
        body(
            "a pair twice",
            &pair("['s', 't']", "[[pair]]\nshapes = ['t', 's']"),
            Mechanism,
        )
        .says(&["once"]),
        body(
            "a mass of triangles without corners",
            "[[body]]\nname = 'c'\ndensity = 1.0\n[[shape]]\nbody = 'c'\ntype = 'triangle_mesh'\n\
             vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\ntriangles = [[0, 1, 9]]\n",
            Missing,
        )
        .says(&["no solid", "give 'mass'"]),
        body(
            "a priority of a half",
            "[[shape]]\ntype = 'sphere'\nradius = 1\nmaterial = { priority = 0.5 }\n",
            BadValue,
        ),
        body(
            "softness without an inertia",
            "[[joint]]\nname = 'j'\ntype = 'fixed'\nfollower = 'b'\nsoftness = { inverse_mass = 1.0 }\n",
            Missing,
        )
        .says(&["inverse_inertia"]),
        body(
            "softness in two ways",
            &format!(
                "{joint}limits = {{ min = 0, softness = {{ inverse_inertia = 1.0, stiffness = 1, \
                 time_constant = 1 }} }}\n"
            ),
            BadValue,
        )
        .says(&["both by times and by stiffness"]),
        body(
            "softness of a negative inertia",
            &format!("{joint}limits = {{ min = 0, softness = {{ inverse_inertia = -1.0 }} }}\n"),
            Mechanism,
        )
        .says(&["inverse inertia of its softness"]),
        body(
            "softness that pushes away",
            &format!(
                "{joint}limits = {{ min = 0, softness = {{ inverse_inertia = 1.0, stiffness = -3 }} \
                 }}\n"
            ),
            Mechanism,
        )
        .says(&["impedance stiffness"]),
        toml("text for a number", "timestep = 'fast'\n", BadValue).at_line(2),
        toml("a timestep that is NaN", "timestep = nan\n", BadValue).at_line(2),
        toml("a timestep of zero", "timestep = 0.0\n", BadValue).at_line(2),
        toml("gravity of two numbers", "gravity = [0, 0]\n", BadValue).at_line(2),
        toml("a table for a list", "[body]\nname = 'b'\n", BadValue),
        toml("a negative mass", &mass("-1.0"), Mechanism).says(&["body 'b'"]),
        toml("an infinite mass", &mass("inf"), BadValue),
        toml("a body without name", "[[body]]\nmass = 1.0\n", Missing).at_line(2),
        body("a body twice", BODY, Duplicate).says(&["'b'"]),
        body(
            "a joint of nobody",
            &joint.replace("'b'", "'c'"),
            Unresolved,
        )
        .says(&["did you mean 'b'"]),
        body(
            "a joint of no type",
            &joint.replace("type = 'revolute'\n", ""),
            Missing,
        ),
        body(
            "an unknown joint type",
            &joint.replace("'revolute'", "'revolut'"),
            BadValue,
        )
        .says(&["did you mean 'revolute'"]),
        body(
            "an axis of length zero",
            &format!("{joint}axis = [0, 0, 0]\n"),
            BadValue,
        ),
        body(
            "a motor of nothing",
            "[[actuator]]\nname = 'm'\njoint = 'no'\n",
            Unresolved,
        ),
        body(
            "a negative radius",
            "[[shape]]\nbody = 'b'\ntype = 'sphere'\nradius = -1.0\n",
            Mechanism,
        ),
        body(
            "a mesh outside",
            "[[shape]]\nbody = 'b'\ntype = 'mesh'\nfile = '../outside/c.stl'\n",
            Escape,
        ),
        json("empty", "", Syntax),
        json("cut off", "{\"linkwork\": 1,\n \"name\": \"a", Syntax).at_line(2),
        json("no object", "[1, 2]", BadValue),
        json("a trailing comma", "{\"linkwork\": 1,\n}", Syntax).at_line(2),
        json(
            "a key twice",
            "{\"linkwork\": 1,\n \"linkwork\": 1}",
            Syntax,
        )
        .at_line(2),
        json("NaN", "{\"linkwork\": 1,\n \"timestep\": NaN}", Syntax).at_line(2),
        json(
            "beyond all numbers",
            "{\"linkwork\": 1,\n \"timestep\": 1e999}",
            BadValue,
        )
        .at_line(2),
        json(
            "an unknown key",
            "{\"linkwork\": 1,\n \"bodys\": []}",
            UnknownAttribute,
        )
        .at_line(2)
        .says(&["did you mean 'body'"]),
        json("more than one object", "{\"linkwork\": 1}\n{}", Syntax).at_line(2),
        json(
            "half a character",
            "{\"linkwork\": 1,\n \"name\": \"\\ud800\"}",
            Syntax,
        )
        .at_line(2),
        json("nested deep", &"[".repeat(100_000), Syntax).at_line(1),
        toml(
            "nested deep",
            &format!("name = {}", "[".repeat(100_000)),
            Syntax,
        )
        .at_line(2),
    ]
}

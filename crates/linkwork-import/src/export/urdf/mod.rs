//! URDF: a tree of links, with its loops and additional joint types in a second file.

mod joints;
mod links;
mod loops;
mod shapes;

use super::Exported;
use super::node::Node;
use links::Links;
use linkwork::model::{BodyId, Joint, Model, Shape};
use shapes::ShapeWriter;

/// The mechanism as URDF. The text of the second file, if there is one, belongs into `NAME.loops.yaml`; it is described
/// in `docs/import/urdf.md`. Meshes belong into `folder`, which is relative to the URDF. URDF measures coordinates from
/// the pose that is home here.
pub fn to_urdf(model: &Model, folder: &str) -> Exported {
    let mut left_out = Vec::new();
    let mut shapes = ShapeWriter {
        folder,
        meshes: Vec::new(),
    };
    let links = Links::of(model, &mut left_out);
    let mut root = Node::new("robot").text("name", model.name());
    root.push(links.world(shapes.nodes(&links, None, &mut left_out)));
    for (i, body) in model.bodies().iter().enumerate() {
        let id = Some(BodyId(i as u32));
        root.push(links.link(id, body, shapes.nodes(&links, id, &mut left_out)));
    }
    let mut root = root.with(joints::nodes(&links, &mut left_out));
    for (link, joint) in links.frames() {
        root.push(link);
        root.push(joint);
    }
    not_carried(model, &mut left_out);
    super::tell_rest(model, &mut left_out);
    Exported {
        text: root.print(),
        beside: loops::text(&links, &mut left_out),
        meshes: shapes.meshes,
        left_out,
    }
}

/// Elements that URDF cannot express.
fn not_carried(model: &Model, left_out: &mut Vec<String>) {
    let bodies = model.bodies();
    let moves = |b: &linkwork::model::Body| b.twist.linear.amax().max(b.twist.angular.amax()) > 0.0;
    let mut joints = model.joints().iter();
    let limited = |j: &Joint| {
        j.axes
            .iter()
            .any(|a| a.limits.is_some_and(|l| l.softness.is_some()))
    };
    let soft = joints.any(|j| j.softness.is_some() || limited(j))
        || model.couplings().iter().any(|c| c.softness.is_some());
    let coloured = |s: &Shape| s.colour.is_some() && !shapes::is_seen_only(s);
    let coloured = model.shapes().iter().any(coloured);
    for (there, what) in [
        (coloured, "colours of shapes that touch"),
        (soft, "softness of joints, couplings and limits"),
        (!model.tendons().is_empty(), "tendons"),
        (!model.sensors().is_empty(), "sensors"),
        (!model.keyframes().is_empty(), "stored states"),
        (model.timestep().is_some(), "the step"),
        (bodies.iter().any(moves), "initial velocities of bodies"),
        (
            bodies.iter().any(|b| b.gravity_scale != 1.0),
            "shares of gravity",
        ),
        (
            !model.shapes().is_empty(),
            "friction, restitution and groups of surfaces",
        ),
    ] {
        if there {
            left_out.push(what.to_owned());
        }
    }
    let plain = |a: &linkwork::actuators::Actuator| a.gain == 1.0 && a.bias == [0.0; 3];
    if !model.actuators().iter().all(plain) {
        left_out.push("gains of actuators: only which joints have motors".to_owned());
    }
}

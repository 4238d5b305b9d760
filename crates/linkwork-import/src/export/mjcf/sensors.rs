//! Sensors.

use super::around::is_named;
use super::elementary::Form;
use super::joints::name;
use super::tree::Tree;
use crate::export::node::Node;
use linkwork::model::{ActuatorId, FrameId, ShapeId, TendonId};
use linkwork::sensors::{LimitOf, Nearest, Reading};

/// All sensors with a counterpart in MJCF. Load cells and touch sensors have none, because parts of bodies and volumes
/// are not written.
pub(super) fn sensors(tree: &Tree, left_out: &mut Vec<String>) -> Vec<Node> {
    let mut nodes = Vec::new();
    for sensor in tree.model.sensors() {
        match reading(tree, &sensor.reading) {
            Some(mut node) => {
                if let Some(cutoff) = sensor.cutoff {
                    node = node.numbers("cutoff", &[cutoff]);
                }
                nodes.push(node.text("name", sensor.name.as_str()));
            }
            None => left_out.push(format!("sensor '{}'", sensor.name)),
        }
    }
    nodes
}

fn of_limit(tree: &Tree, value: usize, limit: LimitOf) -> Option<Node> {
    let joint = |name: String| {
        Node::new(["jointlimitpos", "jointlimitvel", "jointlimitfrc"][value]).text("joint", name)
    };
    match limit {
        LimitOf::Coordinate {
            joint: id,
            coordinate,
        } => is_named(tree, id).then(|| joint(name(tree, id, coordinate))),
        LimitOf::Turn { joint: id } => {
            let ball = matches!(tree.forms[id.index()], Some(Form::Ball(_)));
            ball.then(|| joint(tree.model.joint(id).name.clone()))
        }
        LimitOf::Tendon { tendon } => {
            let tendon = tree.model.tendon(tendon);
            let node = || Node::new(["tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"][value]);
            let written = tendon.path.is_empty();
            written.then(|| node().text("tendon", tendon.name.as_str()))
        }
    }
}

fn reading(tree: &Tree, reading: &Reading) -> Option<Node> {
    let site = |frame: &FrameId| tree.model.frame(*frame).name.as_str();
    let of_frame = |kind, frame| {
        Node::new(kind)
            .text("objtype", "site")
            .text("objname", site(frame))
    };
    let seen = |kind, frame, from: &Option<FrameId>| {
        let node = of_frame(kind, frame);
        match from {
            Some(from) => node.text("reftype", "site").text("refname", site(from)),
            None => node,
        }
    };
    let of_tendon = |kind, tendon: TendonId| {
        let tendon = tree.model.tendon(tendon);
        let written = tendon.path.is_empty();
        written.then(|| Node::new(kind).text("tendon", tendon.name.as_str()))
    };
    let of_actuator = |kind, actuator: ActuatorId| {
        let actuator = tree.model.actuator(actuator);
        let written = super::around::is_written(tree, actuator);
        written.then(|| Node::new(kind).text("actuator", actuator.name.as_str()))
    };
    Some(match reading {
        Reading::Position { joint, coordinate } if is_named(tree, *joint) => {
            Node::new("jointpos").text("joint", name(tree, *joint, *coordinate))
        }
        Reading::Velocity { joint, coordinate } if is_named(tree, *joint) => {
            Node::new("jointvel").text("joint", name(tree, *joint, *coordinate))
        }
        Reading::Effort { joint, coordinate } if is_named(tree, *joint) => {
            Node::new("jointactuatorfrc").text("joint", name(tree, *joint, *coordinate))
        }
        Reading::TendonPosition { tendon } => of_tendon("tendonpos", *tendon)?,
        Reading::TendonVelocity { tendon } => of_tendon("tendonvel", *tendon)?,
        Reading::TendonEffort { tendon } => of_tendon("tendonactuatorfrc", *tendon)?,
        Reading::Range { frame } => Node::new("rangefinder").text("site", site(frame)),
        Reading::ActuatorPosition { actuator } => of_actuator("actuatorpos", *actuator)?,
        Reading::ActuatorVelocity { actuator } => of_actuator("actuatorvel", *actuator)?,
        Reading::ActuatorEffort { actuator } => of_actuator("actuatorfrc", *actuator)?,
        Reading::FramePosition { frame, reference } => seen("framepos", frame, reference),
        Reading::FrameOrientation { frame, reference } => seen("framequat", frame, reference),
        Reading::FrameAxis {
            frame,
            axis,
            reference,
        } => seen(
            ["framexaxis", "frameyaxis", "framezaxis"][*axis],
            frame,
            reference,
        ),
        Reading::LinearVelocity {
            frame,
            local: false,
            reference,
        } => seen("framelinvel", frame, reference),
        Reading::AngularVelocity {
            frame,
            local: false,
            reference,
        } => seen("frameangvel", frame, reference),
        Reading::LinearVelocity {
            frame,
            local: true,
            reference: None,
        } => Node::new("velocimeter").text("site", site(frame)),
        Reading::AngularVelocity {
            frame,
            local: true,
            reference: None,
        } => Node::new("gyro").text("site", site(frame)),
        Reading::Acceleration { frame, local: true } => {
            Node::new("accelerometer").text("site", site(frame))
        }
        Reading::Acceleration {
            frame,
            local: false,
        } => of_frame("framelinacc", frame),
        Reading::AngularAcceleration { frame } => of_frame("frameangacc", frame),
        Reading::Clock => Node::new("clock"),
        Reading::PotentialEnergy { .. } => Node::new("e_potential"),
        Reading::KineticEnergy => Node::new("e_kinetic"),
        Reading::LimitGap { limit } => of_limit(tree, 0, *limit)?,
        Reading::LimitRate { limit } => of_limit(tree, 1, *limit)?,
        Reading::LimitForce { limit } => of_limit(tree, 2, *limit)?,
        Reading::Contacts { query } => {
            let mut node = Node::new("contact");
            let sides = [("geom1", &query.first), ("geom2", &query.second)];
            for (key, shapes) in sides {
                match shapes.as_deref() {
                    None => {}
                    Some([shape]) => {
                        node = node.text(key, tree.model.shapes()[shape.index()].name.as_str());
                    }
                    Some(_) => return None,
                }
            }
            if query.volume.is_some() {
                return None;
            }
            let words = [
                "found", "force", "torque", "dist", "pos", "normal", "tangent",
            ];
            let reduce = ["none", "mindist", "maxforce", "netforce"][query.reduce as usize];
            let fields: Vec<&str> = query.fields.iter().map(|f| words[*f as usize]).collect();
            node.text("data", fields.join(" "))
                .text("reduce", reduce)
                .text("num", query.slots.to_string())
        }
        Reading::Nearest {
            from,
            to,
            within,
            value,
        } => {
            let ([from], [to]) = (&from[..], &to[..]) else {
                return None;
            };
            let kind = match value {
                Nearest::Distance => "distance",
                Nearest::Direction => "normal",
                Nearest::Points => "fromto",
            };
            let geom = |s: &ShapeId| tree.model.shapes()[s.index()].name.as_str();
            Node::new(kind)
                .text("geom1", geom(from))
                .text("geom2", geom(to))
                .numbers("cutoff", &[*within])
        }
        _ => return None,
    })
}

//! Shapes as geoms, and who touches whom.

use super::softness::{OWN, yielding};
use super::tree::Tree;
use crate::export::node::Node;
use linkwork::math::Pose;
use linkwork::model::{
    Combine, Compliance, Geometry, Impedance, Material, Model, Shape, ShapeId, ShapePair,
};

/// A shape at a pose of its body; `None` if MJCF does not support its geometry.
pub(super) fn geom(
    shape: &Shape,
    pose: &Pose,
    model: &Model,
    assets: &mut Node,
    left_out: &mut Vec<String>,
) -> Option<Node> {
    let node = Node::new("geom").text("name", shape.name.as_str());
    let sized = |kind: &str, size: &[f64]| node_sized(&shape.name, kind, size);
    let node = match &shape.geometry {
        Geometry::HalfSpace => sized("plane", &[0.0, 0.0, 1.0]),
        Geometry::Sphere { radius } => sized("sphere", &[*radius]),
        Geometry::Box { half_extents } => sized("box", half_extents.as_slice()),
        Geometry::Capsule {
            radius,
            half_length,
        } => sized("capsule", &[*radius, *half_length]),
        Geometry::Cylinder {
            radius,
            half_length,
        } => sized("cylinder", &[*radius, *half_length]),
        Geometry::Ellipsoid { radii } => sized("ellipsoid", radii.as_slice()),
        Geometry::ConvexHull { .. }
        | Geometry::TriangleMesh { .. }
        | Geometry::Cone { .. }
        | Geometry::HeightField { .. } => {
            if let Some(mesh) = mesh(shape) {
                assets.push(mesh);
                node.text("type", "mesh").text("mesh", shape.name.as_str())
            } else {
                left_out.push(format!("shape '{}': MJCF has no such form", shape.name));
                return None;
            }
        }
    };
    let used = used_bits(model);
    let (member, mask) = (shape.group.member & used, shape.group.mask & used);
    let node = node.pose(pose).text("contype", member.to_string());
    let node = node.text("conaffinity", mask.to_string());
    let material = &shape.material;
    let (condim, friction) = acting(friction(material));
    let node = node.numbers("friction", &friction);
    let node = match condim {
        Some(condim) => node.text("condim", condim),
        None => node,
    };
    let node = node.number_unless("margin", material.clearance, 0.0);
    let node = match material.priority {
        0 => node,
        priority => node.text("priority", priority.to_string()),
    };
    let node = match &shape.colour {
        Some(colour) => node.numbers("rgba", colour),
        None => node,
    };
    Some(yielding(node, impedance(material.compliance), OWN))
}

/// Sliding, torsional and rolling.
fn friction(material: &Material) -> [f64; 3] {
    [
        material.friction,
        material.torsional_friction,
        material.rolling_friction,
    ]
}

/// The `condim` for sliding, torsional and rolling friction, if it is not the default, and the three coefficients;
/// unused ones have MuJoCo's default.
fn acting([sliding, torsional, rolling]: [f64; 3]) -> (Option<&'static str>, [f64; 3]) {
    if rolling > 0.0 {
        (Some("6"), [sliding, torsional, rolling])
    } else if torsional > 0.0 {
        (Some("4"), [sliding, torsional, 1e-4])
    } else {
        (None, [sliding, 0.005, 1e-4])
    }
}

/// The compliance, if MJCF has it.
fn impedance(compliance: Compliance) -> Option<Impedance> {
    match compliance {
        Compliance::Impedance(impedance) => Some(impedance),
        Compliance::Soft(softness) => Some(softness.impedance),
        _ => None,
    }
}

/// Whether a compliance is expressed completely.
fn is_written(compliance: Compliance) -> bool {
    compliance == Compliance::Rigid || impedance(compliance).is_some()
}

fn node_sized(name: &str, kind: &str, size: &[f64]) -> Node {
    Node::new("geom")
        .text("name", name)
        .text("type", kind)
        .numbers("size", size)
}

fn mesh(shape: &Shape) -> Option<Node> {
    let node = Node::new("mesh").text("name", shape.name.as_str());
    let flat = |points: &[linkwork::math::Vec3]| -> Vec<f64> {
        points.iter().flat_map(|p| [p.x, p.y, p.z]).collect()
    };
    match &shape.geometry {
        Geometry::ConvexHull { points } => Some(node.numbers("vertex", &flat(points))),
        Geometry::TriangleMesh {
            vertices,
            triangles,
        } => {
            let corners: Vec<String> = triangles.iter().flatten().map(u32::to_string).collect();
            Some(
                node.numbers("vertex", &flat(vertices))
                    .text("face", corners.join(" ")),
            )
        }
        _ => None,
    }
}

/// Groups of which any shape is a member: masks have no effect beyond them, and MJCF has 31 bits.
fn used_bits(model: &Model) -> u32 {
    model
        .shapes()
        .iter()
        .fold(0, |bits, s| bits | s.group.member)
}

/// Body pairs that never collide, in addition to parents and children, which MuJoCo excludes itself.
pub(super) fn exclusions(tree: &Tree) -> Vec<Node> {
    let model = &tree.model;
    let name = |b: linkwork::model::BodyId| model.body(b).name.as_str();
    let pairs = model.excluded().iter();
    let node = |(a, b): &(_, _)| {
        Node::new("exclude")
            .text("body1", name(*a))
            .text("body2", name(*b))
    };
    let world = model.excluded_from_world().iter();
    let world = world.map(|b| {
        Node::new("exclude")
            .text("body1", "world")
            .text("body2", name(*b))
    });
    pairs.map(node).chain(world).collect()
}

/// Shape pairs with a surface of their own.
pub(super) fn pairs(model: &Model) -> Vec<Node> {
    let pair = |pair: &ShapePair| {
        let name = |s: ShapeId| model.shapes()[s.index()].name.as_str();
        let (s, node) = (&pair.surface, Node::new("pair"));
        let node = node.text("geom1", name(pair.a)).text("geom2", name(pair.b));
        let (condim, numbers) = acting([s.friction, s.torsional_friction, s.rolling_friction]);
        let [sliding, torsional, rolling] = numbers;
        let friction = [sliding, sliding, torsional, rolling, rolling];
        let node = match condim {
            None if sliding == 0.0 => node.text("condim", "1"),
            None => node.numbers("friction", &friction),
            Some(condim) => node.numbers("friction", &friction).text("condim", condim),
        };
        let node = node.number_unless("margin", s.clearance, 0.0);
        yielding(node, impedance(s.compliance), OWN)
    };
    model.pairs().iter().map(pair).collect()
}

/// What of surfaces and groups MJCF means otherwise.
pub(super) fn differences(model: &Model, left_out: &mut Vec<String>) {
    let shapes = model.shapes();
    let mut note = |found: bool, text: &str| {
        if found {
            left_out.push(text.to_owned());
        }
    };
    let any = |test: fn(&Shape) -> bool| shapes.iter().any(test);
    let pairs = model.pairs().iter();
    note(
        any(|s| s.material.restitution > 0.0) || pairs.clone().any(|p| p.surface.restitution > 0.0),
        "restitution of surfaces",
    );
    note(
        any(|s| !is_written(s.material.compliance))
            || pairs.clone().any(|p| !is_written(p.surface.compliance)),
        "compliance of surfaces",
    );
    let same = shapes
        .windows(2)
        .all(|w| friction(&w[0].material) == friction(&w[1].material));
    note(
        !same && any(|s| s.material.friction_combine != Combine::Max),
        "how friction of two surfaces combines: MuJoCo takes the larger",
    );
    let one_sided = |a: &Shape, b: &Shape| {
        (a.group.member & b.group.mask != 0) != (b.group.member & a.group.mask != 0)
    };
    let pair = shapes
        .iter()
        .any(|a| shapes.iter().any(|b| one_sided(a, b)));
    note(pair, "groups that touch one way only: in MJCF they touch");
}

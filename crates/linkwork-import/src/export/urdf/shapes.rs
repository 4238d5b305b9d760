//! Shapes: geometry that URDF supports, capsules as a cylinder with two balls, meshes in separate files.

use super::links::{Links, origin};
use crate::export::node::Node;
use linkwork::collision::convex_hull;
use linkwork::math::{Pose, Quat, Vec3};
use linkwork::model::{BodyId, Geometry, Shape};
use std::fmt::Write;

/// Additional files of shapes.
pub(super) struct ShapeWriter<'a> {
    /// Folder of mesh files, from where the URDF is.
    pub folder: &'a str,
    /// Name, below that, and text (OBJ) of each mesh.
    pub meshes: Vec<(String, String)>,
}

impl ShapeWriter<'_> {
    /// The shapes of a link.
    pub fn nodes(
        &mut self,
        links: &Links,
        body: Option<BodyId>,
        left_out: &mut Vec<String>,
    ) -> Vec<Node> {
        let shapes = links.model.shapes().iter().enumerate();
        let mut nodes = Vec::new();
        for (i, shape) in shapes.filter(|(_, s)| s.body == body) {
            let parts = self.parts(i, shape);
            if parts.is_empty() {
                left_out.push(format!("shape '{}': URDF has no such form", shape.name));
            }
            let node = |(part, place, form)| node(links, shape, part, &place, form);
            nodes.extend(parts.into_iter().map(node));
        }
        nodes
    }

    /// The parts of a shape: a suffix of its name, a pose in its frame, and a geometry.
    fn parts(&mut self, index: usize, shape: &Shape) -> Vec<(&'static str, Pose, Node)> {
        let form = match &shape.geometry {
            Geometry::Sphere { radius } => ball(*radius),
            Geometry::Box { half_extents } => {
                Node::new("box").vector("size", &(half_extents * 2.0))
            }
            Geometry::Cylinder {
                radius,
                half_length,
            } => cylinder(*radius, *half_length),
            Geometry::Capsule {
                radius,
                half_length,
            } => {
                let end = |z| Pose::new(Vec3::new(0.0, 0.0, z), Quat::identity());
                return vec![
                    ("", Pose::identity(), cylinder(*radius, *half_length)),
                    ("/top", end(*half_length), ball(*radius)),
                    ("/bottom", end(-half_length), ball(*radius)),
                ];
            }
            Geometry::ConvexHull { points } => match convex_hull(&shape.name, points) {
                Ok(hull) => self.mesh(index, &shape.name, &hull.vertices, &hull.triangles),
                Err(_) => return Vec::new(),
            },
            Geometry::TriangleMesh {
                vertices,
                triangles,
            } => self.mesh(index, &shape.name, vertices, triangles),
            _ => return Vec::new(),
        };
        vec![("", Pose::identity(), form)]
    }

    fn mesh(
        &mut self,
        index: usize,
        name: &str,
        vertices: &[Vec3],
        triangles: &[[u32; 3]],
    ) -> Node {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = name.chars().map(plain).collect();
        let file = format!("{index}_{plain}.obj");
        let path = format!("{}/{file}", self.folder);
        self.meshes.push((file, obj(vertices, triangles)));
        Node::new("mesh").text("filename", path)
    }
}

fn node(links: &Links, shape: &Shape, part: &str, place: &Pose, form: Node) -> Node {
    let node = Node::new(if is_seen_only(shape) {
        "visual"
    } else {
        "collision"
    });
    let pose = links.inside(shape.body, &shape.local.compose(place));
    let geometry = Node::new("geometry").with([form]);
    let colour = shape.colour.filter(|_| is_seen_only(shape)).map(|colour| {
        let colour = Node::new("color").numbers("rgba", &colour);
        let name = shape.name.as_str();
        Node::new("material").text("name", name).with([colour])
    });
    node.text("name", format!("{}{part}", shape.name))
        .with([origin(&pose), geometry])
        .with(colour)
}

/// Whether a shape touches nothing, and so is a visual.
pub(super) fn is_seen_only(shape: &Shape) -> bool {
    shape.group.member == 0 || shape.group.mask == 0
}

fn ball(radius: f64) -> Node {
    Node::new("sphere").numbers("radius", &[radius])
}

fn cylinder(radius: f64, half_length: f64) -> Node {
    Node::new("cylinder")
        .numbers("radius", &[radius])
        .numbers("length", &[2.0 * half_length])
}

/// As Wavefront OBJ, with numbers that read back exactly.
fn obj(vertices: &[Vec3], triangles: &[[u32; 3]]) -> String {
    let mut text = String::new();
    for v in vertices {
        let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
    }
    for [a, b, c] in triangles {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    text
}

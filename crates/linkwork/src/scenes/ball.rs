//! A ball dropped on a floor.

use super::parts::{Solid, add_floor};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use crate::model::{Geometry, Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "ball",
    summary: "a bouncing ball",
    params: &[
        Param::new("height", 1.0, (0.0, 1000.0), "initial gap, m"),
        Param::new("restitution", 0.8, (0.0, 1.0), "restitution coefficient"),
        Param::new("radius", 0.1, (1e-3, 10.0), "radius, m"),
    ],
    build,
};

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material {
        restitution: p.get("restitution"),
        ..Material::default()
    };
    let radius = p.get("radius");
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    Solid::new("ball", 1.0, Geometry::Sphere { radius })
        .at(0.0, 0.0, radius + p.get("height"))
        .material(material)
        .add(&mut b);
    Ok(Scene::new(b.build()?))
}

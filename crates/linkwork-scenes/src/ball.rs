//! A ball dropped on a floor, or rolling and spinning on it.

use super::parts::{Solid, add_floor};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Twist, Vec3};
use linkwork::model::{Geometry, Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "ball",
    summary: "a ball that bounces, rolls and spins",
    params: &[
        Param::new("height", 1.0, (0.0, 1000.0), "initial gap, m"),
        Param::new("restitution", 0.8, (0.0, 1.0), "restitution coefficient"),
        Param::new("radius", 0.1, (1e-3, 10.0), "radius, m"),
        Param::new("friction", 0.5, (0.0, 10.0), "friction coefficient"),
        Param::new(
            "torsional_friction",
            0.0,
            (0.0, 10.0),
            "coefficient of torsional friction, m",
        ),
        Param::new(
            "rolling_friction",
            0.0,
            (0.0, 10.0),
            "coefficient of rolling friction, m",
        ),
        Param::new(
            "speed",
            0.0,
            (-1000.0, 1000.0),
            "initial speed, rolling, m/s",
        ),
        Param::new(
            "spin",
            0.0,
            (-1000.0, 1000.0),
            "initial spin about the vertical, rad/s",
        ),
    ],
    build,
};

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material {
        friction: p.get("friction"),
        torsional_friction: p.get("torsional_friction"),
        rolling_friction: p.get("rolling_friction"),
        restitution: p.get("restitution"),
        ..Material::default()
    };
    let (radius, speed) = (p.get("radius"), p.get("speed"));
    let mut b = ModelBuilder::new();
    add_floor(&mut b, material);
    Solid::new("ball", 1.0, Geometry::Sphere { radius })
        .at(0.0, 0.0, radius + p.get("height"))
        .twist(Twist::new(
            Vec3::new(speed, 0.0, 0.0),
            Vec3::new(0.0, speed / radius, p.get("spin")),
        ))
        .material(material)
        .add(&mut b);
    Ok(Scene::new(b.build()?))
}

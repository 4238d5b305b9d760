//! A box on a plane, tilted if asked: sticks, slides or falls.

use super::parts::{Solid, add_floor, cuboid};
use super::{Param, Params, Scene, SceneEntry, SceneError};
use linkwork::math::{Twist, Vec3};
use linkwork::model::{Material, ModelBuilder};

pub(super) const ENTRY: SceneEntry = SceneEntry {
    name: "box_on_plane",
    summary: "a 1 kg box on a plane that may be inclined: stick, slip, drop",
    params: &[
        Param::new("friction", 0.5, (0.0, 10.0), "friction coefficient"),
        Param::new("slope", 0.0, (-1.5, 1.5), "angle of the plane about y, rad"),
        Param::new("height", 0.0, (0.0, 100.0), "initial gap, m"),
        Param::new("speed", 0.0, (-100.0, 100.0), "initial speed along x, m/s"),
        Param::new("mass", 1.0, (1e-6, 1e9), "mass, kg"),
        Param::new("restitution", 0.0, (0.0, 1.0), "restitution coefficient"),
    ],
    build,
};

/// Half the height of the box, m.
const HALF_HEIGHT: f64 = 0.1;

fn build(p: &Params) -> Result<Scene, SceneError> {
    let material = Material {
        restitution: p.get("restitution"),
        ..Material::with_friction(p.get("friction"))
    };
    let mut b = ModelBuilder::new();
    // The plane stays level and gravity turns: the same physics, and positions are easy to read.
    let slope = p.get("slope");
    b.gravity(9.81 * Vec3::new(slope.sin(), 0.0, -slope.cos()));
    add_floor(&mut b, material);
    Solid::new("box", p.get("mass"), cuboid(0.2, 0.15, HALF_HEIGHT))
        .at(0.0, 0.0, HALF_HEIGHT + p.get("height"))
        .twist(Twist::new(Vec3::x() * p.get("speed"), Vec3::zeros()))
        .material(material)
        .add(&mut b);
    Ok(Scene::new(b.build()?))
}
